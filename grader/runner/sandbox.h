/* sandbox.h - the walls around code that we did not write: the compiler at work on a submission,
 * and the runner that executes it.
 *
 * Two kinds count as walls, and a record names which it was:
 *
 *   bubblewrap  own process, network, ipc and host-name namespaces, and mounts: nothing exists
 *               but what is shown here. Started by root, the program becomes a user of its own;
 *               started by any other user, that user in a namespace of its own.
 *   landlock    where namespaces are refused (most containers, some systems) and root starts it: a
 *               user of its own, and nothing can be opened but what is shown here.
 *
 * Around both, or alone if neither is available (none: a self-check, never a grade), the launcher
 * (walls.h) sets limits, filters system calls, and counts what all processes use together. There is
 * no environment except what is set here, and no descriptor except those of the process_spec.
 */
#ifndef RUNNER_SANDBOX_H
#define RUNNER_SANDBOX_H

#include "lib/files.h"
#include "runner/walls.h"

#include <stdbool.h>
#include <stddef.h>

enum { SANDBOX_MOST_WORDS = 1024, SANDBOX_MOST_VARIABLES = 16 };

enum sandbox_kind { SANDBOX_NONE, SANDBOX_LANDLOCK, SANDBOX_BUBBLEWRAP };

/* A command line and environment being put together. Its texts are its own. */
struct sandbox {
    enum sandbox_kind kind;
    struct walls walls; /* sandbox_open sets their user and group */
    const char *argv[SANDBOX_MOST_WORDS + 1];
    const char *environment[SANDBOX_MOST_VARIABLES + 1]; /* of argv[0]: nothing of the grader's */
    size_t words, variables;
    char *texts[SANDBOX_MOST_WORDS];
    size_t text_count;
    bool shows_system;
    bool too_long; /* something did not fit: it must not be started */
};

/* The best kind that this machine permits: each is tried by starting it once (about 20 ms), unless
 * WARPQUEST_SANDBOX in the environment names one. */
enum sandbox_kind sandbox_find(void);
/* "bubblewrap", "landlock", "none"; and back, where any other name means none. */
const char *sandbox_kind_name(enum sandbox_kind kind);
enum sandbox_kind sandbox_kind_named(const char *name);

/* Order of calls: sandbox_open with limits (walls.h), any of sandbox_show/..., sandbox_enter, then
 * the program and its arguments with sandbox_word, sandbox_close when it has been started. */
void sandbox_open(struct sandbox *sandbox, enum sandbox_kind kind, const struct walls *limits);
void sandbox_close(struct sandbox *sandbox);

/* Show what programs of a distribution need: all of its folders for programs and libraries. */
void sandbox_show_system(struct sandbox *sandbox);
/* Make path visible, read only, as inside (NULL: under its own name); no error when missing. */
void sandbox_show(struct sandbox *sandbox, const char *path, const char *inside);
/* The same, writable, for a folder, which becomes the program's own. */
void sandbox_share(struct sandbox *sandbox, const char *path, const char *inside);
/* Let it use a socket of ours, for which it has a descriptor but no name. */
void sandbox_admit(struct sandbox *sandbox, const char *path);
/* Every device node of an NVIDIA GPU. */
void sandbox_show_gpu(struct sandbox *sandbox);
void sandbox_set(struct sandbox *sandbox, const char *name, const char *value);
/* Where the program starts: a folder's name inside; "/tmp" stands for its own folder, which HOME
 * and TMPDIR name. */
void sandbox_enter(struct sandbox *sandbox, const char *folder);
/* The first word is the program. */
void sandbox_word(struct sandbox *sandbox, const char *word);

/* The path by which the program finds a file that was shown as inside: that, or its real one. */
const char *sandbox_name(const struct sandbox *sandbox, const char *path, const char *inside);

#endif
