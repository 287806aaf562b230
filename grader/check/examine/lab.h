/* lab.h - what all stages of an examination share: the judge, the device, memory, and runners.
 *
 * The grader owns every allocation (a room) and shows it to a runner under a slot number. The bytes
 * cross in one of two ways: by CUDA IPC, where both processes see the same device memory, or by
 * shared host memory if a device has no CUDA IPC. Stages need not know which.
 */
#ifndef EXAMINE_LAB_H
#define EXAMINE_LAB_H

#include "check/examine/compare.h"
#include "check/examine/image.h"
#include "check/examine/link.h"
#include "check/examine/turn.h"
#include "lib/process.h"
#include "simgpu/simgpu.h"

#include <jansson.h>

/* What a stage found: the first error, or PASS. */
struct finding {
    enum verdict verdict;
    char reason[512];               /* one sentence, without its subject's name */
    char advice[256];               /* what to try; may be empty */
    char file[128];                 /* of the source line; may be empty */
    unsigned line, other_line;      /* 0 when unknown */
    int error;                      /* cudaError_t that the launcher or the device gave; or 0 */
    unsigned process;               /* of the case's: 0 is the first */
    bool starved;                   /* its process, as link.h says */
    bool null_pointer;              /* a kernel used one */
    bool absent_lane;               /* a shuffle read a lane that its block lacks */
    bool global_race;               /* its threads race in global memory */
    enum judge_counter broken_rule; /* which a call in another case than the timed one breaks, */
    char broken_in[JUDGE_NAME];     /* namely in this one */
    struct judge_launch launch;
    struct comparison wrong; /* of WRONG: its output; wrong.wrong is 0 if none is known */
    char wrong_buffer[32];
};

/* Rooms that are cut begin at multiples of this, as large allocations do. */
#define ROOM_CUT_BYTES (UINT64_C(2) << 20)

struct room {
    uint32_t slot;
    uint64_t offset, size_bytes; /* in its slot */
    unsigned char *device;       /* NULL if it is in shared memory */
    bool is_cut;                 /* from another room */
    struct runner_open open;     /* what a runner is told */
};

/* A case of which a call was made. */
struct host_case {
    struct judge_case problem;
    bool
        is_spread; /* some of its blocks ran (spread.h): as a whole it may exceed any memory here */
};

/* What the submission's process does on the host: host.h. */
struct host_use {
    unsigned calls, slow, hard; /* all so far; those clearly too long, also in processor time, */
    struct host_case slow_case, hard_case; /* and the last of each */
    double total_ns, last_ns;   /* besides what the device did; a call of the latest run */
    unsigned last_launches;     /* of that run, and */
    struct host_case last_case; /* its case */
    int64_t shut_ns;            /* when the window was shut after a call, and */
    uint64_t shut_ran_ns;       /* the processor time of shut_pid by then */
    pid_t shut_pid;             /* 0: of none */
    uint64_t open_ran_ns;       /* processor time of a process when its window was opened, */
    double last_ran_ns;         /* and what a call took until that was shut */
    bool compares;              /* calls are timed exactly: host_call_begin */
    bool loaded_late;           /* once: then the wait is shorter */
    double between_s, worked_s; /* between calls: time, and processor time */
};

enum { LAB_AHEAD = 2 };

struct lab {
    const struct judge *judge;
    const char *submission, *reference; /* the .so files */
    const char *probe;                  /* what the machine is tested with; or "" (again.h) */
    uint64_t seed;
    struct judge_device device;
    char device_name[256];
    int compute_major, compute_minor;
    bool has_display;                /* so that its driver stops long kernels */
    const struct simgpu_api *simgpu; /* NULL on a GPU */
    struct link_spec runner;         /* submission is set before each start */
    int shared_fd;                   /* -1 with CUDA IPC */
    unsigned char *shared;
    int handed_fd;              /* what the first process of a case hands on: handed.h */
    uint64_t handed_bytes;      /* what the last one got */
    struct turn turn;           /* on a GPU */
    int deadline_ms;            /* of a launch on a GPU; 0 for the usual one */
    bool endless;               /* the simulated device found that it does not end */
    bool for_page;              /* nothing is judged: each timed case is called once */
    struct process_tree paused; /* on a GPU: what the window has stopped (window.h) */
    double bar, delta;          /* of the class, for times; 0: the judge's, the usual */
    unsigned open_rooms;
    struct room ground; /* on a GPU, while large cases are judged: their rooms are cut from it */
    struct link link;   /* the submission's runner, once started */
    struct link *ahead[LAB_AHEAD], *ending; /* others of its (relay.h), or NULL */
    int64_t spent_ns;                       /* spent waiting for the submission's runners */
    bool launched_elsewhere;   /* in the latest call, though launches on its stream fail */
    bool prepared_apart, made; /* in the latest call: judge.prepares_apart, judge_case.makes */
    const struct judge_case *unjudged; /* the first case that this device cannot judge, and why */
    char why_unjudged[128];
    struct host_use host;
    bool is_spread;                     /* the case at hand is: spread.h */
    bool was_late;                      /* one of those missed a deadline: see lab_wait */
    const struct judge_bar *missed_bar; /* by a small case (bars.h); NULL for none */
    const struct judge_case *missed_in;
    bool apart;  /* the small cases are another examination's: whether they miss one is unknown */
    json_t *log; /* what the submission printed */
    bool log_capped;
};

/* Fill in the device. False with a sentence when there is none that can be used. */
bool lab_find_device(struct lab *lab, bool use_ipc, char *reason, size_t reason_bytes);
/* Runners may load the device code of that library, if there is one, and of others that were
 * admitted; on the simulated device they may load no other. False, with a sentence, on failure. */
bool lab_admit(struct lab *lab, const char *library, char *reason, size_t reason_bytes);
/* Read again how much memory there is: others may have taken some, or given it back. */
void lab_look_at_memory(struct lab *lab);
void lab_close(struct lab *lab);

/* Open a room of that size for slot. False, with a finding, when the device is out of memory. */
bool room_open(struct lab *lab, uint32_t slot, uint64_t size_bytes, struct room *room,
               struct finding *finding);
void room_close(struct lab *lab, struct room *room);
/* Cut one from another, from *used on; room_close ends it as well. Runners know the whole: to open
 * and close memory takes a process tens of milliseconds a gigabyte. */
void room_cut(const struct room *whole, uint64_t *used, uint64_t size_bytes, struct room *room);
bool room_write(struct lab *lab, struct room *room, const void *from, uint64_t size_bytes);
bool room_read(struct lab *lab, const struct room *room, void *to, uint64_t size_bytes);

/* Start the runner of a submission and wait until it is loaded. */
bool lab_start(struct lab *lab, struct link *link, const char *submission, struct finding *finding);
/* The submission's runner, unless it runs already. */
bool lab_ensure(struct lab *lab, struct finding *finding);
/* The second half of lab_start: wait for one that has been started. */
bool lab_await(struct lab *lab, struct link *link, struct finding *finding);
/* Wait for a runner's answer. On the simulated device a submission gets the full deadline only
 * once: after it has missed one, the next is a few seconds. */
enum link_event lab_wait(struct lab *lab, struct link *link, int64_t deadline_ms,
                         struct runner_answer *answer);
/* Stop it and keep its log, when it is the submission's. */
void lab_stop(struct lab *lab, struct link *link);

/* Places of a case whose buffers are all in one image, in slot. */
void lab_places(const struct image *image, uint32_t slot, struct runner_set *set);

/* Say that this device cannot judge the case `unjudged`. */
void lab_say_unjudged(const struct lab *lab, struct finding *finding);

/* Add a runner's log to what is kept: the submission's. */
void lab_keep_log(struct lab *lab, struct link *link);

/* --- Launches (launch.c) ---------------------------------------------------------------------- */

/* Writes what the call of a launcher finds in memory, when the runner has carried out all earlier
 * commands, and no work is left on the device. */
struct lab_fill {
    /* Called for each process of the case in turn; 0 is the first. False with a finding. */
    bool (*write)(void *context, unsigned process, struct finding *finding);
    void *context;
};

/* Have the launcher called once, in a window (window.h): wait until the runner has carried out its
 * commands, stop all other programs, fill, let the launcher run, and stop all programs again. Then
 * the caller reads outputs and the report. These do not change until lab_resume, which must precede
 * any command to the runner, or the next lab_run, lab_launch, lab_settle, lab_start or lab_stop.
 *
 * A case of several processes is launched in each of them; link is the first, and the others end
 * with this call. The report is then of the last launch alone. On a fault of the simulated device,
 * work outside the window, an error, a crash or a timeout the finding says so, and the runner in
 * which it happened has been stopped. */
bool lab_run(struct lab *lab, struct link *link, struct runner_command *command,
             const struct lab_fill *fill, struct runner_answer *answer, struct finding *finding);
/* The same for memory that is already filled: for times on a GPU. */
bool lab_launch(struct lab *lab, struct link *link, struct runner_command *command,
                struct runner_answer *answer, struct finding *finding);
/* What lab_run left has been read: all programs may work again. */
void lab_resume(struct lab *lab);
/* Wait until the runner has carried out its commands. All programs may work meanwhile, and
 * afterwards. */
bool lab_settle(struct lab *lab, struct link *link, struct finding *finding);

/* --- Findings --------------------------------------------------------------------------------- */

bool finding_set(struct finding *finding, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Call after finding_set: what is wrong in that buffer. */
void finding_wrong(struct finding *finding, const char *buffer, const struct comparison *result);
/* The configuration of the launch with that number; nothing if there is none. */
void finding_note_launch(struct finding *finding, const struct simgpu_report *report, size_t i);
/* {"verdict", "reason", "advice", "file", "line", "other_line", "error", "process",
 * "starved", "null_pointer", "absent_lane", "launch", "wrong"}: those that are known. */
json_t *finding_json(const struct finding *finding);

/* One line of JSON on the result's channel; takes the object over. */
void lab_say(json_t *object);
/* {"progress": "..."}, for people who wait. */
void lab_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
