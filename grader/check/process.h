/* process.h - children: started with nothing but what they are given, ended whatever they do.
 *
 * Every child gets its own process group and dies with us. The program that calls
 * process_adopt_orphans also inherits the children of its children, so that process_end leaves
 * none of them behind. Interrupts (Ctrl-C) end the running child first: see process_interrupted.
 */
#ifndef CHECK_PROCESS_H
#define CHECK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_MOST_FDS = 8 };

struct process_limits {       /* 0 for none */
    uint64_t file_bytes;      /* largest file it may write */
    uint64_t memory_bytes;    /* of address space; never for a CUDA program, which reserves a lot */
    uint64_t data_bytes;      /* of memory of its own that it may write to */
    uint64_t open_files;
    uint64_t cpu_seconds;     /* of processor time; then it is killed by SIGXCPU */
};

struct process_spec {
    const char *const *argv;        /* argv[0] is looked up on PATH */
    const char *const *environment; /* "NAME=value", ended by NULL; NULL for our own */
    const char *folder;             /* where it runs; NULL for here */
    int fds[PROCESS_MOST_FDS];      /* what its fds 0, 1, ... are; all others are closed */
    size_t fd_count;
    struct process_limits limits;
};

/* -1 when it cannot be started. A program that cannot be executed exits with 127. */
pid_t process_start(const struct process_spec *spec);
/* End the child and all in its group: first gently, then not. Returns its wait status. */
int process_end(pid_t pid);
/* Let it end by itself for so long, then process_end. */
int process_wait(pid_t pid, int64_t patience_ns);

/* From now on orphans of our children are ours, and interrupts are noted instead of fatal. */
void process_adopt_orphans(void);
bool process_interrupted(void);

/* --- One child from start to end -------------------------------------------------------------- */

struct process_job {
    struct process_spec spec;       /* fds are set by process_run */
    const char *input;              /* for its standard input; NULL for none */
    int64_t deadline_ms;
    size_t most_output_bytes;       /* of stdout and stderr together; what comes later is lost */
    /* Each line that it writes to fd 3; NULL for no such fd. */
    void (*line)(void *context, const char *line);
    void *context;
};

struct process_result {
    bool started, timed_out, interrupted, output_capped;
    int status;                     /* as waitpid gives it */
    char *output;                   /* ended by a zero; never NULL; process_result_free */
    size_t output_bytes;
    double seconds;
};

void process_run(const struct process_job *job, struct process_result *result);
void process_result_free(struct process_result *result);

/* Monotonic clock. */
int64_t process_now_ns(void);

#endif
