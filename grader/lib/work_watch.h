/* work_watch.h - how long a process and all below it ran, and how long they waited for a processor.
 *
 * The kernel counts both for each thread: Documentation/scheduler/sched-stats, /proc/pid/schedstat.
 * Where it does not (some containers), a thread that is ready to run at a look, and has not run
 * since the last one, has waited; if there is no /proc at all, no waiting is noticed.
 */
#ifndef LIB_WORK_WATCH_H
#define LIB_WORK_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { WORK_MOST_THREADS = 2048, WORK_ROOM = 2 * WORK_MOST_THREADS };

struct work_thread {
    pid_t thread;      /* 0: there is none */
    bool only_watches; /* its waiting delays no work */
    uint64_t ran_ns, waited_ns;
    uint64_t counted_ns, advance_ns; /* waited_ns has both, if the kernel counts */
};

/* Threads by their number, as the last look found them. */
struct work_threads {
    struct work_thread at[WORK_ROOM];
    unsigned count;
};

/* Sums since the first look, over all threads that were found at two looks in a row. */
struct work_moment {
    int64_t wall_ns; /* by the monotonic clock */
    int64_t ran_ns, waited_ns;
};

struct work_watch {
    pid_t root;
    bool by_states; /* schedstat says nothing here */
    struct work_moment last;
    struct work_threads threads[2];
    unsigned turn; /* which of the two the last look filled */
};

/* By the monotonic clock. */
int64_t work_wall_ns(void);
/* Begin to watch root and all below it; takes the first look. It has some hundred KiB: use static
 * memory. */
void work_watch_open(struct work_watch *watch, pid_t root);
/* Look again: takes some tenths of a millisecond for some tens of threads. */
struct work_moment work_watch_look(struct work_watch *watch);

/* The time from one look to a later one during which the work could proceed, ns: without the time
 * that its threads waited for a processor that others had. It is at most the real time, and at
 * least the share of the processors that the work had: so threads that wait for each other do not
 * stop the clock. */
int64_t work_between_ns(const struct work_moment *from, const struct work_moment *to);

#endif
