/* exec_special.c - the approximate functions of the special function unit (PTX ISA 9.7.3.13 on).
 * approximate.h says what they give. */
#include "approximate.h"
#include "float_lanes.h"
#include "opcode.h"

#define F32(x) flushed(x, op->ftz)

/* The launch's seed, as the functions take it. */
static inline uint32_t seed_of(const struct warp *warp)
{
    uint64_t seed = block_launch(warp)->config.approximation_seed;
    return (uint32_t)(seed ^ seed >> 32);
}

/* LANES1 whose expression may use the seed, which does not change from lane to lane. */
#define APPROXIMATE(name, T, expression) APPROXIMATE_BY(WRITE_LANES, name, T, expression)
#define APPROXIMATE1(name, expression) APPROXIMATE_BY(WRITE_FLOATS, name, float, expression)
#define APPROXIMATE_BY(WRITE, name, T, expression) \
    HANDLER(name)                                  \
    {                                              \
        const uint32_t seed = seed_of(warp);       \
        SOURCE(T, a_, 0);                          \
        WRITE(T, ({                                \
                  T a = a_[lane];                  \
                  expression;                      \
              }));                                 \
    }
#define APPROXIMATE2(name, expression)                               \
    HANDLER(name)                                                    \
    {                                                                \
        const uint32_t seed = seed_of(warp);                         \
        SOURCE(float, a_, 0);                                        \
        SOURCE(float, b_, 1);                                        \
        WRITE_FLOATS(float, ({                                       \
                         float a = F32(a_[lane]), b = F32(b_[lane]); \
                         expression;                                 \
                     }));                                            \
    }

APPROXIMATE1(ex2_f32, F32(approximate_exp2(F32(a), seed)))
APPROXIMATE1(rcp_approx_f32, F32(approximate_rcp(F32(a), seed)))
APPROXIMATE1(sqrt_approx_f32, F32(approximate_sqrt(F32(a), seed)))
APPROXIMATE1(rsqrt_approx_f32, F32(approximate_rsqrt(F32(a), seed)))
APPROXIMATE1(lg2_f32, F32(approximate_log2(F32(a), seed)))
APPROXIMATE1(sin_f32, F32(approximate_sin(F32(a), seed)))
APPROXIMATE1(cos_f32, F32(approximate_cos(F32(a), seed)))
APPROXIMATE1(tanh_f32, approximate_tanh(a, seed))

/* div.approx takes the reciprocal of b for 0 where b is huge, so that the quotient is 0, or NaN if
 * a is infinite. */
APPROXIMATE2(div_full_f32, F32(approximate_quotient(a, b, seed)))
APPROXIMATE2(div_approx_f32,
             F32(fabsf(b) > 0x1p126f && fabsf(b) <= FLT_MAX ? a * (0 * b)
                                                            : approximate_quotient(a, b, seed)))

/* Without .ftz, rsqrt of a double is computed in software, with two roundings. */
APPROXIMATE(rcp_approx_f64, double, approximate_rcp_double(a, seed))
APPROXIMATE(rsqrt_approx_f64, double,
            op->ftz ? approximate_rsqrt_double(a, seed) : 1 / __builtin_sqrt(a))

#define EACH_HALF(function) \
    ((uint32_t)function((uint16_t)a, seed) | (uint32_t)function((uint16_t)(a >> 16), seed) << 16)
APPROXIMATE(ex2_f16, uint16_t, approximate_exp2_f16(a, seed))
APPROXIMATE(ex2_bf16, uint16_t, approximate_exp2_bf16(a, seed))
APPROXIMATE(tanh_f16, uint16_t, approximate_tanh_f16(a, seed))
APPROXIMATE(tanh_bf16, uint16_t, approximate_tanh_bf16(a, seed))
APPROXIMATE(ex2_f16x2, uint32_t, EACH_HALF(approximate_exp2_f16))
APPROXIMATE(ex2_bf16x2, uint32_t, EACH_HALF(approximate_exp2_bf16))
APPROXIMATE(tanh_f16x2, uint32_t, EACH_HALF(approximate_tanh_f16))
APPROXIMATE(tanh_bf16x2, uint32_t, EACH_HALF(approximate_tanh_bf16))
