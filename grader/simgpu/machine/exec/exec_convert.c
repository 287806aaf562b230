/* exec_convert.c - cvt (PTX ISA 9.7.9.21): every type to every type.
 *
 * The conversions that are common in loops have handlers of their own. All others take one general
 * path: the source lane becomes a wide integer or a double, is rounded or saturated as the suffixes
 * say, and is then stored in the destination's type.
 */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"
#include "rounding.h"

LANES1(cvt_u64_u32, uint64_t, uint32_t, a)
LANES1(cvt_s64_s32, int64_t, int32_t, a)
LANES1(cvt_b32_b64, uint32_t, uint64_t, a)
LANES1(cvt_u32_u16, uint32_t, uint16_t, a)
LANES1(cvt_s32_s16, int32_t, int16_t, a)
LANES1(cvt_b16_b32, uint16_t, uint32_t, a)
LANES1(cvt_f32_s32, float, int32_t, (float)a)
LANES1(cvt_f32_u32, float, uint32_t, (float)a)
LANES1(cvt_f32_f16, float, uint16_t, float_of_f16(a))
LANES1(cvt_f32_bf16, float, uint16_t, float_of_bf16(a))
LANES1(cvt_f16_f32, uint16_t, float, f16_of_float(a))
LANES1(cvt_bf16_f32, uint16_t, float, bf16_of_float(a))
LANES1(cvt_f64_f32, double, float, a)
LANES1(cvt_f32_f64, float, double, (float)a)

/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half. .relu is op->kind. */
static inline float rectified(float value, bool relu)
{
    uint32_t bits = bits_of_float(value); /* by its bits: a maximum might turn -0 to 0 */
    bool below = bits > 0x80000000 && bits <= 0xFF800000;
    return relu && below ? 0 : value;
}

LANES2(cvt_f16x2_f32, uint32_t, float,
       (uint32_t)f16_of_float(rectified(a, op->kind)) << 16 | f16_of_float(rectified(b, op->kind)))
LANES2(cvt_bf16x2_f32, uint32_t, float,
       (uint32_t)bf16_of_float(rectified(a, op->kind)) << 16 |
           bf16_of_float(rectified(b, op->kind)))
LANES1(cvt_relu_f16_f32, uint16_t, float, f16_of_float(rectified(a, true)))
LANES1(cvt_relu_bf16_f32, uint16_t, float, bf16_of_float(rectified(a, true)))

/* Rounds toward zero: to the nearest value, or to its neighbour of smaller magnitude. The neighbour
 * of infinity is the largest number. */
static inline uint16_t toward_zero(uint16_t nearest, float nearest_value, float value)
{
    bool away = fabsf(nearest_value) > fabsf(value);
    return away ? nearest - 1 : nearest;
}

static inline uint16_t f16_toward_zero(float value)
{
    uint16_t nearest = f16_of_float(value);
    return toward_zero(nearest, float_of_f16(nearest), value);
}

static inline uint16_t bf16_toward_zero(float value)
{
    uint16_t nearest = bf16_of_float(value);
    return toward_zero(nearest, float_of_bf16(nearest), value);
}

LANES2(cvt_rz_f16x2_f32, uint32_t, float,
       (uint32_t)f16_toward_zero(rectified(a, op->kind)) << 16 |
           f16_toward_zero(rectified(b, op->kind)))
LANES2(cvt_rz_bf16x2_f32, uint32_t, float,
       (uint32_t)bf16_toward_zero(rectified(a, op->kind)) << 16 |
           bf16_toward_zero(rectified(b, op->kind)))
LANES1(cvt_tf32_f32, uint32_t, float, ({
           uint32_t bits = bits_of_float(a);
           bool finite = (bits & 0x7FFFFFFF) < 0x7F800000;
           (finite ? bits + 0x1000 : bits) & 0xFFFFE000;
       }))
LANES1(cvt_rn_tf32_f32, uint32_t, float, ({
           uint32_t bits = bits_of_float(rectified(a, op->kind));
           bool finite = (bits & 0x7FFFFFFF) < 0x7F800000;
           (finite ? bits + 0xFFF + (bits >> 13 & 1) : bits) & 0xFFFFE000;
       }))
LANES1(cvt_rz_tf32_f32, uint32_t, float, bits_of_float(rectified(a, op->kind)) & 0xFFFFE000)
LANES2(cvt_e4m3x2_f32, uint16_t, float, e4m3_of_float(a) << 8 | e4m3_of_float(b))
LANES2(cvt_e5m2x2_f32, uint16_t, float, e5m2_of_float(a) << 8 | e5m2_of_float(b))
LANES1(cvt_e4m3x2_f16x2, uint16_t, uint32_t,
       e4m3_of_float(float_of_f16((uint16_t)(a >> 16))) << 8 |
           e4m3_of_float(float_of_f16((uint16_t)a)))
LANES1(cvt_e5m2x2_f16x2, uint16_t, uint32_t,
       e5m2_of_float(float_of_f16((uint16_t)(a >> 16))) << 8 |
           e5m2_of_float(float_of_f16((uint16_t)a)))
LANES1(cvt_f16x2_e4m3x2, uint32_t, uint16_t,
       (uint32_t)f16_of_float(float_of_e4m3((uint8_t)(a >> 8))) << 16 |
           f16_of_float(float_of_e4m3((uint8_t)a)))
LANES1(cvt_f16x2_e5m2x2, uint32_t, uint16_t,
       (uint32_t)f16_of_float(float_of_e5m2((uint8_t)(a >> 8))) << 16 |
           f16_of_float(float_of_e5m2((uint8_t)a)))

/* --- The general path ------------------------------------------------------------------------- */

struct wide { /* one lane's value, exactly */
    bool is_float;
    __int128 integer;
    double real;
};

/* Raw bits of a lane of a register bytes wide. */
static uint64_t raw_bits(const unsigned char *source, int lane, unsigned bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, source + (size_t)lane * bytes, bytes);
    return bits;
}

static struct wide wide_of(uint64_t bits, enum ptx_type type)
{
    unsigned width = ptx_type_bits(type);
    uint64_t kept = width < 64 ? bits & ((UINT64_C(1) << width) - 1) : bits;
    switch (type) {
    case PTX_f64: return (struct wide){.is_float = true, .real = double_of_bits(bits)};
    case PTX_f32: return (struct wide){.is_float = true, .real = float_of_bits((uint32_t)bits)};
    case PTX_f16: return (struct wide){.is_float = true, .real = float_of_f16((uint16_t)bits)};
    case PTX_bf16: return (struct wide){.is_float = true, .real = float_of_bf16((uint16_t)bits)};
    default: break;
    }
    if (ptx_type_class(type) == 'S' && width < 64 && kept >> (width - 1))
        return (struct wide){.integer = (int64_t)(kept | ~UINT64_C(0) << width)};
    return (struct wide){.integer = ptx_type_class(type) == 'S' ? (__int128)(int64_t)kept
                                                                : (__int128)kept};
}

static double rounded_to_integer(double value, enum rounding rounding)
{
    switch (rounding) {
    case ROUND_ZERO: return trunc(value);
    case ROUND_DOWN: return floor(value);
    case ROUND_UP: return ceil(value);
    default: return nearbyint(value);
    }
}

/* Integers saturate when they come from a float, and otherwise only if .sat asks for it. NaN
 * becomes 0, or only the top bit where one of the two types has 64 bits. */
static uint64_t integer_result(struct wide value, enum ptx_type type, const struct op *op)
{
    unsigned width = ptx_type_bits(type);
    bool is_signed = ptx_type_class(type) == 'S';
    __int128 low = is_signed ? -((__int128)1 << (width - 1)) : 0;
    __int128 above = (__int128)1 << (is_signed ? width - 1 : width), high = above - 1;
    __int128 result = value.integer;
    if (value.is_float) { /* low and above are powers of two: exact as doubles, as high is not */
        double whole = rounded_to_integer(value.real, op->rounding);
        if (whole != whole)
            return width == 64 || op->target == PTX_f64 ? UINT64_C(1) << (width - 1) : 0;
        result = whole <= (double)low ? low : whole >= (double)above ? high : (__int128)whole;
    } else if (op->sat) {
        result = result < low ? low : result > high ? high : result;
    }
    return (uint64_t)result;
}

/* A 64-bit integer as a double that rounds to the same short float: the bits that a double has no
 * room for become one sticky bit, set if any of them was. */
static double sticky_double(__int128 integer)
{
    if (integer >> 53 == 0 || integer >> 53 == -1)
        return (double)integer;
    return (double)((integer & ~(__int128)0xFFF) | (integer & 0xFFF ? 0x800 : 0));
}

/* Rounding twice in one direction is rounding once in it: to a float, which the processor does
 * (see cvt_any), and to its upper half. */
static uint16_t bf16_rounded(double value, enum rounding rounding)
{
    if (rounding == ROUND_NEAREST || value != value)
        return bf16_of_double(value);
    uint32_t bits = bits_of_float(f32_of_f64(value, rounding));
    bool away = rounding == (bits >> 31 ? ROUND_DOWN : ROUND_UP);
    return (uint16_t)((bits >> 16) + (away && bits & 0xFFFF));
}

/* One rounding only: an integer or double goes straight to float or half. Rounding to integral
 * (.rni and the like between floats, op->kind) happens first. */
static uint64_t float_result(struct wide value, enum ptx_type type, const struct op *op)
{
    double real = value.real;
    if (value.is_float && op->kind)
        real = rounded_to_integer(real, op->rounding);
    if (type == PTX_f64)
        return bits_of_double(saturated_double(
            value.is_float ? real : f64_of_integer(value.integer, op->rounding), op->sat));
    if (type == PTX_f32) {
        float narrow = value.is_float ? f32_of_f64(real, op->rounding)
                                      : f32_of_integer(value.integer, op->rounding);
        narrow = op->kind ? one_nan(narrow) : narrow;
        return bits_of_float(saturated(flushed(narrow, op->ftz), op->sat));
    }
    double exact = value.is_float ? real : sticky_double(value.integer);
    exact = saturated_double(exact, op->sat);
    return type == PTX_f16 ? f16_of_f64(exact, op->rounding) : bf16_rounded(exact, op->rounding);
}

static uint64_t converted(uint64_t bits, const struct op *op)
{
    enum ptx_type to = op->type, from = (enum ptx_type)op->target;
    struct wide value = wide_of(bits, from);
    if (op->ftz && from == PTX_f32 && to != PTX_f16) /* an H200 keeps it for a half */
        value.real = flushed((float)value.real, true);
    return ptx_type_class(to) == 'F' ? float_result(value, to, op) : integer_result(value, to, op);
}

/* A register may be wider than the type: an integer result is then sign- or zero-extended. */
static uint64_t extended(uint64_t bits, const struct op *op)
{
    unsigned width = ptx_type_bits((enum ptx_type)op->type);
    if (width >= 64)
        return bits;
    bits &= (UINT64_C(1) << width) - 1;
    bool negative = ptx_type_class(op->type) == 'S' && bits >> (width - 1) & 1;
    return negative ? bits | ~UINT64_C(0) << width : bits;
}

HANDLER(cvt_any)
{
    const unsigned char *source = reg(warp, op->src[0]);
    unsigned char *to = reg(warp, op->dst);
    ROUNDED(
        op->rounding, FOR_ACTIVE (lane, active) {
            uint64_t result = extended(converted(raw_bits(source, lane, op->src_bytes), op), op);
            memcpy(to + (size_t)lane * op->dst_bytes, &result, op->dst_bytes);
        });
}

/* szext: keep b bits of a and extend from there. */
static inline uint32_t extended_from(uint32_t value, uint32_t bits, bool is_signed, bool wrap)
{
    uint32_t width = wrap ? bits & 31 : bits;
    if (width >= 32)
        return value;
    if (width == 0)
        return 0;
    uint32_t kept = value & ((UINT32_C(1) << width) - 1);
    bool negative = is_signed && kept >> (width - 1);
    return negative ? kept | UINT32_MAX << width : kept;
}

/* cvt.pack d, a, b, c (PTX ISA 9.7.9.23): b clamped is the lowest part, then a, then what fits
 * of c. */
static inline uint32_t clamped(int32_t value, int32_t least, int32_t most)
{
    return (uint32_t)(value < least ? least : value > most ? most : value);
}

LANES2(cvt_pack_u16, uint32_t, int32_t, clamped(a, 0, UINT16_MAX) << 16 | clamped(b, 0, UINT16_MAX))
LANES2(cvt_pack_s16, uint32_t, int32_t,
       clamped(a, INT16_MIN, INT16_MAX) << 16 | (uint16_t)clamped(b, INT16_MIN, INT16_MAX))
LANES3(cvt_pack_u8, uint32_t, int32_t, uint32_t,
       c << 16 | clamped(a, 0, UINT8_MAX) << 8 | clamped(b, 0, UINT8_MAX))
LANES3(cvt_pack_s8, uint32_t, int32_t, uint32_t,
       c << 16 | (uint8_t)clamped(a, INT8_MIN, INT8_MAX) << 8 |
           (uint8_t)clamped(b, INT8_MIN, INT8_MAX))

LANES2(szext_u32, uint32_t, uint32_t, extended_from(a, b, false, op->kind))
LANES2(szext_s32, uint32_t, uint32_t, extended_from(a, b, true, op->kind))
