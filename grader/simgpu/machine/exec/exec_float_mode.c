/* exec_float_mode.c - float and double arithmetic with suffixes: .rz .rm .rp .ftz .sat (PTX 9.7.3).
 *
 * Directed rounding is the processor's own. This file is compiled with -frounding-math, so that the
 * compiler moves no arithmetic across fesetround. That option also keeps the compiler from
 * vectorising a fused multiply-add, which is why exec_float.c is compiled without it.
 */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"

#include <fenv.h>

static const int C_ROUNDING[] = {[ROUND_NEAREST] = FE_TONEAREST,
                                 [ROUND_ZERO] = FE_TOWARDZERO,
                                 [ROUND_DOWN] = FE_DOWNWARD,
                                 [ROUND_UP] = FE_UPWARD};

/* Runs statement with the processor rounding as op asks. */
#define ROUNDED(statement)                        \
    do {                                          \
        if (op->rounding != ROUND_NEAREST)        \
            fesetround(C_ROUNDING[op->rounding]); \
        statement;                                \
        if (op->rounding != ROUND_NEAREST)        \
            fesetround(FE_TONEAREST);             \
    } while (0)

#define F32(x) flushed(x, op->ftz)
#define F32_RESULT(x) one_nan(saturated(flushed(x, op->ftz), op->sat))

/* clang-format off */
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
/* clang-format on */
