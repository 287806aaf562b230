/* program.h - what does not change while a kernel runs: op, basic_block, function, module.
 *
 * module.c makes them from PTX (ptx/syntax.h), decode.c an op from each instruction, flow.c the
 * places where paths meet again. Next: warp.h, for the warps that run them.
 */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include "machine.h"
#include "ptx/syntax.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WARP_LANES = 32, MOST_WARPS = 32, BARRIERS = 16 };
#define ALL_LANES UINT32_MAX

typedef uint32_t lane_mask; /* bit i stands for lane i */

struct worker;
struct launch;

/* --- Address windows ------------------------------------------------------------------------- The
 * window that a generic address lies in tells which memory it means (PTX ISA 5.1.6). Global memory
 * is the arena, which also says where the windows lie (sim_arena.windows). Between two windows one
 * is left free, so that a step out of one does not lead into the next. */
enum { WINDOW_BITS = 32 };
/* As on a GPU, the system has the first 1024 bytes of shared memory for itself, and a thread's own
 * memory lies at the end of the first 16 MiB. */
#define SHARED_WINDOW UINT64_C(1024)
#define LOCAL_WINDOW ((UINT64_C(2) << WINDOW_BITS) + UINT64_C(0xF00000))
#define PARAM_WINDOW (UINT64_C(4) << WINDOW_BITS)
#define FUNCTION_WINDOW (UINT64_C(6) << WINDOW_BITS)

/* --- A loaded module ------------------------------------------------------------------------ */

enum space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
    SPACE_CLUSTER, /* of accesses, not of ops: shared memory, at least some of it a peer's */
    SPACES
};

/* clang-format off */
enum compare {
    COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE,
    COMPARE_EQU, COMPARE_NEU, COMPARE_LTU, COMPARE_LEU, COMPARE_GTU, COMPARE_GEU,
    COMPARE_NUM, COMPARE_NAN,
};
/* clang-format on */

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

struct warp;
struct op;
struct opcode;

/* Carry out op for the lanes of active, at least one. Reads and writes the registers of the
 * warp's current split; lanes outside active keep theirs. */
typedef void op_handler(struct warp *warp, const struct op *op, lane_mask active);

enum { NO_REGISTER = UINT32_MAX, MOST_SOURCES = 5 };

/* One PTX instruction, ready to run. Operands are byte offsets into the split's registers; an
 * immediate is an operand too: a constant register that is filled in beforehand. */
struct op {
    op_handler *run;
    const struct opcode *row; /* of opcodes.def */
    const uint32_t *list;     /* more operands: vector elements, call arguments, tiles */
    int64_t offset;           /* to add to an address; or an immediate the handler wants */
    uint32_t dst, dst2;       /* NO_REGISTER when there is none */
    uint32_t src[MOST_SOURCES];
    uint32_t guard;               /* predicate register, or NO_REGISTER */
    uint32_t id;                  /* within the module: the row of op_info */
    uint32_t target;              /* basic block, function, or barrier: what the handler says */
    uint8_t dst_bytes, src_bytes; /* widths of the registers dst and src[0] */
    uint8_t bytes;                /* of one element of a memory access */
    uint8_t count;                /* elements of a vector or list */
    uint8_t space, compare, rounding, combine;
    uint8_t kind; /* told apart by a family of handlers itself */
    bool guard_negated, ftz, sat;
    bool transposed;  /* a matrix that lies in memory column by column */
    bool orders;      /* acquire or release: a fence goes with it */
    bool in_block;    /* of an atomic or a fence: its scope is the block (.cta) */
    bool is_compared; /* what it loads is compared, and used for nothing else */
    bool for_all;     /* an atomic that one lane carries out for its warp: uniform.c */
    bool counts;      /* likewise of shared memory: it adds 1, and no lane wants the sum */
    bool is_mbarrier; /* OP_MBARRIER of its row, kept here for speed */
    bool in_cluster;  /* it says .shared::cluster: its addresses may be a peer block's */
    uint8_t negated;  /* bit i: the predicate operand src[i] is inverted */
    uint8_t type;     /* enum ptx_type of the operation */
    uint8_t source_count;
    uint8_t loaded; /* elements of a vector to load, a bit each; 0: all. narrow.c. Of a store: bytes
                     * a lane of the wide one that it carries others in, or STORE_CARRIED; 0: it
                     * stands as it is. wide_stores.h */
};

enum { STORE_CARRIED = 1 };

/* What is known of an op but not needed to run it. */
struct op_info {
    uint32_t location; /* index into module->lines */
    uint32_t row;      /* of the opcode table */
    uint32_t ptx_line;
    bool is_certain; /* every thread that enters the function comes to it */
    bool is_branch;
    uint8_t source_bytes[MOST_SOURCES]; /* widths of the registers op->src; a predicate: 0 */
    uint8_t result_bytes;               /* of op->dst */
    uint8_t flow, data_sources;         /* from undefined sources to the result: undefined.h */
};

/* A run of ops without a way in or out in the middle. All its ops run with the same lanes, so
 * counting entries counts every op in it. */
struct basic_block {
    uint32_t first, count; /* into function->ops */
    uint32_t join;         /* where paths from here meet again: a basic block, or EXIT */
    uint32_t id;           /* within the module: the row of the counters */
};

enum { EXIT_BLOCK = UINT32_MAX };

enum constant_kind {
    CONSTANT_VALUE,
    CONSTANT_DYNAMIC_SHARED, /* value + where the launch's dynamic shared memory starts */
    CONSTANT_LOCAL,          /* value + where the frame's local memory starts */
};

struct constant {
    uint64_t value;
    uint32_t reg; /* byte offset in the registers */
    uint8_t bytes;
    uint8_t kind;
};

struct parameter {
    uint32_t offset, bytes;
};

enum { SEVERAL_PLACES = INT32_MAX };

struct function {
    const char *name;
    struct module *module;
    uint32_t index;
    bool is_kernel, has_body;
    uint32_t intrinsic; /* of vprintf and the like; 0 otherwise */
    struct op *ops;
    uint32_t op_count;
    struct basic_block *blocks;
    uint32_t block_count;
    const uint32_t *successor_start, *successors; /* of each block: flow_successors */
    bool *comes_to_barrier; /* by block: may a barrier follow, or a call that has one? */
    uint32_t first_op_id, first_block_id;
    uint32_t register_bytes; /* of a frame */
    struct constant *constants;
    uint32_t constant_count;
    unsigned char *constant_image; /* constant_bytes at constant_start, ready to copy */
    uint32_t constant_start, constant_bytes;
    uint32_t local_bytes;  /* of a frame, a lane */
    uint32_t shared_bytes; /* static shared memory it declares and reaches */
    struct parameter *parameters, *results;
    uint32_t parameter_count, result_count;
    uint32_t parameter_bytes; /* of a kernel's parameter block */
    uint32_t max_threads;
    uint32_t cluster[3];      /* blocks of a cluster that it is made for; 0: any */
    bool explicit_cluster;    /* it runs in clusters only */
    uint32_t most_cluster;    /* blocks that a cluster may have; 0: as many as the device's */
    uint32_t ptxas_registers; /* a thread, from the cubin; 0 when there was none */
    uint32_t ptxas_local_bytes;
    struct spill *spills; /* by op: where ptxas keeps registers in local memory */
    uint32_t spill_count;
    uint32_t *places;         /* by op: where its instruction stands in the machine code, from
                                    * 1; 0: nowhere known, or SEVERAL_PLACES. NULL without one */
    bool *leaps;              /* by op: the machine code branches or leaves there */
    float *port_waits;        /* by op: cycles that each of its FP32 instructions waits for
                                    * operands (operand_ports.h). NULL: not known */
    const char **unsupported; /* by op: why it cannot run, or NULL; NULL when all can */
    bool hands_on;            /* its blocks may see what others wrote meanwhile: meeting.c */
    bool orders_blocks;       /* a fence of it, or an atomic's answer, may order blocks */
    bool copies_in_bulk;      /* cp.async.bulk */
    const char *refusal;      /* why no launch of it can end well, or NULL; and where */
    struct sim_line refusal_line;
    uint32_t location; /* of its first line */
};

struct module {
    struct arena arena;
    struct ptx_module *syntax;
    struct function *functions;
    uint32_t function_count;
    struct op_info *ops; /* by op id */
    uint32_t op_count, block_count;
    struct sim_symbol *symbols; /* global variables */
    uint32_t symbol_count;
    struct sim_line *lines; /* by location */
    uint32_t *callers;      /* by location: of the call that was inlined; 0 without */
    uint32_t line_count;
    uint64_t *variable_address; /* by variable: an address or an offset in its space */
    uint32_t id;
    bool uses_reserved_shared; /* groups of several warps meet in it: cooperative_groups.h */
    const char *text;          /* the PTX itself */
    struct module_attached *attached;
};

/* What other parts attach to a module; it is freed with the module, which is otherwise constant. */
struct module_attached {
    struct module_model *model; /* of the timing model: timing/module_model.h; NULL at first */
    void (*free_model)(struct module_model *model);
};

/* --- opcode.c, decode.c, module.c ------------------------------------------------------------ */

/* Facts about an operation that the machine or its model asks for: flags of opcodes.def. */
enum opcode_flag {
    OP_ALONE = 1 << 0,  /* it may have to wait for other lanes, and then is carried out
                                    * again: it is a basic block by itself */
    OP_BRANCH = 1 << 1, /* it goes to a label */
    OP_CALL = 1 << 2,
    OP_ENDS = 1 << 3,           /* it returns from a function, or ends the thread */
    OP_STOPS = 1 << 4,          /* it ends the launch, with an error */
    OP_PASSES = 1 << 5,         /* it takes time, and changes neither registers nor memory */
    OP_LOADS = 1 << 6,          /* its result is what memory holds */
    OP_STORES_NOTHING = 1 << 7, /* of class GLOBAL, but it leaves global memory as it is */
    OP_ATOMIC = 1 << 8,         /* atom or red */
    OP_COPY = 1 << 9,           /* cp.async, with or without a condition */
    OP_BULK = 1 << 10,          /* a copy in bulk */
    OP_MBARRIER = 1 << 11,      /* of a unit of its own: no pass over the banks */
    OP_PHASE = 1 << 12,         /* it asks whether a phase of an mbarrier is over */
    OP_MATRIX = 1 << 13,        /* all lanes of a warp have to carry it out together */
    OP_COMPARES = 1 << 14,      /* its result is a predicate that says how two values compare */
    OP_TAKES_CARRY = 1 << 15,   /* it adds or subtracts the carry, and may leave one (.cc) */
    OP_LEAVES_CARRY = 1 << 16,  /* it takes none, but leaves one */
    OP_ELSEWHERE = 1 << 17,     /* its result is not made of what its registers hold */
    OP_APART = 1 << 18,         /* each lane gets a different value, whatever they read */
    OP_TOGETHER = 1 << 19,      /* all lanes get the same, whatever they read */
    OP_WHOLE_WARPS = 1 << 20,   /* it waits for other warps, and its own comes as a whole */
    OP_MOVES = 1 << 21,         /* its result is made of bits of its sources, as they are */
};

struct opcode {
    enum sim_op_class class;
    const char *mnemonic; /* "mul.wide": name and the modifiers that make it */
    const char *types;    /* alternatives; "f32.s32" for two types in a row */
    const char *optional; /* modifiers it may also carry */
    const char *operands; /* a letter each, see opcodes.def */
    uint32_t flags;       /* of enum opcode_flag */
    op_handler *run;
    const char *meaning;
};

struct opcode_index *opcode_index_new(void);
void opcode_index_free(struct opcode_index *index);
/* The next row past `after` (NULL: from the start) whose name, types and modifiers fit, or NULL.
 * The operands decide between several. */
const struct opcode *opcode_find(const struct opcode_index *index,
                                 const struct ptx_instruction *instruction,
                                 const struct opcode *after);
/* Set the fields of op that the instruction's modifiers name. */
void opcode_apply_modifiers(const struct ptx_instruction *instruction, struct op *op);
/* Call visit for each register that instruction, of row opcode, reads or writes, in operand
 * order. */
void opcode_visit_registers(const struct opcode *opcode, const struct ptx_instruction *instruction,
                            void (*visit)(void *owner, uint32_t reg, bool is_written), void *owner);
uint32_t opcode_row(const struct opcode *opcode);
const struct opcode *opcode_unknown(void);    /* the row for instructions that no other row takes */
const struct opcode *opcode_at(uint32_t row); /* NULL after the last */

/* Fill in ops and basic blocks of function from its syntax. False when memory is exhausted. */
bool decode_function(struct sim_machine *machine, struct function *function,
                     const struct ptx_function *syntax);

void module_free(struct module *module);
/* The function of module that an op or a basic block belongs to, by its id. */
const struct function *function_of_op(const struct module *module, uint32_t op);
const struct function *function_of_block(const struct module *module, uint32_t block);

static inline uint64_t align_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/* shared_layout.c. Places shared variables, and says how much each function needs of them; false
 * without memory. */
bool shared_layout(struct module *module);

/* variable.c. Allocate global and constant variables, and give them their first values. False with
 * error set; what was allocated goes with the context. */
bool variables_make(struct sim_context *context, struct module *module, struct sim_error *error);

/* --- meeting.c ------------------------------------------------------------------------------- */

/* May a block that runs function see what another block has done meanwhile, or when? The functions
 * that it calls are not considered. */
bool function_hands_on(const struct function *function);

/* --- flow.c ---------------------------------------------------------------------------------- */

/* Where the block can go from its last op: basic blocks, or EXIT_BLOCK for the function's end. */
static inline const uint32_t *flow_successors(const struct function *function, uint32_t block)
{
    return function->successors + function->successor_start[block];
}
static inline uint32_t flow_successor_count(const struct function *function, uint32_t block)
{
    return function->successor_start[block + 1] - function->successor_start[block];
}
/* Set join of every basic block: its immediate post-dominator. False when memory is exhausted. */
bool flow_find_joins(struct function *function);
/* Set comes_to_barrier of the function. False when memory is exhausted. */
bool flow_find_barriers(struct function *function);
/* Does the basic block do nothing but end the function? EXIT_BLOCK counts as such. */
bool flow_only_ends(const struct function *function, uint32_t block);

#endif
