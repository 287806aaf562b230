/* group.h - a control group (cgroup v2) around a child and all that it starts, if there can be one.
 *
 * Counting by /proc looks fifty times a second, and what forks faster than it is killed has to be
 * killed again and again. The kernel's own count has neither fault: no page and no process more
 * than the limit, and all end at one word, wherever they have gone. But not every machine lets us
 * have a group. Then everything is as without.
 *
 * Looked for are, in this order: the folder that WARPQUEST_CGROUP names (one that was delegated,
 * with its controllers handed down), the group that we are in, and the topmost. One that hands down
 * memory and pids is taken before one that only ends what is in it.
 */
#ifndef LIB_GROUP_H
#define LIB_GROUP_H

#include "lib/files.h"

#include <stdint.h>

struct group {
    struct path folder;        /* of the group; empty when there is none */
    bool limits;               /* memory and processes are limited by it */
};

struct group_limits {
    uint64_t memory_bytes;     /* 0: any */
    uint64_t tasks;            /* processes and threads; 0: any */
};

/* Make one. False, with an empty group, when none can be had. */
bool group_open(struct group *group, const struct group_limits *limits);
/* The same below that folder; for tests, too. */
bool group_open_in(struct group *group, const char *above, const struct group_limits *limits);
/* End all that is in it, and remove it. */
void group_close(struct group *group);
/* In a child, before it becomes another program: go there. False when that is not allowed. */
bool group_enter(const char *folder);

#endif
