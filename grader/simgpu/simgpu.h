/* simgpu.h - what a trusted program may ask of the simulated device it runs on.
 *
 * An ordinary CUDA program needs none of this. The grader uses it to see what the runner's kernels
 * did: the device is a separate process and does its own counting, so nothing that a submission
 * does can change a figure here.
 *
 * Only the drop-in libcudart has these functions. Find them with
 *
 *     const struct simgpu_api *simgpu = simgpu_api();      NULL on a real GPU
 *
 * Only the program that `simgpu run --control` started has control of its device, by a descriptor
 * that none of its children inherits (protocol.h); all others get SIMGPU_DENIED.
 *
 * A launch is watched through a window. Everything that it needs is written while the window is
 * SHUT, when no other program's work is on the device and none begins. While it is OPEN, only the
 * processes of one program work. When it is SHUT again, what they left is read. Work that was
 * running when the window was shut crosses its edge, and is counted.
 *
 * Usual order of calls: set_options; window SHUT, write, window OPEN, let the program work, window
 * SHUT, report, read, report_free; window NONE.
 */
#ifndef SIMGPU_H
#define SIMGPU_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum simgpu_status {
    SIMGPU_OK,
    SIMGPU_DENIED, /* this program does not hold the control */
    SIMGPU_GONE,   /* the device process has died */
    SIMGPU_OUT_OF_MEMORY,
};

enum simgpu_checks { /* or-ed together; bounds, alignment and use after free are always checked */
                     SIMGPU_CHECK_RACES = 1,       /* of shared and global memory, and of work that
                                              * nothing orders */
                     SIMGPU_CHECK_INITIALISED = 2, /* reads of unwritten memory */
                     SIMGPU_CHECK_BARRIERS = 4,    /* divergent barriers */
                     SIMGPU_CHECK_ALL = 7,
                     SIMGPU_CHECK_VARIABLES = 8, /* writes to __device__ variables; not in ALL */
};

/* Launches of many blocks may run only some of them, chosen by seed, that represent all: the
 * counters and the modelled time of a launch are then extrapolated to all its blocks. If that is
 * not possible (atomics, blocks that wait for others, a launch that reads what another wrote,
 * copies of whole arrays) report says why, and what the launches left is meaningless. */
enum { SIMGPU_SAMPLE_PLACES = 4 };
struct simgpu_sampling {
    uint32_t blocks;     /* drawn of a launch's commonest kind; 0: every block runs, as at first */
    uint64_t steps;      /* thread instructions after which few further blocks begin */
    uint64_t most_steps; /* after which the launch is given up */
    double around[SIMGPU_SAMPLE_PLACES]; /* parts of the grid, in (0, 1), where blocks run, too */
    uint64_t seed;
    bool anywhere; /* blocks that are traced are anywhere in the grid, not at its start;
                           * where blocks are too long for many, others are begun and left */
    bool untimed;  /* its time is not needed, and so not modelled */
};

enum simgpu_window {
    SIMGPU_WINDOW_NONE, /* every program works; as at first */
    SIMGPU_WINDOW_SHUT, /* only the program in control does */
    SIMGPU_WINDOW_OPEN, /* it and the processes of one program do */
};

/* Work of the watched program when a window was shut: the sooner it is done, the fewer. */
struct simgpu_over {
    uint64_t pieces; /* launches, copies and the like: queued or running */
    bool endless;    /* some did not end in time and were stopped */
};

struct simgpu_options { /* of all launches of all programs on this device, from now on */
    unsigned checks;
    bool count;           /* keep counters; on at first */
    uint64_t step_budget; /* thread instructions a launch may take; 0 for no limit */
    uint64_t most_steps;  /* the same if no block takes step_budget alone; 0: step_budget */
    uint64_t seed;        /* order of warps and of independent streams; 0 for the plain order */
    bool what_if;         /* model each kernel again, with mends: gain_ns of lines and launches */
    unsigned fewer;       /* with what_if: which fewer_gain_ns of launches, too; a bit for each
                           * enum simgpu_fewer, since each is asked of the model three times */
    uint64_t approximation_seed; /* for the errors of approximate instructions */
    bool hold_back;  /* what the watched program queues in a window begins when it waits for
                           * it: who waits without a call that waits is seen (hold.c) */
    uint32_t slice;  /* multiprocessors that the device has, with as small a part of L2 and DRAM's
                      * rate; 0: all. The watched program must not have asked for them before. */
    bool timeline;   /* keep one of the watched program: simgpu_api.timeline; */
    bool places;     /* with the source lines of its calls, which take longer then: each looks up
                      * its own */
    bool keep_going; /* checks report each pair of lines once, and the launch goes on */
    struct simgpu_sampling sampling; /* step_budget is then that of all blocks, run or not */
};

struct simgpu_place { /* in the learner's source */
    const char *file; /* "" when unknown */
    unsigned line, column;
};

/* Array sizes for the enums of machine.h: sim_mend, sim_wait and sim_op_class. */
enum { SIMGPU_MENDS = 16, SIMGPU_WAITS = 8, SIMGPU_CLASSES = 16 };

/* What a launch could do less of. */
enum simgpu_fewer {
    SIMGPU_FEWER_INSTRUCTIONS,
    SIMGPU_FEWER_LOADED, /* global loads */
    SIMGPU_FEWER_MOVED,  /* global loads, stores and atomics */
    SIMGPU_FEWER
};
enum { SIMGPU_SHARES = 3 };

/* Accesses of one kind, or of one line: the counters of machine/access_counters.def. */
struct simgpu_access {
#define ACCESS_COUNTER(name, memory, meaning) uint64_t name;
#include "machine/access_counters.def"
    /* From a lane's address to the next lane's, if three of four neighbours agree on it in every
     * request; else 0. */
    int64_t neighbour_bytes;
};

/* One source line of one launch: all its instructions together. Sums over the launch. */
struct simgpu_line {
    struct simgpu_place place;
    uint64_t warp_instructions, fp64_instructions; /* all; and of those, double arithmetic */
    uint64_t lanes, lanes_on;                      /* active; and not switched off by a predicate */
    uint64_t branches, divergent; /* warp executions of conditional branches; that split */
    uint64_t barriers;
    uint64_t spilled_words; /* a warp's registers that ptxas stores to local memory or
                                        * loads back, as its machine code shows */
#define LINE_ACCESS(name, memory) struct simgpu_access name;
#include "machine/accesses.def"
    double modelled_ns[SIMGPU_WAITS]; /* its part of the launch's modelled time, by sim_wait */
    /* By enum sim_mend: how much shorter the launch would be with this mend of the line, modelled.
     * 0 if that was not requested or gains nothing. */
    double gain_ns[SIMGPU_MENDS];
};

/* Everything that a fault message says; text pointers are never NULL. */
struct simgpu_fault {
    int kind;            /* 0 for none; the device's own numbering */
    const char *title;   /* "shared memory race" */
    const char *message; /* one sentence: who did what where */
    const char *advice;  /* one sentence: what to try */
    struct simgpu_place place;
    struct simgpu_place inlined; /* innermost frame when it differs; else line 0 */
    struct simgpu_place other;   /* of a race, or of an undefined value's use; else line 0 */
    uint32_t block[3], thread[3];
};

/* What a block of a sampled launch wrote to a buffer that repeats a pattern. */
struct simgpu_stretch {
    uint64_t block;       /* its number */
    uint64_t address;     /* of the buffer */
    uint64_t low, high;   /* bytes in it: from the lowest to past the highest */
    uint64_t bytes;       /* stored; what was stored twice counts twice */
    bool drawn;           /* chance chose the block */
    double weight;        /* how many blocks it represents, including itself */
    uint64_t print;       /* of where it stored: the same for the same places (a collision aside) */
    uint32_t kind;        /* of block, as the sample has them: mostly all of a kind do alike; */
    uint64_t kind_blocks; /* so many blocks are of it */
};

/* What all blocks of a sampled launch together store to such a buffer, as far as their registers
 * tell: if an address or a branch depends on data, it may differ. */
struct simgpu_written {
    uint64_t address;           /* of the buffer */
    uint64_t low, high;         /* bytes in it: from the first to past the last */
    uint64_t holes, first_hole; /* unstored bytes between; the first of them, or high */
};

struct simgpu_launch {
    uint64_t serial;
    uint64_t client;    /* process id of the program, as the device sees it */
    const char *kernel; /* mangled */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes, registers, blocks_per_multiprocessor;
    const char *occupancy_limit;
    uint64_t warp_instructions, thread_instructions, thread_instructions_on;
    uint64_t branches, divergent, barriers;
    uint64_t class_instructions[SIMGPU_CLASSES]; /* warp instructions, by enum sim_op_class */
#define LAUNCH_ACCESS(name, memory) struct simgpu_access name;
#include "machine/accesses.def"
    double modelled_ns;
    /* As a line's, but with this mend of all lines of the launch at once. */
    double gain_ns[SIMGPU_MENDS];
    /* How much shorter the launch would be with only 0.75, 0.5 and none of those left, modelled:
     * see simgpu_gain_at_share. */
    double fewer_gain_ns[SIMGPU_FEWER][SIMGPU_SHARES];
    const char *bound; /* what the model says bounds it: "DRAM", "latency", ... */
    double dram_read_bytes, dram_write_bytes, l2_bytes; /* modelled */
    struct simgpu_line *lines;                          /* in order of file and line */
    size_t line_count;
    uint64_t blocks, blocks_run, blocks_drawn; /* in a sampled one fewer run; chance chose some */
    uint32_t twins_drawn, twins_found, twins_idle; /* blocks drawn from the whole grid, of which
                                        * only registers were followed; that seem to store where
                                        * another does; and nothing */
    uint64_t blocks_left;             /* that began besides, drawn by chance, and stored nothing
                                        * until they were left */
    uint64_t blocks_cut;              /* of those that ran: cut off in the midst of their work */
    struct simgpu_stretch *stretches; /* of a sampled launch; NULL when there are none */
    size_t stretch_count;
    bool stretches_lost;            /* they do not have all stores */
    struct simgpu_written *written; /* NULL if not all blocks could be followed */
    size_t written_count;
    struct simgpu_fault fault;
};

/* What a program makes and has to give back. Memory is of any kind: the device's, pinned or
 * managed, and that of arrays. A graph is one that was captured or built; a ready one is
 * instantiated. */
enum simgpu_object {
    SIMGPU_MEMORY,
    SIMGPU_STREAM,
    SIMGPU_EVENT,
    SIMGPU_GRAPH,
    SIMGPU_READY_GRAPH,
    SIMGPU_TEXTURE,
    SIMGPU_OBJECTS
};

/* Calls of the runtime (and of cuBLASLt) by the watched program. */
struct simgpu_calls {
    uint64_t launches, copies, sets, allocations, frees;
    uint64_t synchronisations; /* with hold_back including waits without such a call */
    uint64_t stream_creations, event_creations, graph_launches, heuristic_queries, cublaslt_handles;
    uint64_t pageable_copies; /* of copies: those from memory of the host that is not pinned */
    uint64_t graphs_made;     /* instantiated */
    uint64_t graph_kernels;   /* of launches: those in a graph */
    uint64_t repeated_checks; /* of cuBLASLt about its algorithms, with the same question as
                                       * before: cublasLtMatmulAlgoCheck, ..GetIds, ..Init and
                                       * ..CapGetAttribute */
    uint64_t default_stream_launches; /* launches that named no stream */
    uint64_t unjoined;                /* launches, copies and sets on other streams than the first
                                       * one used in the window, which it does not wait for, or
                                       * which do not wait for it */
    uint64_t unjoined_work;           /* the same, but a copy from memory of the host need
                                       * not wait for that stream */
    uint64_t unawaited_work;          /* of unjoined_work: what it does not wait for */
    uint64_t library_products;        /* launches of cuBLASLt and cuBLAS */
    uint64_t moved_bytes;             /* that copies and sets wrote to device memory */
    double modelled_ns;               /* of the device's time line: kernels, copies and gaps */
    uint64_t limit_changes; /* of the stack, the heap or the printf buffer to another value */
    uint64_t marks;         /* events recorded or waited for, and empty nodes, that were done */
    /* By enum simgpu_object: made, less those given back. The program itself says it of graphs that
     * are not ready: the device has no part in them. */
    int64_t alive[SIMGPU_OBJECTS];
    /* Times in which work was carried out, and in which functions of the host held up their stream.
     * By this machine's clock, which stops where work waits for a processor while launches are
     * counted and held back. */
    double work_ns, host_function_ns;
    double host_ns; /* by the same clock, from the window's opening until the program
                           * first waited for the device; 0 if it has not */
};

struct simgpu_report {
    struct simgpu_launch *launches; /* in the order they ran */
    size_t launch_count;
    /* The first launch or module that the device refused because something in it is not simulated;
     * kind 0 for none. For a module the place is unknown. */
    struct simgpu_fault refused;
    /* The first copy, set or free that raced with other work that nothing orders with it, likewise.
     * A kernel that did has the fault of its launch. */
    struct simgpu_fault unordered;
    struct simgpu_calls calls;
    double device_ns;   /* modelled, of everything that the device has done, for any program */
    const char *device; /* "simulated NVIDIA H200" */
    uint32_t multiprocessors, warps; /* of the device; most resident on a multiprocessor */
    uint32_t whole_multiprocessors;  /* the same, unless the device is a slice (simgpu_options) */
    double dram_bytes_per_s, dram_latency_ns;
    bool cut_short;        /* unsampled, since blocks that take too long were stopped */
    bool hearsay;          /* unsampled, since a block reads what others may write: right or not */
    bool across;           /* unsampled, since a launch reads what another one wrote, or there are
                            * too many: of its own blocks, each launch tells */
    bool is_timed;         /* some blocks of each launch tell what all take, also if unsampled: then
                            * blocks only find other numbers than they should */
    const char *unsampled; /* why these launches could not be sampled; "" when they could */
    void *memory;          /* what all the pointers above point into */
};

/* When the watched program's work would run on the device since the report began, all times
 * modelled: streams, copies in both directions, kernels that share the device, and what the host's
 * calls take (device/timeline_model.h). This is a figure of its own: simgpu_calls.modelled_ns has
 * one engine for all copies, and no two kernels at once. What the host does between its calls takes
 * no time here. */
struct simgpu_timeline {
    double span_ns;                    /* from the first call until all is over */
    double compute_ns, up_ns, down_ns; /* in which kernels run; in which copies to the device do,
                                        * and copies to the host. One of pageable memory counts
                                        * for as long as it would take from pinned memory */
    double overlap_ns;                 /* in which kernels and copies run at once */
    double idle_ns;                    /* in which neither do, from the first one's start to the
                                        * last one's end */
    double gap_ns, gap_start_ns; /* the longest piece of it; its start, after the first call */
    char gap_cause[80];          /* the call that it goes back to: "cudaMemcpy of pageable
                                        * memory"; "" where there is no gap */
    char gap_file[160];          /* where the program makes that call; "" when unknown */
    unsigned gap_line;
    char gap_says[320]; /* the same: "0.31 ms in which neither engine works: cudaMemcpy of pageable
                         * memory at copies.cu:88" */
    bool is_cut; /* there were more calls than are kept: the figures are those of the first ones */
    uint64_t calls, pieces; /* of the host; launches, copies, sets and the like */
};

struct simgpu_touched {
    uint64_t offset, bytes; /* in the buffer */
};

/* What lies between the rows of a matrix: bytes from the first one of a buffer on, and as many
 * again every so many. */
struct simgpu_gaps {
    uint64_t first, bytes, every; /* every is 0: there are none */
};

struct simgpu_api {
    enum simgpu_status (*set_options)(const struct simgpu_options *options);
    /* Change the window; returns when that has been done. From now on only one program is watched:
     * process is its first process (and its children belong to it, too); 0: none. OPEN, and NONE
     * with a process, begin a new report. over: of the watched program; or NULL. */
    enum simgpu_status (*window)(enum simgpu_window window, pid_t process,
                                 struct simgpu_over *over);
    /* What the watched program did since the report began. The caller frees it. */
    enum simgpu_status (*report)(struct simgpu_report **report);
    void (*report_free)(struct simgpu_report *report);
    /* The name in messages of the memory that this program allocates from now on: "x". NULL: they
     * name the line that allocated it, as at first. */
    void (*name_memory)(const char *name);
    /* Let a buffer of the caller's cudaMalloc hold pattern, repeated, until it is written to; with
     * a seed other than 0, the pattern's lines in a drawn order (machine/drawn_pattern.h). It takes
     * memory only where it is touched. All of it counts as initialised. is_output: no kernel may
     * rely on what it holds, unless it has written that itself. */
    enum simgpu_status (*repeat)(void *buffer, const void *pattern, size_t pattern_bytes,
                                 uint64_t seed, bool is_output);
    /* Where such a buffer was touched, from one of its bytes on: stretches, in order, and if
     * content is not NULL their current contents, one stretch after another (then only as many
     * stretches as make some megabytes). The caller frees the list, which includes the content. */
    enum simgpu_status (*touched)(const void *buffer, uint64_t from, struct simgpu_touched **list,
                                  size_t *count, const unsigned char **content);
    /* False if certainly no kernel, copy or set has stored to any of these buffers of the caller's
     * cudaMalloc since it got its pattern, or since forget_stores. Storing the same values
     * counts. */
    bool (*was_stored_to)(const void *const buffers[], size_t count);
    enum simgpu_status (*forget_stores)(const void *const buffers[], size_t count);
    /* From now on it is noted if anything is stored to what lies between the rows of this matrix,
     * whatever it is; by kernels only while races are checked. Was anything, since
     * forget_stores? */
    enum simgpu_status (*set_gaps)(const void *buffer, const struct simgpu_gaps *gaps);
    bool (*gaps_were_stored_to)(const void *buffer);
    /* From now on programs that are not in control get only the device code of such libraries,
     * exactly as in their files, with the machine code by which its costs are modelled. */
    enum simgpu_status (*admit)(const void *library, size_t size_bytes);
    /* The watched program's timeline since the report began, if the options asked for one;
     * otherwise all zeros. */
    enum simgpu_status (*timeline)(struct simgpu_timeline *timeline);
};

/* What a launch gains if that share of something is left, in [0, 1], interpolated between the
 * requested ones: for a figure that should be at most a bar, bar / figure. */
static inline double simgpu_gain_at_share(const double gain_ns[SIMGPU_SHARES], double share)
{
    if (share >= 0.75)
        return gain_ns[0] * (1 - share) / 0.25;
    if (share >= 0.5)
        return gain_ns[1] + (gain_ns[0] - gain_ns[1]) * (share - 0.5) / 0.25;
    return gain_ns[2] + (gain_ns[1] - gain_ns[2]) * share / 0.5;
}

/* The device's own table, or NULL when this program runs on a real GPU. */
static inline const struct simgpu_api *simgpu_api(void)
{
    const struct simgpu_api *(*get)(void) = NULL;
    *(void **)&get = dlsym(RTLD_DEFAULT, "simgpu_get_api");
    return get ? get() : NULL;
}

#endif
