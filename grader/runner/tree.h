/* tree.h - what a process and all that it started use, whoever is asked to count it.
 *
 * Limits of the kernel's (setrlimit) hold for one process each, so children multiply them; control
 * groups count a whole tree, but not every machine lets us have one. /proc tells of any tree.
 */
#ifndef RUNNER_TREE_H
#define RUNNER_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tree_use {
    unsigned processes;        /* without the top */
    unsigned threads;
    uint64_t memory_bytes;     /* own and shared, not files'; a page counts for each user of it */
    uint64_t cpu_ms;           /* of those alive and of children they waited for */
};

/* All descendants of top; it is no part of it. Orphans are found as long as they come to top: it is
 * process 1, or has PR_SET_CHILD_SUBREAPER. False when /proc cannot be read. */
bool tree_use(pid_t top, struct tree_use *use);
/* SIGKILL to all that descends from the caller, again and again until none is left or a second has
 * passed. */
void tree_kill(void);

/* Bytes and names in a folder and all below; counting ends at most_names. */
struct folder_use {
    uint64_t bytes;
    unsigned names;
};
void folder_use(const char *path, unsigned most_names, struct folder_use *use);

#endif
