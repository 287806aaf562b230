/* sandbox.h - the walls around code that we did not write: the compiler at work on a submission,
 * and the runner that executes it.
 *
 * Two kinds count as walls, and a record names which it was:
 *
 *   bubblewrap  own process, network, ipc and host-name namespaces, and mounts: nothing is there
 *               but what is shown here. Started by root, the program becomes a user of its own;
 *               started by anybody else, that user in a namespace of its own.
 *   landlock    where namespaces are refused (most containers, some systems) and root starts it: a
 *               user of its own, and nothing can be opened but what is shown here.
 *
 * Around both, and alone where neither is to be had (none: a self-check, never a grade), the
 * launcher (walls.h) sets limits, filters system calls, and counts what all processes use together.
 * No environment but what is set here; no descriptor but those of the process_spec.
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
    struct walls walls;        /* whose user and group are set by sandbox_open */
    const char *argv[SANDBOX_MOST_WORDS + 1];
    const char *environment[SANDBOX_MOST_VARIABLES + 1]; /* of argv[0]: nothing of the grader's */
    size_t words, variables;
    char *texts[SANDBOX_MOST_WORDS];
    size_t text_count;
    bool shows_system;
    bool too_long;             /* something did not fit: do not start it */
};

/* The best kind that this machine permits: each is tried by starting it once (about 20 ms), unless
 * WARPQUEST_SANDBOX in the environment names the one to try. */
enum sandbox_kind sandbox_find(void);
/* "bubblewrap", "landlock", "none"; and back, where anything else is none. */
const char *sandbox_kind_name(enum sandbox_kind kind);
enum sandbox_kind sandbox_kind_named(const char *name);

/* Order of calls: sandbox_open with limits (walls.h), any of sandbox_show/..., sandbox_enter, then
 * the program and its arguments with sandbox_word, sandbox_close when it has been started. */
void sandbox_open(struct sandbox *sandbox, enum sandbox_kind kind, const struct walls *limits);
void sandbox_close(struct sandbox *sandbox);

/* What programs of a distribution need: all of its folders for programs and libraries. */
void sandbox_show_system(struct sandbox *sandbox);
/* Make path visible, read only, as inside (NULL: under its own name); no error when missing. */
void sandbox_show(struct sandbox *sandbox, const char *path, const char *inside);
/* The same, writable: a folder, which becomes the program's own. */
void sandbox_share(struct sandbox *sandbox, const char *path, const char *inside);
/* Let it use a socket of ours that it has a descriptor of, but no name for. */
void sandbox_admit(struct sandbox *sandbox, const char *path);
/* Every device node of an NVIDIA GPU. */
void sandbox_show_gpu(struct sandbox *sandbox);
void sandbox_set(struct sandbox *sandbox, const char *name, const char *value);
/* Where the program starts: a folder's name inside; "/tmp" stands for its own folder, which HOME
 * and TMPDIR name. */
void sandbox_enter(struct sandbox *sandbox, const char *folder);
/* The first word is the program. */
void sandbox_word(struct sandbox *sandbox, const char *word);

/* Where a file shown as inside is found by the program: there, or where it really is. */
const char *sandbox_name(const struct sandbox *sandbox, const char *path, const char *inside);

#endif
