/* process_seen.h - what the kernel says of a process. */
#ifndef PROCESS_SEEN_H
#define PROCESS_SEEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_seen {
    char state;             /* of its first thread: R runs or would like to, S sleeps, D is in the
                             * kernel, T is stopped */
    pid_t parent;
    uint64_t ticks;         /* of processor time that all its threads took: 10 ms each */
};

/* False when it is gone. */
bool process_look(pid_t process, struct process_seen *seen);

#endif
