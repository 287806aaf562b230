/* sandbox.h - the walls around code that we did not write: the compiler at work on a submission,
 * and the runner that executes it.
 *
 * Built with bubblewrap: own user, process, network, ipc and host-name namespaces; a read-only
 * view of the system with nothing of the course in it but what is named here; an empty /tmp that
 * goes away with the process; no environment but what is set here. Where bubblewrap does not work
 * (no user namespaces, not installed) the same program is started without walls, and whoever asked
 * says so in the record: "sandbox: none".
 */
#ifndef RUNNER_SANDBOX_H
#define RUNNER_SANDBOX_H

#include "check/files.h"

#include <stdbool.h>
#include <stddef.h>

enum { SANDBOX_MOST_WORDS = 256, SANDBOX_MOST_VARIABLES = 16 };

/* A command line and environment being put together. Its texts are its own. */
struct sandbox {
    bool walled;
    const char *argv[SANDBOX_MOST_WORDS + 1];
    const char *environment[SANDBOX_MOST_VARIABLES + 1];
    size_t words, variables;
    char *texts[SANDBOX_MOST_WORDS];
    size_t text_count;
    bool too_long;             /* something did not fit: do not start it */
};

/* Does bubblewrap work on this machine? Asks by starting it once (about 10 ms). */
bool sandbox_works(void);

/* Order of calls: sandbox_open, any of sandbox_show/..., then the program and its arguments with
 * sandbox_word, sandbox_close when the process has been started. */
void sandbox_open(struct sandbox *sandbox, bool walled);
void sandbox_close(struct sandbox *sandbox);

/* Make path visible, read only, as inside (NULL: under its own name); no error when missing. */
void sandbox_show(struct sandbox *sandbox, const char *path, const char *inside);
/* The same, writable. */
void sandbox_share(struct sandbox *sandbox, const char *path, const char *inside);
/* Every device node of an NVIDIA GPU. */
void sandbox_show_gpu(struct sandbox *sandbox);
void sandbox_set(struct sandbox *sandbox, const char *name, const char *value);
/* The first word is the program. */
void sandbox_enter(struct sandbox *sandbox, const char *folder);
void sandbox_word(struct sandbox *sandbox, const char *word);

/* Where a file shown as inside is found by the program: there, or where it really is. */
const char *sandbox_name(const struct sandbox *sandbox, const char *path, const char *inside);

#endif
