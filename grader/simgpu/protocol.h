/* protocol.h - the messages between a program and its simulated device.
 *
 * A program's libcudart (client/) connects to the device process (device/) through the socket that
 * SIMGPU_SOCKET names or, if that is not set, the one on which descriptor DEVICE_FD is open (with
 * O_PATH). The client sends a request, the device a reply, one at a time; either may carry a
 * payload after its fixed part. Work is asynchronous as on a real device: the reply to a launch
 * says that it is queued.
 *
 * A program has one connection for each of its threads that calls the runtime, so that one may wait
 * while others continue. The first says HELLO and gets a number and a secret; the others ATTACH
 * with both. The program ends with its last connection. The kernel (SO_PEERCRED), never the
 * program, says which process is at the other end.
 *
 * There is one way to control the device: `simgpu run --control` starts its program with one end of
 * a pair of sockets as descriptor CONTROL_FD, and a program that says HELLO there has control. The
 * client takes that descriptor for itself before anything else of the program runs: no child
 * inherits it.
 *
 * Both ends are built from one tree, but the device trusts nothing a client sends: every size and
 * handle is checked there.
 */
#ifndef SIMGPU_PROTOCOL_H
#define SIMGPU_PROTOCOL_H

#include "simgpu.h"

#include <stdint.h>

enum { PROTOCOL_VERSION = 10, SECRET_BYTES = 16, IPC_HANDLE_BYTES = 64 };
enum { DEVICE_FD = 7, CONTROL_FD = 9 };

/* Device addresses are where the welcome says, in all programs of a device: pinned and managed
 * memory is mapped at the same address in the program, so a pointer means the same on both sides.
 * They are here unless the device has to look like a GPU (device/arena.c). */
#ifdef LOW_ARENA /* ThreadSanitizer leaves the first 512 GiB to the program */
#define PLAIN_ARENA_ADDRESS UINT64_C(0x001000000000)
#define PLAIN_ARENA_BYTES UINT64_C(0x007000000000)
#else
#define PLAIN_ARENA_ADDRESS UINT64_C(0x200000000000)
#define PLAIN_ARENA_BYTES UINT64_C(0x080000000000) /* 8 TiB of addresses; pages come when touched */
#endif

/* A payload longer than this is refused: no program copies that much in one call. */
#define MOST_PAYLOAD_BYTES (UINT64_C(1) << 38)

enum request_kind {
#define OTHER_REQUEST(name, meaning) REQUEST_##name,
#define REQUEST(name, handler, flags, meaning) OTHER_REQUEST(name, meaning)
#include "requests.def"
    REQUESTS
};

enum copy_kind { COPY_FROM_HOST, COPY_TO_HOST, COPY_ON_DEVICE };

/* A box of rows: height * depth rows of width bytes each. Pitches in bytes; slice is the distance
 * between two planes. For the host's side the payload is the rows, one after another. */
struct copy_request {
    uint64_t to, from, stream;
    uint64_t width, height, depth;
    uint64_t to_pitch, to_slice, from_pitch, from_slice;
    uint32_t kind;
    uint32_t asynchronous; /* do not wait until it is done */
    uint32_t over_bus;     /* COPY_ON_DEVICE: one side is pinned host memory, ... */
    uint32_t from_pinned;  /* ... and it is the one that is read */
};

struct set_request {
    uint64_t to, stream;
    uint64_t width, height, pitch; /* width in elements */
    uint32_t value, element_bytes;
};

struct launch_request {
    uint64_t kernel, stream;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    uint32_t cooperative;
    uint32_t may_begin_early; /* cudaLaunchAttributeProgrammaticStreamSerialization */
    uint32_t cluster[3];      /* blocks; 0: as the kernel was compiled for */
    uint32_t wide_clusters;   /* more than the portable 8 blocks are allowed */
};

/* A node of a graph: which nodes come before it, and the request it carries out: LAUNCH, COPY (on
 * the device), SET, HOST_FUNCTION, EVENT_RECORD, STREAM_WAIT, CONDITIONAL or NOTE, which does
 * nothing. On the wire: the node, its dependencies (uint32_t each, padded to 8 bytes), the request,
 * its payload. The payload of CONDITIONAL is a graph_body for each of its bodies, with the nodes of
 * that body after it. */
struct graph_node {
    uint32_t dependency_count;
    uint32_t pad;
    uint64_t payload_bytes;
};

/* What a texture or surface object refers to, and how it is read: as struct sim_texture of
 * device/../machine/machine.h. */
struct texture_request {
    uint64_t address, pitch, slice;
    uint32_t width, height, depth, channels, channel_bits, texel_kind, mode[3];
    uint32_t is_surface, is_linear, normalised_coordinates, normalised_values, filters, srgb;
    float border[4];
    uint32_t pad;
};

struct graph_body {
    uint32_t node_count;
    uint32_t pad;
    uint64_t bytes; /* of the nodes that follow */
};

/* What a conditional node does with its bodies; the numbers are those of
 * cudaGraphConditionalNodeType. */
enum conditional_type { CONDITIONAL_IF, CONDITIONAL_WHILE, CONDITIONAL_SWITCH };

enum note { NOTE_REPEATED_CHECK, NOTE_CUBLASLT_HANDLE, NOTE_GRAPH_MADE, NOTE_GRAPH_FREED, NOTES };

enum limit { LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP };

struct request {
    uint32_t kind;
    uint32_t place; /* of the call in the program: a number that PLACE gave; 0: unknown */
    uint64_t payload_bytes;
    union {
        struct {
            uint32_t version, pad; /* PROTOCOL_VERSION */
        } hello;
        struct {
            uint64_t client;
            unsigned char secret[SECRET_BYTES];
        } attach; /* ATTACH, CALLBACKS */
        struct {
            uint64_t module;
        } name; /* KERNEL, SYMBOL: looked up in this module */
        struct {
            uint32_t line, pad;
        } place_of; /* PLACE */
        struct {
            uint64_t size_bytes;
            uint32_t kind, pad[3]; /* enum sim_allocation_kind */
            char label[160];
        } allocate;
        struct {
            uint64_t address;
        } address; /* FREE, SHARE, RANGE, IPC_GET */
        struct {
            uint64_t address, seed;
            uint32_t is_output, pad;
        } repeat;
        struct {
            uint64_t address, from;
            uint32_t with_content, pad;
        } touched;
        struct {
            uint64_t address;
            uint64_t first, bytes, every; /* as in sim_gaps */
        } gaps;
        struct {
            uint64_t to, from; /* where pages start */
        } share_page;
        struct {
            uint64_t address, stream;
            uint32_t kind; /* of memory that is expected there: enum sim_memory_kind */
        } free_in_order;
        struct {
            unsigned char handle[IPC_HANDLE_BYTES];
        } ipc;
        struct copy_request copy;
        struct set_request set;
        struct texture_request texture;
        struct {
            uint64_t handle;
            uint32_t is_surface, pad;
        } texture_handle; /* TEXTURE_DESTROY */
        struct launch_request launch;
        struct {
            uint64_t stream, function, data;
        } host_function;
        struct {
            uint64_t stream, event; /* also one of the two alone */
            uint32_t flags;
            int32_t priority;
        } stream;
        struct {
            uint64_t from, to;
        } elapsed;
        struct {
            uint64_t kernel;
            uint32_t block_threads, dynamic_shared_bytes;
            uint32_t cluster_blocks, pad; /* the second answer: how many such clusters fit */
        } occupancy;
        struct {
            uint32_t limit, set;
            uint64_t value;
        } limit;
        struct {
            uint64_t graph, stream; /* CREATE: graph is the one that it replaces, or 0 */
            uint32_t node_count, pad;
        } graph;
        struct {
            uint64_t handle;
            uint32_t type; /* enum conditional_type */
            uint32_t body_count;
            uint32_t initial;     /* value at each launch of the graph, if it is assigned; */
            uint32_t is_assigned; /* otherwise it keeps that of the last launch */
        } conditional;
        struct {
            uint64_t stream;
        } library; /* MATMUL, BLAS */
        struct {
            uint32_t note, pad;
        } note;
        struct {
            uint64_t id; /* the program's own number of it */
        } nvtx;          /* RANGE_START, RANGE_END */
        struct {
            uint64_t id;
        } callback;
        struct {
            uint32_t window, process; /* enum simgpu_window */
        } window;                     /* the answer: pieces over its edge, and if endless */
        struct {
            uint32_t checks, count, what_if, fewer, keep_going, hold_back, slice, timeline, places;
            uint64_t step_budget, most_steps, seed, approximation_seed;
            struct simgpu_sampling sampling;
        } options;
    };
};

/* What cudaGetDeviceProperties needs of the profile. */
struct device_reply {
    char name[64];
    unsigned char uuid[16];
    int32_t compute_major, compute_minor, multiprocessors, clock_khz, memory_clock_khz, bus_bits;
    uint64_t memory_bytes, l2_bytes;
    uint32_t shared_bytes, shared_bytes_block, shared_bytes_reserved, registers, warps, blocks;
};

struct kernel_reply {
    uint64_t kernel;
    uint32_t parameter_count, parameter_bytes;
    uint32_t static_shared_bytes, local_bytes, registers, max_threads, constant_bytes;
    uint32_t architecture; /* the one it was compiled for: 90 for sm_90 */
    uint32_t cluster[3];   /* likewise, the blocks of a cluster; 0: any */
    uint32_t must_cluster; /* it runs in clusters only */
    /* payload: parameter_count pairs of uint32_t, offset and size */
};

struct reply {
    int32_t error;         /* cudaError_t */
    uint16_t has_fd;       /* a file descriptor comes along: memory to map */
    uint16_t wants_places; /* requests should say from now on where they were made */
    uint64_t payload_bytes;
    uint64_t printed_bytes; /* what kernels printed; comes before the payload */
    union {
        struct device_reply device;
        struct kernel_reply kernel;
        struct {
            uint64_t value[4];
        };
        struct {
            uint64_t client, in_control;
            unsigned char secret[SECRET_BYTES];
            uint64_t arena_address, arena_bytes;
        } welcome;
        struct {
            uint64_t address, size_bytes;
            uint32_t kind, pad;
        } range;
        struct {
            float milliseconds;
        } elapsed;
        struct {
            unsigned char handle[IPC_HANDLE_BYTES];
        } ipc;
        char message[256]; /* with an error: its sentence */
    };
};

#endif
