/* tree.h - what a process and everything that it started use.
 *
 * The kernel's limits (setrlimit) apply to each process alone, so children multiply them; control
 * groups count a whole tree, but not every machine lets us have one. /proc shows any tree.
 */
#ifndef RUNNER_TREE_H
#define RUNNER_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tree_use {
    unsigned processes; /* without the top */
    unsigned threads;
    uint64_t memory_bytes; /* own and shared, not files'; a page counts for each user of it */
    uint64_t cpu_ms;       /* of those alive and of children they waited for */
};

/* All descendants of top, without top itself. Orphans are found if top adopts them: it is process
 * 1, or has PR_SET_CHILD_SUBREAPER. False when /proc cannot be read. */
bool tree_use(pid_t top, struct tree_use *use);
/* SIGKILL to all descendants of the caller, repeatedly until none is left or a second has
 * passed. */
void tree_kill(void);

/* Bytes and names in a folder and all below; counting ends at most_names. */
struct folder_use {
    uint64_t bytes;
    unsigned names;
};
void folder_use(const char *path, unsigned most_names, struct folder_use *use);

#endif
