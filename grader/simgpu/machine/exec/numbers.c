#include "numbers.h"

float float_of_e5m2(uint8_t bits)
{
    return float_of_f16((uint16_t)(bits << 8));
}

/* 4 exponent bits with bias 7, 3 fraction bits; S.1111.111 is NaN. */
float float_of_e4m3(uint8_t bits)
{
    int exponent = bits >> 3 & 15, fraction = bits & 7;
    float magnitude =
        exponent ? ldexpf((float)(8 + fraction), exponent - 10) : ldexpf((float)fraction, -9);
    if ((bits & 0x7F) == 0x7F)
        magnitude = NAN;
    return bits >> 7 ? -magnitude : magnitude;
}

/* The nearest of the 8-bit values, ties to even: the tables are tiny, so search them. */
static uint8_t nearest(float value, float (*decode)(uint8_t), uint8_t largest)
{
    uint8_t sign = signbit(value) ? 0x80 : 0;
    float magnitude = fabsf(value);
    if (value != value)
        return sign | 0x7F;
    if (magnitude >= decode(largest))
        return sign | largest;
    uint8_t low = 0, high = largest;
    while (high - low > 1) {
        uint8_t middle = (uint8_t)((low + high) / 2);
        if (decode(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    float below = magnitude - decode(low), above = decode(high) - magnitude;
    bool up = above < below || (above == below && (low & 1));
    return sign | (up ? high : low);
}

uint8_t e4m3_of_float(float value)
{
    return nearest(value, float_of_e4m3, 0x7E);
}

uint8_t e5m2_of_float(float value)
{
    return nearest(value, float_of_e5m2, 0x7B);
}
