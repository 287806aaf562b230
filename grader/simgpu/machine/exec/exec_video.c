/* exec_video.c - scalar video instructions on whole registers (PTX ISA 9.7.17.1): an operation
 * whose result, still exact, may be clamped, and then meets c in a second one. Code from before
 * Volta has them: CUB's SHR_ADD, and the vmin ... .max of ray tracers. */
#include "lanes.h"
#include "opcode.h"

static inline int64_t larger(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static inline int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* What becomes of the exact result: .sat clamps it to [low, high], the second operation takes c.
 * The low 32 bits are the result, whatever its sign. */
static inline uint32_t second(const struct op *op, int64_t exact, int64_t c, int64_t low,
                              int64_t high)
{
    exact = op->sat ? smaller(larger(exact, low), high) : exact;
    switch (op->kind) {
    case 1: return (uint32_t)(exact + c);
    case 2: return (uint32_t)smaller(exact, c);
    case 3: return (uint32_t)larger(exact, c);
    default: return (uint32_t)exact;
    }
}

#define VIDEO(name, T, low, high, expression)               \
    LANES3(name, uint32_t, T, T, ({                         \
               int64_t x = a, y = b, exact_ = (expression); \
               second(op, exact_, (int64_t)c, low, high);   \
           }))
#define VIDEO_OF_SIGN(name, expression)                    \
    VIDEO(name##_u32, uint32_t, 0, UINT32_MAX, expression) \
    VIDEO(name##_s32, int32_t, INT32_MIN, INT32_MAX, expression)

VIDEO_OF_SIGN(vadd, x + y)
VIDEO_OF_SIGN(vsub, x - y)
VIDEO_OF_SIGN(vabsdiff, x > y ? x - y : y - x)
VIDEO_OF_SIGN(vmin, smaller(x, y))
VIDEO_OF_SIGN(vmax, larger(x, y))

/* The count has no sign: more than 32 bits are 32, or with .wrap only its low 5 bits count. */
#define CLAMPED(count) ((uint32_t)(count) > 32 ? 32 : (uint32_t)(count))
#define WRAPPED(count) ((uint32_t)(count)&31)
VIDEO_OF_SIGN(vshl_clamp, (int64_t)((uint64_t)x << CLAMPED(y)))
VIDEO_OF_SIGN(vshl_wrap, (int64_t)((uint64_t)x << WRAPPED(y)))
VIDEO_OF_SIGN(vshr_clamp, x >> CLAMPED(y))
VIDEO_OF_SIGN(vshr_wrap, x >> WRAPPED(y))
