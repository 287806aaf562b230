/* exec_atomic.c - atom and red (PTX ISA 9.7.13): lanes take their turn in lane order, each update
 * indivisible against other workers. */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"

/* The new value of a memory cell; T is the C type the operation is defined on. */
#define INTEGER_UPDATE(name, T)                                        \
    static inline T name(T old, T b, T c, const struct access *access) \
    {                                                                  \
        switch (access->op->kind) {                                    \
        case COMBINE_ADD: return (T)((uint64_t)old + (uint64_t)b);     \
        case COMBINE_LEAST: return old < b ? old : b;                  \
        case COMBINE_MOST: return old > b ? old : b;                   \
        case COMBINE_BITS_AND: return old & b;                         \
        case COMBINE_BITS_OR: return old | b;                          \
        case COMBINE_BITS_XOR: return old ^ b;                         \
        case COMBINE_EXCHANGE: return b;                               \
        case COMBINE_IF_EQUAL: return old == b ? c : old;              \
        case COMBINE_INCREMENT: return old >= b ? 0 : old + 1;         \
        default: return old == 0 || old > b ? b : old - 1;             \
        }                                                              \
    }
INTEGER_UPDATE(update_u16, uint16_t)
INTEGER_UPDATE(update_u32, uint32_t)
INTEGER_UPDATE(update_s32, int32_t)
INTEGER_UPDATE(update_u64, uint64_t)
INTEGER_UPDATE(update_s64, int64_t)

/* Additions to floats in global memory happen in the L2, which flushes denormals. */
static inline uint32_t update_f32(uint32_t old, uint32_t b, uint32_t c, const struct access *access)
{
    bool flush = access->space == SPACE_GLOBAL;
    (void)c;
    return bits_of_float(
        flushed(flushed(float_of_bits(old), flush) + flushed(float_of_bits(b), flush), flush));
}

/* All other float formats have only add, and keep denormals. */
#define FLOAT_UPDATE(name, T, expression)                              \
    static inline T name(T old, T b, T c, const struct access *access) \
    {                                                                  \
        (void)c, (void)access;                                         \
        return expression;                                             \
    }
#define SUM_f16(x, y) f16_of_float(float_of_f16((uint16_t)(x)) + float_of_f16((uint16_t)(y)))
#define SUM_bf16(x, y) bf16_of_float(float_of_bf16((uint16_t)(x)) + float_of_bf16((uint16_t)(y)))
FLOAT_UPDATE(update_f64, uint64_t, bits_of_double(double_of_bits(old) + double_of_bits(b)))
FLOAT_UPDATE(update_f16, uint16_t, SUM_f16(old, b))
FLOAT_UPDATE(update_bf16, uint16_t, SUM_bf16(old, b))
FLOAT_UPDATE(update_f16x2, uint32_t, SUM_f16(old, b) | (uint32_t)SUM_f16(old >> 16, b >> 16) << 16)
FLOAT_UPDATE(update_bf16x2, uint32_t,
             SUM_bf16(old, b) | (uint32_t)SUM_bf16(old >> 16, b >> 16) << 16)

/* Replace *cell by its update, whole even while other workers do the same; returns the old. */
#define ATOMIC_STEP(T, BITS_T, update)                                               \
    static inline BITS_T step_##update(BITS_T *cell, BITS_T b, BITS_T c,             \
                                       const struct access *access)                  \
    {                                                                                \
        BITS_T old = __atomic_load_n(cell, __ATOMIC_RELAXED);                        \
        BITS_T new;                                                                  \
        do                                                                           \
            new = (BITS_T)update((T)old, (T)b, (T)c, access);                        \
        while (!__atomic_compare_exchange_n(cell, &old, new, true, __ATOMIC_SEQ_CST, \
                                            __ATOMIC_RELAXED));                      \
        return old;                                                                  \
    }

/* Atomics are for memory that threads share: local memory has no cells another thread sees. */
static bool is_shareable(const struct access *access)
{
    if (access->space != SPACE_LOCAL && access->space != SPACE_PARAM)
        return true;
    fault_raise(access->warp, access->op, SIM_FAULT_ADDRESS_SPACE, __builtin_ctz(access->active),
                "updates local memory atomically; atomics work on global and shared memory");
    return false;
}

#define ATOMIC_HANDLER(name, T, BITS_T, update)                                               \
    ATOMIC_STEP(T, BITS_T, update)                                                            \
    static void do_##name(struct warp *warp, const struct op *op, lane_mask active,           \
                          enum space space, const uint64_t *address)                          \
    {                                                                                         \
        struct access access;                                                                 \
        enum access_kind kind = op->dst == NO_REGISTER ? ACCESS_REDUCTION : ACCESS_ATOMIC;    \
        SOURCE(BITS_T, b, 1);                                                                 \
        const BITS_T *c = op->kind == COMBINE_IF_EQUAL ? reg(warp, op->src[2]) : b;           \
        if (!access_begin(&access, warp, op, active, kind, space, address, sizeof(BITS_T)) || \
            !is_shareable(&access))                                                           \
            return;                                                                           \
        BITS_T *old = op->dst == NO_REGISTER ? NULL : reg(warp, op->dst);                     \
        if (op->dst != NO_REGISTER)                                                           \
            warp_asks(warp);                                                                  \
        warp->asked_at = warp->steps;                                                         \
        FOR_ACTIVE (lane, active) {                                                           \
            BITS_T *cell = (BITS_T *)(access.host + access.shape->delta[lane]);               \
            BITS_T was = step_##update(cell, b[lane], c[lane], &access);                      \
            if (old)                                                                          \
                old[lane] = was;                                                              \
        }                                                                                     \
    }                                                                                         \
    HANDLER(name)                                                                             \
    {                                                                                         \
        access_by_space(warp, op, active, do_##name);                                         \
    }

ATOMIC_HANDLER(atom_b16, uint16_t, uint16_t, update_u16)
ATOMIC_HANDLER(atom_u32, uint32_t, uint32_t, update_u32)
ATOMIC_HANDLER(atom_s32, int32_t, uint32_t, update_s32)
ATOMIC_HANDLER(atom_u64, uint64_t, uint64_t, update_u64)
ATOMIC_HANDLER(atom_s64, int64_t, uint64_t, update_s64)
ATOMIC_HANDLER(atom_f32, uint32_t, uint32_t, update_f32)
ATOMIC_HANDLER(atom_f64, uint64_t, uint64_t, update_f64)
ATOMIC_HANDLER(atom_f16, uint16_t, uint16_t, update_f16)
ATOMIC_HANDLER(atom_bf16, uint16_t, uint16_t, update_bf16)
ATOMIC_HANDLER(atom_f16x2, uint32_t, uint32_t, update_f16x2)
ATOMIC_HANDLER(atom_bf16x2, uint32_t, uint32_t, update_bf16x2)
