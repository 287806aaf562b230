/* exec_float_mode.c - float and double arithmetic with suffixes: .rz .rm .rp .ftz .sat (PTX 9.7.3).
 *
 * This file is compiled with -frounding-math (rounding.h), which keeps the compiler from
 * vectorising a fused multiply-add: so exec_float.c is compiled without it.
 */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"
#include "rounding.h"

#define F32(x) flushed(x, op->ftz)
#define F32_RESULT(x) one_nan(saturated(flushed(x, op->ftz), op->sat))

/* clang-format off */
#define FLOAT_MODE1(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        const enum rounding rounding = op->rounding;                                           \
        SOURCE(float, a_, 0);                                                                  \
        ROUNDED(rounding, WRITE_LANES(float, ({                                                \
            float a = F32(a_[lane]);                                                           \
            F32_RESULT(expression);                                                            \
        })));                                                                                  \
    }
#define FLOAT_MODE2(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        const enum rounding rounding = op->rounding;                                           \
        SOURCE(float, a_, 0);                                                                  \
        SOURCE(float, b_, 1);                                                                  \
        ROUNDED(rounding, WRITE_LANES(float, ({                                                \
            float a = F32(a_[lane]), b = F32(b_[lane]);                                        \
            F32_RESULT(expression);                                                            \
        })));                                                                                  \
    }
#define FLOAT_MODE3(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        const enum rounding rounding = op->rounding;                                           \
        SOURCE(float, a_, 0);                                                                  \
        SOURCE(float, b_, 1);                                                                  \
        SOURCE(float, c_, 2);                                                                  \
        ROUNDED(rounding, WRITE_LANES(float, ({                                                \
            float a = F32(a_[lane]), b = F32(b_[lane]), c = F32(c_[lane]);                     \
            F32_RESULT(expression);                                                            \
        })));                                                                                  \
    }
#define DOUBLE_MODE(name, expression)                                                          \
    HANDLER(name)                                                                              \
    {                                                                                          \
        const enum rounding rounding = op->rounding;                                           \
        SOURCE(double, a, 0);                                                                  \
        SOURCE(double, b, 1);                                                                  \
        SOURCE(double, c, 2);                                                                  \
        (void)b, (void)c;                                                                      \
        ROUNDED(rounding, WRITE_LANES(double, expression));                                    \
    }
FLOAT_MODE2(add_f32_mode, f32_sum(a, b, rounding))
FLOAT_MODE2(sub_f32_mode, f32_difference(a, b, rounding))
FLOAT_MODE2(mul_f32_mode, f32_product(a, b, rounding))
FLOAT_MODE3(fma_f32_mode, f32_fma(a, b, c, rounding))
FLOAT_MODE2(div_f32_mode, f32_quotient(a, b, rounding))
FLOAT_MODE1(rcp_f32_mode, f32_quotient(1, a, rounding))
FLOAT_MODE1(sqrt_f32_mode, f32_root(a, rounding))
DOUBLE_MODE(add_f64_mode, f64_sum(a[lane], b[lane], rounding))
DOUBLE_MODE(sub_f64_mode, f64_difference(a[lane], b[lane], rounding))
DOUBLE_MODE(mul_f64_mode, f64_product(a[lane], b[lane], rounding))
DOUBLE_MODE(fma_f64_mode, f64_fma(a[lane], b[lane], c[lane], rounding))
DOUBLE_MODE(div_f64_mode, f64_quotient(a[lane], b[lane], rounding))
DOUBLE_MODE(rcp_f64_mode, f64_quotient(1, a[lane], rounding))
DOUBLE_MODE(sqrt_f64_mode, f64_root(a[lane], rounding))
/* clang-format on */
