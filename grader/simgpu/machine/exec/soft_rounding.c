/* soft_rounding.c - see soft_rounding.h. Only a build for WebAssembly calls this; it is compiled
 * everywhere, so that check_soft_rounding.c can hold it to a processor that has the modes. */
#include "soft_rounding.h"

#include "numbers.h"

typedef unsigned __int128 u128;

/* A value: bits times 2 to the exponent. The last bit may be a sticky one. */
struct exact {
    bool negative;
    int exponent;
    u128 bits;
};

struct format {
    int precision;      /* bits of a significand */
    int least_exponent; /* of its last bit */
    double largest;
};
static const struct format F16 = {11, -24, 65504}, F32 = {24, -149, FLT_MAX},
                           F64 = {53, -1074, DBL_MAX};

static int width_of(u128 bits)
{
    uint64_t high = (uint64_t)(bits >> 64), low = (uint64_t)bits;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* A number, no infinity; its bits are shifted to be so many, if it is not 0. */
static struct exact exact_of(double value, int width)
{
    uint64_t bits = bits_of_double(value), fraction = bits & ((UINT64_C(1) << 52) - 1);
    int power = (int)(bits >> 52 & 0x7FF);
    u128 all = power ? fraction | UINT64_C(1) << 52 : fraction;
    int up = all ? width - width_of(all) : 0;
    return (struct exact){bits >> 63, (power ? power : 1) - 1075 - up, all << up};
}

/* bits / 2^count, with a sticky last bit. */
static u128 shifted_down(u128 bits, int count)
{
    if (count == 0)
        return bits;
    if (count >= 128)
        return bits != 0;
    return bits >> count | ((bits & (((u128)1 << count) - 1)) != 0);
}

static bool rounds_up(u128 kept, u128 rest, int dropped, bool negative, enum rounding rounding)
{
    u128 half = dropped > 128 ? 0 : (u128)1 << (dropped - 1);
    switch (rounding) {
    case ROUND_ZERO: return false;
    case ROUND_DOWN: return negative && rest;
    case ROUND_UP: return !negative && rest;
    default: return half && (rest > half || (rest == half && kept & 1));
    }
}

/* What is too large becomes infinity, or the largest number when that lies in the direction. */
static double overflown(bool negative, const struct format *format, enum rounding rounding)
{
    bool stays = rounding == ROUND_ZERO || rounding == (negative ? ROUND_UP : ROUND_DOWN);
    double magnitude = stays ? format->largest : (double)INFINITY;
    return negative ? -magnitude : magnitude;
}

static double rounded(struct exact value, const struct format *format, enum rounding rounding)
{
    int drop = width_of(value.bits) - format->precision;
    if (drop < format->least_exponent - value.exponent)
        drop = format->least_exponent - value.exponent;
    u128 kept = value.bits;
    if (drop > 0) {
        kept = drop < 128 ? value.bits >> drop : 0;
        u128 rest = drop < 128 ? value.bits & (((u128)1 << drop) - 1) : value.bits;
        kept += rounds_up(kept, rest, drop, value.negative, rounding);
        value.exponent += drop;
    }
    double magnitude = ldexp((double)(uint64_t)kept, value.exponent);
    if (magnitude > format->largest)
        return overflown(value.negative, format, rounding);
    return value.negative ? -magnitude : magnitude;
}

/* --- Exact results ---------------------------------------------------------------------------- */

/* The sum of what is not 0 on both sides, its bits 125 wide: less than 20 of a product's 106 are
 * shifted out before it is too small to take a leading bit away. */
static struct exact sum_of(struct exact a, struct exact b)
{
    struct exact *large = &a, *small = &b;
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.bits < b.bits))
        large = &b, small = &a;
    u128 added = shifted_down(small->bits, large->exponent - small->exponent);
    struct exact sum = *large;
    sum.bits = a.negative == b.negative ? sum.bits + added : sum.bits - added;
    return sum;
}

static struct exact product_of(double a, double b)
{
    struct exact x = exact_of(a, 53), y = exact_of(b, 53);
    return (struct exact){x.negative != y.negative, x.exponent + y.exponent, x.bits * y.bits};
}

static bool is_finite(double value)
{
    return (bits_of_double(value) >> 52 & 0x7FF) != 0x7FF;
}

static double fma_in(double a, double b, double c, const struct format *format,
                     enum rounding rounding)
{
    enum { WIDE = 125 };
    struct exact product = product_of(a, b), addend = exact_of(c, WIDE);
    if (product.bits == 0 && addend.bits == 0)
        return product.negative == addend.negative ? c : rounding == ROUND_DOWN ? -0.0 : 0.0;
    if (product.bits == 0)
        return rounded(addend, format, rounding);
    int up = WIDE - width_of(product.bits);
    product.bits <<= up;
    product.exponent -= up;
    if (addend.bits == 0)
        return rounded(product, format, rounding);
    struct exact sum = sum_of(product, addend);
    return sum.bits ? rounded(sum, format, rounding) : rounding == ROUND_DOWN ? -0.0 : 0.0;
}

static double quotient_in(double a, double b, const struct format *format, enum rounding rounding)
{
    struct exact x = exact_of(a, 127), y = exact_of(b, 53);
    u128 quotient = x.bits / y.bits, rest = x.bits % y.bits;
    struct exact result = {x.negative != y.negative, x.exponent - y.exponent - 1,
                           quotient << 1 | (rest != 0)};
    return rounded(result, format, rounding);
}

/* Bit by bit, from the highest. */
static double root_in(double a, const struct format *format, enum rounding rounding)
{
    struct exact x = exact_of(a, 125);
    if (x.exponent & 1)
        x = exact_of(a, 126);
    u128 root = 0, rest = x.bits;
    for (int place = 63; place >= 0; place--) {
        u128 trial = (root << 1 | (u128)1 << place) << place;
        if (trial <= rest) {
            rest -= trial;
            root |= (u128)1 << place;
        }
    }
    struct exact result = {false, x.exponent / 2 - 1, root << 1 | (rest != 0)};
    return rounded(result, format, rounding);
}

static double integer_in(__int128 value, const struct format *format, enum rounding rounding)
{
    u128 magnitude = value < 0 ? -(u128)value : (u128)value;
    return rounded((struct exact){value < 0, 0, magnitude}, format, rounding);
}

/* --- The functions ---------------------------------------------------------------------------- */

/* To nearest, or without a number to round, plain is right. */
#define SOFT(name, T, format, sqrt, fma)                                 \
    T name##_sum(T a, T b, enum rounding rounding)                       \
    {                                                                    \
        if (rounding == ROUND_NEAREST || !is_finite(a) || !is_finite(b)) \
            return a + b;                                                \
        return (T)fma_in(a, 1, b, &format, rounding);                    \
    }                                                                    \
    T name##_difference(T a, T b, enum rounding rounding)                \
    {                                                                    \
        if (rounding == ROUND_NEAREST || !is_finite(a) || !is_finite(b)) \
            return a - b;                                                \
        return (T)fma_in(a, 1, -b, &format, rounding);                   \
    }                                                                    \
    T name##_product(T a, T b, enum rounding rounding)                   \
    {                                                                    \
        bool plain = !is_finite(a) || !is_finite(b) || a == 0 || b == 0; \
        if (rounding == ROUND_NEAREST || plain)                          \
            return a * b;                                                \
        return (T)rounded(product_of(a, b), &format, rounding);          \
    }                                                                    \
    T name##_quotient(T a, T b, enum rounding rounding)                  \
    {                                                                    \
        bool plain = !is_finite(a) || !is_finite(b) || a == 0 || b == 0; \
        if (rounding == ROUND_NEAREST || plain)                          \
            return a / b;                                                \
        return (T)quotient_in(a, b, &format, rounding);                  \
    }                                                                    \
    T name##_root(T a, enum rounding rounding)                           \
    {                                                                    \
        if (rounding == ROUND_NEAREST || !is_finite(a) || !(a > 0))      \
            return sqrt(a);                                              \
        return (T)root_in(a, &format, rounding);                         \
    }                                                                    \
    T name##_fma(T a, T b, T c, enum rounding rounding)                  \
    {                                                                    \
        bool plain = !is_finite(a) || !is_finite(b) || !is_finite(c);    \
        if (rounding == ROUND_NEAREST || plain)                          \
            return fma(a, b, c);                                         \
        return (T)fma_in(a, b, c, &format, rounding);                    \
    }                                                                    \
    T name##_of_integer(__int128 value, enum rounding rounding)          \
    {                                                                    \
        return (T)integer_in(value, &format, rounding);                  \
    }
SOFT(f32, float, F32, __builtin_sqrtf, __builtin_fmaf)
SOFT(f64, double, F64, __builtin_sqrt, __builtin_fma)

float f32_of_f64(double value, enum rounding rounding)
{
    if (rounding == ROUND_NEAREST || !is_finite(value) || value == 0)
        return (float)value;
    return (float)rounded(exact_of(value, 53), &F32, rounding);
}

uint16_t f16_of_f64(double value, enum rounding rounding)
{
    if (rounding == ROUND_NEAREST || !is_finite(value) || value == 0)
        return f16_of_double(value);
    return f16_of_double(rounded(exact_of(value, 53), &F16, rounding));
}
