/* ptx_values.c - numbers of the .test files: text to bits, bits to text, and when two agree.
 *
 * It shares no code with the machine it tests. A short float is decoded by its definition and
 * encoded by dividing by its last place and rounding, which double does exactly for all of them.
 */
#include "ptx_cases.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Float formats ---------------------------------------------------------------------------- */

struct format {
    int exponent_bits, fraction_bits;
};

static struct format format_of(enum ptx_type type)
{
    switch (type) {
    case PTX_f64: return (struct format){11, 52};
    case PTX_f16: return (struct format){5, 10};
    case PTX_bf16: return (struct format){8, 7};
    case PTX_e4m3: return (struct format){4, 3};
    case PTX_e5m2: return (struct format){5, 2};
    default: return (struct format){8, 23};
    }
}

static int width_of(struct format format)
{
    return 1 + format.exponent_bits + format.fraction_bits;
}

static int lowest_exponent(struct format format)
{
    return 2 - (1 << (format.exponent_bits - 1));
}

/* e4m3 has no infinities, and one NaN of each sign (OFP8); all others follow IEEE 754. */
static double decoded(uint64_t bits, enum ptx_type type)
{
    struct format format = format_of(type);
    uint64_t fraction = bits & ((UINT64_C(1) << format.fraction_bits) - 1);
    uint64_t exponent = bits >> format.fraction_bits & ((UINT64_C(1) << format.exponent_bits) - 1);
    uint64_t top = (UINT64_C(1) << format.exponent_bits) - 1;
    double sign = bits >> (width_of(format) - 1) & 1 ? -1.0 : 1.0;
    if (type == PTX_e4m3 ? (bits & 0x7F) == 0x7F : exponent == top && fraction)
        return copysign(NAN, sign);
    if (type != PTX_e4m3 && exponent == top)
        return sign * INFINITY;
    if (exponent)
        fraction |= UINT64_C(1) << format.fraction_bits;
    int power = lowest_exponent(format) + (exponent ? (int)exponent - 1 : 0);
    return sign * ldexp((double)fraction, power - format.fraction_bits);
}

static uint64_t encoded(double value, enum ptx_type type)
{
    struct format format = format_of(type);
    uint64_t sign = signbit(value) ? UINT64_C(1) << (width_of(format) - 1) : 0;
    uint64_t top = ((UINT64_C(1) << format.exponent_bits) - 1) << format.fraction_bits;
    uint64_t nan = type == PTX_e4m3 ? 0x7F : top | UINT64_C(1) << (format.fraction_bits - 1);
    uint64_t infinity = type == PTX_e4m3 ? nan : top;
    if (isnan(value))
        return sign | nan;
    if (isinf(value))
        return sign | infinity;
    if (value == 0)
        return sign;
    int lowest = lowest_exponent(format), exponent = ilogb(value);
    exponent = exponent < lowest ? lowest : exponent;
    double places = nearbyint(ldexp(fabs(value), format.fraction_bits - exponent));
    uint64_t bits = ((uint64_t)(exponent - lowest) << format.fraction_bits) + (uint64_t)places;
    return sign | (bits > infinity ? infinity : bits);
}

/* --- Parts ------------------------------------------------------------------------------------ */

/* What the two parts of a packed type are; the type itself when it is not packed. */
static enum ptx_type part_of(enum ptx_type type)
{
    switch (type) {
    case PTX_f16x2: return PTX_f16;
    case PTX_bf16x2: return PTX_bf16;
    case PTX_u16x2: return PTX_u16;
    case PTX_s16x2: return PTX_s16;
    case PTX_e4m3x2: return PTX_e4m3;
    case PTX_e5m2x2: return PTX_e5m2;
    default: return type;
    }
}

static uint64_t part_bits(uint64_t bits, enum ptx_type type, int part)
{
    unsigned width = ptx_type_bits(part_of(type));
    bits >>= (unsigned)part * width;
    return width < 64 ? bits & ((UINT64_C(1) << width) - 1) : bits;
}

unsigned value_register_bits(enum ptx_type type)
{
    unsigned bits = ptx_type_bits(type);
    return bits == 1 ? 1 : bits < 16 ? 16 : bits;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static bool is_float(enum ptx_type type)
{
    return ptx_type_class(type) == 'F';
}

/* 0x1F, 0f3F800000, 0d...: the bits themselves, whatever the type. */
static bool read_bits(const char *text, unsigned width, uint64_t *bits)
{
    char *end;
    if (text[0] != '0' || !strchr("xXfFdD", text[1]) || text[1] == 0 || strpbrk(text, "pP"))
        return false;
    *bits = strtoull(text + 2, &end, 16);
    return end != text + 2 && *end == 0 && (width == 64 || *bits >> width == 0);
}

static bool read_float(const char *text, enum ptx_type type, struct case_value *value)
{
    char *end;
    double number = type == PTX_f32 ? (double)strtof(text, &end) : strtod(text, &end);
    if (end == text || *end)
        return false;
    value->bits = encoded(number, type);
    value->nan_parts = isnan(number) ? 1 : 0;
    return true;
}

static bool read_integer(const char *text, unsigned width, uint64_t *bits)
{
    char *end;
    errno = 0;
    bool negative = text[0] == '-';
    *bits = negative ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
    if (end == text || *end || errno)
        return false;
    uint64_t most = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    if (negative ? -*bits > most / 2 + 1 : *bits > most)
        return false;
    *bits &= most;
    return true;
}

static bool read_part(const char *text, enum ptx_type type, struct case_value *value)
{
    unsigned width = ptx_type_bits(type);
    value->nan_parts = 0;
    if (read_bits(text, width, &value->bits))
        return true;
    return is_float(type) ? read_float(text, type, value) : read_integer(text, width, &value->bits);
}

/* "1.5,-2": the low part first. */
static bool read_pair(const char *text, enum ptx_type type, struct case_value *value)
{
    char parts[2][64];
    struct case_value low, high;
    if (sscanf(text, "%63[^,],%63s", parts[0], parts[1]) != 2 ||
        !read_part(parts[0], part_of(type), &low) || !read_part(parts[1], part_of(type), &high))
        return false;
    value->bits = low.bits | high.bits << ptx_type_bits(part_of(type));
    value->nan_parts = low.nan_parts | (uint8_t)(high.nan_parts << 1);
    return true;
}

bool value_read(const char *text, enum ptx_type type, struct case_value *value)
{
    *value = (struct case_value){0};
    if (strcmp(text, "-") == 0) {
        value->absent = true;
        return true;
    }
    bool open = text[0] == '?';
    text += open;
    bool ok = part_of(type) != type && strchr(text, ',') ? read_pair(text, type, value)
                                                         : read_part(text, type, value);
    value->open = open;
    return ok;
}

/* --- Comparing -------------------------------------------------------------------------------- */

/* The distance between neighbouring numbers around value. */
static double last_place(double value, enum ptx_type type)
{
    struct format format = format_of(type);
    int exponent = value == 0 ? lowest_exponent(format) : ilogb(value);
    if (exponent < lowest_exponent(format))
        exponent = lowest_exponent(format);
    return ldexp(1, exponent - format.fraction_bits);
}

static bool is_near(double expected, double got, enum ptx_type type,
                    const struct case_tolerance *tolerance)
{
    double distance = fabs(got - expected);
    if (!isfinite(expected) || !isfinite(got))
        return false;
    switch (tolerance->measure) {
    case MEASURE_ULP: return distance <= tolerance->amount * last_place(expected, type);
    case MEASURE_RELATIVE: return distance <= tolerance->amount * fabs(expected);
    case MEASURE_ABSOLUTE: return distance <= tolerance->amount;
    default: return false;
    }
}

static bool part_agrees(uint64_t expected, bool any_nan, uint64_t got, enum ptx_type type,
                        const struct case_tolerance *tolerance)
{
    if (any_nan)
        return isnan(decoded(got, type));
    if (expected == got)
        return true;
    return is_float(type) && is_near(decoded(expected, type), decoded(got, type), type, tolerance);
}

bool value_agrees(const struct case_value *expected, uint64_t got, enum ptx_type type,
                  const struct case_tolerance *tolerance)
{
    enum ptx_type part = part_of(type);
    for (int i = 0; i < (part == type ? 1 : 2); i++)
        if (!part_agrees(part_bits(expected->bits, type, i), expected->nan_parts >> i & 1,
                         part_bits(got, type, i), part, tolerance))
            return false;
    return part != type || ptx_type_bits(type) == 64 || got >> value_register_bits(type) == 0;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void write_part(uint64_t bits, enum ptx_type type, char *text, size_t size)
{
    unsigned width = ptx_type_bits(type);
    int64_t number = (int64_t)(bits << (64 - width)) >> (64 - width);
    switch (ptx_type_class(type)) {
    case 'F':
        snprintf(text, size, "%.*g (0x%0*" PRIx64 ")", type == PTX_f64 ? 17 : 9,
                 decoded(bits, type), (int)width / 4, bits);
        break;
    case 'S': snprintf(text, size, "%" PRId64, number); break;
    case 'P': snprintf(text, size, "%" PRIu64, bits); break;
    default: snprintf(text, size, "%" PRIu64 " (0x%" PRIx64 ")", bits, bits); break;
    }
}

void value_write(uint64_t bits, enum ptx_type type, char *text, size_t size)
{
    char low[64], high[64];
    if (part_of(type) == type) {
        write_part(bits, type, text, size);
        return;
    }
    write_part(part_bits(bits, type, 0), part_of(type), low, sizeof low);
    write_part(part_bits(bits, type, 1), part_of(type), high, sizeof high);
    snprintf(text, size, "%s, %s", low, high);
}
