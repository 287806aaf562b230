/* protocol.h - what the grader tells a runner, and the little that a runner can answer.
 *
 * Two pipes. On the first the grader sends commands, each only as long as its kind needs, so that
 * many fit the pipe before they are read (runner_command_bytes); on the second the runner
 * answers HELLO and each LAUNCH with one acknowledgement of fixed size. An acknowledgement decides
 * nothing: the grader reads outputs, guards and counters itself, and takes the runner's times as
 * claims that its own clock has to confirm. A runner that ends without having answered, with
 * whatever exit status, has not passed.
 *
 * Memory: the grader owns every allocation and hands it over by CUDA IPC (OPEN with a handle).
 * Where a device has no CUDA IPC, OPEN names a piece of shared host memory instead: the runner
 * allocates device memory itself, fills it from there before a launch and copies it back after.
 *
 * A case of several processes is launched once in each of them, in turn. The next one finds what
 * the submission left in its file in the one before; in between, the bytes are in a file of the
 * grader's without a name (RUNNER_HANDED_FD), so that runners share no folder.
 */
#ifndef RUNNER_PROTOCOL_H
#define RUNNER_PROTOCOL_H

#include "check/judge.h"

#include <stdint.h>

enum {
    RUNNER_COMMANDS_FD = 3,
    RUNNER_ANSWERS_FD = 4,
    RUNNER_SHARED_FD = 5, /* shared host memory; empty with CUDA IPC */
    RUNNER_HANDED_FD = 6, /* what one process of a case hands to the next */
    RUNNER_DEVICE_FD = 7, /* names the simulated device's socket: DEVICE_FD of simgpu */
    RUNNER_FDS,
    RUNNER_MOST_HANDED_BYTES = 128 << 20,
    RUNNER_MOST_SLOTS = 64, /* allocations open at a time */
    RUNNER_MOST_SETS = 48,
    /* Waits for the device that a LAUNCH makes itself, besides the submission's. */
    RUNNER_OWN_SYNCHRONISATIONS = 1,
    /* Memory that it sets, if it launches more than once. */
    RUNNER_OWN_SETS = 1,
};

#define RUNNER_MAGIC UINT32_C(0x57515231) /* "WQR1" */

enum runner_kind {
    RUNNER_OPEN,   /* make an allocation known as slot */
    RUNNER_CLOSE,  /* forget it */
    RUNNER_LAUNCH, /* run the submission; answered */
};

/* Where a buffer of a case begins. */
struct runner_place {
    uint64_t offset; /* in its slot */
    uint32_t slot;
    uint32_t present; /* 0: the launcher gets NULL */
};

/* The same problem in several places of memory, so that repeated launches cannot reuse results. */
struct runner_set {
    struct runner_place place[JUDGE_MOST_BUFFERS];
};

/* An allocation, as a runner is told about it. */
struct runner_open {
    uint64_t size_bytes;
    uint64_t shared_offset; /* in the shared memory, when is_shared */
    uint32_t slot, is_shared;
    cudaIpcMemHandle_t handle;
};

/* Which thread of the runner calls the launcher (caller.h). */
enum runner_thread { RUNNER_FIRST_THREAD, RUNNER_DRAWN_THREAD, RUNNER_OTHER_THREAD };

struct runner_command {
    uint32_t magic, kind;
    union {
        struct runner_open open;
        struct {
            uint32_t slot;
        } close;
        struct {
            struct judge_case problem;
            uint32_t serial;     /* which the answer repeats; unpredictable */
            uint32_t process;    /* which of the case's: 0 is the first */
            uint32_t prepares;   /* it does not count yet: judge_case.prepares */
            uint32_t sets;       /* how many of set are used */
            uint32_t launches;   /* in all: set 0, 1, ... and round again */
            uint32_t walk;       /* 1: capture one call into a graph, and count its nodes */
            uint32_t thread;     /* enum runner_thread: which one makes the call */
            uint32_t on_default; /* 1: the stream given is the default one, NULL */
            uint32_t is_timed;   /* 1: the answer gives a time */
            struct runner_set set[RUNNER_MOST_SETS];
        } launch;
    };
};

/* The part that says how long the rest is: everything but the sets. */
static inline size_t runner_command_head_bytes(uint32_t kind)
{
    switch ((enum runner_kind)kind) {
    case RUNNER_OPEN: return offsetof(struct runner_command, open) + sizeof(struct runner_open);
    case RUNNER_CLOSE: return offsetof(struct runner_command, close.slot) + sizeof(uint32_t);
    case RUNNER_LAUNCH: break;
    }
    return offsetof(struct runner_command, launch.set);
}

/* On the pipe. At least the head; it must be known. */
static inline size_t runner_command_bytes(const struct runner_command *command)
{
    size_t bytes = runner_command_head_bytes(command->kind);
    if (command->kind == RUNNER_LAUNCH && command->launch.sets <= RUNNER_MOST_SETS)
        bytes += command->launch.sets * sizeof(struct runner_set);
    return bytes;
}

enum runner_stage {
    RUNNER_READY,        /* HELLO: the submission is loaded; serial 0 */
    RUNNER_NOT_LOADED,   /* dlopen refused it; the reason is on stderr */
    RUNNER_NO_SYMBOL,    /* launcher number error is not defined */
    RUNNER_NO_DEVICE,    /* CUDA error before anything of the submission ran */
    RUNNER_NOT_LAUNCHED, /* the launcher returned error */
    RUNNER_NOT_FINISHED, /* the device reported error while the work ran */
    RUNNER_NOT_REFUSED,  /* never sent: examine alone knows judge_case.refused_with (link_talk.c) */
    RUNNER_DONE,
};

/* A call as a graph. */
struct runner_nodes {
    uint32_t kernels, copies, allocations; /* memory that is set counts as copied */
    int32_t error;                         /* cudaError_t of a call that cannot be captured */
};

struct runner_answer {
    uint32_t magic, serial;
    uint32_t stage;
    int32_t error;             /* cudaError_t */
    float milliseconds;        /* all launches, between two events in the runner's stream; or 0 */
    struct runner_nodes nodes; /* of a walk */
    int32_t finished;          /* of NOT_LAUNCHED: what the device reported in the end */
};

#endif
