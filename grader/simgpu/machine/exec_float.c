/* exec_float.c - float and double arithmetic (PTX ISA 9.7.3).
 *
 * The plain handlers are what almost every kernel runs: round to nearest, keep denormals. The
 * _mode handlers take every suffix (.rz .rm .rp .ftz .sat) and are slower. This file is compiled
 * with -ffp-contract=off and -frounding-math: a fused multiply-add happens where PTX says fma
 * and nowhere else, and directed rounding is the processor's own.
 */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"

#include <fenv.h>

LANES2(add_f32, float, float, a + b)
LANES2(sub_f32, float, float, a - b)
LANES2(mul_f32, float, float, a * b)
LANES3(fma_f32, float, float, float, __builtin_fmaf(a, b, c))
LANES2(add_f64, double, double, a + b)
LANES2(sub_f64, double, double, a - b)
LANES2(mul_f64, double, double, a * b)
LANES3(fma_f64, double, double, double, __builtin_fma(a, b, c))
LANES2(div_f32, float, float, a / b)
LANES2(div_f64, double, double, a / b)
LANES1(rcp_f64, double, double, 1 / a)
LANES1(sqrt_f32, float, float, __builtin_sqrtf(a))
LANES1(sqrt_f64, double, double, __builtin_sqrt(a))

static const int C_ROUNDING[] = {[ROUND_NEAREST] = FE_TONEAREST,
                                 [ROUND_ZERO] = FE_TOWARDZERO,
                                 [ROUND_DOWN] = FE_DOWNWARD,
                                 [ROUND_UP] = FE_UPWARD};

/* Runs statement with the processor rounding as op asks. */
#define ROUNDED(statement)                                                                     \
    do {                                                                                       \
        if (op->rounding != ROUND_NEAREST)                                                     \
            fesetround(C_ROUNDING[op->rounding]);                                              \
        statement;                                                                             \
        if (op->rounding != ROUND_NEAREST)                                                     \
            fesetround(FE_TONEAREST);                                                          \
    } while (0)

#define F32(x) flushed(x, op->ftz)
#define F32_RESULT(x) saturated(flushed(x, op->ftz), op->sat)

#define FLOAT_MODE1(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        SOURCE(float, a_, 0);                                                                  \
        ROUNDED(WRITE_LANES(float, ({                                                          \
                                float a = F32(a_[lane]);                                       \
                                F32_RESULT(expression);                                        \
                            })));                                                              \
    }
#define FLOAT_MODE2(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        SOURCE(float, a_, 0);                                                                  \
        SOURCE(float, b_, 1);                                                                  \
        ROUNDED(WRITE_LANES(float, ({                                                          \
                                float a = F32(a_[lane]), b = F32(b_[lane]);                    \
                                F32_RESULT(expression);                                        \
                            })));                                                              \
    }
#define FLOAT_MODE3(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        SOURCE(float, a_, 0);                                                                  \
        SOURCE(float, b_, 1);                                                                  \
        SOURCE(float, c_, 2);                                                                  \
        ROUNDED(WRITE_LANES(float, ({                                                          \
                                float a = F32(a_[lane]), b = F32(b_[lane]), c = F32(c_[lane]); \
                                F32_RESULT(expression);                                        \
                            })));                                                              \
    }
#define DOUBLE_MODE(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        SOURCE(double, a, 0);                                                                  \
        SOURCE(double, b, 1);                                                                  \
        SOURCE(double, c, 2);                                                                  \
        (void)b, (void)c;                                                                      \
        ROUNDED(WRITE_LANES(double, expression));                                              \
    }
FLOAT_MODE2(add_f32_mode, a + b)
FLOAT_MODE2(sub_f32_mode, a - b)
FLOAT_MODE2(mul_f32_mode, a * b)
FLOAT_MODE3(fma_f32_mode, __builtin_fmaf(a, b, c))
FLOAT_MODE2(div_f32_mode, a / b)
FLOAT_MODE1(rcp_f32_mode, 1 / a)
FLOAT_MODE1(sqrt_f32_mode, __builtin_sqrtf(a))
DOUBLE_MODE(add_f64_mode, a[lane] + b[lane])
DOUBLE_MODE(sub_f64_mode, a[lane] - b[lane])
DOUBLE_MODE(mul_f64_mode, a[lane] * b[lane])
DOUBLE_MODE(fma_f64_mode, __builtin_fma(a[lane], b[lane], c[lane]))
DOUBLE_MODE(div_f64_mode, a[lane] / b[lane])
DOUBLE_MODE(rcp_f64_mode, 1 / a[lane])
DOUBLE_MODE(sqrt_f64_mode, __builtin_sqrt(a[lane]))

LANES1(abs_f32, float, float, F32(fabsf(a)))
LANES1(abs_f64, uint64_t, uint64_t, a & (UINT64_MAX >> 1))
LANES1(neg_f32, float, float, F32(-a))
LANES1(neg_f64, uint64_t, uint64_t, a ^ UINT64_C(1) << 63)

LANES2(min_f32, float, float, lesser(F32(a), F32(b)))
LANES2(max_f32, float, float, greater(F32(a), F32(b)))
LANES2(min_nan_f32, float, float, with_nan(a, b, lesser(F32(a), F32(b))))
LANES2(max_nan_f32, float, float, with_nan(a, b, greater(F32(a), F32(b))))
LANES2(min_f64, double, double, lesser_double(a, b))
LANES2(max_f64, double, double, greater_double(a, b))

/* copysign: the sign of a, the magnitude of b (PTX ISA 9.7.3.5: operands in that order). */
LANES2(copysign_f32, uint32_t, uint32_t, (a & 0x80000000) | (b & 0x7FFFFFFF))
LANES2(copysign_f64, uint64_t, uint64_t,
       (a & UINT64_C(1) << 63) | (b & ~(UINT64_C(1) << 63)))

/* testp: op->kind names the class asked for. */
enum { TESTP_FINITE, TESTP_INFINITE, TESTP_NUMBER, TESTP_NOTANUMBER, TESTP_NORMAL, TESTP_SUBNORMAL };

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
