/* opcode.h - the handlers of opcodes.def, and what their op fields mean.
 * Next: opcode.c finds the row of an instruction, decode.c fills in the op. */
#ifndef SIM_OPCODE_H
#define SIM_OPCODE_H

#include "machine_internal.h"

enum { ORDER_WEAK, ORDER_STRONG }; /* op->kind of a load or store */

/* clang-format off */
enum { /* op->kind of atom, red and redux */
    COMBINE_ADD = 1, COMBINE_LEAST, COMBINE_MOST, COMBINE_BITS_AND, COMBINE_BITS_OR,
    COMBINE_BITS_XOR, COMBINE_EXCHANGE, COMBINE_IF_EQUAL, COMBINE_INCREMENT, COMBINE_DECREMENT,
};
/* clang-format on */

enum { /* op->kind of mma and wmma */
#define SHAPE(name, rows, columns, depth) SHAPE_##name,
#include "shapes.def"
#undef SHAPE
};

#define OPCODE(class, mnemonic, types, optional, operands, flags, handler, meaning) \
    op_handler handler;
#include "opcodes.def"
#undef OPCODE

/* A cp.async, with or without a condition? */
static inline bool op_is_copy(const struct op *op)
{
    return op->row->flags & OP_COPY;
}

/* A copy in bulk? */
static inline bool op_is_bulk(const struct op *op)
{
    return op->row->flags & OP_BULK;
}

/* Handlers that decode.c puts in by itself. */
op_handler call_indirect, call_intrinsic;

/* A call of a function that has a body? */
static inline bool op_calls(const struct op *op)
{
    return op->row->flags & OP_CALL && op->run != call_intrinsic;
}

enum intrinsic {
    INTRINSIC_NONE,
    INTRINSIC_PRINTF,
    INTRINSIC_ASSERT,
    INTRINSIC_MALLOC,
    INTRINSIC_FREE,
    INTRINSIC_SET_CONDITION
};
enum intrinsic intrinsic_named(const char *name);

/* clang-format off */
/* Special registers (PTX ISA 10), op->kind of mov_special; x, y, z add 0, 1, 2. */
enum special {
    SPECIAL_TID, SPECIAL_NTID = SPECIAL_TID + 3, SPECIAL_CTAID = SPECIAL_NTID + 3,
    SPECIAL_NCTAID = SPECIAL_CTAID + 3, SPECIAL_CLUSTERID = SPECIAL_NCTAID + 3,
    SPECIAL_NCLUSTERID = SPECIAL_CLUSTERID + 3, SPECIAL_CLUSTER_CTAID = SPECIAL_NCLUSTERID + 3,
    SPECIAL_CLUSTER_NCTAID = SPECIAL_CLUSTER_CTAID + 3,
    SPECIAL_LANEID = SPECIAL_CLUSTER_NCTAID + 3, SPECIAL_WARPID,
    SPECIAL_NWARPID, SPECIAL_SMID, SPECIAL_NSMID, SPECIAL_GRIDID, SPECIAL_CLOCK,
    SPECIAL_CLOCK_HI, SPECIAL_CLOCK64, SPECIAL_GLOBALTIMER, SPECIAL_GLOBALTIMER_LO,
    SPECIAL_GLOBALTIMER_HI, SPECIAL_LANEMASK_EQ, SPECIAL_LANEMASK_LT, SPECIAL_LANEMASK_LE,
    SPECIAL_LANEMASK_GT, SPECIAL_LANEMASK_GE, SPECIAL_DYNAMIC_SHARED, SPECIAL_TOTAL_SHARED,
    SPECIAL_ENVREG, SPECIAL_RESERVED_SHARED, SPECIAL_CLUSTER_RANK, SPECIAL_CLUSTER_SIZE,
    SPECIAL_IN_CLUSTER, SPECIAL_ZERO,
    SPECIAL_UNKNOWN,
};
enum special special_named(const char *name, uint32_t component, int64_t *number);
/* clang-format on */

static inline bool op_reads_clock(const struct op *op)
{
    return op->run == mov_special && op->kind >= SPECIAL_CLOCK &&
           op->kind <= SPECIAL_GLOBALTIMER_HI;
}

/* A load or store that is volatile, relaxed, acquire or release? */
static inline bool op_is_strong(const struct op *op)
{
    return (op->run == load || op->run == store) && op->kind == ORDER_STRONG;
}

#endif
