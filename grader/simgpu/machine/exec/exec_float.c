/* exec_float.c - float and double arithmetic (PTX ISA 9.7.3).
 *
 * Here is what almost every kernel runs: round to nearest, keep denormals. Arithmetic with the
 * suffixes .rz .rm .rp .ftz .sat is in exec_float_mode.c. A fused multiply-add happens where PTX
 * says fma and nowhere else (-ffp-contract=off).
 */
#include "float_lanes.h"
#include "opcode.h"

#include <math.h>

/* clang-format off */
FLOATS2(add_f32, a + b)
FLOATS2(sub_f32, a - b)
FLOATS2(mul_f32, a * b)
FLOATS3(fma_f32, __builtin_fmaf(a, b, c))
LANES2(add_f64, double, double, a + b)
LANES2(sub_f64, double, double, a - b)
LANES2(mul_f64, double, double, a * b)
LANES3(fma_f64, double, double, double, __builtin_fma(a, b, c))
FLOATS2(div_f32, a / b)
LANES2(div_f64, double, double, a / b)
LANES1(rcp_f64, double, double, 1 / a)
FLOATS1(sqrt_f32, __builtin_sqrtf(a))
LANES1(sqrt_f64, double, double, __builtin_sqrt(a))
/* clang-format on */

#define F32(x) flushed(x, op->ftz)

FLOATS1(abs_f32, F32(fabsf(a)))
LANES1(abs_f64, uint64_t, uint64_t, a &(UINT64_MAX >> 1))
FLOATS1(neg_f32, F32(-a))
LANES1(neg_f64, uint64_t, uint64_t, a ^ UINT64_C(1) << 63)

LANES2(min_f32, float, float, lesser(F32(a), F32(b)))
LANES2(max_f32, float, float, greater(F32(a), F32(b)))
LANES2(min_nan_f32, float, float, with_nan(a, b, lesser(F32(a), F32(b))))
LANES2(max_nan_f32, float, float, with_nan(a, b, greater(F32(a), F32(b))))
LANES2(min_f64, double, double, lesser_double(a, b))
LANES2(max_f64, double, double, greater_double(a, b))

/* copysign: the sign of a, the magnitude of b (PTX ISA 9.7.3.5: operands in that order). */
LANES2(copysign_f32, uint32_t, uint32_t, (a & 0x80000000) | (b & 0x7FFFFFFF))
LANES2(copysign_f64, uint64_t, uint64_t, (a & UINT64_C(1) << 63) | (b & ~(UINT64_C(1) << 63)))

/* testp: op->kind names the class asked for. */
enum {
    TESTP_FINITE,
    TESTP_INFINITE,
    TESTP_NUMBER,
    TESTP_NOTANUMBER,
    TESTP_NORMAL,
    TESTP_SUBNORMAL
};

static inline bool is_of_class(int class, int kind)
{
    switch (kind) {
    case TESTP_FINITE: return class != FP_INFINITE && class != FP_NAN;
    case TESTP_INFINITE: return class == FP_INFINITE;
    case TESTP_NUMBER: return class != FP_NAN;
    case TESTP_NOTANUMBER: return class == FP_NAN;
    case TESTP_NORMAL: return class == FP_NORMAL || class == FP_ZERO; /* zero is normal in PTX */
    default: return class == FP_SUBNORMAL;
    }
}

HANDLER(testp_f32)
{
    SOURCE(float, a, 0);
    WRITE_PREDICATE(op->dst, MASK_OF(is_of_class(fpclassify(a[lane]), op->kind)));
}

HANDLER(testp_f64)
{
    SOURCE(double, a, 0);
    WRITE_PREDICATE(op->dst, MASK_OF(is_of_class(fpclassify(a[lane]), op->kind)));
}
