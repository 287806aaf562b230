/* soft_half.h - IEEE halves in software, for a target whose compiler has no such type. The
 * functions are those of numbers.h, which includes this. */
#ifndef SIM_SOFT_HALF_H
#define SIM_SOFT_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A NaN keeps its bits and becomes a quiet one, as by x86's instruction. */
static inline float float_of_f16(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31, power = bits >> 10 & 31, fraction = bits & 0x3FF;
    float value, small = (float)fraction * 0x1p-24f;
    uint32_t wide = sign | (power + 112) << 23 | fraction << 13;
    if (power == 31)
        wide = sign | 0x7F800000 | (fraction ? 0x400000 : 0) | fraction << 13;
    memcpy(&value, &wide, sizeof value);
    return power ? value : sign ? -small : small;
}

/* To nearest even: a whole number of the last place's units, which are 2^-24 below 2^-14. */
static inline uint16_t f16_of_double(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (value != value)
        return 0x7FFF; /* PTX's canonical NaN */
    if (magnitude >= 65520)
        return sign | 0x7C00;
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    int power = (int)(bits >> 52) - 1023, above = power < -14 ? 0 : power + 14;
    uint64_t scale = (uint64_t)(1023 + 24 - above) << 52;
    double units;
    memcpy(&units, &scale, sizeof units);
    return (uint16_t)(sign + (above << 10) + (int)__builtin_rint(magnitude * units));
}

static inline uint16_t f16_of_float(float value)
{
    return f16_of_double(value);
}

#endif
