/* client.h - the drop-in libcudart: a thin client of the device process.
 *
 * Every runtime call becomes a request (../protocol.h), answered at once. Nothing of the device is
 * here: no memory except what a program shares with it, no counters, no kernels. Here is what
 * belongs to a program: which host stub stands for which kernel, the last error of each thread,
 * streams being captured, graphs under construction.
 *
 * Reading order: connection.c (requests), program.c (registered kernels and variables), launch.c,
 * memory.c, copy.c, array.c, texture.c, stream.c, event.c; then graphs: content.c (what a node
 * does), graph.c, edges.c, node.c, capture.c, graph_wire.c, graph_exec.c, exec_node.c,
 * conditional.c; error.c for the names of errors.
 *
 * Any number of threads may call. A handle is used by one thread at a time, as with the real
 * library; what threads share (the table of handles, of images, of shared memory) has locks.
 */
#ifndef SIMGPU_CLIENT_H
#define SIMGPU_CLIENT_H

#include "../protocol.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Only the runtime's own names leave the library; see libcudart.map. */

/* --- Errors: error.c -------------------------------------------------------------------------- */

/* Every call returns through this, which remembers an error for cudaGetLastError. */
cudaError_t api(cudaError_t error);

/* Errors that toolkit 12 told apart are all an invalid value in 13 (seen on an H200). */
#define SINCE_13(before) (CUDART_VERSION < 13000 ? (before) : cudaErrorInvalidValue)

/* Tell the user once, on stderr, what an error number cannot say. */
void explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "allocated at main.cu:31": the line of the program that called this library; "" if that is
 * unknown. See caller.c. */
void caller_describe(char *text, size_t size);
/* What an axis of a grid, and of a block, holds: CUDA Programming Guide, "Technical Specifications
 * per Compute Capability". */
enum { MOST_GRID_X = INT32_MAX, MOST_GRID_YZ = 65535, MOST_BLOCK_XY = 1024, MOST_BLOCK_Z = 64 };

/* Where the program called, for the timeline: caller.c. */
struct caller {
    const char *file; /* NULL: unknown */
    unsigned line;
    uint32_t number; /* for the connection: the device's number of it, or 0 */
};
/* NULL when that line is unknown; what it returns stays. */
struct caller *caller_find(void);
/* From now on caller_describe() says this instead; NULL: the line again. */
void caller_name_memory(const char *name);

/* For a function, or a use of one, that is missing: says its name and why, and fails. */
cudaError_t missing(const char *name);

/* --- Requests: connection.c ------------------------------------------------------------------- */

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
/* The device's number for the line of the program that called this library; 0 if it does not want
 * to know. perform() says it for requests that have none. */
uint32_t connection_place(void);
/* The same for a question whether the device is done: asking.c. */
cudaError_t ask_whether_done(struct call *call);

/* A request of kind with nothing else in it. */
struct call new_call(enum request_kind kind);

/* Another connection of this program, over which the device asks for host functions; -1 if there is
 * none. The caller closes it. */
int connection_for_callbacks(void);

/* --- Handles: handle.c -------------------------------------------------------------------------
 * A program may hand us anything as a stream or an event. Every handle we gave out is in one table,
 * so that nothing else is ever dereferenced. */

/* clang-format off */
enum handle_kind {
    HANDLE_STREAM, HANDLE_EVENT, HANDLE_GRAPH, HANDLE_NODE, HANDLE_EXEC, HANDLE_POOL,
    HANDLE_USER_OBJECT, HANDLE_KERNEL, HANDLE_LIBRARY, HANDLE_ARRAY,
};
/* clang-format on */

/* False when there is no memory left. */
bool handle_add(const void *handle, enum handle_kind kind);
void handle_remove(const void *handle);
bool handle_is(const void *handle, enum handle_kind kind);
/* Any handle of this kind, or NULL when there is none. */
void *handle_any(enum handle_kind kind);

/* --- The program: program.c ------------------------------------------------------------------- */

struct kernel { /* what a cudaKernel_t or a host stub stands for */
    const char *name;
    struct image *image;
    const void *stub;
    uint64_t handle; /* of the device; 0 until first used */
    struct kernel_reply info;
    uint32_t (*parameters)[2]; /* offset and size of each */
    int dynamic_shared_most;   /* cudaFuncAttributeMaxDynamicSharedMemorySize */
    int carveout;              /* cudaFuncAttributePreferredSharedMemoryCarveout */
    bool allows_wide_clusters; /* cudaFuncAttributeNonPortableClusterSizeAllowed */
    bool must_cluster;         /* cudaFuncAttributeClusterDimMustBeSet */
    unsigned cluster[3];       /* cudaFuncAttributeRequiredClusterWidth, Height, Depth */
    int policy;                /* cudaFuncAttributeClusterSchedulingPolicyPreference */
    struct kernel *next;
};

/* cluster.c. What a launch's attributes, its kernel and its configuration say about clusters;
 * cluster is 0 along each axis if none says anything. An error if a kernel that must have clusters
 * has none. */
cudaError_t cluster_of(const struct kernel *kernel, const dim3 *by_launch, dim3 *cluster);
/* cudaFuncAttributeRequiredCluster...: of axis 0, 1 or 2. */
cudaError_t cluster_require(struct kernel *kernel, int axis, int blocks);

/* The kernel of a host stub, a cudaKernel_t or a cudaFunction_t; loads its module at first. */
cudaError_t program_kernel(const void *function, struct kernel **kernel);
/* The device's address of count bytes, from offset on, of the variable a host symbol stands for;
 * cudaErrorInvalidValue if it has fewer. */
cudaError_t program_symbol_part(const void *symbol, size_t offset, size_t count, void **address);
/* Everything must be loaded again when it is next used: the device has forgotten it. */
void program_forget(void);

/* Images that are loaded at any time, for library.c. */
struct image *program_add_library(void *bytes, size_t size_bytes, cudaError_t *error);
/* The bytes of a fatbin or of zero-terminated PTX text. */
size_t program_image_bytes(const void *code);
/* A kernel or variable of image by its name; cudaErrorSymbolNotFound when there is none. */
cudaError_t program_kernel_named(struct image *image, const char *name, struct kernel **kernel);
cudaError_t program_variable_named(struct image *image, const char *name, uint64_t *address,
                                   uint64_t *size_bytes);

/* --- Streams and events: stream.c, event.c, capture.c ----------------------------------------- */

enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2 }; /* as the device numbers them */

struct CUstream_st {
    uint64_t number; /* on the device */
    unsigned flags;
    int priority;
    struct capture *capture;      /* or NULL */
    struct CUgraphNode_st **ends; /* of a capture: what the next node depends on */
    size_t end_count;
    cudaLaunchAttributeValue policy;          /* cudaLaunchAttributeAccessPolicyWindow, as set */
    cudaLaunchAttributeValue synchronisation; /* cudaLaunchAttributeSynchronizationPolicy */
};

struct CUevent_st {
    uint64_t number;
    unsigned flags;
    unsigned long long capture; /* id of the capture it was recorded in, or 0 */
    struct CUgraphNode_st **ends;
    size_t end_count;
};

/* The stream a handle means; default_number is what 0 means. NULL for a bad handle. */
struct CUstream_st *stream_of(cudaStream_t handle, uint64_t default_number);
/* The event a handle means, or NULL. */
struct CUevent_st *event_of(cudaEvent_t handle);
/* A handle for the event that call makes on the device. */
cudaError_t event_new(cudaEvent_t *handle, unsigned flags, struct call *call);
/* The calling thread will no longer use its default stream. */
void stream_thread_ends(void);
/* All streams and events are gone from the device. */
void stream_forget_all(void);
void event_forget_all(void);

/* Work for stream: sent to the device, or made a node of the graph being captured. */
cudaError_t submit(struct CUstream_st *stream, struct call *call);
/* The device may ask for functions from now on. False when it cannot. */
bool callbacks_start(void);
/* callback.c: call function when stream has come that far, or make it a node of the graph being
 * captured there, as with submit(). */
cudaError_t callback_submit(struct CUstream_st *stream, void (*function)(void *), void *data);

/* The error for a call that a capture forbids, or cudaSuccess. */
cudaError_t capture_check_unsafe(void);
/* The same for a call that waits for stream, queries it, or launches a graph there: it spoils the
 * capture. */
cudaError_t capture_check_wait(struct CUstream_st *stream);
/* The same for a call that waits for all streams. */
cudaError_t capture_check_wait_all(void);
/* The capture that stream is part of has failed. */
void capture_spoil(struct CUstream_st *stream);
/* Something was done that spoils captures of every mode. */
void capture_spoil_all(void);
/* May work go to stream, or would it tie a capture to the legacy stream? */
cudaError_t capture_check_work(struct CUstream_st *stream);
/* Make content, which is owned from here on, the next node of the stream's capture. node may be
 * NULL. */
struct content;
cudaError_t capture_content(struct CUstream_st *stream, struct content *content,
                            cudaGraphNode_t *node);
cudaError_t capture_record_event(struct CUstream_st *stream, struct CUevent_st *event);
cudaError_t capture_wait_event(struct CUstream_st *stream, struct CUevent_st *event);
/* Was event last recorded in a capture that is still active? */
bool capture_holds_event(const struct CUevent_st *event);
void capture_forget_event(struct CUevent_st *event);
void capture_forget_stream(struct CUstream_st *stream);

/* --- Graphs: what a node does: content.c ------------------------------------------------------ */

struct launch {
    struct kernel *kernel;
    dim3 grid, block;
    unsigned shared_bytes;
    bool cooperative;
    bool may_begin_early;      /* before its stream's earlier work has ended */
    dim3 cluster;              /* blocks; 0: as the kernel says */
    int policy;                /* how to distribute clusters: advice */
    unsigned char *parameters; /* kernel->info.parameter_bytes */
    void **pointers;           /* into parameters, one for each */
};

struct conditional { /* conditional.c */
    cudaGraphConditionalHandle handle;
    unsigned type;    /* enum conditional_type */
    unsigned initial; /* value of the condition at each launch, if it is assigned */
    bool is_assigned;
    unsigned size;
    cudaGraph_t *bodies; /* owned, size of them; the program is shown this array */
};

struct content {
    enum cudaGraphNodeType type;
    bool is_request; /* only request matters, whatever the type: a matrix product */
    union {
        struct launch launch;
        struct cudaMemcpy3DParms copy;
        struct cudaMemsetParams set;
        struct cudaHostNodeParams host;
        struct CUgraph_st *child;        /* owned */
        struct conditional *conditional; /* owned */
        struct CUevent_st *event;        /* recorded or waited for */
        struct graph_memory *memory;     /* allocated; counted */
        void *freed;
        struct {
            struct request request;
            unsigned char *payload; /* owned */
            uint64_t payload_bytes;
        };
    };
};

/* Each fills content from the API's arguments, or fails and leaves nothing to free. */
cudaError_t content_kernel(struct content *content, const struct cudaKernelNodeParams *from);
cudaError_t content_launch(struct content *content, const struct launch *from);
cudaError_t content_copy(struct content *content, const struct cudaMemcpy3DParms *from);
cudaError_t content_copy_flat(struct content *content, void *to, const void *from, size_t count,
                              enum cudaMemcpyKind kind);
cudaError_t content_copy_symbol(struct content *content, const void *symbol, size_t offset,
                                void *other, size_t count, bool to_symbol,
                                enum cudaMemcpyKind kind);
cudaError_t content_set(struct content *content, const struct cudaMemsetParams *from);
cudaError_t content_host(struct content *content, const struct cudaHostNodeParams *from);
cudaError_t content_child(struct content *content, cudaGraph_t child);
cudaError_t content_event(struct content *content, enum cudaGraphNodeType type, cudaEvent_t event);
cudaError_t content_alloc(struct content *content, struct cudaMemAllocNodeParams *parameters);
cudaError_t content_free_memory(struct content *content, void *pointer);
cudaError_t content_conditional(struct content *content, struct cudaConditionalNodeParams *from);
cudaError_t content_request(struct content *content, enum cudaGraphNodeType type,
                            const struct call *call);
cudaError_t content_generic(struct content *content, struct cudaGraphNodeParams *from);
/* A deep copy. */
cudaError_t content_clone(struct content *to, const struct content *from);
void content_drop(struct content *content);

/* --- Graphs: graph.c -------------------------------------------------------------------------- */

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    struct content content;
    struct CUgraphNode_st **before; /* what it depends on */
    size_t before_count, before_room;
    struct CUgraphNode_st *original; /* in a clone or an executable graph: what it was made from */
    bool disabled;
    uint32_t order; /* while sorting */
    int priority;   /* cudaLaunchAttributePriority of a kernel node */
    struct cudaAccessPolicyWindow window;
};

struct user_reference;
struct CUgraph_st {
    struct CUgraphNode_st **nodes;
    size_t count, room;
    bool is_embedded;                  /* belongs to a node or an executable graph */
    struct user_reference *references; /* to user objects */
};

struct CUgraph_st *graph_new(void);
void graph_free(struct CUgraph_st *graph);
/* From now on it belongs to something else, and the program cannot destroy it. */
void graph_embed(struct CUgraph_st *graph);
struct CUgraph_st *graph_of(cudaGraph_t handle); /* NULL for a bad handle */
struct CUgraphNode_st *node_of(cudaGraphNode_t handle);
/* A new node that does what content says. Takes ownership of content, even if it fails. */
cudaError_t graph_add(struct CUgraph_st *graph, struct CUgraphNode_st *const *before,
                      size_t before_count, struct content *content, struct CUgraphNode_st **node);
void graph_remove(struct CUgraphNode_st *node);
/* False without memory. */
bool graph_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *before);
bool graph_depends(const struct CUgraphNode_st *node, const struct CUgraphNode_st *before);
/* False when it did not depend on it. */
bool graph_undepend(struct CUgraphNode_st *node, const struct CUgraphNode_st *before);
/* Has it nodes that allocate or free memory? */
bool graph_allocates(const struct CUgraph_st *graph);
/* A copy whose nodes remember what they were made from. NULL without memory. */
struct CUgraph_st *graph_clone(const struct CUgraph_st *graph);
/* All nodes in an order in which each comes after what it depends on; node->order is its place.
 * sorted has room for graph->count. False for a cycle. */
bool graph_sort(const struct CUgraph_st *graph, struct CUgraphNode_st **sorted);
/* All graphs are gone, executable ones too. */
void graph_forget_all(void);

/* conditional.c: a deep copy, or NULL without memory; and its end. */
struct conditional *conditional_clone(const struct conditional *from);
void conditional_free(struct conditional *conditional);
/* Has each condition that was made for graph a node? */
bool conditions_are_used(const struct CUgraph_st *graph);
/* The graph is gone, and with it the conditions that were made for it. */
void conditions_forget(const struct CUgraph_st *graph);
bool graph_has_conditionals(const struct CUgraph_st *graph);
/* May everything in the bodies of conditional nodes be there? Tells the user if not. */
cudaError_t graph_check_bodies(const struct CUgraph_st *graph);

/* edges.c: is there nothing in the data of these edges? edges may be NULL. */
bool edges_are_plain(const cudaGraphEdgeData *edges, size_t count);

/* node.c: replaces what node does by content, of which it takes ownership. */
cudaError_t node_replace(struct CUgraphNode_st *node, struct content *content);

/* user_object.c */
bool user_object_copy_references(struct CUgraph_st *to, const struct CUgraph_st *from);
void user_object_drop_references(struct CUgraph_st *graph);

/* --- Graphs that run: graph_wire.c, graph_exec.c ---------------------------------------------- */

struct CUgraphExec_st {
    struct CUgraph_st *graph; /* a clone */
    uint64_t number;          /* on the device; 0 when it must be sent, */
    uint64_t replaces;        /* in place of this one there, of the same shape; or 0 */
    unsigned long long flags;
    struct staging *staging; /* of its copies of ordinary host memory; see graph_wire.c */
};

/* Send the graph to the device; its number is set. */
cudaError_t graph_wire_send(struct CUgraphExec_st *exec);
void graph_wire_free_staging(struct CUgraphExec_st *exec);
/* Destroy a graph of the device; 0 is none. */
cudaError_t graph_wire_destroy(uint64_t number);
/* The executable graph a handle means, or NULL. */
struct CUgraphExec_st *exec_of(cudaGraphExec_t handle);
/* Mark the device's copy as out of date. */
void exec_forget(struct CUgraphExec_st *exec);
/* Replace *old by a copy of graph, which has the same shape; cudaErrorGraphExecUpdateFailure and
 * the reason if it differs in more than may change. */
cudaError_t exec_update_graph(struct CUgraph_st **old, const struct CUgraph_st *graph,
                              cudaGraphExecUpdateResultInfo *result);
/* exec_node.c: are both copies between the same kinds of memory? */
bool copies_alike(const struct cudaMemcpy3DParms *old, const struct cudaMemcpy3DParms *new);

/* graph_memory.c: memory that graphs allocate; counted by the nodes that do. */
struct graph_memory *graph_memory_new(const struct cudaMemAllocNodeParams *parameters,
                                      cudaError_t *error);
void graph_memory_keep(struct graph_memory *memory);
void graph_memory_drop(struct graph_memory *memory);
const struct cudaMemAllocNodeParams *graph_memory_parameters(const struct graph_memory *memory);
/* Is address the start of such memory? */
bool graph_memory_is(uint64_t address);
/* The program itself frees it, outside any graph. */
cudaError_t graph_memory_release(uint64_t address);
/* exec is about to run: what it allocates exists from now on, what it frees is gone. */
cudaError_t graph_memory_launch(const struct CUgraphExec_st *exec);
void graph_memory_forget_all(void);

/* --- Memory: memory.c, registered.c, pages.c, pool.c, copy.c ---------------------------------- */

/* Where the device's addresses are; 0 before the first call. connection.c */
extern uint64_t arena_address, arena_bytes;

static inline bool is_device_range(uint64_t address)
{
    return address - arena_address < arena_bytes;
}

enum memory_kind { MEMORY_DEVICE, MEMORY_HOST, MEMORY_MANAGED }; /* enum sim_allocation_kind */

/* Is the byte at address device memory that the host can touch: pinned or managed? */
bool memory_is_shared(uint64_t address);
/* Pinned memory for the library's own use; NULL when there is none. */
void *memory_pinned(size_t size_bytes);
void memory_pinned_free(void *pinned);
/* Map a managed variable. */
cudaError_t memory_share(uint64_t address);
/* Device memory, as cudaMalloc makes it. */
cudaError_t memory_new(void **pointer, size_t size_bytes);
/* Memory of any kind. */
cudaError_t memory_new_of(void **pointer, size_t size_bytes, enum memory_kind kind);
/* Unmap pinned or managed memory, which the device still has; nothing if there is none. */
void memory_unmap(uint64_t address);
/* Give device memory back when everything that is queued is done. */
cudaError_t memory_give_back(uint64_t address);
/* Tell the user, with the line that freed it, why memory cannot be freed. */
void memory_explain_free(const char *why);
/* The device has forgotten all memory. */
void memory_forget_all(void);
/* registered.c: the device's address of a byte in a registered page; 0 if there is none. */
uint64_t registered_address(uint64_t host);
void registered_forget_all(void);
/* advice.c: forget all advice about this memory. */
void advice_forget(uint64_t address, uint64_t size_bytes);
/* pages.c: replace the pages at first by fresh, as many bytes of pages mapped elsewhere, and keep
 * the contents. If it fails nothing has changed; fresh is gone in any case. */
bool pages_replace(void *first, size_t bytes, void *fresh);
/* pool.c: address is being freed; its pool no longer counts it. */
void pool_forget(uint64_t address);
void pool_forget_all(void);
/* Of which kind is the memory that a pool gave at address? Without such memory: of the device. */
enum memory_kind pool_kind(uint64_t address);
/* The program has waited: pools keep no more than their release thresholds. */
void pool_release(void);
/* ipc.c: is address memory of another program that this one opened? */
bool ipc_is_open(uint64_t address);
void ipc_forget_all(void);

/* --- Arrays and textures: array.c, texture.c, array_copy.c ------------------------------------ */

struct cudaArray {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* in elements; 0 along axes that it lacks */
    unsigned flags;           /* cudaArrayLayered and so on */
    uint64_t element_bytes;
    uint64_t address, pitch, slice; /* on the device; from row to row, from plane to plane */
};

struct cudaArray *array_of(cudaArray_const_t handle); /* NULL for a bad handle */
/* How many channels elements of that kind have; 0 when arrays have no such elements. */
unsigned channel_count(const struct cudaChannelFormatDesc *desc);
/* texture_limits.c: how large they may be, as properties of the device, and as attributes; 0 for
 * any other attribute. */
void texture_limits_fill(struct cudaDeviceProp *properties);
int texture_limit(enum cudaDeviceAttr attribute);
/* The device has forgotten them all. */
void array_forget_all(void);
void texture_forget_all(void);

/* One box of rows to copy; the addresses tell whether it crosses the bus. */
struct box {
    uint64_t to, from, to_pitch, to_slice, from_pitch, from_slice, width, height, depth;
    enum cudaMemcpyKind kind;
    bool asynchronous;
};
/* Copy it in the order of stream, or make it a node of the stream's capture. */
cudaError_t copy_box(struct CUstream_st *stream, const struct box *box);
/* Can the box be copied as described? */
cudaError_t box_check(const struct box *box);
cudaError_t box_of(const struct cudaMemcpy3DParms *parameters, struct box *box);
/* The device's request for it, when both sides are the device's. */
struct copy_request box_request(const struct box *box, uint64_t stream, enum copy_kind kind);
/* Move the rows between two places of the program's own memory. */
void box_move(const struct box *box);
/* The same box with one side packed: rows without gaps at address. */
struct box box_packed_to(const struct box *box, uint64_t address);
struct box box_packed_from(const struct box *box, uint64_t address);
/* A memset's request; cudaErrorInvalidValue if it makes no sense. */
cudaError_t set_request_of(const struct cudaMemsetParams *set, struct set_request *request);

/* --- The two default streams -------------------------------------------------------------------
 * Programs compiled with --default-stream per-thread call the name with a suffix. BOTH defines
 * the two; call may use the variable default_stream. */
#define BOTH(suffix, name, parameters, call)               \
    cudaError_t name parameters                            \
    {                                                      \
        const uint64_t default_stream = STREAM_LEGACY;     \
        (void)default_stream;                              \
        return api(call);                                  \
    }                                                      \
    cudaError_t name##suffix parameters;                   \
    cudaError_t name##suffix parameters                    \
    {                                                      \
        const uint64_t default_stream = STREAM_PER_THREAD; \
        (void)default_stream;                              \
        return api(call);                                  \
    }

#endif
