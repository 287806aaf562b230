/* approximate.h - what the .approx instructions give: the true value and an error.
 *
 * A real device reads these functions from tables and interpolates; PTX bounds the error and does
 * not say what it is. Ours is drawn from the operand and a seed: the same each time, of both signs,
 * up to the bound. A program that needs more than the bound promises is then wrong here, as it is
 * on a device, and with another seed it is wrong in other elements.
 *
 * Each amplitude below is the bound less half a unit in the last place, which rounding takes; or
 * less, where CUDA's own functions would otherwise leave the bounds that the CUDA C++ Programming
 * Guide states for them, as they do on no device (grader/tests/programs/mathematics.cu). Where PTX
 * promises no more, we keep what every device does and programs build on:
 *   - zeros, infinities and NaN are exact, and so are reciprocals, roots and logarithms of (even)
 *     powers of two, 2 to a whole power, and a quotient by a power of two;
 *   - a reciprocal, a root, a logarithm err by the fraction alone, 2^x by the fraction of x, so
 *     that scaling by powers of two stays exact; odd functions are odd, even ones even;
 *   - no sine, cosine or tanh is beyond 1, and no logarithm of a number below 1 is above 0;
 *   - sin near 0 and lg2 near 1, which PTX bounds absolutely, have the right sign or are 0. An
 *     H100, asked for all floats on 24 November 2026, errs by up to all of a sine below 2^-22 (it
 *     gives 0) and by up to 0.87 of a logarithm's size: their relative error grows towards 0.
 *
 * Sections are those of PTX ISA 9.0. Everything is pure and, except for libm's logarithm, without
 * branches, so that a loop over lanes stays in vector registers.
 */
#ifndef SIM_APPROXIMATE_H
#define SIM_APPROXIMATE_H

#include "numbers.h"

/* --- The error -------------------------------------------------------------------------------- */

/* From -1 to 1, by the operand's bits and the seed. */
static inline float draw(uint32_t bits, uint32_t seed)
{
    uint32_t hash = (bits ^ seed) * 0x9E3779B1u; /* multiply, fold and multiply: "murmur" */
    return (float)(int32_t)((hash ^ hash >> 15) * 0x85EBCA6Bu) * 0x1p-31f;
}

/* The same, but 0 where bits are: there the instruction is exact. */
static inline float draw_inexact(uint32_t bits, uint32_t seed)
{
    return bits ? draw(bits, seed) : 0;
}

/* The fraction of a value that was a float, or the upper word of a double: 0 of a power of two.
 * With the exponent's last bit: 0 of an even power. A double has no float's denormals. */
static inline uint32_t fraction_of(double value)
{
    return (uint32_t)(bits_of_double(value) >> 29) & 0x7FFFFF;
}

static inline uint32_t fraction_of_square(double value)
{
    uint32_t odd_power = ~(uint32_t)(bits_of_double(value) >> 29) & 0x800000;
    return fraction_of(value) | odd_power;
}

/* --- Reciprocals, roots, quotients ------------------------------------------------------------ */

/* rcp.approx.f32: at most 1 ulp from the rounded result (9.7.3.13). */
static inline float approximate_rcp(float a, uint32_t seed)
{
    const double amplitude = 0x1p-24;
    double wide = a;
    return (float)(1 / wide * (1 + amplitude * draw_inexact(fraction_of(wide), seed)));
}

/* sqrt.approx.f32: a relative 2^-23 (9.7.3.15). */
static inline float approximate_sqrt(float a, uint32_t seed)
{
    const double amplitude = 0x1p-24;
    double wide = a, error = amplitude * draw_inexact(fraction_of_square(wide), seed);
    return (float)(__builtin_sqrt(wide) * (1 + error));
}

/* rsqrt.approx.f32: a relative 2^-22.9 (9.7.3.16). */
static inline float approximate_rsqrt(float a, uint32_t seed)
{
    const double amplitude = 0x1.1p-23 - 0x1p-24; /* 2^-22.9 = 0x1.125p-23 */
    double wide = a, error = amplitude * draw_inexact(fraction_of_square(wide), seed);
    return (float)(1 / __builtin_sqrt(wide) * (1 + error));
}

/* div.approx.f32 and div.full.f32: at most 2 ulp from the rounded result (9.7.3.8). Devices
 * multiply by the reciprocal of b, so that the error is b's. erfcxf allows no more than this. */
static inline float approximate_quotient(float a, float b, uint32_t seed)
{
    const double amplitude = 0x1.8p-24;
    double divisor = b;
    return (float)(a / divisor * (1 + amplitude * draw_inexact(fraction_of(divisor), seed)));
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see and give the upper word alone: 20 bits of
 * fraction, which callers refine (9.7.3.14, 9.7.3.17; PTX states no bound). Cutting to them errs by
 * up to 2^-20. No denormals, and one NaN. */
static inline double upper_word(double value)
{
    double upper = double_of_bits(bits_of_double(value) & 0xFFFFFFFF00000000);
    double normal = fabs(upper) < DBL_MIN ? copysign(0, upper) : upper;
    return upper != upper ? double_of_bits(0x7FFFFFFF00000000) : normal;
}

static const double UPPER_WORD_AMPLITUDE = 0x1p-21;

static inline double approximate_rcp_double(double a, uint32_t seed)
{
    double upper = upper_word(a), error = draw_inexact(fraction_of(upper), seed);
    return upper_word(1 / upper * (1 + UPPER_WORD_AMPLITUDE * error));
}

static inline double approximate_rsqrt_double(double a, uint32_t seed)
{
    double upper = upper_word(a), error = draw_inexact(fraction_of_square(upper), seed);
    return upper_word(1 / __builtin_sqrt(upper) * (1 + UPPER_WORD_AMPLITUDE * error));
}

/* --- Exponential ------------------------------------------------------------------------------ */

/* 2^x with an error of that relative amplitude. A polynomial on [-0.5, 0.5] in double, the Taylor
 * terms to degree 8: its own error is below 2^-33. */
static inline double exp2_within(float x, double amplitude, uint32_t seed)
{
    const double least = 0x1p-24; /* a fraction that is smaller changes no float */
    double wide = x;
    double clamped = wide < -160 ? -160 : wide > 160 ? 160 : wide;
    double whole = __builtin_rint(clamped), fraction = clamped - whole;
    double t = fraction * 0.69314718055994530942;
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
    double error = fabs(fraction) < least ? 0 : draw(bits_of_float((float)fraction), seed);
    return x != x ? wide : p * scale * (1 + amplitude * error);
}

/* ex2.approx.f32: at most 2 ulp from the rounded result (9.7.3.21). coshf allows half of that. */
static inline float approximate_exp2(float x, uint32_t seed)
{
    return (float)exp2_within(x, 0x1.Cp-25, seed);
}

/* ex2.approx.f16: a relative 2^-9.9; .bf16: 2^-7, denormals flushed (9.7.4.10). */
static inline uint16_t approximate_exp2_f16(uint16_t a, uint32_t seed)
{
    const double amplitude = 0x1.1p-10 - 0x1p-11; /* 2^-9.9 = 0x1.125p-10 */
    return f16_of_double(exp2_within(float_of_f16(a), amplitude, seed));
}

static inline uint16_t approximate_exp2_bf16(uint16_t a, uint32_t seed)
{
    float x = flushed(float_of_bf16(a), true);
    return bf16_of_float(flushed((float)exp2_within(x, 0x1p-8, seed), true));
}

/* --- Logarithm, sine and cosine, tanh --------------------------------------------------------- */

/* lg2.approx.f32: an absolute 2^-22 for operands from 0.5 to 2, else a relative 2^-22 (9.7.3.20),
 * of which erfinvf allows no more than this. */
static inline float approximate_log2(float a, uint32_t seed)
{
    double exact = log2((double)a), size = fabs(exact);
    double near_one = 0x1.Cp-1 * size, bound = 0x1p-22 - 0x1p-25;
    double amplitude = size >= 1 ? 0x1p-25 * size : near_one < bound ? near_one : bound;
    double error = amplitude * draw_inexact(fraction_of(a), seed);
    return (float)(error == error ? exact + error : exact); /* not of infinities and 0 */
}

/* Sine and cosine of size >= 0, in double and in operations that are exact everywhere, so that
 * every build gives the same bits; libm's floats differ from one to another. Quarter turns are
 * taken off, and the rest, up to pi / 4, goes through the Taylor terms to degree 13: an error below
 * 2^-40. What is beyond 2^32 quarter turns is noise, by the bound below. */
static inline double wave(double size, double quarters_ahead)
{
    const double upper = 0x1.921fb544p+0, lower = 0x1.0b4611a626331p-34; /* pi / 2 = their sum */
    double quarters = __builtin_rint(size * 0x1.45f306dc9c883p-1);       /* 2 / pi */
    double rest = size - quarters * upper - quarters * lower;
    double t = rest < -1 ? -1 : rest > 1 ? 1 : rest, s = t * t;
    double turns = (quarters + quarters_ahead) * 0.25, turn = turns - __builtin_floor(turns);
    double sine = 1.0 / 6227020800;
    sine = sine * s - 1.0 / 39916800;
    sine = sine * s + 1.0 / 362880;
    sine = sine * s - 1.0 / 5040;
    sine = sine * s + 1.0 / 120;
    sine = sine * s - 1.0 / 6;
    sine = sine * s * t + t;
    double cosine = 1.0 / 479001600;
    cosine = cosine * s - 1.0 / 3628800;
    cosine = cosine * s + 1.0 / 40320;
    cosine = cosine * s - 1.0 / 720;
    cosine = cosine * s + 1.0 / 24;
    cosine = cosine * s - 0.5;
    cosine = cosine * s + 1;
    double value = turn == 0.25 || turn == 0.75 ? cosine : sine;
    return turn >= 0.5 ? -value : value;
}

/* sin.approx.f32 and cos.approx.f32: an absolute 2^-20.5 for |a| up to 2 pi, 2^-14.7 up to 100 pi
 * (9.7.3.18, 9.7.3.19): 100 pi * 2^-23, since a is turned into revolutions as a float. */
static inline float error_of_angle(float size, uint32_t seed)
{
    const float two_pi = 6.2831855f, table = 0x1.6p-21f - 0x1p-24f; /* 2^-20.5 = 0x1.6Ap-21 */
    float amplitude = size > two_pi ? size * 0x1p-23f - 0x1p-24f : size < table ? size : table;
    return amplitude * draw(bits_of_float(size), seed);
}

static inline float at_most_one(float value)
{
    return value > 1 ? 1 : value < -1 ? -1 : value;
}

static inline float approximate_sin(float a, uint32_t seed)
{
    float size = fabsf(a);
    return copysignf(1, a) * at_most_one((float)wave(size, 0) + error_of_angle(size, seed));
}

static inline float approximate_cos(float a, uint32_t seed)
{
    float size = fabsf(a);
    return at_most_one((float)wave(size, 1) + error_of_angle(size, seed));
}

/* tanh of size >= 0, of which holds what is said of wave: a continued fraction where the other
 * formula would cancel. Its error is below a float's last bit. */
static inline float tanh_of(float size)
{
    double x = size, s = x * x, near = x / (1 + s / (3 + s / (5 + s / (7 + s / (9 + s / 11)))));
    double power = exp2_within((float)(x * 0x1.71547652b82fep+1), 0, 0); /* e^2x; 2 / log 2 */
    return (float)(x < 0.5 ? near : 1 - 2 / (power + 1));
}

/* tanh.approx.f32: a relative 2^-11 (9.7.3.22). */
static inline float approximate_tanh(float a, uint32_t seed)
{
    const float amplitude = 0x1p-11f - 0x1p-22f;
    float size = fabsf(a), exact = tanh_of(size);
    float error = exact < 1 ? amplitude * draw(bits_of_float(size), seed) : 0;
    return copysignf(at_most_one(exact * (1 + error)), a);
}

/* tanh.approx.f16: an absolute 2^-10.987; .bf16: 2^-8 (9.7.4.9). An amplitude is for results that
 * are rounded by half of it. */
static inline float tanh_within(float a, float amplitude, uint32_t seed)
{
    float size = fabsf(a), exact = tanh_of(size);
    float error = amplitude * (exact < 0.5f ? 2 * exact : 1) * draw(bits_of_float(size), seed);
    return copysignf(at_most_one(exact < 1 ? exact + error : exact), a);
}

static inline uint16_t approximate_tanh_f16(uint16_t a, uint32_t seed)
{
    return f16_of_float(tanh_within(float_of_f16(a), 0x1.02p-11f - 0x1p-12f, seed));
}

static inline uint16_t approximate_tanh_bf16(uint16_t a, uint32_t seed)
{
    return bf16_of_float(tanh_within(float_of_bf16(a), 0x1p-8f - 0x1p-9f, seed));
}

#endif
