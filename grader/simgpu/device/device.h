/* device.h - the device process: one machine, and the programs that share it.
 *
 * Threads: the main thread waits for connections and for the program that `simgpu run` started;
 * each connected program (a client) has a thread for every connection (a line), which reads its
 * requests, and an engine that carries out its queued work in an order that its streams allow; a
 * pool of workers helps with large launches. client->lock guards a client; device->lock guards what
 * clients share. A thread that holds a client's lock may take the device's, never the other way
 * round.
 *
 * Reading order: run.c (the process), client.c (programs), requests.c (their requests), work.c
 * (streams), engine.c (what is done when), execute.c (what work does), history.c (what is recorded
 * about it).
 */
#ifndef DEVICE_H
#define DEVICE_H

#include "../protocol.h"
#include "../simgpu.h"
#include "idleness.h"
#include "machine.h"
#include "ranges.h"

#include "lib/work_watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* --- The device ------------------------------------------------------------------------------- */

struct admitted;
struct example;
struct export;
struct gains;
struct history;
struct pool;
struct timeline;

/* Which programs may work now: window.c. busy counts current requests and work, except those of the
 * program in control. */
struct window {
    _Atomic(enum simgpu_window) state;
    atomic_uint busy;
    atomic_bool drains;        /* it is being shut: queued work is done first */
    pid_t watched;             /* the first process of the watched program; 0: none */
    uint64_t opening;          /* how often it was opened, */
    struct work_moment opened; /* and when: worked_now */
    uint64_t first_client;     /* that queued anything in this opening; 0: none yet */
    pthread_cond_t changed;    /* state, or busy has become 0; the device's lock guards it */
};

/* How much memory the programs on a graded device may fill: memory_share.c. The device's lock
 * guards it. */
struct memory_share {
    uint64_t most_bytes;
    bool is_passed; /* and not reported yet */
    struct sim_fault fault;
};

struct device {
    struct sim_machine *machine;
    struct pool *pool;
    struct history *history;
    struct timeline *timeline; /* timeline.h */
    struct simgpu_options options;
    pthread_mutex_t lock;
    pthread_cond_t clients_changed;
    struct client *clients;
    uint64_t next_client;
    uint64_t refusals;            /* by us, of calls, kernels and modules */
    bool has_control;             /* a program with control was started: the grader */
    bool like_a_gpu;              /* addresses are like a GPU's, as the other programs see them */
    unsigned char drawn_uuid[16]; /* that the other programs are told then, as GPUs have one */
    char directory[108], socket_path[108];
    bool quiet;          /* faults are reported, not printed */
    struct found *found; /* of launches that keep going, each once: findings.c */
    size_t found_count;
    struct suppressions *suppressions; /* suppress.h; NULL: none */
    struct steps *steps;               /* of the warp to be shown, or NULL: steps.h */
    struct simgpu_calls calls;         /* by the watched program since the mark */
    double modelled_ns;                /* of all work that was done */
    struct window window;              /* window.c */
    struct memory_share memory;
    struct admitted *admitted;      /* admitted.h */
    bool keep_examples;             /* for drawings */
    bool shows_timeline;            /* in a file of its own */
    struct example *examples;       /* examples.h */
    struct gains *gains;            /* gains.h */
    struct range_kind *range_kinds; /* NVTX: ranges.h */
    struct range_path *range_paths;
    struct export *exports;              /* allocations handed out by CUDA IPC */
    struct shared_event *shared_events;  /* events handed out by it: shared_event.c */
    atomic_uint_fast64_t memory_changes; /* counts anything that may have written device memory */
};

/* --- Streams and work: work.c ----------------------------------------------------------------- */

/* clang-format off */
enum work_kind {
    WORK_LAUNCH, WORK_COPY, WORK_SET, WORK_RECORD, WORK_HOST_FUNCTION, WORK_FREE,
    WORK_MATMUL, WORK_BLAS, WORK_CONDITIONAL, WORK_NOTHING /* but wait */
};
/* Does such work count as a launch, and occupy the compute units? */
static inline bool work_computes(enum work_kind kind)
{
    return kind == WORK_LAUNCH || kind == WORK_MATMUL || kind == WORK_BLAS;
}
enum work_state { WORK_QUEUED, WORK_RUNNING };
/* clang-format on */

/* One piece of work: it may start when everything it waits for is done. */
struct work {
    struct work *next;           /* in order of issue */
    uint64_t id, stream, latest; /* latest: the id of the newest work when this began */
    enum work_kind kind;
    enum work_state state;
    uint64_t *waits_for; /* ids of work */
    uint32_t wait_count;
    double issued_ns, ready_ns; /* on the modelled time line */
    struct request request;     /* what was asked */
    unsigned char *payload;     /* owned */
    uint64_t payload_bytes;
    const struct function *kernel;
    struct ranges_around around;   /* NVTX ranges that were open when it was issued */
    struct conditions *conditions; /* of the graph that a launch or a conditional node is part of;
                                    * of WORK_NOTHING: they get their first values */
    struct graph *bodies;          /* WORK_CONDITIONAL: the graph's */
    bool is_decided;               /* WORK_CONDITIONAL: a body of it has been queued */
    struct mark *mark;             /* WORK_RECORD of a shared event: passed when this is done */
    struct mark *awaits;           /* WORK_NOTHING: another program's, or NULL */
    uint64_t event;                /* WORK_RECORD; WORK_NOTHING of a graph: to wait for, or 0 */
    bool in_graph;                 /* a node of it */
    uint32_t call;                 /* of the timeline, that queued it */
};

/* How many pieces of each stream precede something, in one opening of the window: joined.c. */
struct clock {
    uint64_t opening;
    uint64_t *seen; /* by stream */
    size_t count;
};

struct stream {
    bool used, blocking; /* blocking: waits for the legacy stream, and it for this one */
    bool leaving;        /* destroyed: removed when its last work is done */
    uint64_t last;       /* id of the latest work, 0 for none */
    double end_ns;       /* when its finished work ended */
    struct clock clock;  /* of what is queued on it next */
};

struct event {
    bool used, recorded, is_timed;
    uint64_t work;        /* that records it; 0 when done */
    uint64_t recorded_by; /* the same, done or not */
    double time_ns;
    struct shared_event *shared; /* with other programs, or NULL */
    struct clock clock;
};

struct graph {
    bool used;
    struct work *nodes; /* templates, in the order of the request */
    uint32_t **dependencies;
    uint32_t *dependency_counts;
    uint32_t node_count;
    uint64_t last;                 /* id of the work that ends its latest launch, 0 for none */
    struct conditions *conditions; /* of its conditional nodes, or NULL; bodies have none */
};

/* The values that decide a graph's conditional nodes, including those in bodies: condition.c. */
struct conditions {
    uint32_t count;
    struct sim_condition *values;
    struct condition_start {
        uint32_t value;
        bool is_assigned;
    } * starts;
};

/* Streams with fixed numbers, as in the runtime API. */
enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2, FIRST_STREAM = 3 };

/* The most pieces of work that are held back for a seed (engine.c), and in a window (hold.c). */
enum { MOST_HELD_BACK = 256, MOST_HELD_IN_WINDOW = 4096 };

/* Work that is held back until its program waits: hold.c. The client's lock guards it. */
struct hold {
    uint64_t acts;            /* requests so far that ask for more than whether work is over */
    uint64_t released;        /* the opening of the window in which it is no longer held */
    struct idleness idleness; /* what the looks at its process have shown */
};

/* The timeline's items for the pieces of work from first on. */
struct timeline_numbers {
    uint64_t generation, first;
    uint32_t *items;
    size_t count, room;
};

/* Pageable memory that was copied last, for the timeline. */
enum { TIMELINE_RANGES = 64 };
struct timeline_pages {
    double copied_bytes; /* so far */
    struct {
        uint64_t address;
        double copied_bytes; /* when it was */
    } ranges[TIMELINE_RANGES];
    unsigned next;
};

/* --- Clients ---------------------------------------------------------------------------------- */

enum { MOST_REMARKS = 32 };

struct client {
    struct client *next;
    struct device *device;
    uint64_t number;
    unsigned lines;                     /* its connections; the device's lock guards it */
    unsigned char secret[SECRET_BYTES]; /* a connection that knows it may attach */
    pid_t process;                      /* as the kernel says */
    int callback_socket;                /* -1 when there is none */
    uint64_t asked;                     /* id of the host function the program now runs, or 0 */
    struct work_moment asked_at;        /* when it was asked: worked_now */
    bool in_control;
    atomic_bool is_watched; /* belongs to the program that the window is for */
    atomic_bool is_evicted; /* its work did not end when the window was shut */
    atomic_bool dying;      /* the program is gone */
    struct sim_context *context;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* work was queued or done */
    pthread_t engine;
    struct launch *running; /* for aborting */

    struct work *first, **end; /* queued and running */
    uint64_t next_work;
    atomic_size_t work_count;
    unsigned draining; /* threads that wait: work must go on now */
    bool nudged;       /* one piece of work may proceed */
    struct hold hold;
    struct line *talking;         /* its connections that are served */
    atomic_uint_fast64_t answers; /* to requests */
    uint64_t random;
    struct stream *streams;
    size_t stream_count, stream_from; /* from: all before it are in use (client_free_place) */
    struct event *events;
    size_t event_count, event_from;
    uint64_t tracked; /* the opening of the window that these belong to: joined.c */
    uint64_t given;   /* the stream given to the launcher; 0: another client has it */
    struct clock host_clock;
    struct order *order;           /* order.h, which knows of conflicts.h's */
    atomic_uint_fast64_t unjoined; /* pieces on other streams that it does not wait for, ... */
    atomic_uint_fast64_t unforked; /* ... and that do not wait for it, ... */
    atomic_uint_fast64_t ahead;    /* ... of which so many are JOINED_AHEAD */
    struct graph *graphs;
    size_t graph_count, graph_from;
    struct module **modules;
    size_t module_count;
    const struct function **kernels;
    size_t kernel_count;

    int error; /* cudaError_t that stays until the context ends, or 0 */
    char error_message[256];
    char *printed; /* by kernels, not fetched yet */
    size_t printed_bytes;
    struct sim_line remarked[MOST_REMARKS]; /* places of the remarks that were reported */
    unsigned remark_count;
    double host_ns, compute_free_ns, copy_free_ns; /* the modelled time line */
    struct open_ranges ranges;                     /* NVTX: those that belong to no thread */
    const struct work *executing;                  /* the engine's */
    uint32_t calling;                              /* the timeline's call that queues now, */
    uint64_t calling_generation;
    struct timeline_numbers timeline_numbers;
    struct timeline_pages timeline_pages;
    struct client_place {
        const char *file;
        unsigned line;
    } * places; /* of its calls, that it has told; a call has the number from 1 on */
    uint32_t place_count;
};

/* Serve one connection until it ends. argument is a struct connection, freed here. */
struct connection {
    struct device *device;
    int socket;
    pid_t control_of; /* the program that was started to have control; else 0 */
};
void *client_serve(void *connection);

/* One connection of a client. */
struct line {
    struct client *client;
    int socket;
    bool gone;             /* the other end is closed */
    atomic_bool is_asked;  /* a request is read, and not answered */
    struct line *next;     /* of its client's; the client's lock guards it */
    uint32_t thread, call; /* of the timeline: this thread, and the call that it makes */
    uint64_t thread_generation;
    uint64_t queued_stream;    /* where it launched or copied since it last waited; 0: nowhere */
    struct open_ranges ranges; /* NVTX: those of the thread at the other end */
};

/* One request on its way through the handlers. */
struct exchange {
    struct line *line;
    struct client *client; /* of line */
    struct request request;
    unsigned char *payload; /* of the request; a handler that takes it sets it to NULL */
    struct reply reply;
    unsigned char *answer;                /* payload of the reply, freed after sending */
    const unsigned char *answer_in_place; /* or memory that stays */
    int fd;                               /* to send along, or -1; closed after sending */
};

/* clang-format off */
/* Error numbers of the runtime API that the device itself gives. */
enum cuda_error {
    CUDA_SUCCESS = 0, CUDA_INVALID_VALUE = 1, CUDA_MEMORY_ALLOCATION = 2,
    CUDA_INVALID_CONFIGURATION = 9, CUDA_INVALID_DEVICE_POINTER = 17,
    CUDA_DEVICES_UNAVAILABLE = 46, CUDA_INVALID_PTX = 218,
    CUDA_DEVICE_UNINITIALIZED = 201, CUDA_NO_KERNEL_IMAGE = 209,
    CUDA_INVALID_RESOURCE_HANDLE = 400, CUDA_SYMBOL_NOT_FOUND = 500, CUDA_NOT_READY = 600,
    CUDA_ILLEGAL_ADDRESS = 700, CUDA_OUT_OF_RESOURCES = 701, CUDA_TOO_LARGE_COOPERATIVE = 720,
    CUDA_NOT_PERMITTED = 800, CUDA_NOT_SUPPORTED = 801, CUDA_INVALID_CLUSTER = 912,
};
/* clang-format on */

void exchange_fail(struct exchange *exchange, int error, const char *message);
void exchange_fail_as(struct exchange *exchange, const struct sim_error *error);

/* Read one request from line, have it handled and send the answer: requests.c. False when the line
 * is at its end. */
bool request_serve(struct line *line);

/* Handlers run with the client's lock held. */
typedef void request_handler(struct exchange *exchange);
#define REQUEST(name, handler, flags, meaning) request_handler handler;
#include "../requests.def"

/* requests_work.c: Make work do what its request asks for. False, and exchange failed, if the
 * program may not ask that. */
bool work_accept(struct exchange *exchange, struct work *work);
/* Record work that is queued on stream, in the totals since the mark and in the order of
 * streams. */
void work_note(struct client *client, const struct work *work, uint64_t stream, bool host_waits);
/* The first unused place of an array of handles; 0 if there is none. An item begins with a bool
 * that says whether it is used. None before *from is unused: code that frees a place lowers it. */
size_t client_free_place(void **items, size_t *count, size_t item_bytes, size_t *from);
static inline void client_place_is_free(size_t *from, size_t place)
{
    if (place < *from)
        *from = place;
}

/* client_note.c. Count a call in the totals since the mark, if it is the watched program's. */
void client_count(struct client *client, uint64_t *calls);
void client_add(struct client *client, uint64_t *sum, uint64_t amount);
/* The same of an object that it made, or gave back. */
void client_made(struct client *client, enum simgpu_object object);
void client_gave_back(struct client *client, enum simgpu_object object);
/* Make an error permanent: every later call of the client returns it. The first one stays. */
void client_break(struct client *client, int error, const char *message);

/* window.c: which program may work when, and what the grader watches. */
void window_init(struct window *window);
/* Before a request of line is handled: wait until its program may work. False when the line is at
 * its end. */
bool window_enter(struct line *line);
/* The same for work, without waiting: false when it may not begin now. */
bool window_try(struct client *client);
/* Call when what was entered is over. */
void window_leave(struct device *device);
/* May it work now? */
bool window_admits(const struct client *client);
/* The program in control has ended. The device's lock is held. */
void window_give_up(struct device *device);
/* End every program that is not in control: its kernels are stopped, and its requests are not
 * answered. only_at_work: only those that have work. The device's lock is held. */
void window_evict(struct device *device, bool only_at_work);
/* Try again if a kernel could not be stopped then. */
void window_stop_evicted(struct device *device);
/* Find out whether a new client belongs to the watched program. The device's lock is held. */
void window_note_client(struct client *client);

/* memory_share.c: from now on end programs that fill more than that much of this machine's memory;
 * 0: what a check may take (lib/memory_limits.h). False if that is not possible. */
bool memory_share_watch(struct device *device, uint64_t most_bytes);
/* May the client's work continue? Asked by code that fills much at a time. */
bool memory_share_left(const struct client *client);
/* Put what has been found since into the next report. The device's lock is not held. */
void memory_share_tell(struct device *device);

/* hold.c: does the host wait for work without saying so? The client's lock is held, but for
 * hold_open: the window has just been opened. */
bool hold_keeps(const struct client *client);
void hold_open(struct device *device);
/* More work is queued than may be held back: that counts as a wait, and ends the hold. */
void hold_limit(struct client *client);
/* By CLOCK_MONOTONIC. */
double hold_now_ns(void);
/* worked.c: time that does not pass while work waits for a processor. worked_exactly looks if the
 * grader counts a call, otherwise it is real time; worked_now is real time also where the time of a
 * call is not asked for, since a look takes as long as a short launch; worked_look always looks. */
struct work_moment worked_look(void);
struct work_moment worked_exactly(const struct device *device);
struct work_moment worked_now(const struct device *device);
double worked_since_ns(const struct device *device, const struct work_moment *from);
/* Call when nothing has happened for a while: looks at the program. */
void hold_look(struct client *client, double since_last_ms);
/* The program waits for the device. */
void hold_end(struct client *client);
/* The program asks for something for which the simulation waits, but no GPU does: until nothing of
 * stream is queued, or of any stream if it is 0. */
void hold_end_for(struct client *client, uint64_t stream);

/* joined.c: the order of streams while the window is open. The client's lock is held, except for
 * the last one. */
enum joined_piece {
    JOINED_NOTHING, /* an event, or the like */
    JOINED_PIECE,   /* a launch, a copy, a set */
    JOINED_AHEAD,   /* a copy from the host's memory, which is there before any stream is */
    JOINED_BY_HOST, /* a copy that the host waits for, in the host's order */
};
/* Such a piece is queued on stream next. */
void joined_issue(struct client *client, uint64_t stream, enum joined_piece piece);
void joined_record(struct client *client, uint64_t stream, struct event *event);
void joined_wait(struct client *client, uint64_t stream, const struct event *event);
/* The program has waited for event; if that is NULL, for stream; if that is 0, for all. */
void joined_host(struct client *client, uint64_t stream, const struct event *event);
/* Pieces of the watched program that are not ordered with the stream given; those that are
 * JOINED_AHEAD may precede it. The device's lock is held. */
uint64_t joined_missing(const struct device *device, bool may_be_ahead);
/* Those that the stream given does not wait for, whether they wait for it or not. */
uint64_t joined_unawaited(const struct device *device);
void clock_free(struct clock *clock);

/* client.c. Drop all graphs, streams, events, modules and memory, and start again; nothing is
 * queued. */
bool client_reset(struct client *client, struct sim_error *error);

/* work.c. The client's lock is held for all of them; those that wait release it meanwhile, and
 * return early when line is at its end. */
/* Queue work, taking ownership, on its stream; waits are ids beyond what the stream implies. */
void work_queue(struct client *client, struct work *work, const uint64_t *waits, size_t count);
/* Queue the nodes of a graph, all after what stream holds now; the stream continues when all are
 * done. nodes are copied; before[i] lists the dependencies of node i. */
void work_queue_graph(struct line *line, uint64_t stream, struct graph *graph);
/* The NVTX ranges around what the program at line issues now. */
struct ranges_around work_around(const struct line *line);
/* A new piece of work for a request, or NULL. */
struct work *work_new(enum work_kind kind, uint64_t stream, const struct request *request);
/* Wait until no work of stream is left, or of any stream if it is 0. This includes what other
 * threads of the program queue meanwhile. */
void work_drain(struct line *line, uint64_t stream);
/* Wait only for what has been queued so far. */
void work_finish(struct line *line, uint64_t stream);
/* Wait until there is room for more work: a GPU's queue is finite, too. */
void work_make_room(struct line *line);
bool work_is_idle(const struct client *client, uint64_t stream);
/* Wait until work id is done; until mark is passed. */
void work_wait(struct line *line, uint64_t id);
void work_wait_mark(struct line *line, const struct mark *mark);
bool work_is_done(const struct client *client, uint64_t id);
/* The program checks whether something is done: let work proceed that is only held back. */
void work_nudge(struct client *client);
/* The work with this id, or NULL once it is done. */
struct work *work_find(const struct client *client, uint64_t id);
void work_free(struct work *work);
/* Has the program at the other end gone? If it is killed while it waits, it says nothing. */
bool line_is_hung_up(const struct line *line);
/* A point in time on CLOCK_MONOTONIC, for pthread_cond_timedwait. */
struct timespec in_a_while(long nanoseconds);
struct stream *stream_at(struct client *client, uint64_t stream);
struct event *event_at(struct client *client, uint64_t event);
void graph_free(struct graph *graph);
/* Queue the nodes of the body that the conditional node decided has chosen: it waits for them all,
 * and is queued again. */
void work_queue_body(struct client *client, struct work *decided, const struct graph *body);

/* condition.c. Add a condition to *conditions, which may be NULL before; false if the handle exists
 * already, or without memory. */
bool conditions_add(struct conditions **conditions, const struct request *request);
void conditions_free(struct conditions *conditions);
/* The graph is about to run. */
void conditions_start(struct conditions *conditions);
/* The body that the conditional node work runs next; NULL when it has ended. */
const struct graph *condition_body(const struct work *work);

/* shared_event.c. work records event, which other programs may wait for: a new mark, which
 * work_free passes. Does nothing if event is not shared. */
void event_record_shared(struct client *client, struct event *event, struct work *work);
/* The latest mark of a shared event, for the caller to drop; NULL when there is none. */
struct mark *event_latest_mark(struct client *client, const struct event *event);
/* The event no longer belongs to its program. */
void event_leave(struct device *device, struct event *event);
void mark_drop(struct mark *mark);
void mark_pass(struct mark *mark);            /* and drop it */
bool mark_is_passed(const struct mark *mark); /* NULL is */

/* Forget what client exported; the device's lock is held. */
void exports_forget(struct device *device, const struct client *client);

/* engine.c. The thread of a client. */
void *work_engine(void *client);
/* Stop the engine and drop all work. The lock is not held. */
void work_end(struct client *client);
/* The program has run the host function that is work id, or will run no more. */
void work_host_function_done(struct client *client, uint64_t id);
/* A point in modelled time advances to another, never back. */
static inline void move_on_to(double *time_ns, double other_ns)
{
    if (other_ns > *time_ns)
        *time_ns = other_ns;
}

/* execute.c: carry out work; the lock is not held. Returns its modelled duration in ns. */
double execute(struct client *client, struct work *work);
/* Ask the program to run the function of work; it reports when that has returned. The lock is held.
 * False if it cannot be asked. */
bool execute_ask(struct client *client, const struct work *work);
/* Report a fault on stderr: fault_text.c. */
void fault_print(const struct sim_fault *fault);

/* findings.c. What a launch that keeps going has found: reported on stderr if it is new, unless the
 * device is quiet; and kept, with how often, over all launches. */
struct found {
    enum sim_fault_kind kind;
    const char *title, *file, *other_file, *message, *advice; /* texts of the history */
    const char *kernel, *mangled; /* as in the source, without types; and of the compiler */
    unsigned line, other_line;    /* 0: none */
    const char *inlined_file;     /* of what was inlined at line, a header's function say; */
    unsigned inlined_line;        /* 0: none */
    bool ends;                    /* its launch ended with it, or never began; or it is a remark */
    bool is_suppressed;
    uint64_t count;
};
void findings_note(struct device *device, struct launch *launch, const char *kernel);
/* A fault that ended a launch of kernel (mangled), kept it from beginning, or is a remark. False
 * when it is suppressed, and so must not be reported. */
bool findings_note_end(struct device *device, const struct sim_fault *fault, const char *kernel);
/* How many findings there are that a launch went on after. */
size_t findings_went_on(const struct device *device);
/* Is there one that ended its launch? */
bool findings_ended_launch(const struct device *device);
/* The exit status of --test for all of them, and for calls that were refused; 0 for none. */
int findings_status(const struct device *device);
/* All of them, at most a screen. */
void findings_print(const struct device *device, FILE *stream);

/* --- Around the machine: arena.c, pool.c ------------------------------------------------------ */

/* Reserve the addresses of device memory: plain ones, the same each time, or drawn ones like those
 * that a GPU's programs see. False if the system refuses. */
bool arena_reserve(struct sim_arena *arena, bool like_a_gpu);
/* Only a little of it will be touched, here and there: no large pages. To clear one takes as long
 * as 80 others, and many times that where the machine's memory is busy. */
void arena_is_sparse(uint64_t address, uint64_t bytes);
/* Replace the pages of [address, +size) by shared memory, with the same contents if keep is true,
 * otherwise zeros; returns its file, or -1. */
int arena_share(uint64_t address, uint64_t size_bytes, bool keep);
/* Make the page at to the same as the one at from; both are shared memory. */
enum { ARENA_PAGE_BYTES = 4096 };
bool arena_share_page(uint64_t to, uint64_t from);

struct pool *pool_new(unsigned workers);
unsigned pool_workers(const struct pool *pool); /* threads that may work on one launch */
/* Run all workers of launch, this thread among them; returns when they have returned. */
void pool_run(struct pool *pool, struct launch *launch, uint32_t workers);

/* --- history.c (its use: profile.h) ----------------------------------------------------------- */

struct history *history_new(void);
/* Remember a finished launch. fault, result and sampled may be NULL (no fault; counters off; every
 * block ran). */
void history_add(struct device *device, const struct client *client,
                 const struct sim_launch_result *result, const struct sim_fault *fault,
                 const char *kernel, const struct sim_launch_config *config,
                 const struct sim_sampled *sampled);
/* Remember that a program asked for something that is not simulated, if it is the first since the
 * mark. */
void history_refuse(struct device *device, const struct client *client,
                    const struct sim_fault *fault);
/* The same for any program. */
void history_refuse_all(struct device *device, const struct sim_fault *fault);
/* What the watched program did since the mark, as one block whose pointers are offsets (see
 * ../report.h). The device's lock is held. NULL when memory is exhausted. */
unsigned char *history_report(const struct device *device, size_t *bytes);
void history_mark(struct device *device);
/* All launches since the last mark, in order, for the profile; for a page, all launches. */
const struct simgpu_launch *history_launches(const struct history *history, size_t *count);
/* The NVTX ranges around that launch. */
struct ranges_around history_around(const struct history *history, size_t launch);
/* Launches of which only the totals were kept, because there were too many. */
uint64_t history_dropped(const struct history *history);
/* A copy of text that lives as long as the history. */
const char *history_text(struct history *history, const char *text);

#endif
