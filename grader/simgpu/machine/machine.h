/* machine.h - the simulated GPU as a library: it loads PTX, runs kernels, counts and explains.
 *
 * It starts no threads, opens no files or sockets, and keeps no globals: its wrapper (the device
 * process, a test, a fuzzer) gives it memory and threads. One machine has one memory; a context is
 * one program's view of it, as a CUDA context is.
 *
 * Usual order of calls:
 *     sim_machine_new, sim_context_new
 *     sim_module_load, sim_module_kernel
 *     sim_allocate, and the host writes through sim_host_pointer
 *     sim_launch_new, sim_launch_work (from as many threads as there are workers),
 *     sim_launch_result, sim_launch_free
 *     sim_context_free, sim_machine_free
 *
 * Ownership: what a _new or _load returns is freed by its _free (a module by its context's).
 * Pointers handed out (names, lines, results) live as long as what they were asked of.
 *
 * Threads: one thread at a time for a context, except in sim_launch_work. sim_launch_abort may be
 * called at any time. Allocating while a launch of the context runs is allowed; freeing is not.
 *
 * Errors: calls that can fail return false or NULL and fill struct sim_error.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Errors ---------------------------------------------------------------------------------- */

enum sim_error_code {
    SIM_OK,
    SIM_OUT_OF_MEMORY,      /* of the device */
    SIM_HOST_OUT_OF_MEMORY, /* of the machine that simulates */
    SIM_BAD_IMAGE,          /* no fatbin, no PTX in it, or PTX that does not parse */
    SIM_UNSUPPORTED,        /* PTX or a request that the machine does not know yet */
    SIM_BAD_ADDRESS,
    SIM_BAD_LAUNCH,        /* a configuration the device cannot run */
    SIM_TOO_FEW_REGISTERS, /* for one block of it */
    SIM_TOO_MANY_BLOCKS,   /* for a cooperative launch */
    SIM_BAD_CLUSTER,       /* blocks that make no whole clusters, or too large ones */
    SIM_NOT_FOUND,
};

struct sim_error {
    enum sim_error_code code;
    char message[400]; /* one sentence */
};

/* --- The device ------------------------------------------------------------------------------ */

/* What a request costs the L2, in bytes that it could have read instead: so much for a line and so
 * much for each of its sectors, but no less than the least. Reading a whole line costs its 128
 * bytes. Finding a line takes as long for one sector as for four; where sectors have to be merged
 * with what they held, that goes on at the same time, and the longer of the two counts. */
struct sim_l2_cost {
    double line, sector, least;
};

/* What the timing model (timing/) knows of a device besides its rates: fitted to measured launches.
 * Cycles are of a multiprocessor. */
struct sim_model {
    /* L1, shared memory, constants (hierarchy.c) */
    double shared_latency, l1_latency;                     /* cycles, unloaded */
    double constant_latency, constant_cycles;              /* the latter for each address */
    double l1_least_cycles, l1_line_cycles, sector_cycles; /* L1 is busy: for a request, a line of
                                                            * it, a sector of it */
    double local_cycles, local_line_cycles; /* the same of local memory: a request, a line */
    double spill_cycles;                    /* a spilled register, besides its lines */
    uint16_t shared_sizes_kib[10]; /* that shared memory can be set to, rising, ended by 0 */
    uint16_t shared_each_kib, shared_least_kib; /* it gets so much for each resident block, up to
                                                 * so much, even if they ask for less */
    uint16_t l1_least_kib;                      /* what it leaves of L1 in any case */
    struct sim_l2_cost l2_read, l2_write, l2_write_in_part, l2_reduce, l2_atomic;
    double hot_sector_turns; /* of the part of L2 that has a line which all want: a sector */
    /* Barriers and fences (hierarchy.c, barriers.c, cost.c) */
    double barrier_cycles; /* an arrival keeps the barrier busy */
    double release_cycles; /* from the last arrival until the others go on */
    uint16_t mbarrier_cycles, device_fence_cycles, system_fence_cycles;
    uint16_t atomic_release_cycles; /* the fence before an atomic that releases */
    /* Instructions (multiprocessor.c, schedule.c, cost.c, bulk.c) */
    double same_warp_cycles; /* from one instruction to the next of a warp */
    double branch_cycles;
    double control_cycles;    /* a BSSY, BSYNC or indexed branch keeps the branch unit */
    uint16_t guard_cycles;    /* from a comparison to what its result switches */
    uint16_t exchange_cycles; /* from a shuffle to its result */
    uint16_t meeting_cycles;  /* an instruction that arrives at a barrier, for itself */
    uint16_t lane_number_cycles, block_number_cycles, clock_cycles; /* special registers */
    uint16_t parameter_cycles;    /* an address among a kernel's parameters */
    uint16_t product_cycles;      /* a matrix product, besides the tensor core's own time */
    uint16_t lane_sum_cycles;     /* POPC and an addition: a lane's place among the active ones */
    uint16_t matrix_place_cycles; /* a load of a matrix works out where each lane's part is */
    double piece_issues;          /* more, for each piece of a matrix that is moved in pieces */
    double engine_cycles;         /* a bulk copy's, before its first line and after its last */
    /* Blocks and launches (multiprocessor.c, estimate.c) */
    double block_cycles, block_cycles_a_warp; /* from a block's end to the next one's start */
    double dispatch_ns;                       /* from one block to the next, of the whole device */
    double start_ns;           /* before the first block and after the last, with launch_ns */
    double last_ends_later_ns; /* multiprocessors do not end at once */
    double same_line_ns;       /* one line of L2 answers so often */
    double print_ns;           /* a line that a thread prints */
    /* L2 and DRAM (estimate.c, fetched.c) */
    double latency_spread;   /* of lines: this part of their mean, up and down */
    double dirty_share;      /* of L2, what a launch's end leaves in it of what is written */
    double fills_kept_bytes; /* of sectors written in part, those not filled by then */
    double scattered_longer, lone_longer; /* DRAM works: for scattered lines, for lone sectors */
    double write_back_ns; /* a read waits so long for written lines while DRAM is never idle */
    double turn_ns;       /* and so long for DRAM to turn to them while it works half of the time */
    double fullest;       /* load of DRAM from which on a read waits no longer than at it */
    double dram_window;   /* cycles over which DRAM's load is averaged, with exponential weights */
    double served_unevenly;  /* by a full DRAM: the last multiprocessor ends so much later */
    double served_evenly_to; /* this load of DRAM */
    double most_of_dram;     /* what DRAM moves at most, of the copy rate */
    double open_share;       /* of L2: lines that are open, of all multiprocessors, may fill it, */
    uint32_t quad_places;    /* and one that quads are stored to takes so many places */
    double kept_share, kept_share_first; /* of L2: lines touched since may fill it, and a line is
                                          * still there; one to be thrown out first */
    uint32_t late_steps;  /* a block so many instructions later waits for a line too */
    double in_step_share; /* on average for this share of what the first one waits */
    /* The host's memory, over the bus (hierarchy.c, estimate.c) */
    double bus_read_bytes_per_ns, bus_written_bytes_per_ns; /* in whole lines */
    double bus_head_bytes; /* of a request for a line or for sectors of it */
    double bus_ns;         /* a load waits so long */
    /* Atomics on global memory (observe/contention.c) */
    double atomic_turn_ns; /* of a part of L2 */
    double same_sum_ns;    /* a floating-point addition after another at the same place */
    double atomic_parts;   /* parts among which pieces of memory are scattered */
    double as_wanted;      /* of a piece that is asked for so often, of the most wanted one */
    /* Products of the library (device/blaslt_model.c), and its other kernels (device/blas.c) */
    double product_sustained;  /* of the arithmetic peak, what a long one keeps up */
    double product_read_share; /* of the copy rate, what one with few blocks reads at */
    double product_start_ns;   /* until the first loads arrive */
    double product_tile_ns;    /* to fill and drain the pipeline of a tile */
    double product_gather_ns;  /* a second, small kernel, that adds the parts of a split sum */
    double product_turn_ns;    /* or each part, where the blocks add them by taking turns */
    double vector_start_ns;    /* the same as of products, without matrices */
    double panel_ns;           /* of a triangular system, panels of rows follow each other */
};

/* What is known of one GPU model: profiles.c has one row a model, with its sources. */
struct sim_profile {
    const char *key;  /* "h200", for SIMGPU_DEVICE */
    const char *name; /* "simulated NVIDIA H200" */
    int compute_major, compute_minor;
    unsigned multiprocessors;
    unsigned schedulers;       /* of a multiprocessor */
    unsigned clock_mhz;        /* boost */
    unsigned tensor_clock_mhz; /* while tensor cores work; 0: the same, or unknown */
    unsigned memory_clock_mhz, memory_bus_bits;
    uint64_t memory_bytes, l2_bytes;
    unsigned l1_bytes;              /* of a multiprocessor, L1 and shared memory together */
    unsigned shared_bytes;          /* most shared memory of a multiprocessor */
    unsigned shared_bytes_block;    /* most for one block, after opting in */
    unsigned shared_bytes_reserved; /* the system's share of every block */
    unsigned registers;             /* of a multiprocessor */
    unsigned warps, blocks;         /* most resident on a multiprocessor */
    double dram_bytes_per_s;        /* copy rate, measured */
    double l2_bytes_per_s;
    double fp32_lanes, fp64_lanes, int_lanes, sfu_lanes; /* a cycle and multiprocessor */
    double tensor_f16_flops; /* a cycle and multiprocessor, dense, FP16 in, FP32 out */
    double launch_ns;        /* from one kernel's end to the next one's start */
    double dram_latency_ns, l2_latency_ns;
    double cluster_latency_cycles; /* another block's shared memory; 0: no clusters */
    double cluster_bytes;          /* of it, a cycle and multiprocessor */
    double tensor_share;           /* of tensor_f16_flops, what mma.sync reaches */
    const struct sim_model *model;
    const char *source;
    const char *held_to; /* measurements of this GPU, or that there are none */
};

/* All profiles, ended by one whose key is NULL. */
const struct sim_profile *sim_profiles(void);
const struct sim_profile *sim_profile_named(const char *key); /* NULL when there is none */
/* A device with so many of whole's multiprocessors, from 1 to all, and the same share of its L2, of
 * L2's rate and of DRAM's. That share of a launch's blocks takes as many waves on it as the launch
 * takes on the whole device. */
struct sim_profile sim_profile_slice(const struct sim_profile *whole, unsigned multiprocessors);

/* Where global memory lies. Addresses the device sees start at address; the same byte is at
 * host in the process around. commit makes pages usable (zeroed), release gives them back; both
 * take the device's addresses. Generic addresses of shared memory begin at windows, those of other
 * memory that is not global within SIM_WINDOWS_BYTES of it: a multiple of 2^32, outside the arena
 * and of what the host has; 0 for a place that suits where no program looks at it. */
#define SIM_WINDOWS_BYTES (UINT64_C(8) << 32)
struct sim_arena {
    uint64_t address, bytes, windows;
    unsigned char *host;
    void *owner;
    bool (*commit)(void *owner, uint64_t address, uint64_t bytes);
    void (*release)(void *owner, uint64_t address, uint64_t bytes);
    /* Much of these pages will be touched; may be NULL. */
    void (*will_fill)(void *owner, uint64_t address, uint64_t bytes);
};

struct sim_machine *sim_machine_new(const struct sim_profile *profile,
                                    const struct sim_arena *arena, struct sim_error *error);
void sim_machine_free(struct sim_machine *machine);
const struct sim_profile *sim_machine_profile(const struct sim_machine *machine);
/* The profile that it was made with, also while the machine is a slice of that. */
const struct sim_profile *sim_machine_whole(const struct sim_machine *machine);
/* From now on the machine is a slice of the profile that it was made with; 0: the whole. No launch
 * may run while that changes. */
void sim_machine_slice(struct sim_machine *machine, unsigned multiprocessors);
const struct sim_arena *sim_machine_arena(const struct sim_machine *machine);

/* Why the output of launches cannot be judged by some of their blocks alone: "it uses atomics"; ""
 * when there is no reason. It is the first reason since reasons were last forgotten. Texts are
 * constants. */
const char *sim_unsampled(const struct sim_machine *machine);
void sim_note_unsampled(struct sim_machine *machine, const char *reason);
/* Is the reason that blocks were stopped because they take too long? */
bool sim_was_cut_short(const struct sim_machine *machine);
/* Is the reason that a block reads what other blocks may write? It takes precedence over all
 * others: even a right result then says nothing about blocks that did not run. */
bool sim_was_hearsay(const struct sim_machine *machine);
/* Is the reason between launches, not in one of them? One reads what another one wrote, or there
 * are too many. */
bool sim_was_across(const struct sim_machine *machine);
/* Do some blocks still tell what all take? They do if all reasons are that blocks find other
 * numbers than they should, and none that a block may wait for another one or do its work. */
bool sim_is_timed(const struct sim_machine *machine);
void sim_forget_unsampled(struct sim_machine *machine);

struct sim_context *sim_context_new(struct sim_machine *machine, struct sim_error *error);
/* Frees the context's modules, and the memory no other context uses. */
void sim_context_free(struct sim_context *context);

/* --- Memory ---------------------------------------------------------------------------------- */

enum sim_allocation_kind {
    SIM_MEMORY_DEVICE, /* cudaMalloc */
    SIM_MEMORY_HOST,   /* pinned: the host sees it at the same address */
    SIM_MEMORY_MANAGED,
    SIM_MEMORY_MODULE, /* a __device__ or __constant__ variable */
};

/* size_bytes may be 0. The address is a multiple of 512. label says where the program asked for
 * it, for messages; it is copied and may be NULL. 0 on failure. */
uint64_t sim_allocate(struct sim_context *context, uint64_t size_bytes,
                      enum sim_allocation_kind kind, const char *label, struct sim_error *error);
/* Device memory as a GPU places it: small allocations of a context lie side by side, at multiples
 * of 512 within 2 MiB, so that a step out of one may lead into the next. */
uint64_t sim_allocate_packed(struct sim_context *context, uint64_t size_bytes, const char *label,
                             struct sim_error *error);
/* Forget that this context uses the allocation at address; its last user frees it. */
bool sim_free(struct sim_context *context, uint64_t address, struct sim_error *error);
/* Why address cannot be freed: "the 1024-byte buffer allocated at main.cu:31 was freed before". */
void sim_explain_free(struct sim_context *context, uint64_t address, char *text, size_t size);
/* To be called before the host gets the pages of a variable (address is its start), too: it has
 * those of pinned and managed memory from the beginning. False when that would be more than
 * sim_limit_shared allows. */
bool sim_share_with_host(struct sim_context *context, uint64_t address, struct sim_error *error);
/* The limit on all such memory of all contexts; there is none if this is not called. To be called
 * before the first context is made. */
void sim_limit_shared(struct sim_machine *machine, uint64_t most_bytes);
/* Let context use an allocation that the context from uses, too (CUDA IPC). */
bool sim_share(struct sim_context *context, struct sim_context *from, uint64_t address,
               struct sim_error *error);

struct sim_range {
    uint64_t address, size_bytes;
    enum sim_allocation_kind kind;
};
/* The allocation around address, or false. */
bool sim_find(struct sim_context *context, uint64_t address, struct sim_range *range);
/* What messages call the memory at address: "the 1024-byte buffer allocated at main.cu:31"; and
 * where it starts, or 0 if it is gone. */
uint64_t sim_memory_name(struct sim_context *context, uint64_t address, char *text, size_t size);
uint64_t sim_memory_free_bytes(const struct sim_machine *machine);

/* size_bytes at address, for the host to read or write; NULL with an error that says how far
 * outside when not all of it belongs to one allocation of the context. written tells the
 * initialisation check that the host fills these bytes. */
unsigned char *sim_host_pointer(struct sim_context *context, uint64_t address, uint64_t size_bytes,
                                bool written, struct sim_error *error);

/* Let the buffer of cudaMalloc at address (its start) hold pattern, repeated from end to end; or
 * with a seed, its lines in an order that this draws (drawn_pattern.h). What is written to it stays
 * written. It takes memory only where it is touched. is_output: what it holds is not meant to be
 * read. False, with an error, for other memory, and while initialisation is watched. */
bool sim_repeat(struct sim_context *context, uint64_t address, const void *pattern,
                uint64_t pattern_bytes, uint64_t seed, bool is_output, struct sim_error *error);
/* May anything have been written to the memory at address since it was allocated, since it was
 * given its pattern, or since its stores were forgotten? */
bool sim_was_stored_to(struct sim_context *context, uint64_t address);
/* False when address is not in memory of the context. No launch may run meanwhile. */
bool sim_forget_stores(struct sim_context *context, uint64_t address);
/* What lies between the rows of a matrix: bytes from the first one of its memory on, and as many
 * again every so many. */
struct sim_gaps {
    uint64_t first, bytes, every; /* every is 0: there are none */
};
/* From now on it is noted if anything is stored there, whatever it is; by kernels only in launches
 * that check for races. False when address is not in memory of the context. No launch may run
 * meanwhile. */
bool sim_set_gaps(struct sim_context *context, uint64_t address, const struct sim_gaps *gaps);
/* Was anything, since its stores were forgotten? */
bool sim_gaps_were_stored_to(struct sim_context *context, uint64_t address);
/* The next stretch of such a buffer, from *offset on, in which every piece has been touched: where
 * it starts and how long it is. False when there is none. */
bool sim_touched(struct sim_context *context, uint64_t address, uint64_t *offset,
                 uint64_t *size_bytes);

/* Copy size_bytes within the device; ranges may overlap. Keeps track of initialised bytes. */
bool sim_copy(struct sim_context *context, uint64_t to, uint64_t from, uint64_t size_bytes,
              struct sim_error *error);

/* From now on, note which bytes of this context's memory have been written. */
void sim_watch_initialisation(struct sim_context *context, bool watch);

/* Limits of what kernels may use, as cudaDeviceSetLimit sets them. */
struct sim_limits {
    uint64_t stack_bytes, printf_bytes, heap_bytes;
};
void sim_limits_get(const struct sim_context *context, struct sim_limits *limits);
void sim_limits_set(struct sim_context *context, const struct sim_limits *limits);

/* --- Textures and surfaces ------------------------------------------------------------------- */

enum sim_texel_kind { SIM_TEXEL_SIGNED, SIM_TEXEL_UNSIGNED, SIM_TEXEL_FLOAT, SIM_TEXEL_KINDS };
/* What a coordinate outside the texture means (PTX ISA 5.3, addr_mode); the numbers are those of
 * cudaTextureAddressMode. */
enum sim_texture_mode {
    SIM_TEXTURE_WRAP,
    SIM_TEXTURE_CLAMP,
    SIM_TEXTURE_MIRROR,
    SIM_TEXTURE_BORDER,
    SIM_TEXTURE_MODES
};

/* What a texture or surface object names: rows of texels in memory of the context, and how they are
 * read. Rows lie pitch bytes apart, planes (or layers, or faces of cubes) slice bytes. */
struct sim_texture {
    uint64_t address, pitch, slice;
    uint32_t width, height, depth; /* in texels; at least 1 each; depth counts layers too */
    uint32_t channels;             /* 1, 2 or 4 */
    uint32_t channel_bits;         /* 8, 16 or 32 */
    uint32_t texel_kind;           /* enum sim_texel_kind */
    uint32_t mode[3];              /* enum sim_texture_mode, of x, y and z */
    bool is_surface;               /* read and written by byte; all below is for textures */
    bool is_linear;                /* plain memory, fetched by index: 0 outside */
    bool normalised_coordinates;   /* from 0 to 1 instead of from 0 to the size */
    bool normalised_values;        /* integers are read as floats from 0 or -1 to 1 */
    bool filters;                  /* linearly, between neighbouring texels */
    bool srgb;
    float border[4];
};

/* The object's handle, or 0: SIM_BAD_ADDRESS when its texels are not all in one allocation of the
 * context, SIM_UNSUPPORTED when nothing reads such texels, SIM_HOST_OUT_OF_MEMORY when there are
 * too many objects. Allowed while a launch of the context runs; freeing is not. */
uint64_t sim_texture_new(struct sim_context *context, const struct sim_texture *texture,
                         struct sim_error *error);
/* False when handle names no such object. */
bool sim_texture_free(struct sim_context *context, uint64_t handle, bool is_surface);

/* --- Modules --------------------------------------------------------------------------------- */

/* Load a fatbin, or plain PTX text. Variables get their memory and initial values. */
struct module *sim_module_load(struct sim_context *context, const void *image, size_t size_bytes,
                               struct sim_error *error);

/* The kernel called name (mangled), or NULL. */
const struct function *sim_module_kernel(const struct module *module, const char *name);
const struct function *sim_module_kernel_at(const struct module *module, size_t index);

struct sim_symbol {
    const char *name;
    uint64_t address, size_bytes;
    bool constant, managed;
};
const struct sim_symbol *sim_module_symbol(const struct module *module, const char *name);

struct sim_kernel_info {
    const char *name;
    uint32_t parameter_count;
    uint32_t parameter_bytes; /* of the whole block */
    uint32_t static_shared_bytes;
    uint32_t local_bytes; /* a thread */
    uint32_t registers;   /* a thread, by ptxas; 0 when the image has no machine code */
    uint32_t max_threads; /* a block */
    uint32_t cluster[3];  /* blocks of a cluster it was compiled for; 0: any */
    bool must_cluster;    /* it runs in clusters only */
    uint32_t constant_bytes;
    uint32_t architecture; /* its PTX was made for: 90 for sm_90 */
};
void sim_kernel_info(const struct sim_context *context, const struct function *kernel,
                     struct sim_kernel_info *info);
/* Where parameter i lies in the parameter block. False when there is no such parameter. */
bool sim_kernel_parameter(const struct function *kernel, uint32_t index, uint32_t *offset_bytes,
                          uint32_t *size_bytes);

/* The PTX instruction that starts at that line of the module kernel belongs to, as its author or
 * compiler wrote it, blanks run together. Empty when there is no such line. */
void sim_kernel_ptx(const struct function *kernel, uint32_t ptx_line, char *text, size_t bytes);

/* Blocks of block_threads that fit on one multiprocessor at once; limited_by, if not NULL, gets
 * "registers", "shared memory", "warps" or "blocks". */
unsigned sim_occupancy(const struct sim_context *context, const struct function *kernel,
                       unsigned block_threads, uint32_t dynamic_shared_bytes,
                       const char **limited_by);

/* Clusters of so many such blocks that the device holds at once; 0 when it cannot hold one. */
unsigned sim_active_clusters(const struct sim_context *context, const struct function *kernel,
                             unsigned block_threads, uint32_t dynamic_shared_bytes,
                             unsigned cluster_blocks);
/* The most blocks that a cluster may have: the portable number, and with permission more. */
enum { SIM_PORTABLE_CLUSTER = 8, SIM_MOST_CLUSTER = 16 };

/* --- Faults ---------------------------------------------------------------------------------- */

enum sim_fault_kind {
#define SIM_FAULT(name, cuda_error, title, advice) SIM_FAULT_##name,
#include "run/faults.def"
#undef SIM_FAULT
    SIM_FAULTS
};

struct sim_line { /* of the learner's source */
    const char *file;
    unsigned line, column;
};

struct sim_fault {
    enum sim_fault_kind kind;
    struct sim_line line;         /* innermost frame in the kernel's own file */
    struct sim_line inlined;      /* of the innermost of all, when it differs; else line 0 */
    struct sim_line other;        /* of the other party of a race, or where an undefined value
                                    * decides; else line 0 */
    uint32_t block[3], thread[3]; /* thread {0xFFFFFFFF, ..} for a whole warp */
    uint32_t other_thread[3];
    bool of_shared; /* an undefined value that was read in shared memory */
    const char *kernel;
    char message[400];  /* what happened, in one sentence */
    const char *advice; /* what to try, in one sentence */
};

/* Does kernel contain something that this device does not know and that every launch would reach?
 * Then sim_launch_check refuses it; fault says the same, with its place. */
bool sim_kernel_refusal(const struct function *kernel, struct sim_fault *fault);

/* "bounds::store" for the mangled name of a kernel or variable, cut to size. */
void sim_plain_name(const char *mangled, char *text, size_t size);

const char *sim_fault_title(enum sim_fault_kind kind);
const char *sim_fault_advice(enum sim_fault_kind kind);
int sim_fault_cuda_error(enum sim_fault_kind kind); /* cudaError_t a real device would give */

/* --- Launches -------------------------------------------------------------------------------- */

enum sim_checks {                            /* or-ed together */
                  SIM_CHECK_MEMORY = 0,      /* bounds, alignment, use after free: always on */
                  SIM_CHECK_RACES = 1,       /* of shared and global memory, within a launch */
                  SIM_CHECK_INITIALISED = 2, /* reads of unwritten shared and global memory */
                  SIM_CHECK_BARRIERS = 4,    /* divergent or mismatched barriers, member masks */
                  SIM_CHECK_ALL = 7,
                  SIM_CHECK_VARIABLES = 8, /* writes to variables of the module, which launches at
                                            * the same time share; no part of ALL, since a program
                                            * may have its launches in order */
};

/* One step of a warp: what a watcher is told when an instruction has run. */
struct sim_step {
    uint64_t number; /* steps of this warp before it */
    struct sim_line line;
    uint32_t ptx_line; /* for sim_kernel_ptx */
    uint32_t live;     /* a bit for each lane that had not exited */
    uint32_t mask;     /* of those, the lanes on this path */
    uint32_t active;   /* of those, the lanes that no guard switched off */
    uint32_t depth;    /* of the reconvergence stack: paths that waited for this one */
};
/* False when it has seen enough. Called by whichever thread runs the warp. */
typedef bool sim_step_watcher(void *context, const struct sim_step *step);

/* One warp, to be watched step by step; none when step is NULL. */
struct sim_watch {
    sim_step_watcher *step;
    void *context;
    uint32_t block[3], warp;
};

/* The value of a conditional node of a graph, which its kernels may set. */
struct sim_condition {
    uint64_t handle;
    uint32_t value;
};

/* Some blocks of a large launch may stand for all: see sample.h. step_budget is then that of the
 * whole launch, of which a block may take its share and 2^24 thread instructions. */
enum { SIM_SAMPLE_PLACES = 4 };
struct sim_sampling {
    uint32_t blocks;     /* drawn of the commonest kind; 0: every block runs */
    uint64_t steps;      /* thread instructions after which few further blocks begin */
    uint64_t most_steps; /* after which the launch is given up, and 0 for any number, also
                                    * where every block runs: sim_unsampled says so;
                                    * each 4 KiB that it first touches counts as 4096 */
    double around[SIM_SAMPLE_PLACES]; /* parts of the grid, between 0 and 1, at which blocks run */
    uint64_t seed;                    /* of chance */
    bool anywhere;                    /* chance chooses those that are traced, too; and where blocks
                                    * are too long for many, it has others begin: see sample.h */
    bool untimed;                     /* how long it takes is not asked: no block is traced */
};

struct sim_launch_config {
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    uint32_t cluster[3];         /* blocks of a cluster; 0: as the kernel was compiled for */
    bool wide_clusters;          /* up to 16 blocks, not only the portable 8 */
    bool cooperative;            /* all blocks resident at once; grid sync works */
    bool may_begin_early;        /* before the launch in front of it has ended; see early.c */
    bool count;                  /* keep counters */
    unsigned checks;             /* enum sim_checks */
    bool keep_going;             /* what checks find does not end the launch: see findings */
    bool extent;                 /* note which bytes it touches: sim_launch_extent */
    uint64_t step_budget;        /* thread instructions; 0 for none */
    uint64_t most_steps;         /* the same if no block takes step_budget alone; 0: step_budget */
    uint64_t seed;               /* of the order of warps; 0 for the plain order */
    uint64_t approximation_seed; /* of the errors of approximate instructions */
    uint32_t workers;            /* at least 1; blocks that may meet run on one: meeting.c */
    uint64_t start_ns;           /* what %globaltimer starts from */
    struct sim_watch watch;
    struct sim_condition *conditions; /* of the graph that the launch is part of; see */
    uint32_t condition_count;         /* cudaGraphSetConditional; they outlive the launch */
    struct sim_sampling sampling;
    /* While threads wait for the host, time counts as steps: the time by this clock, in ns, which
     * should stand while the host gets no processor. NULL: such a wait is counted by its turns. */
    uint64_t (*host_clock_ns)(void *of);
    void *host_clock_of;
};

/* Could the device run this? If not, the error tells why: SIM_BAD_LAUNCH, SIM_TOO_FEW_REGISTERS,
 * SIM_TOO_MANY_BLOCKS or SIM_UNSUPPORTED. */
bool sim_launch_check(struct sim_context *context, const struct function *kernel,
                      const struct sim_launch_config *config, struct sim_error *error);

/* parameters is the kernel's parameter block, parameter_bytes long; it is copied. */
struct launch *sim_launch_new(struct sim_context *context, const struct function *kernel,
                              const struct sim_launch_config *config, const void *parameters,
                              struct sim_error *error);
/* Run blocks until none is left. Call once for each worker index, from any threads; for a sampled
 * launch, from one thread, in order, for as many workers as sim_launch_workers says. */
void sim_launch_work(struct launch *launch, uint32_t worker);
uint32_t sim_launch_workers(const struct launch *launch);
void sim_launch_abort(struct launch *launch);
void sim_launch_free(struct launch *launch);

/* The first fault, or NULL. */
const struct sim_fault *sim_launch_fault(const struct launch *launch);
/* In a launch without a fault, a race that changes no result, such as a flag that many threads set;
 * or NULL. Its kind is SIM_FAULT_HARMLESS_RACE. */
const struct sim_fault *sim_launch_remark(const struct launch *launch);
/* Of a launch that keeps going: races, uninitialised reads, missing waits for cp.async, divergent
 * barriers and wrong member masks, each pair of lines once, in order of their places. What a device
 * itself stops at ends the launch as ever. NULL when there are none. */
struct sim_finding {
    struct sim_fault fault;
    uint64_t count; /* how often it was seen */
};
const struct sim_finding *sim_launch_findings(struct launch *launch, size_t *count);
/* What one block of a sampled launch wrote to a buffer that repeats a pattern (sim_repeat). */
struct sim_stretch {
    uint64_t block;       /* its number; x counts first, then y, then z */
    uint64_t address;     /* of the buffer */
    uint64_t low, high;   /* bytes in it: from the lowest to past the highest */
    uint64_t bytes;       /* stored; what was stored twice counts twice */
    bool drawn;           /* chance chose the block */
    double weight;        /* so many blocks it stands for, itself one of them */
    uint64_t print;       /* of where it stored: the same for the same places (a collision aside) */
    uint32_t kind;        /* of block, as the sample has them: mostly all of a kind do alike; */
    uint64_t kind_blocks; /* so many blocks are of it */
};
/* What all blocks together store to such a buffer, as far as registers alone tell:
 * store_ledger.h. */
struct sim_written {
    uint64_t address;           /* of the buffer */
    uint64_t low, high;         /* bytes in it: from the first to past the last */
    uint64_t holes, first_hole; /* bytes between that no thread stores; the first, or high */
};
/* Blocks drawn from the whole grid, of which only the registers of the first thread were followed
 * (twins.h): how many seem to store to the places of another block, and how many to store nothing.
 * None were drawn where neither was found at first. */
struct sim_twins {
    uint32_t drawn, found, idle;
};
struct sim_sampled {
    struct sim_twins twins;
    uint64_t ran, of, drawn; /* blocks; of those that ran, chance chose drawn */
    uint64_t left;           /* further drawn ones, which began and stored nothing so far */
    uint64_t cut_off;        /* of those that ran: in the midst of their work */
    const struct sim_stretch *stretches;
    size_t stretch_count;
    bool has_lost;                     /* some stores are in no stretch */
    const struct sim_written *written; /* NULL where blocks could not all be followed */
    size_t written_count;
};
/* NULL when all blocks ran. It lives as long as the launch. */
const struct sim_sampled *sim_launch_sampled(struct launch *launch);
/* Which bytes of global memory a launch touches, and how. Two launches that nothing orders race if
 * one writes a byte that the other touches, unless both touches are strong: atomics, accesses that
 * are volatile, relaxed, an acquire or a release, and loads that are only compared. If both have a
 * fence of the device, and one reads where the other writes, both strongly, then one may have
 * waited for the other there. */
enum sim_touch {
    SIM_TOUCH_READ,
    SIM_TOUCH_WRITE,
    SIM_TOUCH_STRONG_READ, /* an atomic is this, too */
    SIM_TOUCH_STRONG_WRITE,
    SIM_TOUCHES
};
struct sim_bytes {
    uint64_t low, high; /* addresses [low, high) */
};
struct sim_toucher { /* an instruction */
    struct sim_bytes within;
    bool writes;
    struct sim_line line;
};
struct sim_extent {
    struct sim_bytes *ranges[SIM_TOUCHES]; /* in order, and apart */
    size_t count[SIM_TOUCHES];
    struct sim_toucher *touchers;
    size_t toucher_count;
    struct sim_line kernel_line; /* where the kernel begins; line 0 if unknown */
    bool has_fences;
};
/* False if it was not asked for, some blocks stand for all, or memory is exhausted. The caller
 * frees. What takes too many ranges is cut off: all that is told was touched. */
bool sim_launch_extent(const struct launch *launch, struct sim_extent *extent);
/* Add bytes, none of which are below those of the same touch that were added before. False when
 * memory is exhausted. */
bool sim_extent_add(struct sim_extent *extent, enum sim_touch touch, struct sim_bytes bytes);
void sim_extent_free(struct sim_extent *extent);
/* What printf in kernels wrote, not zero-terminated. */
const char *sim_launch_printed(const struct launch *launch, size_t *size_bytes);

/* Counters of one memory instruction; sums over its executions. */
struct sim_access_counters {
#define ACCESS_COUNTER(name, memory, meaning) uint64_t name;
#define MACHINE_COUNTER(name, meaning) uint64_t name;
#include "access_counters.def"
    /* From a lane's address to the next lane's, if three of four neighbours agree on it in every
     * request; else 0. */
    int64_t neighbour_bytes;
};

/* One request of one warp: what its lanes asked for. */
struct sim_request {
    uint32_t active;         /* a bit a lane */
    uint32_t bytes;          /* that each asks for */
    uint64_t address[32];    /* in its space: shared memory starts at 0 */
    uint64_t allocation;     /* where the buffer it falls into starts, or 0 */
    uint32_t block[3], warp; /* who asked */
};

enum sim_access_class {
    SIM_ACCESS_NONE,
    SIM_ACCESS_LOAD,
    SIM_ACCESS_STORE,
    SIM_ACCESS_ATOMIC,
    SIM_ACCESS_REDUCTION
};

/* In how many parts, of neighbouring lanes each, shared memory serves a request: see banks.c. */
uint32_t sim_request_parts(const struct sim_request *request, enum sim_access_class access);

/* clang-format off */
enum sim_op_class { /* what a performance model tells apart */
    SIM_OP_INTEGER, SIM_OP_FLOAT, SIM_OP_DOUBLE, SIM_OP_HALF, SIM_OP_SPECIAL, SIM_OP_CONVERT,
    SIM_OP_MOVE, SIM_OP_CONTROL, SIM_OP_BARRIER, SIM_OP_WARP, SIM_OP_GLOBAL, SIM_OP_SHARED,
    SIM_OP_LOCAL, SIM_OP_CONST, SIM_OP_PARAM, SIM_OP_TENSOR, SIM_OP_CLASSES
};
/* clang-format on */

/* What the timing model says warps spend their time on, for each op. The wait for a result is
 * charged to the op that brings it, not to the one that wants it. */
enum sim_wait {
    SIM_WAIT_ISSUE,   /* no wait: its instructions are issued, one a cycle */
    SIM_WAIT_MEMORY,  /* for what it asked of global, local or constant memory */
    SIM_WAIT_SHARED,  /* for shared memory, or for an exchange between lanes */
    SIM_WAIT_BARRIER, /* for other warps */
    SIM_WAIT_RESULT,  /* for the result of its arithmetic */
    SIM_WAIT_UNIT,    /* for the arithmetic unit it needs, which is busy */
    SIM_WAIT_TURN,    /* for its turn: the schedulers are busy with other warps */
    SIM_WAITS
};

/* One PTX instruction of the kernel, or of a function it calls. */
struct sim_op_counters {
    uint32_t id;          /* within its module */
    const char *mnemonic; /* as in the opcode table */
    uint32_t row;         /* of that table: what sim_opcode_row(row) tells */
    struct sim_line line, inlined;
    uint32_t ptx_line;
    enum sim_op_class class;
    uint64_t executions;    /* by a warp */
    uint64_t lanes;         /* active lanes of those, summed */
    uint64_t lanes_on;      /* of those, not switched off by a guard */
    uint64_t divergent;     /* executions that split the warp */
    uint64_t branches;      /* executions, if it is a branch with a condition */
    uint64_t spilled_words; /* stored to local memory or loaded back for it, by warps */
    /* what it did to shared memory, and to all other: a cp.async does both */
    enum sim_access_class shared_access, access;
    struct sim_access_counters shared, memory;
    /* Of those, the first with most sectors or wavefronts beyond the ideal; NULL without any. */
    const struct sim_request *shared_example, *memory_example;
    /* Its part of the launch's modelled time, by what warps spent it on. */
    double modelled_ns[SIM_WAITS];
};

/* What bounds a launch, by names that callers may compare with. */
#define SIM_BOUND_DEALING "blocks dealt out"
#define SIM_BOUND_ISSUE "instruction issue"
#define SIM_BOUND_FP32 "FP32"
#define SIM_BOUND_INTEGER "integer"
#define SIM_BOUND_SPECIAL "special functions"
#define SIM_BOUND_FP64 "FP64"
#define SIM_BOUND_TENSOR "tensor cores"

/* Sums over the launch, named as the columns of a hardware profile. */
struct sim_totals {
    uint64_t warp_inst, thread_inst, thread_inst_pred_on, divergent_branches, branches;
#define LAUNCH_ACCESS(name, memory) struct sim_access_counters name;
#include "accesses.def"
    struct sim_access_counters shared_copy; /* what cp.async writes; hardware counts it apart */
    uint64_t by_class[SIM_OP_CLASSES];      /* warp instructions */
    uint64_t barriers;
};

struct sim_launch_result {
    const char *kernel;
    struct sim_launch_config config;
    struct sim_totals totals;
    const struct sim_op_counters *ops; /* those that ran, in program order */
    size_t op_count;
    unsigned registers, blocks_per_multiprocessor;
    uint32_t shared_bytes;
    const char *occupancy_limit;
    double modelled_ns;
    const char *bound; /* what bounds it: "DRAM", "L2", "latency", SIM_BOUND_... */
    double dram_read_bytes, dram_write_bytes, l2_bytes; /* modelled */
};

/* After all workers have returned. The result lives as long as the launch. NULL when memory is
 * exhausted or counters were off. */
const struct sim_launch_result *sim_launch_result(struct launch *launch);

/* What a source line, or all of them, could be made as good as. */
enum sim_mend {
    SIM_MEND_SECTORS,       /* its requests touch no more sectors than their bytes need */
    SIM_MEND_WAVEFRONTS,    /* its requests of shared memory meet no bank conflict */
    SIM_MEND_LANES,         /* the same work, by warps whose lanes are all on */
    SIM_MEND_BYTES,         /* it reads no sector that its thread block has read already */
    SIM_MEND_BARRIERS,      /* no warp waits for others on this line */
    SIM_MEND_SPILLS,        /* nothing of the kernel lies in local memory: no register that
                                    * was spilled, and no array */
    SIM_MEND_LOAD_SECTORS,  /* SIM_MEND_SECTORS of its loads alone, */
    SIM_MEND_STORE_SECTORS, /* and of its stores alone */
    SIM_MEND_ATOMICS,       /* lanes of a warp that update one address add up first */
    /* All lines, with only a share left of: */
    SIM_MEND_INSTRUCTIONS, /* their instructions: arithmetic is left out */
    SIM_MEND_LOADED,       /* their loads of global memory */
    SIM_MEND_MOVED,        /* their loads, stores and atomics of global memory */
    SIM_MENDS
};

/* The shares that are asked for. */
enum { SIM_SHARES = 3 };
static const double SIM_SHARE[SIM_SHARES] = {0.75, 0.5, 0};

/* One line mended, and the launch's modelled time with it. */
struct sim_what_if {
    struct sim_line line; /* number 0: all lines of the launch are mended so at once */
    enum sim_mend mend;
    double share; /* of those of which only a share is left */
    double modelled_ns;
};

/* Model the launch again for each mend that may be worth it, of all lines at once and then line by
 * line, at most room of them, into found; returns how many. To be called after sim_launch_result,
 * whose counters and times stay as they are. Each costs about as much time as the model itself
 * does. 0 when counters were off, or when the launch ended in a fault. fewer: mends that leave out
 * a share of what all lines do, to be asked for as well: a bit for each from SIM_MEND_INSTRUCTIONS
 * on. */
size_t sim_launch_what_if(struct launch *launch, unsigned fewer, struct sim_what_if *found,
                          size_t room);

/* The opcode table, for coverage tests and listings: false after the last row. */
struct sim_opcode_row {
    const char *mnemonic, *types, *optional, *operands, *meaning;
};
bool sim_opcode_row(size_t index, struct sim_opcode_row *row);

#endif
