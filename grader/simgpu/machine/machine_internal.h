/* machine_internal.h - the nouns of the machine, as its own files see them.
 *
 * What stands still once a module is loaded:   op, basic_block, function, module
 * What moves while a kernel runs:              worker > block > warp > split
 *
 * A warp is 32 lanes that step together. Every register of a warp is a vector of 32 values, one
 * a lane, so an operation is one loop over 32 lanes (which the compiler turns into a few vector
 * instructions). A predicate is one 32-bit mask. Lanes that disagree about a branch become two
 * splits of the warp, which wait for each other where their paths meet again: see warp.c.
 *
 * Reading order: this file, warp.c, block.c, grid.c; then exec_integer.c and the other exec_
 * files for what each operation does; memory.c and access.c for what a load touches.
 */
#ifndef SIM_MACHINE_INTERNAL_H
#define SIM_MACHINE_INTERNAL_H

#include "machine.h"
#include "ptx/syntax.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WARP_LANES = 32, MOST_WARPS = 32, BARRIERS = 16 };
#define ALL_LANES UINT32_MAX

typedef uint32_t lane_mask; /* bit i stands for lane i */

struct worker;
struct launch;

/* --- Address windows -------------------------------------------------------------------------
 * A generic address says by its window which memory it means (PTX ISA 5.1.6). Global memory is
 * the arena, which lies where the memory object says. */
#define SHARED_WINDOW UINT64_C(0x010000000000)
#define LOCAL_WINDOW UINT64_C(0x020000000000)
#define PARAM_WINDOW UINT64_C(0x030000000000)
#define FUNCTION_WINDOW UINT64_C(0x040000000000)
#define WINDOW_BYTES UINT64_C(0x010000000000)

/* --- A loaded module ------------------------------------------------------------------------ */

enum space {
    SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACES
};

enum compare {
    COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE,
    COMPARE_EQU, COMPARE_NEU, COMPARE_LTU, COMPARE_LEU, COMPARE_GTU, COMPARE_GEU,
    COMPARE_NUM, COMPARE_NAN,
};

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

struct warp;
struct op;

/* Carry out op for the lanes of active, at least one. Reads and writes the registers of the
 * warp's current split; lanes outside active keep theirs. */
typedef void op_handler(struct warp *warp, const struct op *op, lane_mask active);

enum { NO_REGISTER = UINT32_MAX, MOST_SOURCES = 4 };

/* One PTX instruction, ready to run. Operands are byte offsets into the split's registers; an
 * immediate is an operand too: a constant register that is filled in beforehand. */
struct op {
    op_handler *run;
    const uint32_t *list;      /* more operands: vector elements, call arguments, tiles */
    int64_t offset;            /* to add to an address; or an immediate the handler wants */
    uint32_t dst, dst2;        /* NO_REGISTER when there is none */
    uint32_t src[MOST_SOURCES];
    uint32_t guard;            /* predicate register, or NO_REGISTER */
    uint32_t id;               /* within the module: the row of op_info */
    uint32_t target;           /* basic block, function, or barrier: what the handler says */
    uint8_t dst_bytes, src_bytes; /* widths of the registers dst and src[0] */
    uint8_t bytes;             /* of one element of a memory access */
    uint8_t count;             /* elements of a vector or list */
    uint8_t space, compare, rounding, combine;
    uint8_t kind;              /* what a family of handlers tells apart by itself */
    bool guard_negated, ftz, sat;
    bool transposed;           /* a matrix that lies in memory column by column */
    bool orders;               /* acquire or release: a fence goes with it */
    uint8_t negated;           /* bit i: the predicate operand src[i] is inverted */
    uint8_t type;              /* enum ptx_type of the operation */
    uint8_t source_count;
};

/* What is known of an op but not needed to run it. */
struct op_info {
    uint32_t location;         /* index into module->lines */
    uint32_t row;              /* of the opcode table */
    uint32_t ptx_line;
    bool is_memory;
    bool is_branch;
    bool was_loaded;           /* the timing model has seen it load from shared memory, */
    uint8_t address_bits;      /* with these low bits set in some address */
};

/* A run of ops without a way in or out in the middle. All its ops run with the same lanes, so
 * counting entries counts every op in it. */
struct basic_block {
    uint32_t first, count;     /* into function->ops */
    uint32_t join;             /* where paths from here meet again: a basic block, or EXIT */
    uint32_t id;               /* within the module: the row of the counters */
};

enum { EXIT_BLOCK = UINT32_MAX };

enum constant_kind {
    CONSTANT_VALUE,
    CONSTANT_DYNAMIC_SHARED,   /* value + where the launch's dynamic shared memory starts */
    CONSTANT_LOCAL,            /* value + where the frame's local memory starts */
};

struct constant {
    uint64_t value;
    uint32_t reg;              /* byte offset in the registers */
    uint8_t bytes;
    uint8_t kind;
};

struct parameter {
    uint32_t offset, bytes;
};

struct function {
    const char *name;
    struct module *module;
    uint32_t index;
    bool is_kernel, has_body;
    uint32_t intrinsic;            /* of vprintf and the like; 0 otherwise */
    struct op *ops;
    uint32_t op_count;
    struct basic_block *blocks;
    uint32_t block_count;
    uint32_t first_op_id, first_block_id;
    uint32_t register_bytes;       /* of a frame */
    struct constant *constants;
    uint32_t constant_count;
    unsigned char *constant_image; /* constant_bytes at constant_start, ready to copy */
    uint32_t constant_start, constant_bytes;
    uint32_t local_bytes;          /* of a frame, a lane */
    uint32_t shared_bytes;         /* static shared memory it declares and reaches */
    uint32_t shared_align;
    struct parameter *parameters, *results;
    uint32_t parameter_count, result_count;
    uint32_t parameter_bytes;      /* of a kernel's parameter block */
    uint32_t parameter_reg, result_reg; /* where a called function's lie in its registers */
    uint32_t max_threads;
    uint32_t ptxas_registers;      /* a thread, from the cubin; 0 when there was none */
    uint32_t ptxas_local_bytes;
    const char *refusal;           /* why it cannot run, or NULL */
    struct schedule *schedule;     /* as the timing model runs it; made when first asked for */
    uint32_t location;             /* of its first line */
};

struct module {
    struct arena arena;
    struct ptx_module *syntax;
    struct function *functions;
    uint32_t function_count;
    struct op_info *ops;           /* by op id */
    uint32_t op_count, block_count;
    struct sim_symbol *symbols;    /* global variables */
    uint32_t symbol_count;
    struct sim_line *lines;        /* by location */
    uint32_t line_count;
    uint64_t *variable_address;    /* by variable: an address or an offset in its space */
    uint32_t id;
    uint32_t shared_bytes;         /* of shared variables outside functions */
    bool uses_reserved_shared;     /* groups of several warps meet in it: cooperative_groups.h */
    const char *text;              /* the PTX itself */
};

/* --- The memory ------------------------------------------------------------------------------ */

struct range { /* what one allocation may touch */
    uint64_t low, high; /* [low, high) */
    struct allocation *allocation;
};

struct allocation {
    uint64_t address, size_bytes;
    enum sim_allocation_kind kind;
    uint64_t serial;
    uint32_t users;                /* contexts that may touch it */
    bool freed;
    bool external;                 /* its pages belong to somebody else */
    char *label;                   /* made where, as the owner said; or NULL */
    uint64_t *written;             /* a bit a byte: initialised; NULL when not watched */
    uint64_t unwritten_bytes;      /* how many are not; counted up to a little late by workers */
};

struct sim_memory {
    struct sim_arena arena;
    uint64_t next;                 /* the next free address; addresses are never used again */
    uint64_t used_bytes, capacity_bytes;
    uint64_t serial;
    pthread_rwlock_t lock;         /* views and the graveyard; see memory.c */
    struct allocation *graveyard[64]; /* the latest freed, to name them in messages */
    uint32_t buried;
};

struct sim_context {
    struct sim_machine *machine;
    struct range *view;            /* sorted by low */
    size_t view_count, view_room;
    bool watch_writes;             /* keep allocation->written up to date */
    struct module **modules;
    size_t module_count;
    uint64_t heap_bytes, stack_bytes, printf_bytes; /* limits, as cudaDeviceSetLimit sets them */
    atomic_uint_fast64_t heap_used_bytes;
};

struct opcode_index;

struct sim_machine {
    struct sim_profile profile;
    struct sim_memory *memory;
    struct opcode_index *opcodes;
    uint32_t next_module_id;
};

/* --- One access of one warp ------------------------------------------------------------------ */

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_REDUCTION };

/* How the addresses of a warp's lanes lie to each other. A load in a loop mostly keeps its
 * shape while its base moves, so all that depends on the shape alone is worked out once. */
struct shape {
    _Alignas(64) int64_t delta[WARP_LANES]; /* bytes from the first active lane; 0 for inactive ones */
    int32_t near[WARP_LANES];      /* the same, if all fit: half as much to compare and gather by */
    uint32_t pick[WARP_LANES];     /* of a compact shape: which word from the lowest one on */
    lane_mask active;
    uint32_t age;                  /* changes when the shape does; 0 before the first */
    int64_t lowest, highest;       /* of all deltas */
    int64_t low_bits;              /* all deltas or-ed: tells alignment */
    bool is_near;
    bool uniform;                  /* all lanes at one address */
    bool contiguous;               /* lane i at base + i * bytes, all 32 lanes active */
    bool compact;                  /* words, all within 32 words: a permutation */
};

struct access {
    struct warp *warp;
    const struct op *op;
    enum access_kind kind;
    enum space space;              /* never generic */
    lane_mask active;
    uint32_t bytes;                /* a lane: element bytes times elements */
    uint64_t base;                 /* address of the first active lane, in its space */
    const struct shape *shape;
    unsigned char *host;           /* the byte at base; others at host + shape->delta[lane] */
    struct allocation *allocation; /* of global memory, if all lanes fall into one */
};

/* What a memory op remembers between executions, one for each worker. */
struct site {
    struct shape shape;
    enum access_kind kind;
    struct access last;            /* as access_begin found it; see access.h */
    bool may_repeat;               /* its space is known, and its allocation if it is global */
    uint64_t low, high;            /* the allocation it last fell into */
    struct allocation *allocation;
    struct {
        uint32_t count, ideal, distinct_bytes, age, base; /* valid while age and base match */
    } sectors, wavefronts;
    struct footprint *footprint;   /* of the allocation it last fell into */
    struct contention *contention; /* likewise, of atomics */
    struct {
        lane_mask lanes;           /* one for each address */
        lane_mask sharers[WARP_LANES]; /* by such a lane: all lanes at its address */
        lane_mask by_word[WARP_LANES]; /* of a compact shape: the lanes at each of its words */
        uint32_t age, by_word_age;
    } distinct;
    struct sim_access_counters counters;
    struct {                       /* see example.c */
        struct sim_request request;
        uint64_t block;            /* its number */
        uint32_t beyond, age;
        bool kept, neighbours_known;
    } example;
};

/* --- What runs ------------------------------------------------------------------------------- */

enum split_state {
    SPLIT_RUNS,
    SPLIT_WAITS_FOR_CHILDREN,
    SPLIT_WAITS_FOR_LANES,         /* at a warp-wide operation, for the lanes it names */
    SPLIT_WAITS_AT_BARRIER,
    SPLIT_WAITS_FOR_PHASE,         /* at an mbarrier, for any of the block's to end a phase */
    SPLIT_FREE,
};

/* Lanes of a warp that walk together. A divergent branch or a call opens children; the parent
 * waits at the place where they meet again. */
struct split {
    enum split_state state;
    lane_mask mask;                /* lanes that walk */
    lane_mask returned;            /* of a call's first split: lanes that came back early */
    uint32_t at;                   /* basic block to run next; EXIT_BLOCK: the function's end */
    uint32_t join;                 /* basic block at which it hands its lanes back */
    uint32_t parent;               /* index, or NO_SPLIT */
    uint32_t children;
    const struct function *function;
    size_t register_base;          /* of its frame, in the warp's register stack */
    uint32_t local_base;           /* bytes a lane */
    lane_mask waits_for;           /* SPLIT_WAITS_FOR_LANES */
    uint32_t barrier;              /* SPLIT_WAITS_AT_BARRIER */
    bool released;                 /* what it waited for has come; its op runs again */
    bool ahead;                    /* it went past a join while others of its lanes waited for it */
    const struct op *call;         /* of a call's first split: what to fetch its results by */
};

enum { NO_SPLIT = UINT32_MAX };

enum warp_status { WARP_READY, WARP_WAITS, WARP_DONE };

struct copy { /* one cp.async of one warp, or an arrival behind it: applied when waited for */
    const struct op *op;
    lane_mask active;
    uint32_t bytes;
    uint32_t shared[WARP_LANES];
    uint64_t global[WARP_LANES];
    uint8_t source_bytes[WARP_LANES];
};

struct warp {
    /* the current split, unpacked: what handlers touch */
    unsigned char *registers;
    lane_mask idle;                /* lanes that do not exist or have exited */
    struct split *split;
    struct block *block;
    struct worker *worker;
    bool again;                    /* the op that ran has to wait and will run again */
    bool watched;                  /* somebody is told of every step: see watch.c */
    uint64_t watched_steps;
    bool ran_ahead;                /* lanes that waited at a join went ahead: they meet no more */

    uint32_t index;                /* in its block */
    enum warp_status status;
    uint64_t steps;                /* warp instructions so far */
    uint64_t changed_at;           /* steps when another split had its turn */
    uint64_t asked_at;             /* steps at its last atomic or strong load */
    uint64_t turn_end;             /* steps at which others have their turn */
    uint32_t asked;                /* strong loads in this turn */
    uint32_t current;              /* index of split */
    uint32_t *tid[3];              /* x, y, z of each lane */

    struct split *splits;
    uint32_t split_count, split_room;
    unsigned char *register_stack;
    size_t register_stack_bytes;
    unsigned char *local;          /* local memory of the 32 lanes, interleaved by words */
    uint32_t local_bytes;          /* a lane */

    /* lanes that wait for each other put a value down here, and pick others' up */
    uint64_t exchange[WARP_LANES], exchanged[WARP_LANES];
    uint64_t (*kept)[WARP_LANES];  /* by split: what was exchanged when it was released */
    uint32_t kept_room;
    lane_mask carry;               /* the condition code of add.cc, a bit a lane */

    struct copy *copies;           /* cp.async under way, oldest first */
    uint32_t copy_count, copy_room;
    uint32_t committed[64];        /* copies of each committed group, oldest first */
    uint32_t group_count;

    struct warp_trace *trace;      /* what it does is written down here, or NULL: timing/ */
};

struct barrier {
    lane_mask arrived[MOST_WARPS];
    uint32_t expected;             /* threads; 0 for all that still run */
    uint32_t arriving;             /* threads counted without waiting (bar.arrive) */
    uint32_t ones, votes;          /* of a reduction: threads with the predicate, and all */
    uint32_t result_ones, result_votes;
    uint32_t first_op, first_warp; /* id of the op of the first arrival, and whose it was */
};

struct block {
    struct worker *worker;
    struct launch *launch;
    uint32_t index[3];
    uint64_t number;
    unsigned char *shared;
    uint32_t shared_bytes;
    struct warp *warps;
    uint32_t warp_count, done_count;
    uint32_t next_warp;            /* whose turn it is */
    struct barrier barriers[BARRIERS];
    uint32_t waits_in_vain;        /* for a phase, that were answered since one ended */
    uint32_t barriers_met;         /* a bit for each barrier that somebody has arrived at */
    void *race_shadow;             /* of the race observer, or NULL */
    uint64_t *shared_written;      /* a bit a byte, of the initialisation observer, or NULL */
    uint32_t shared_unwritten_bytes;
    struct sim_fault *held_fault;  /* see fault_hold; of kind NONE, or NULL, when there is none */
    uint32_t held_rounds;          /* of turns since */
    struct block_trace *trace;     /* of the blocks that are traced; else NULL */
    uint32_t *tids;                /* of all threads: x of all, then y, then z */
};

struct block_counters {
    uint64_t entries, lanes;
};

/* One thread of the wrapper, working for one launch. */
struct worker {
    struct launch *launch;
    uint32_t index;
    struct block_counters *blocks; /* by basic block id */
    struct site **sites;           /* by op id, two each (see worker_site), made when first used */
    uint64_t *guarded_off;         /* by op id: lanes a guard switched off */
    uint64_t *divergent;           /* by op id: branches that split a warp */
    struct block **resident;       /* blocks under way; more than one if they wait for others */
    uint32_t resident_count, resident_room;
    uint64_t next_block, end_block; /* numbers of the blocks it has taken and not yet started */
    struct block *spare;           /* a finished block, to use again */
    uint64_t random;
    uint64_t steps;                /* warp instructions */
    uint64_t clock_reads;          /* which take time, too: special.c */
    uint64_t barriers;             /* passed by warps */
    struct footprint *footprints;  /* see footprint.c */
    struct site lost;              /* stands in when memory is exhausted */
};

/* An observer sees every access before the data moves; handlers know nothing of it. */
struct observer {
    const char *name;
    void (*access)(const struct access *access, struct site *site);
};

enum { MOST_OBSERVERS = 8 };

struct launch {
    struct sim_context *context;
    const struct function *function;
    struct sim_launch_config config;
    unsigned char *parameters;
    uint32_t block_threads, warp_count;
    uint64_t block_count;
    uint32_t shared_bytes;         /* static, dynamic, and reserved at the end */
    uint32_t reserved_bytes;       /* zeros at the start, for the toolkit's own headers; mostly 0 */
    uint32_t dynamic_shared;       /* where the dynamic part starts */
    /* What workers write all the time: apart from what every access reads, or each write would
     * take those lines out of the other workers' caches. */
    _Alignas(64) atomic_uint_fast64_t next_block;
    atomic_uint_fast64_t steps;    /* thread instructions, for the budget */
    _Alignas(64) atomic_bool abort;
    pthread_mutex_t lock;          /* the fault and the printf buffer */
    atomic_bool faulted;
    struct sim_fault fault;
    struct observer observers[SPACES][MOST_OBSERVERS]; /* by the space they watch */
    uint32_t observer_count[SPACES];
    struct contention *contention; /* see contention.c */
    struct traces *traces;         /* see timing/; NULL when nobody counts */
    struct worker *workers;
    uint32_t worker_count;
    uint64_t grid_sync_workspace;  /* device address, of a cooperative launch */
    char *printed;
    size_t printed_bytes, printed_room;
    struct sim_op_counters *ops;   /* what result.c folded */
    struct sim_launch_result result;
};

/* --- opcode.c, decode.c, module.c ------------------------------------------------------------ */

struct opcode {
    enum sim_op_class class;
    const char *mnemonic;          /* "mul.wide": name and the modifiers that make it */
    const char *types;             /* alternatives; "f32.s32" for two types in a row */
    const char *optional;          /* modifiers it may also carry */
    const char *operands;          /* a letter each, see opcodes.def */
    op_handler *run;
    const char *meaning;
};

struct opcode_index *opcode_index_new(void);
void opcode_index_free(struct opcode_index *index);
/* The next row behind after (NULL for the first) whose name, types and modifiers fit, or NULL.
 * The operands decide between several. */
const struct opcode *opcode_find(const struct opcode_index *index,
                                 const struct ptx_instruction *instruction,
                                 const struct opcode *after);
/* Set the fields of op that the instruction's modifiers name. */
void opcode_apply_modifiers(const struct ptx_instruction *instruction, struct op *op);
uint32_t opcode_row(const struct opcode *opcode);
const struct opcode *opcode_at(uint32_t row); /* NULL behind the last */

/* Fill in ops and basic blocks of function from its syntax. False with error set. */
bool decode_function(struct sim_machine *machine, struct function *function,
                     const struct ptx_function *syntax, struct sim_error *error);

void module_free(struct module *module);

/* --- flow.c ---------------------------------------------------------------------------------- */

/* Set join of every basic block: its immediate post-dominator. successors of block b are
 * list[start[b]] .. list[start[b + 1] - 1]; EXIT_BLOCK stands for leaving the function.
 * False when memory is exhausted. */
bool flow_find_joins(struct function *function, const uint32_t *start, const uint32_t *list);

/* --- memory.c, access.c ---------------------------------------------------------------------- */

struct sim_memory *memory_new(const struct sim_arena *arena, uint64_t capacity_bytes);
void memory_free(struct sim_memory *memory);
void memory_drop_view(struct sim_context *context);
/* Note, or ask, whether bytes of an allocation have been written; true when nobody watches. */
void memory_mark_written(struct allocation *allocation, uint64_t offset, uint64_t size_bytes);
bool memory_is_written(const struct allocation *allocation, uint64_t offset, uint64_t size_bytes);
bool memory_was_freed(struct sim_context *context, uint64_t address);
/* The allocation that address falls into, for context; NULL when there is none. */
struct allocation *memory_find(struct sim_context *context, uint64_t address);
unsigned char *memory_host(const struct sim_memory *memory, uint64_t address);
/* "the 1024-byte buffer allocated at main.cu:31" */
void memory_name(const struct allocation *allocation, char *text, size_t size);
/* Where bytes at address are, that do not all lie in one allocation: "it lies 4 bytes past the end
 * of the 1024-byte buffer allocated at main.cu:31". */
void memory_describe(struct sim_context *context, uint64_t address, uint64_t bytes, char *text,
                     size_t size);

/* Find out what active lanes of warp touch at address (of each lane, in space, not generic), and
 * whether they may: bounds and alignment are checked, observers told. False after a fault. The
 * access is good until the next one of the same op. bytes is a lane's share. See access.h, too. */
bool access_begin(struct access *access, struct warp *warp, const struct op *op,
                  lane_mask active, enum access_kind kind, enum space space,
                  const uint64_t *address, uint32_t bytes);

/* Which space a generic address means; *start is where its window starts (0 for global). */
enum space address_space(uint64_t address, uint64_t *start);

/* Bytes of one lane, wherever they are: for printf and the like. False after a fault. */
bool access_read_lane(struct warp *warp, const struct op *op, int lane, uint64_t generic_address,
                      void *to, uint32_t bytes);

/* Carry out an access of op for its active lanes at the addresses of its first source, a group
 * at a time when a generic address means different spaces. */
typedef void access_mover(struct warp *warp, const struct op *op, lane_mask active,
                          enum space space, const uint64_t *address);
void access_by_space(struct warp *warp, const struct op *op, lane_mask active,
                     access_mover *move);

/* Local memory: word w of lane l is word w * 32 + l of the warp's, as on hardware. */
unsigned char *local_word(const struct warp *warp, uint64_t address, int lane);

/* What op remembers of its accesses: shared memory apart from all other. */
struct site *worker_site(struct worker *worker, const struct op *op, enum space space);

/* --- warp.c, block.c ------------------------------------------------------------------------- */

bool warp_init(struct warp *warp, struct block *block, uint32_t index);
void warp_free(struct warp *warp);
/* Make the warp ready to run the kernel from its start, with lanes. */
void warp_start(struct warp *warp, lane_mask lanes);
/* Run until the warp waits, is done, or has taken budget more steps. */
void warp_run(struct warp *warp, uint64_t budget);
/* Let the splits that wait at a barrier of the block go on. */
void warp_release(struct warp *warp, uint32_t barrier);
lane_mask warp_live(const struct warp *warp);
/* Let those go on who waited for lanes that have exited meanwhile. */
void warp_release_gathered(struct warp *warp);
/* Tell that lanes wait for others of their warp, which never come; nothing if none does. */
void warp_raise_absent(struct warp *warp);
/* The line of the op a waiting split stands at, for messages. */
const struct op *warp_waiting_op(const struct warp *warp);
/* The split waits at an mbarrier until warp_recheck_waits: then its op runs again, with released
 * set if it has to answer even so. warp_go_ahead lets lanes that wait at a join go on, for the phase
 * may hang on them. Both are false when there is nothing to be done. */
void warp_wait_for_phase(struct warp *warp);
bool warp_recheck_waits(struct warp *warp, bool answer);
bool warp_go_ahead(struct warp *warp);

/* What handlers may do with the current split. */
enum { MOST_TARGETS = WARP_LANES };
/* lanes[i] of the split go to basic block target[i]; together they are all its lanes. */
void warp_part(struct warp *warp, const struct op *op, uint32_t count, const lane_mask *lanes,
               const uint32_t *target);
void warp_exit(struct warp *warp, lane_mask lanes);
void warp_return(struct warp *warp, lane_mask lanes);
void warp_call(struct warp *warp, const struct op *op, lane_mask lanes,
               const struct function *function);
/* The op, which stands alone in its basic block, runs again: first for some lanes, then for the
 * others. */
void warp_run_apart(struct warp *warp, const struct op *op, lane_mask some, lane_mask others);
/* True when all lanes of members that still run have come here; their values are then in
 * warp->exchanged. Otherwise the split waits, and the op runs again. Lane i's value must stand in
 * warp->exchange[i] before. */
bool warp_gather(struct warp *warp, const struct op *op, lane_mask active, lane_mask members);
/* The split waits at the block's barrier id, if waits; count threads make it complete (0: all).
 * True when it was released and its op runs again. */
bool warp_barrier(struct warp *warp, const struct op *op, lane_mask active, uint32_t id,
                  uint32_t count, bool waits);

/* watch.c */
/* Does the launch's watcher want to see this warp, which is about to start? */
bool watch_wants(const struct warp *warp);
/* Tell of op, which ran for the active lanes of mask. */
void watch_step(struct warp *warp, const struct op *op, lane_mask live, lane_mask mask,
                lane_mask active, uint32_t depth);
/* How many paths wait for the current one. */
uint32_t watch_depth(const struct warp *warp);

/* observers.c: what watches a launch, and what it keeps for each block. */
bool observers_launch_init(struct launch *launch);
void observers_launch_free(struct launch *launch);
bool observers_block_init(struct block *block);
void observers_block_free(struct block *block);
void observers_block_start(struct block *block);
/* Lanes arrived[w] of each warp w have met at barrier id, which is one of_all threads or of a named
 * number; a warp has come to it without waiting;
 * lanes have met in a warp sync; have passed a fence; a cp.async of the warp has arrived. */
void observers_barrier(struct block *block, uint32_t id, const lane_mask *arrived, bool of_all);
void observers_arrive(struct warp *warp, uint32_t id);
void observers_warp_sync(struct warp *warp, lane_mask lanes);
void observers_fence(struct warp *warp, lane_mask lanes);
/* The two halves of a fence: what lanes have done is handed on; what others handed on is taken. */
void observers_release(struct warp *warp, lane_mask lanes);
void observers_acquire(struct warp *warp, lane_mask lanes);
void observers_copied(struct warp *warp, const struct copy *copy);
/* All threads of the block have ended. */
void observers_block_end(struct block *block);

struct block *block_new(struct worker *worker);
void block_free(struct block *block);
void block_start(struct block *block, uint64_t number);
/* Give each warp a turn. False when the block is done, or the launch has stopped. */
bool block_run(struct block *block);
void block_check_barriers(struct block *block);
/* A phase of an mbarrier is over: those who wait for one look again. */
void block_recheck_waits(struct block *block);

/* --- exec_copy.c, exec_mbarrier.c ------------------------------------------------------------- */

/* The copies so far of active lanes arrive at the mbarriers at these offsets when they are done.
 * False after a fault. */
bool copies_arrive_later(struct warp *warp, const struct op *op, lane_mask active,
                         const uint64_t *offset);
/* Somebody waits for the mbarrier at offset: finish the copies that are to arrive there. */
void copies_arrive_at(struct block *block, uint64_t offset);
void mbarrier_copies_arrived(struct warp *warp, const struct copy *arrival);

static inline struct launch *block_launch(const struct warp *warp)
{
    return warp->worker->launch;
}

/* Fill in modelled_ns, bound and the modelled bytes of launch->result from its totals and traces:
 * timing/estimate.c. False when memory is exhausted or nothing was traced. */
bool model_time(struct launch *launch);

/* --- fault.c --------------------------------------------------------------------------------- */

/* Record the first fault of a launch and stop it. lane may be -1 for the whole warp. */
void fault_raise(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same, with the other party of a race: op other_op (an id) of other_thread. advice may be NULL
 * for that of the kind. */
void fault_raise_between(struct warp *warp, const struct op *op, enum sim_fault_kind kind,
                         int lane, uint32_t other_op, const uint32_t *other_thread,
                         const char *advice, const char *format, ...)
    __attribute__((format(printf, 8, 9)));
/* Keep a fault to see whether it turns out to be part of a race; fault_release records it. A block
 * keeps the first only, and whatever else goes wrong in the block meanwhile is put down to it. */
void fault_hold(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
void fault_release(struct block *block);
void fault_thread(const struct warp *warp, int lane, uint32_t *thread);
/* Where op stands in the learner's source. */
const struct sim_line *fault_line(const struct warp *warp, const struct op *op);
const struct sim_line *fault_line_of(const struct warp *warp, uint32_t op);

/* --- runtime.c --------------------------------------------------------------------- */

/* malloc and free in kernels; an address, or 0 when the heap is full. */
uint64_t heap_allocate(struct warp *warp, uint64_t size_bytes);
void heap_free(struct warp *warp, const struct op *op, int lane, uint64_t address);
/* printf of one lane: format and arguments are generic addresses. Returns what printf returns. */
int print_format(struct warp *warp, const struct op *op, int lane, uint64_t format,
                 uint64_t arguments);
/* Zero-terminated text of a lane, at most size - 1 bytes of it. False after a fault. */
bool print_text(struct warp *warp, const struct op *op, int lane, uint64_t address, char *text,
                size_t size);

/* --- registers -------------------------------------------------------------------------------- */

static inline void *reg(const struct warp *warp, uint32_t offset)
{
    return warp->registers + offset;
}

static inline lane_mask *predicate(const struct warp *warp, uint32_t offset)
{
    return (lane_mask *)reg(warp, offset);
}

/* May a handler write all 32 lanes? Yes if the lanes it must spare are never looked at. */
static inline bool covers(const struct warp *warp, lane_mask active)
{
    return (active | warp->idle) == ALL_LANES;
}

#endif
