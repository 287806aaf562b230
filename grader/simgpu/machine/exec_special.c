/* exec_special.c - the approximate functions of the special function unit (PTX ISA 9.7.3.13 on).
 *
 * A real device reads them from tables with an error of about 2^-22. Ours are at least as good,
 * and not bit for bit the same: nothing may be graded on their last bits.
 */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"

#define F32(x) flushed(x, op->ftz)

/* 2^x by a polynomial on [-0.5, 0.5] in double (the Taylor terms to degree 8: error below
 * 2^-33), so that the loop stays in vector registers. */
static inline float exp2_approx(float x)
{
    double wide = x;
    double clamped = wide < -160 ? -160 : wide > 160 ? 160 : wide;
    double whole = __builtin_rint(clamped);
    double t = (clamped - whole) * 0.69314718055994530942;
    double p = 1.0 / 40320;
    p = p * t + 1.0 / 5040;
    p = p * t + 1.0 / 720;
    p = p * t + 1.0 / 120;
    p = p * t + 1.0 / 24;
    p = p * t + 1.0 / 6;
    p = p * t + 0.5;
    p = p * t + 1;
    p = p * t + 1;
    double scale = double_of_bits((uint64_t)((int64_t)whole + 1023) << 52);
    return x != x ? x : (float)(p * scale);
}

LANES1(ex2_f32, float, float, F32(exp2_approx(F32(a))))
LANES1(rcp_approx_f32, float, float, F32(1 / F32(a)))
LANES1(sqrt_approx_f32, float, float, F32(__builtin_sqrtf(F32(a))))
LANES1(rsqrt_approx_f32, float, float, F32((float)(1 / __builtin_sqrt((double)F32(a)))))
LANES1(lg2_f32, float, float, F32(log2f(F32(a))))
LANES1(sin_f32, float, float, F32(sinf(F32(a))))
LANES1(cos_f32, float, float, F32(cosf(F32(a))))
LANES1(tanh_f32, float, float, F32(tanhf(a)))

/* div.full and div.approx: a times the reciprocal of b, which .approx takes for 0 where b is
 * huge, so that the quotient is 0, or NaN if a is infinite. */
LANES2(div_full_f32, float, float, F32(F32(a) / F32(b)))
LANES2(div_approx_f32, float, float,
       F32(fabsf(b) > 0x1p126f && fabsf(b) <= FLT_MAX ? F32(a) * (0 * b) : F32(a) / F32(b)))

/* With .ftz, rcp and rsqrt of a double see and give its upper word alone: 20 bits of fraction,
 * which callers then refine, no denormals, and one NaN (PTX ISA 9.7.3.14, 9.7.3.17). */
static inline double upper_word(double value)
{
    double upper = double_of_bits(bits_of_double(value) & 0xFFFFFFFF00000000);
    double normal = fabs(upper) < DBL_MIN ? copysign(0, upper) : upper;
    return upper != upper ? double_of_bits(0x7FFFFFFF00000000) : normal;
}

LANES1(rcp_approx_f64, double, double, upper_word(1 / upper_word(a)))
LANES1(rsqrt_approx_f64, double, double,
       op->ftz ? upper_word(1 / __builtin_sqrt(upper_word(a))) : 1 / __builtin_sqrt(a))

/* ex2 of bfloats always flushes denormals. */
static inline float exp2_flushed(float x)
{
    return flushed(exp2_approx(flushed(x, true)), true);
}

LANES1(ex2_f16, uint16_t, uint16_t, f16_of_float(exp2_approx(float_of_f16(a))))
LANES1(ex2_bf16, uint16_t, uint16_t, bf16_of_float(exp2_flushed(float_of_bf16(a))))
LANES1(tanh_f16, uint16_t, uint16_t, f16_of_float(tanhf(float_of_f16(a))))
LANES1(tanh_bf16, uint16_t, uint16_t, bf16_of_float(tanhf(float_of_bf16(a))))

#define EACH_HALF(load, store, function)                                                       \
    ((uint32_t)store(function(load((uint16_t)a))) |                                            \
     (uint32_t)store(function(load((uint16_t)(a >> 16)))) << 16)
LANES1(ex2_f16x2, uint32_t, uint32_t, EACH_HALF(float_of_f16, f16_of_float, exp2_approx))
LANES1(ex2_bf16x2, uint32_t, uint32_t, EACH_HALF(float_of_bf16, bf16_of_float, exp2_flushed))
LANES1(tanh_f16x2, uint32_t, uint32_t, EACH_HALF(float_of_f16, f16_of_float, tanhf))
LANES1(tanh_bf16x2, uint32_t, uint32_t, EACH_HALF(float_of_bf16, bf16_of_float, tanhf))
