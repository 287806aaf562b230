/* process_seen.h - what the kernel says about a process, or about one thread: proc(5),
 * /proc/pid/stat. */
#ifndef LIB_PROCESS_SEEN_H
#define LIB_PROCESS_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_seen {
    char state; /* of the thread, or the first one: R runs or would like to, S sleeps, D
                             * is in the kernel, T and t are stopped, Z and X are dead */
    pid_t parent;
    unsigned threads;
    uint64_t ticks;        /* of processor time that it took; sysconf(_SC_CLK_TCK) a second */
    uint64_t waited_ticks; /* that children took, as far as it has waited for them */
};

/* The beginning of a file that the kernel generates, ended by a zero. False, and no text, if there
 * is none. */
bool process_read(const char *path, char *text, size_t room);
/* False when it is gone. */
bool process_look(pid_t process, struct process_seen *seen);
/* thread: its number, as /proc/pid/task lists it. */
bool process_look_at_thread(pid_t process, const char *thread, struct process_seen *seen);

#endif
