/* process.h - children: started with only what they are given, and always ended.
 *
 * Every child gets its own process group and dies with us. The program that calls
 * process_adopt_orphans also inherits the children of its children, so that process_end leaves none
 * of them. Interrupts (Ctrl-C) end the running child first: see process_interrupted.
 */
#ifndef LIB_PROCESS_H
#define LIB_PROCESS_H

#include "lib/work_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_MOST_FDS = 8 };

struct process_spec {
    const char *const *argv;        /* argv[0] is looked up on PATH */
    const char *const *environment; /* "NAME=value", ended by NULL; NULL for our own */
    const char *folder;             /* where it runs; NULL for here */
    const char *group;              /* of a control group that it enters, if it may; or NULL */
    int fds[PROCESS_MOST_FDS];      /* its fds 0, 1, ...; all others are closed */
    size_t fd_count;
};

/* -1 when it cannot be started. A program that cannot be executed exits with 127. */
pid_t process_start(const struct process_spec *spec);
/* End the child and all in its group: first gently, then by force. Returns its wait status. */
int process_end(pid_t pid);
/* Give it that long to end by itself, then process_end. */
int process_wait(pid_t pid, int64_t patience_ns);

/* A child and all below it, as they were when they were last found stopped. Zeros at first. */
enum { PROCESS_MOST_IN_TREE = 1024 };
struct process_tree {
    pid_t pids[PROCESS_MOST_IN_TREE];
    size_t count;
    bool overflown; /* there are more, of which nothing is known */
};
/* Stop the known part of a tree at once, without checking that it is all: takes microseconds. */
void process_halt(const struct process_tree *tree);
/* Stop the child and everything that it has started, down to the last thread (SIGSTOP), and
 * remember them. False if they are not all stopped by then. A paused tree has to be resumed before
 * process_end can be gentle. */
bool process_pause(pid_t pid, struct process_tree *tree, int64_t patience_ns);
/* End them while they are stopped; process_end or process_wait has to follow. */
void process_kill(const struct process_tree *tree);
/* Let them continue. The tree stays known. */
void process_resume(const struct process_tree *tree);

/* Processor time of the child and all existing processes below it, but for the first generations:
 * 1 leaves out the child, 2 its children, too. It is to the nanosecond where the kernel has a clock
 * for each process, and otherwise as process_seen.h counts it. */
uint64_t process_tree_ran_ns(pid_t pid, unsigned generations);

/* From now on orphans of our children are ours, and interrupts are noted instead of fatal. */
void process_adopt_orphans(void);
bool process_interrupted(void);
/* Of our children, process_end leaves this one (aside.h) until it is spared no more. False if there
 * are too many such children. */
enum { PROCESS_MOST_SPARED = 4 };
bool process_spare(pid_t pid);
void process_spare_no_more(pid_t pid);

/* --- One child from start to end -------------------------------------------------------------- */

struct process_job {
    struct process_spec spec;     /* fds are set by process_run */
    const char *input;            /* for its standard input; NULL for none */
    int64_t deadline_ms;          /* by process_clock */
    uint64_t most_resident_bytes; /* of memory, of the child alone; then it is ended; 0: any */
    size_t most_output_bytes;     /* of stdout and stderr together; the rest is lost */
    /* Each line that it writes to fd 3; NULL for no such fd. */
    void (*line)(void *context, const char *line);
    void *context;
};

struct process_result {
    bool started, timed_out, interrupted, output_capped, too_large;
    bool was_busy; /* timed out in real time only: see work_clock.h */
    int status;    /* as waitpid gives it */
    char *output;  /* ended by a zero; never NULL; process_result_free */
    size_t output_bytes;
    double seconds;
};

void process_run(const struct process_job *job, struct process_result *result);
void process_result_free(struct process_result *result);
/* The signal that ended a process with that status, or, as simgpu run and the walls pass it on (128
 * + its number), the program that it ran; 0 for none. */
int process_signal_of(int status);

/* Monotonic clock. */
int64_t process_now_ns(void);

/* The clock of the work of this process and all below it, by which a submission's deadline is
 * counted. With process_clock_of, it is for everything below another process, which this one is
 * below, too. */
struct work_clock *process_clock(void);
void process_clock_of(pid_t root);
/* What it says now. */
int64_t process_work_ns(void);

#endif
