/* numbers.h - number formats: halves, bfloats, tf32, and what PTX does at the edges of floats.
 *
 * Everything here is pure and branch-free where a lane loop calls it, so that the compiler can
 * keep the loop in vector registers.
 */
#ifndef SIM_NUMBERS_H
#define SIM_NUMBERS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __F16C__
#include <immintrin.h>
#endif

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#ifdef __wasm__
#include "soft_half.h"
#else
/* IEEE half, by the compiler's own type: exact one way, round to nearest even the other. Where x86
 * has an instruction it is named, since GCC makes a half that becomes a float and then a double one
 * step, for which there is none: a call into its library. */
static inline float float_of_f16(uint16_t bits)
{
#ifdef __F16C__
    return _cvtsh_ss(bits);
#else
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return (float)half;
#endif
}

static inline uint16_t f16_of_float(float value)
{
    _Float16 half = (_Float16)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return value != value ? 0x7FFF : bits; /* PTX's canonical NaN */
}

/* A float cannot hold a double's value exactly: round once, to a half. */
static inline uint16_t f16_of_double(double value)
{
    _Float16 half = (_Float16)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return value != value ? 0x7FFF : bits;
}
#endif

/* Many at once; f16_of_floats rounds to nearest even and leaves NaN's bits to its caller. */
static inline void floats_of_f16(float *to, const uint16_t *from, int count)
{
    int i = 0;
#ifdef __AVX512F__
    for (; i + 16 <= count; i += 16)
        _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(from + i))));
#endif
    for (; i < count; i++)
        to[i] = float_of_f16(from[i]);
}

static inline void f16_of_floats(uint16_t *to, const float *from, int count)
{
    int i = 0;
#ifdef __AVX512F__
    for (; i + 16 <= count; i += 16)
        _mm256_storeu_si256((void *)(to + i),
                            _mm512_cvtps_ph(_mm512_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
#endif
    for (; i < count; i++)
        to[i] = f16_of_float(from[i]);
}

/* bfloat16: the upper half of a float. */
static inline float float_of_bf16(uint16_t bits)
{
    return float_of_bits((uint32_t)bits << 16);
}

static inline uint16_t bf16_of_float(float value)
{
    uint32_t bits = bits_of_float(value);
    uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    return value != value ? 0x7FFF : (uint16_t)rounded;
}

/* tf32: a float with 10 bits of fraction. Tensor cores ignore the bits below. */
static inline float tf32_truncated(float value)
{
    return float_of_bits(bits_of_float(value) & 0xFFFFE000);
}

/* Of float arithmetic every NaN is this one, whatever bits its operands have: an H200 gives it for
 * add, sub, mul, fma, div, rcp, sqrt, min, max, abs, neg, cvt.rni and the approximate functions. It
 * keeps the bits of a double's. */
static inline float one_nan(float value)
{
    return value != value ? float_of_bits(0x7FFFFFFF) : value;
}

/* Denormals become zeros of the same sign when flush is set (the .ftz suffix). */
static inline float flushed(float value, bool flush)
{
    return flush && fabsf(value) < FLT_MIN ? copysignf(0, value) : value;
}

/* The same for a half that is held in a float. */
static inline float flushed_f16(float value, bool flush)
{
    return flush && fabsf(value) < 0x1p-14f ? copysignf(0, value) : value;
}

/* .sat: to [0, 1], NaN to 0. */
static inline float saturated(float value, bool sat)
{
    float low = value > 0 ? value : 0;
    return sat ? (low < 1 ? low : 1) : value;
}

static inline double saturated_double(double value, bool sat)
{
    double low = value > 0 ? value : 0;
    return sat ? (low < 1 ? low : 1) : value;
}

/* min and max return the operand that is a number, and order -0 below +0 (PTX ISA 9.7.3.11). */
static inline float lesser(float a, float b)
{
    float less = a < b ? a : b;
    less = a == b ? (signbit(a) ? a : b) : less;
    return one_nan(a != a ? b : b != b ? a : less);
}

static inline float greater(float a, float b)
{
    float more = a > b ? a : b;
    more = a == b ? (signbit(a) ? b : a) : more;
    return one_nan(a != a ? b : b != b ? a : more);
}

static inline double lesser_double(double a, double b)
{
    double less = a < b ? a : b;
    less = a == b ? (signbit(a) ? a : b) : less;
    return a != a ? b : b != b ? a : less;
}

static inline double greater_double(double a, double b)
{
    double more = a > b ? a : b;
    more = a == b ? (signbit(a) ? b : a) : more;
    return a != a ? b : b != b ? a : more;
}

/* The .NaN forms: NaN as soon as one operand is. */
static inline float with_nan(float a, float b, float otherwise)
{
    return a != a || b != b ? float_of_bits(0x7FFFFFFF) : otherwise;
}

/* a * b + c in double, rounded to odd where double cannot hold it, so that rounding the result
 * again to a short format rounds only once (Boldo and Melquiond, "Emulation of a FMA and
 * correctly rounded sums", 2008). */
static inline double fma_to_odd(double a, double b, double c)
{
    double product = a * b; /* exact for operands of up to 26 bits */
    double sum = product + c;
    double tail = sum - product;
    double error = (product - (sum - tail)) + (c - tail);
    uint64_t bits = bits_of_double(sum);
    bool inexact = error != 0 && isfinite(sum) && (bits & 1) == 0;
    bool away = (error > 0) == (sum > 0);
    return inexact ? double_of_bits(away ? bits + 1 : bits - 1) : sum;
}

/* The same in float, for halves: their product has at most 22 bits, and is no denormal. */
static inline float fma_to_odd_float(float a, float b, float c)
{
    float product = a * b;
    float sum = product + c;
    float tail = sum - product;
    float error = (product - (sum - tail)) + (c - tail);
    uint32_t bits = bits_of_float(sum), is_finite = (bits & 0x7F800000) != 0x7F800000;
    uint32_t inexact = (error != 0) & is_finite & ~bits; /* its last bit */
    uint32_t away = (error > 0) == (sum > 0) ? 1 : -1u;
    return float_of_bits(bits + (-(inexact & 1) & away));
}

/* Through a float rounded to odd, for the same reason as fma_to_odd. */
static inline uint16_t bf16_of_double(double value)
{
    float near = (float)value;
    uint32_t bits = bits_of_float(near);
    bool inexact = (double)near != value && isfinite(near) && (bits & 1) == 0;
    bool away = fabs(value) > fabs((double)near);
    return bf16_of_float(inexact ? float_of_bits(away ? bits + 1 : bits - 1) : near);
}

/* 8-bit floats (OFP8): e4m3 has no infinity, e5m2 is a short half. */
float float_of_e4m3(uint8_t bits);
float float_of_e5m2(uint8_t bits);
uint8_t e4m3_of_float(float value); /* saturating, as cvt.satfinite */
uint8_t e5m2_of_float(float value);

#endif
