/* group.h - a control group (cgroup v2) around a child and everything that it starts, if possible.
 *
 * Counting by /proc happens fifty times a second, and a tree that forks faster than it is killed
 * has to be killed again and again. The kernel's own count has neither fault: no page and no
 * process exceeds the limit, and one write ends them all, wherever they are. But not every machine
 * lets us have a group. Then everything works as without one.
 *
 * Candidates are, in this order: the folder that WARPQUEST_CGROUP names (delegated, with its
 * controllers), the group that we are in, and the topmost. One that delegates memory and pids is
 * preferred to one that can only end what is in it.
 */
#ifndef LIB_GROUP_H
#define LIB_GROUP_H

#include "lib/files.h"

#include <stdint.h>

struct group {
    struct path folder; /* of the group; empty when there is none */
    bool limits;        /* memory and processes are limited by it */
};

struct group_limits {
    uint64_t memory_bytes; /* 0: any */
    uint64_t tasks;        /* processes and threads; 0: any */
};

/* Make one. False, with an empty group, if that is not possible. */
bool group_open(struct group *group, const struct group_limits *limits);
/* The same below that folder; for tests, too. */
bool group_open_in(struct group *group, const char *above, const struct group_limits *limits);
/* End everything in it, and remove it. */
void group_close(struct group *group);
/* In a child, before it becomes another program: enter the group. False if that is not allowed. */
bool group_enter(const char *folder);

#endif
