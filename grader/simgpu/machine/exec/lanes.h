/* lanes.h - how an operation on 32 lanes is written down.
 *
 *     LANES2(add_32, uint32_t, uint32_t, a + b)
 *
 * defines the handler add_32: D[lane] = a + b for every active lane, with a and b the lane's values
 * of the first two sources. The loop always runs over all 32 lanes, because a loop without a
 * condition becomes a handful of vector instructions. Where only some lanes are active, it writes
 * to a scratch vector, and the active lanes are then picked out of that.
 */
#ifndef SIM_LANES_H
#define SIM_LANES_H

#include "machine_internal.h"

#include <string.h>

#define FOR_LANES _Pragma("GCC ivdep") for (int lane = 0; lane < WARP_LANES; lane++)
#define FOR_ACTIVE(lane, active)                                \
    for (lane_mask rest_ = (active); rest_; rest_ &= rest_ - 1) \
        for (int lane = __builtin_ctz(rest_), once_ = 1; once_; once_ = 0)

#define VECTOR _Alignas(64)

/* Lanes of any type of their width: what a loop wrote as floats is copied as words. */
typedef uint16_t lane_16 __attribute__((may_alias));
typedef uint32_t lane_32 __attribute__((may_alias));
typedef uint64_t lane_64 __attribute__((may_alias));

/* The active lanes of scratch into the register at dst; each lane is bytes wide. */
static inline __attribute__((always_inline)) void
pick_lanes(struct warp *warp, uint32_t dst, lane_mask active, const void *scratch, size_t bytes)
{
#define PICK(T)                                                          \
    do {                                                                 \
        T *to = reg(warp, dst);                                          \
        const T *from = scratch;                                         \
        FOR_LANES to[lane] = active >> lane & 1 ? from[lane] : to[lane]; \
    } while (0)
    if (bytes == 8)
        PICK(lane_64);
    else if (bytes == 4)
        PICK(lane_32);
    else
        PICK(lane_16);
#undef PICK
}

/* The body of a handler whose result is a vector of D, to which then happens what mend does. */
#define WRITE_LANES_THEN(D, expression, mend)                       \
    do {                                                            \
        if (covers(warp, active)) {                                 \
            D *to_ = reg(warp, op->dst);                            \
            FOR_LANES to_[lane] = (D)(expression);                  \
            mend(to_);                                              \
        } else {                                                    \
            VECTOR D scratch_[WARP_LANES];                          \
            FOR_LANES scratch_[lane] = (D)(expression);             \
            mend(scratch_);                                         \
            pick_lanes(warp, op->dst, active, scratch_, sizeof(D)); \
        }                                                           \
    } while (0)

#define WRITE_LANES(D, expression) WRITE_LANES_THEN(D, expression, (void))

static __attribute__((noinline, unused)) void
spread_some_lanes(struct warp *warp, uint32_t dst, lane_mask active, uint64_t value, size_t bytes)
{
    VECTOR uint64_t scratch[WARP_LANES];
    if (bytes == 8)
        FOR_LANES scratch[lane] = value;
    else if (bytes == 4)
        FOR_LANES((lane_32 *)scratch)[lane] = (lane_32)value;
    else
        FOR_LANES((lane_16 *)scratch)[lane] = (lane_16)value;
    pick_lanes(warp, dst, active, scratch, bytes);
}

/* One value for all active lanes, into the register at dst; each lane is bytes wide. Where some
 * lanes must keep their values, another function does it, since the stack space that it needs costs
 * time. */
static inline void spread_lanes(struct warp *warp, uint32_t dst, lane_mask active, uint64_t value,
                                size_t bytes)
{
    void *to = reg(warp, dst);
    if (!covers(warp, active))
        spread_some_lanes(warp, dst, active, value, bytes);
    else if (bytes == 8)
        FOR_LANES((uint64_t *)to)[lane] = value;
    else if (bytes == 4)
        FOR_LANES((uint32_t *)to)[lane] = (uint32_t)value;
    else
        FOR_LANES((uint16_t *)to)[lane] = (uint16_t)value;
}

/* The body of a handler whose result is a predicate. */
#define WRITE_PREDICATE(dst, mask)                 \
    do {                                           \
        lane_mask *to_ = predicate(warp, dst);     \
        *to_ = (*to_ & ~active) | ((mask)&active); \
    } while (0)

/* 32 truth values to a mask. */
#define MASK_OF(condition)                                  \
    ({                                                      \
        lane_mask mask_ = 0;                                \
        for (int lane = 0; lane < WARP_LANES; lane++)       \
            mask_ |= (condition) ? UINT32_C(1) << lane : 0; \
        mask_;                                              \
    })

#define HANDLER(name) void name(struct warp *warp, const struct op *op, lane_mask active)

#define SOURCE(T, variable, number) const T *variable = reg(warp, op->src[number])

#define LANES1(name, D, T, expression) LANES1_BY(WRITE_LANES, name, D, T, expression)
#define LANES1_BY(WRITE, name, D, T, expression) \
    HANDLER(name)                                \
    {                                            \
        SOURCE(T, a_, 0);                        \
        WRITE(D, ({                              \
                  T a = a_[lane];                \
                  expression;                    \
              }));                               \
    }

#define LANES2(name, D, T, expression) LANES2_BY(WRITE_LANES, name, D, T, expression)
#define LANES2_BY(WRITE, name, D, T, expression) \
    HANDLER(name)                                \
    {                                            \
        SOURCE(T, a_, 0);                        \
        SOURCE(T, b_, 1);                        \
        WRITE(D, ({                              \
                  T a = a_[lane], b = b_[lane];  \
                  expression;                    \
              }));                               \
    }

/* The third source may have another type than the first two: mad.wide. */
#define LANES3(name, D, T, C, expression) LANES3_BY(WRITE_LANES, name, D, T, C, expression)
#define LANES3_BY(WRITE, name, D, T, C, expression) \
    HANDLER(name)                                   \
    {                                               \
        SOURCE(T, a_, 0);                           \
        SOURCE(T, b_, 1);                           \
        SOURCE(C, c_, 2);                           \
        WRITE(D, ({                                 \
                  T a = a_[lane], b = b_[lane];     \
                  C c = c_[lane];                   \
                  expression;                       \
              }));                                  \
    }

/* A predicate operand; the instruction may ask for its inverse: !%p1. */
static inline lane_mask predicate_source(const struct warp *warp, const struct op *op, int number)
{
    lane_mask mask = *predicate(warp, op->src[number]);
    return op->negated >> number & 1 ? ~mask : mask;
}

/* Bits of one type as another. */
#define BITS(To, value)                                               \
    ({                                                                \
        __typeof__(value) from_ = (value);                            \
        To to_bits_;                                                  \
        _Static_assert(sizeof to_bits_ == sizeof from_, "same size"); \
        memcpy(&to_bits_, &from_, sizeof to_bits_);                   \
        to_bits_;                                                     \
    })

static inline bool op_is_signed(const struct op *op)
{
    return ptx_type_class(op->type) == 'S';
}

/* bytes of memory as a register value of op's type: sign- or zero-extended to 64 bits. */
static inline uint64_t widened(const struct op *op, const unsigned char *from, uint32_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    unsigned unused = 64 - 8 * bytes;
    return op_is_signed(op) ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

#endif
