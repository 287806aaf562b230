/* rounding.h - arithmetic that rounds as an operation asks: .rn .rz .rm .rp (PTX ISA 9.7.3).
 *
 *     ROUNDED(op->rounding, WRITE_LANES(float, f32_sum(a[lane], b[lane], op->rounding)));
 *
 * Where the processor has modes for it, ROUNDED sets the mode, and the functions are its plain
 * instructions. Files that include this are compiled with -frounding-math, so that the compiler
 * moves no arithmetic across fesetround. WebAssembly knows only rounding to nearest: there the
 * functions round in software (soft_rounding.h), to the same bits.
 */
#ifndef SIM_ROUNDING_H
#define SIM_ROUNDING_H

#include "program.h"

#ifdef __wasm__
#include "soft_rounding.h"

#define ROUNDED(rounding, statement) statement
#else
#include "numbers.h"

#include <fenv.h>

/* Runs statement with the processor rounding so. */
#define ROUNDED(rounding, statement)                \
    do {                                            \
        if ((rounding) != ROUND_NEAREST)            \
            fesetround(mode_of_rounding(rounding)); \
        statement;                                  \
        if ((rounding) != ROUND_NEAREST)            \
            fesetround(FE_TONEAREST);               \
    } while (0)

static inline int mode_of_rounding(enum rounding rounding)
{
    static const int MODES[] = {[ROUND_NEAREST] = FE_TONEAREST,
                                [ROUND_ZERO] = FE_TOWARDZERO,
                                [ROUND_DOWN] = FE_DOWNWARD,
                                [ROUND_UP] = FE_UPWARD,
                                [ROUND_AWAY] = FE_TONEAREST};
    return MODES[rounding];
}

#define BY_PROCESSOR(name, T, sqrt, fma)                                      \
    static inline T name##_sum(T a, T b, enum rounding rounding)              \
    {                                                                         \
        (void)rounding;                                                       \
        return a + b;                                                         \
    }                                                                         \
    static inline T name##_difference(T a, T b, enum rounding rounding)       \
    {                                                                         \
        (void)rounding;                                                       \
        return a - b;                                                         \
    }                                                                         \
    static inline T name##_product(T a, T b, enum rounding rounding)          \
    {                                                                         \
        (void)rounding;                                                       \
        return a * b;                                                         \
    }                                                                         \
    static inline T name##_quotient(T a, T b, enum rounding rounding)         \
    {                                                                         \
        (void)rounding;                                                       \
        return a / b;                                                         \
    }                                                                         \
    static inline T name##_root(T a, enum rounding rounding)                  \
    {                                                                         \
        (void)rounding;                                                       \
        return sqrt(a);                                                       \
    }                                                                         \
    static inline T name##_fma(T a, T b, T c, enum rounding rounding)         \
    {                                                                         \
        (void)rounding;                                                       \
        return fma(a, b, c);                                                  \
    }                                                                         \
    static inline T name##_of_integer(__int128 value, enum rounding rounding) \
    {                                                                         \
        (void)rounding;                                                       \
        return (T)value;                                                      \
    }
BY_PROCESSOR(f32, float, __builtin_sqrtf, __builtin_fmaf)
BY_PROCESSOR(f64, double, __builtin_sqrt, __builtin_fma)
#undef BY_PROCESSOR

static inline float f32_of_f64(double value, enum rounding rounding)
{
    (void)rounding;
    return (float)value;
}

static inline uint16_t f16_of_f64(double value, enum rounding rounding)
{
    (void)rounding;
    return f16_of_double(value);
}
#endif

#endif
