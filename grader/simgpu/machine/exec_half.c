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
#define HALF2(name, format, expression)                                                        \
    LANES2(name##_##format, uint16_t, uint16_t, ({                                             \
               float x = LOAD_##format(a), y = LOAD_##format(b);                               \
               STORE_##format(expression);                                                     \
           }))                                                                                 \
    LANES2(name##_##format##x2, uint32_t, uint32_t, ({                                         \
               uint32_t packed = 0;                                                            \
               for (int half = 0; half < 32; half += 16) {                                     \
                   float x = LOAD_##format(a >> half), y = LOAD_##format(b >> half);           \
                   packed |= (uint32_t)STORE_##format(expression) << half;                     \
               }                                                                               \
               packed;                                                                         \
           }))
#define HALF1(name, format, expression)                                                        \
    LANES1(name##_##format, uint16_t, uint16_t, ({                                             \
               float x = LOAD_##format(a);                                                     \
               STORE_##format(expression);                                                     \
           }))                                                                                 \
    LANES1(name##_##format##x2, uint32_t, uint32_t, ({                                         \
               uint32_t packed = 0;                                                            \
               for (int half = 0; half < 32; half += 16) {                                     \
                   float x = LOAD_##format(a >> half);                                         \
                   packed |= (uint32_t)STORE_##format(expression) << half;                     \
               }                                                                               \
               packed;                                                                         \
           }))

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

/* fma, and fma.relu (op->kind), which clamps negative results to zero and keeps NaN. */
static inline double rectified(double value, bool relu)
{
    return relu && value < 0 ? 0 : value;
}

static inline uint16_t fma_one_f16(uint16_t a, uint16_t b, uint16_t c, const struct op *op)
{
    double sum = fma_to_odd(LOAD_f16(a), LOAD_f16(b), LOAD_f16(c));
    uint16_t result = f16_of_double(saturated_double(rectified(sum, op->kind), op->sat));
    bool denormal = (result & 0x7C00) == 0;
    return op->ftz && denormal ? result & 0x8000 : result;
}

static inline uint16_t fma_one_bf16(uint16_t a, uint16_t b, uint16_t c, const struct op *op)
{
    double sum = fma_to_odd(float_of_bf16(a), float_of_bf16(b), float_of_bf16(c));
    return bf16_of_double(rectified(sum, op->kind));
}

#define FMA_HALVES(format)                                                                     \
    LANES3(fma_##format, uint16_t, uint16_t, uint16_t, fma_one_##format(a, b, c, op))          \
    LANES3(fma_##format##x2, uint32_t, uint32_t, uint32_t,                                     \
           (uint32_t)fma_one_##format((uint16_t)a, (uint16_t)b, (uint16_t)c, op) |             \
               (uint32_t)fma_one_##format((uint16_t)(a >> 16), (uint16_t)(b >> 16),            \
                                          (uint16_t)(c >> 16), op)                             \
                   << 16)
FMA_HALVES(f16)
FMA_HALVES(bf16)
