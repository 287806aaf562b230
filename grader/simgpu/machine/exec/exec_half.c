/* exec_half.c - half and bfloat16 arithmetic, one value or two in a register (PTX ISA 9.7.4).
 *
 * A float holds the exact operands, and rounding its result again to 11 or 8 bits is the same
 * as rounding once (float has more than twice the bits), for add, sub and mul; fma needs
 * fma_to_odd.
 */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"

#define LOAD_f16(bits) flushed_f16(float_of_f16((uint16_t)(bits)), op->ftz)
#define LOAD_bf16(bits) float_of_bf16((uint16_t)(bits))
#define STORE_f16(value) f16_of_float(saturated(flushed_f16(value, op->ftz), op->sat))
#define STORE_bf16(value) bf16_of_float(saturated(value, op->sat))

/* expression sees floats x and y (and z), and gives a float. */
#define HALF2(name, format, expression)                                              \
    LANES2(name##_##format, uint16_t, uint16_t, ({                                   \
               float x = LOAD_##format(a), y = LOAD_##format(b);                     \
               STORE_##format(expression);                                           \
           }))                                                                       \
    LANES2(name##_##format##x2, uint32_t, uint32_t, ({                               \
               uint32_t packed = 0;                                                  \
               for (int half = 0; half < 32; half += 16) {                           \
                   float x = LOAD_##format(a >> half), y = LOAD_##format(b >> half); \
                   packed |= (uint32_t)STORE_##format(expression) << half;           \
               }                                                                     \
               packed;                                                               \
           }))
#define HALF1(name, format, expression)                                    \
    LANES1(name##_##format, uint16_t, uint16_t, ({                         \
               float x = LOAD_##format(a);                                 \
               STORE_##format(expression);                                 \
           }))                                                             \
    LANES1(name##_##format##x2, uint32_t, uint32_t, ({                     \
               uint32_t packed = 0;                                        \
               for (int half = 0; half < 32; half += 16) {                 \
                   float x = LOAD_##format(a >> half);                     \
                   packed |= (uint32_t)STORE_##format(expression) << half; \
               }                                                           \
               packed;                                                     \
           }))

/* clang-format off */
HALF2(add, f16, x + y)
HALF2(sub, f16, x - y)
HALF2(mul, f16, x * y)
HALF2(min, f16, lesser(x, y))
HALF2(max, f16, greater(x, y))
HALF2(min_nan, f16, with_nan(x, y, lesser(x, y)))
HALF2(max_nan, f16, with_nan(x, y, greater(x, y)))
HALF1(abs, f16, fabsf(x))
HALF1(neg, f16, -x)
HALF2(add, bf16, x + y)
HALF2(sub, bf16, x - y)
HALF2(mul, bf16, x * y)
HALF2(min, bf16, lesser(x, y))
HALF2(max, bf16, greater(x, y))
HALF2(min_nan, bf16, with_nan(x, y, lesser(x, y)))
HALF2(max_nan, bf16, with_nan(x, y, greater(x, y)))
HALF1(abs, bf16, fabsf(x))
HALF1(neg, bf16, -x)
/* clang-format on */

/* fma, and fma.relu (op->kind), which clamps negative results to zero and keeps NaN. */
static inline float rectified(float value, bool relu)
{
    return relu && value < 0 ? 0 : value;
}

static inline uint16_t fma_one_bf16(uint16_t a, uint16_t b, uint16_t c, const struct op *op)
{
    double sum = fma_to_odd(float_of_bf16(a), float_of_bf16(b), float_of_bf16(c));
    return bf16_of_double(op->kind && sum < 0 ? 0 : sum);
}

LANES3(fma_bf16, uint16_t, uint16_t, uint16_t, fma_one_bf16(a, b, c, op))
LANES3(fma_bf16x2, uint32_t, uint32_t, uint32_t,
       (uint32_t)fma_one_bf16((uint16_t)a, (uint16_t)b, (uint16_t)c, op) |
           (uint32_t)fma_one_bf16((uint16_t)(a >> 16), (uint16_t)(b >> 16), (uint16_t)(c >> 16), op)
               << 16)

/* Halves are the hot case: a whole register is done at once, in steps that are each a few vector
 * instructions. A float holds the product of two halves, and has the two bits more than a half that
 * rounding to odd needs. */
static inline __attribute__((always_inline)) void fma_halves(const struct op *op, uint16_t *to,
                                                             const uint16_t *a, const uint16_t *b,
                                                             const uint16_t *c, int count)
{
    VECTOR float x[2 * WARP_LANES], y[2 * WARP_LANES], z[2 * WARP_LANES];
    bool ftz = op->ftz, relu = op->kind, sat = op->sat;
    floats_of_f16(x, a, count);
    floats_of_f16(y, b, count);
    floats_of_f16(z, c, count);
    if (ftz)
        for (int i = 0; i < count; i++) {
            x[i] = flushed_f16(x[i], true);
            y[i] = flushed_f16(y[i], true);
            z[i] = flushed_f16(z[i], true);
        }
    for (int i = 0; i < count; i++)
        x[i] = fma_to_odd_float(x[i], y[i], z[i]);
    if (relu || sat)
        for (int i = 0; i < count; i++)
            x[i] = saturated(rectified(x[i], relu), sat);
    f16_of_floats(to, x, count);
    for (int i = 0; i < count; i++) {
        uint16_t bits = (to[i] & 0x7FFF) > 0x7C00 ? 0x7FFF : to[i];
        to[i] = ftz && (bits & 0x7C00) == 0 ? bits & 0x8000 : bits;
    }
}

#define FMA_HALVES(name, bytes)                                              \
    HANDLER(name)                                                            \
    {                                                                        \
        VECTOR uint16_t result[(bytes) / 2 * WARP_LANES];                    \
        fma_halves(op, result, reg(warp, op->src[0]), reg(warp, op->src[1]), \
                   reg(warp, op->src[2]), (bytes) / 2 * WARP_LANES);         \
        if (covers(warp, active))                                            \
            memcpy(reg(warp, op->dst), result, sizeof result);               \
        else                                                                 \
            pick_lanes(warp, op->dst, active, result, bytes);                \
    }
FMA_HALVES(fma_f16, 2)
FMA_HALVES(fma_f16x2, 4)
