/* client.h - the drop-in libcudart: a thin client of the device process.
 *
 * Every runtime call becomes a request (../protocol.h), answered at once. Nothing of the device
 * lives here: no memory but what a program shares with it, no counters, no kernels. What does live
 * here is what belongs to a program: which host stub stands for which kernel, the last error of
 * each thread, streams being captured, graphs under construction.
 *
 * Reading order: connection.c (requests), program.c (registered kernels and variables), launch.c,
 * memory.c, stream.c, graph.c, device.c; error.c for the names of errors.
 */
#ifndef SIMGPU_CLIENT_H
#define SIMGPU_CLIENT_H

#include "../protocol.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Only the runtime's own names leave the library; see libcudart.map. */

/* --- Errors: error.c --------------------------------------------------------------------------- */

/* What every call returns through: remembers an error for cudaGetLastError. */
cudaError_t api(cudaError_t error);

/* Tell the user once, on stderr, what an error number cannot say. */
void explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A function that is not there: says its name, and fails. */
cudaError_t missing(const char *function);

/* --- Requests: connection.c -------------------------------------------------------------------- */

/* Send a request with its payload (may be NULL), wait for the reply. The reply's payload goes to
 * answer, at most answer_room bytes; if answer is NULL it is allocated, and the caller frees it.
 * fd becomes a descriptor that came along, which the caller closes, or -1. */
struct call {
    struct request request;
    const void *payload;
    uint64_t payload_bytes;
    struct reply reply;
    void *answer;
    uint64_t answer_room, answer_bytes;
    int fd;
};
cudaError_t perform(struct call *call);

/* A request of kind with nothing else in it. */
struct call new_call(enum request_kind kind);

/* The number of this program's connection; 0 when there is none. */
uint64_t connection_number(void);
/* A further connection of the same program, or -1. */
int connection_open_second(void);

/* --- The program: program.c -------------------------------------------------------------------- */

struct kernel { /* what a cudaKernel_t or a host stub stands for */
    const char *name;
    struct image *image;
    const void *stub;
    uint64_t handle;             /* of the device; 0 until first used */
    struct kernel_reply info;
    uint32_t (*parameters)[2];   /* offset and size of each */
    int dynamic_shared_most;     /* cudaFuncAttributeMaxDynamicSharedMemorySize */
    struct kernel *next;
};

/* The kernel of a host stub, a cudaKernel_t or a cudaFunction_t; loads its module at first. */
cudaError_t program_kernel(const void *function, struct kernel **kernel);
/* The device's address and size of the variable a host symbol stands for. */
cudaError_t program_symbol(const void *symbol, uint64_t *address, uint64_t *size_bytes);
/* The host symbol's address, when it is one that was registered. */
cudaError_t program_load_all(void);

/* --- Streams: stream.c, capture.c -------------------------------------------------------------- */

enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2 }; /* as the device numbers them */

struct CUstream_st {
    uint32_t magic;
    uint64_t number;             /* on the device */
    unsigned flags;
    int priority;
    struct capture *capture;     /* or NULL */
    struct CUgraphNode_st **ends;/* of a capture: what the next node depends on */
    size_t end_count;
};

struct CUevent_st {
    uint32_t magic;
    uint64_t number;
    unsigned flags;
    struct capture *capture;     /* it was recorded in, or NULL */
    struct CUgraphNode_st **ends;
    size_t end_count;
};

/* The stream a handle means; default_number is what 0 means. NULL for a bad handle. */
struct CUstream_st *stream_of(cudaStream_t handle, uint64_t default_number);

/* Work for stream: sent to the device, or made a node of the graph being captured. */
cudaError_t submit(struct CUstream_st *stream, struct call *call);
/* The same for a function of the program. */
cudaError_t submit_host_function(struct CUstream_st *stream, void (*function)(void *), void *data);

/* Is a call that a capture forbids about to be made? Then its error, else cudaSuccess. */
cudaError_t capture_check_unsafe(void);
cudaError_t capture_record_event(struct CUstream_st *stream, struct CUevent_st *event);
cudaError_t capture_wait_event(struct CUstream_st *stream, struct CUevent_st *event);
void capture_forget_event(struct CUevent_st *event);

/* --- Graphs: graph.c --------------------------------------------------------------------------- */

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    enum cudaGraphNodeType type;
    struct request request;      /* what the device does for it */
    unsigned char *payload;      /* owned */
    uint64_t payload_bytes;
    struct kernel *kernel;       /* of a kernel node */
    struct CUgraph_st *child;    /* of a child graph node; owned */
    struct CUgraphNode_st **before; /* what it depends on */
    size_t before_count, before_room;
    struct CUgraphNode_st *original; /* in a clone or an executable graph: what it was made from */
    bool disabled;
    uint32_t order;              /* while sorting */
    void *staging;               /* pinned memory of a pageable copy, or NULL */
    struct cudaMemcpy3DParms copy; /* of a copy node, as given */
    struct cudaMemsetParams set;
};

struct CUgraph_st {
    struct CUgraphNode_st **nodes;
    size_t count, room;
};

struct CUgraphNode_st *graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type,
                                 struct CUgraphNode_st *const *before, size_t before_count);
bool graph_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *before);
struct CUgraph_st *graph_new(void);
void graph_free(struct CUgraph_st *graph);
/* Make node do what call asks. */
cudaError_t graph_fill(struct CUgraphNode_st *node, const struct call *call);
/* A copy of graph whose nodes remember what they were made from. NULL without memory. */
struct CUgraph_st *graph_clone(const struct CUgraph_st *graph);
/* The node of exec that was made from original, for changing; NULL when there is none. */
struct CUgraphNode_st *graph_exec_node(cudaGraphExec_t exec, cudaGraphNode_t original);
/* The host function that belongs to a copy through staging memory, and whether it comes first. */
void graph_staging_request(const struct CUgraphNode_st *node, struct request *request);
bool graph_staging_is_first(const struct CUgraphNode_st *node);

/* --- Memory: memory.c, copy.c ------------------------------------------------------------------ */

static inline bool is_device_range(uint64_t address)
{
    return address - ARENA_ADDRESS < ARENA_BYTES;
}

/* Is the byte at address device memory that the host cannot touch? Pinned and managed memory
 * counts as host memory here, and is_shared tells it. */
bool memory_is_shared(uint64_t address);
/* Pinned memory for the library's own use; NULL when there is none. */
void *memory_pinned(size_t size_bytes);
void memory_pinned_free(void *pinned);
cudaError_t memory_share(uint64_t address);

/* One box of rows from here to there; whether over the bus is found out from the addresses. */
struct box {
    uint64_t to, from, to_pitch, to_slice, from_pitch, from_slice, width, height, depth;
    enum cudaMemcpyKind kind;
    bool asynchronous;
};
cudaError_t copy_box(struct CUstream_st *stream, const struct box *box);
cudaError_t set_box(struct CUstream_st *stream, uint64_t to, uint32_t value,
                    uint32_t element_bytes, size_t width, size_t height, size_t pitch,
                    bool asynchronous);

/* --- The two default streams -------------------------------------------------------------------
 * Programs compiled with --default-stream per-thread call the name with a suffix. BOTH defines
 * the two; call may use the variable default_stream. */
#define BOTH(suffix, name, parameters, call)                                                   \
    cudaError_t name parameters                                                                \
    {                                                                                          \
        const uint64_t default_stream = STREAM_LEGACY;                                         \
        (void)default_stream;                                                                  \
        return api(call);                                                                      \
    }                                                                                          \
    cudaError_t name##suffix parameters;                                                       \
    cudaError_t name##suffix parameters                                                        \
    {                                                                                          \
        const uint64_t default_stream = STREAM_PER_THREAD;                                     \
        (void)default_stream;                                                                  \
        return api(call);                                                                      \
    }

#endif
