/* exec_integer.c - integer arithmetic (PTX ISA 9.7.1). Unsigned C arithmetic wraps as PTX's
 * does, so add, sub and mul.lo need no signed twins. */
#include "lanes.h"
#include "opcode.h"

typedef __int128 s128;
typedef unsigned __int128 u128;

LANES2(add_16, uint16_t, uint16_t, a + b)
LANES2(add_32, uint32_t, uint32_t, a + b)
LANES2(add_64, uint64_t, uint64_t, a + b)
LANES2(sub_16, uint16_t, uint16_t, a - b)
LANES2(sub_32, uint32_t, uint32_t, a - b)
LANES2(sub_64, uint64_t, uint64_t, a - b)

static inline int32_t saturate_s32(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

LANES2(add_sat_s32, int32_t, int32_t, saturate_s32((int64_t)a + b))
LANES2(sub_sat_s32, int32_t, int32_t, saturate_s32((int64_t)a - b))

/* Two 16-bit values in one register. */
#define PAIRWISE(expression)                                               \
    ({                                                                     \
        uint32_t packed_ = 0;                                              \
        for (int half = 0; half < 32; half += 16) {                        \
            uint16_t x = (uint16_t)(a >> half), y = (uint16_t)(b >> half); \
            packed_ |= (uint32_t)(uint16_t)(expression) << half;           \
        }                                                                  \
        packed_;                                                           \
    })
LANES2(add_16x2, uint32_t, uint32_t, PAIRWISE(x + y))
LANES2(min_u16x2, uint32_t, uint32_t, PAIRWISE(x < y ? x : y))
LANES2(max_u16x2, uint32_t, uint32_t, PAIRWISE(x > y ? x : y))
LANES2(min_s16x2, uint32_t, uint32_t, PAIRWISE((int16_t)x < (int16_t)y ? x : y))
LANES2(max_s16x2, uint32_t, uint32_t, PAIRWISE((int16_t)x > (int16_t)y ? x : y))

/* clang-format off */
LANES2(mul_lo_16, uint16_t, uint16_t, (uint32_t)a * b)
LANES2(mul_lo_32, uint32_t, uint32_t, a * b)
LANES2(mul_lo_64, uint64_t, uint64_t, a * b)
LANES2(mul_hi_u16, uint16_t, uint16_t, (uint32_t)a * b >> 16)
LANES2(mul_hi_s16, int16_t, int16_t, (int32_t)a * b >> 16)
LANES2(mul_hi_u32, uint32_t, uint32_t, (uint64_t)a * b >> 32)
LANES2(mul_hi_s32, int32_t, int32_t, (int64_t)a * b >> 32)
LANES2(mul_hi_u64, uint64_t, uint64_t, (u128)a * b >> 64)
LANES2(mul_hi_s64, int64_t, int64_t, (s128)a * b >> 64)
LANES2(mul_wide_u16, uint32_t, uint16_t, (uint32_t)a * b)
LANES2(mul_wide_s16, int32_t, int16_t, (int32_t)a * b)
LANES2(mul_wide_u32, uint64_t, uint32_t, (uint64_t)a * b)
LANES2(mul_wide_s32, int64_t, int32_t, (int64_t)a * b)

LANES3(mad_lo_16, uint16_t, uint16_t, uint16_t, (uint32_t)a * b + c)
LANES3(mad_lo_32, uint32_t, uint32_t, uint32_t, a * b + c)
LANES3(mad_lo_64, uint64_t, uint64_t, uint64_t, a * b + c)
LANES3(mad_hi_u16, uint16_t, uint16_t, uint16_t, ((uint32_t)a * b >> 16) + c)
LANES3(mad_hi_s16, uint16_t, int16_t, uint16_t, (uint32_t)((int32_t)a * b >> 16) + c)
LANES3(mad_hi_u32, uint32_t, uint32_t, uint32_t, (uint32_t)((uint64_t)a * b >> 32) + c)
LANES3(mad_hi_s32, uint32_t, int32_t, uint32_t, (uint32_t)((int64_t)a * b >> 32) + c)
LANES3(mad_hi_u64, uint64_t, uint64_t, uint64_t, (uint64_t)((u128)a * b >> 64) + c)
LANES3(mad_hi_s64, uint64_t, int64_t, uint64_t, (uint64_t)((s128)a * b >> 64) + c)
LANES3(mad_hi_sat_s32, int32_t, int32_t, int32_t, saturate_s32(((int64_t)a * b >> 32) + c))
LANES3(mad_wide_u16, uint32_t, uint16_t, uint32_t, (uint32_t)a * b + c)
LANES3(mad_wide_s16, uint32_t, int16_t, uint32_t, (uint32_t)((int32_t)a * b) + c)
LANES3(mad_wide_u32, uint64_t, uint32_t, uint64_t, (uint64_t)a * b + c)
LANES3(mad_wide_s32, uint64_t, int32_t, uint64_t, (uint64_t)((int64_t)a * b) + c)
/* clang-format on */

/* mul24 multiplies the low 24 bits: PTX ISA 9.7.1.6. */
static inline int64_t low24(int32_t value)
{
    return (int32_t)((uint32_t)value << 8) >> 8;
}

LANES2(mul24_lo_u32, uint32_t, uint32_t, (uint64_t)(a & 0xFFFFFF) * (b & 0xFFFFFF))
LANES2(mul24_hi_u32, uint32_t, uint32_t, (uint64_t)(a & 0xFFFFFF) * (b & 0xFFFFFF) >> 16)
LANES2(mul24_lo_s32, int32_t, int32_t, low24(a) * low24(b))
LANES2(mul24_hi_s32, int32_t, int32_t, low24(a) * low24(b) >> 16)
LANES3(mad24_lo_u32, uint32_t, uint32_t, uint32_t,
       (uint32_t)((uint64_t)(a & 0xFFFFFF) * (b & 0xFFFFFF)) + c)
LANES3(mad24_lo_s32, uint32_t, int32_t, uint32_t, (uint32_t)(low24(a) * low24(b)) + c)
LANES3(mad24_hi_u32, uint32_t, uint32_t, uint32_t,
       (uint32_t)((uint64_t)(a & 0xFFFFFF) * (b & 0xFFFFFF) >> 16) + c)
LANES3(mad24_hi_s32, uint32_t, int32_t, uint32_t, (uint32_t)(low24(a) * low24(b) >> 16) + c)

/* Division by zero does not trap on a GPU: quotient and remainder are all ones, on an H200. The
 * most negative number divided by -1 is itself. */
#define DIVIDE(a, b, least) ((b) == 0 ? -1 : (b) == -1 ? ((a) == (least) ? (a) : -(a)) : (a) / (b))
#define REMAINDER(a, b) ((b) == 0 ? -1 : (b) == -1 ? 0 : (a) % (b))

LANES2(div_u16, uint16_t, uint16_t, b ? a / b : UINT16_MAX)
LANES2(div_u32, uint32_t, uint32_t, b ? a / b : UINT32_MAX)
LANES2(div_u64, uint64_t, uint64_t, b ? a / b : UINT64_MAX)
LANES2(div_s16, int16_t, int16_t, DIVIDE(a, b, INT16_MIN))
LANES2(div_s32, int32_t, int32_t, DIVIDE(a, b, INT32_MIN))
LANES2(div_s64, int64_t, int64_t, DIVIDE(a, b, INT64_MIN))
LANES2(rem_u16, uint16_t, uint16_t, b ? a % b : UINT16_MAX)
LANES2(rem_u32, uint32_t, uint32_t, b ? a % b : UINT32_MAX)
LANES2(rem_u64, uint64_t, uint64_t, b ? a % b : UINT64_MAX)
LANES2(rem_s16, int16_t, int16_t, REMAINDER(a, b))
LANES2(rem_s32, int32_t, int32_t, REMAINDER(a, b))
LANES2(rem_s64, int64_t, int64_t, REMAINDER(a, b))

LANES1(abs_s16, uint16_t, uint16_t, a >> 15 ? -a : a)
LANES1(abs_s32, uint32_t, uint32_t, a >> 31 ? -a : a)
LANES1(abs_s64, uint64_t, uint64_t, a >> 63 ? -a : a)
LANES1(neg_s16, uint16_t, uint16_t, -a)
LANES1(neg_s32, uint32_t, uint32_t, -a)
LANES1(neg_s64, uint64_t, uint64_t, -a)

#define LESSER (a < b ? a : b)
#define GREATER (a > b ? a : b)
LANES2(min_u16, uint16_t, uint16_t, LESSER)
LANES2(min_s16, int16_t, int16_t, LESSER)
LANES2(min_u32, uint32_t, uint32_t, LESSER)
LANES2(min_s32, int32_t, int32_t, LESSER)
LANES2(min_u64, uint64_t, uint64_t, LESSER)
LANES2(min_s64, int64_t, int64_t, LESSER)
LANES2(max_u16, uint16_t, uint16_t, GREATER)
LANES2(max_s16, int16_t, int16_t, GREATER)
LANES2(max_u32, uint32_t, uint32_t, GREATER)
LANES2(max_s32, int32_t, int32_t, GREATER)
LANES2(max_u64, uint64_t, uint64_t, GREATER)
LANES2(max_s64, int64_t, int64_t, GREATER)
LANES2(min_relu_s32, int32_t, int32_t, LESSER < 0 ? 0 : LESSER)
LANES2(max_relu_s32, int32_t, int32_t, GREATER < 0 ? 0 : GREATER)

#define DISTANCE (a > b ? a - b : b - a)
LANES3(sad_u16, uint16_t, uint16_t, uint16_t, c + DISTANCE)
LANES3(sad_s16, uint16_t, int16_t, uint16_t, c + DISTANCE)
LANES3(sad_u32, uint32_t, uint32_t, uint32_t, c + DISTANCE)
LANES3(sad_s32, uint32_t, int32_t, uint32_t,
       c + (a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a))
LANES3(sad_u64, uint64_t, uint64_t, uint64_t, c + DISTANCE)
LANES3(sad_s64, uint64_t, int64_t, uint64_t,
       c + (a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a))

/* Four bytes against four bytes, or two halves against two bytes. Each of a and b is signed or
 * not. */
static inline int32_t byte_of(uint32_t value, int byte, bool is_signed)
{
    return is_signed ? (int8_t)(value >> 8 * byte) : (uint8_t)(value >> 8 * byte);
}

static inline int32_t half_of(uint32_t value, int half, bool is_signed)
{
    return is_signed ? (int16_t)(value >> 16 * half) : (uint16_t)(value >> 16 * half);
}

static inline uint32_t dot4(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed)
{
    for (int byte = 0; byte < 4; byte++)
        c += (uint32_t)(byte_of(a, byte, a_signed) * byte_of(b, byte, b_signed));
    return c;
}

static inline uint32_t dot2(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed,
                            int first_byte)
{
    for (int half = 0; half < 2; half++)
        c += (uint32_t)(half_of(a, half, a_signed) * byte_of(b, first_byte + half, b_signed));
    return c;
}

LANES3(dp4a_uu, uint32_t, uint32_t, uint32_t, dot4(a, b, c, false, false))
LANES3(dp4a_us, uint32_t, uint32_t, uint32_t, dot4(a, b, c, false, true))
LANES3(dp4a_su, uint32_t, uint32_t, uint32_t, dot4(a, b, c, true, false))
LANES3(dp4a_ss, uint32_t, uint32_t, uint32_t, dot4(a, b, c, true, true))
LANES3(dp2a_lo_uu, uint32_t, uint32_t, uint32_t, dot2(a, b, c, false, false, 0))
LANES3(dp2a_lo_us, uint32_t, uint32_t, uint32_t, dot2(a, b, c, false, true, 0))
LANES3(dp2a_lo_su, uint32_t, uint32_t, uint32_t, dot2(a, b, c, true, false, 0))
LANES3(dp2a_lo_ss, uint32_t, uint32_t, uint32_t, dot2(a, b, c, true, true, 0))
LANES3(dp2a_hi_uu, uint32_t, uint32_t, uint32_t, dot2(a, b, c, false, false, 2))
LANES3(dp2a_hi_us, uint32_t, uint32_t, uint32_t, dot2(a, b, c, false, true, 2))
LANES3(dp2a_hi_su, uint32_t, uint32_t, uint32_t, dot2(a, b, c, true, false, 2))
LANES3(dp2a_hi_ss, uint32_t, uint32_t, uint32_t, dot2(a, b, c, true, true, 2))

/* --- Extended precision (PTX ISA 9.7.2): the condition code is a bit a lane -------------------
 * carry_in is 0 for add.cc and the like, and the lane's bit for addc and the like. */
#define CARRY_BIT (warp->carry >> lane & 1)

#define EXTENDED(name, T, WIDE, carry_in, wide_sum)                    \
    HANDLER(name)                                                      \
    {                                                                  \
        SOURCE(T, a_, 0);                                              \
        SOURCE(T, b_, 1);                                              \
        VECTOR T sum[WARP_LANES];                                      \
        lane_mask carry = 0;                                           \
        for (int lane = 0; lane < WARP_LANES; lane++) {                \
            WIDE a = a_[lane], b = b_[lane], in = carry_in;            \
            WIDE wide = wide_sum;                                      \
            sum[lane] = (T)wide;                                       \
            carry |= (lane_mask)(wide >> (8 * sizeof(T)) & 1) << lane; \
        }                                                              \
        pick_lanes(warp, op->dst, active, sum, sizeof(T));             \
        if (op->kind) /* the .cc suffix: write the condition code */   \
            warp->carry = (warp->carry & ~active) | (carry & active);  \
    }
EXTENDED(add_cc_32, uint32_t, uint64_t, 0, a + b + in)
EXTENDED(add_cc_64, uint64_t, u128, 0, a + b + in)
EXTENDED(addc_32, uint32_t, uint64_t, CARRY_BIT, a + b + in)
EXTENDED(addc_64, uint64_t, u128, CARRY_BIT, a + b + in)
EXTENDED(sub_cc_32, uint32_t, uint64_t, 0, a - b - in)
EXTENDED(sub_cc_64, uint64_t, u128, 0, a - b - in)
EXTENDED(subc_32, uint32_t, uint64_t, CARRY_BIT, a - b - in)
EXTENDED(subc_64, uint64_t, u128, CARRY_BIT, a - b - in)

/* clang-format off */
#define EXTENDED_MAD(name, T, WIDE, carry_in, product)                                         \
    HANDLER(name)                                                                              \
    {                                                                                          \
        SOURCE(T, a_, 0);                                                                      \
        SOURCE(T, b_, 1);                                                                      \
        SOURCE(T, c_, 2);                                                                      \
        VECTOR T sum[WARP_LANES];                                                              \
        lane_mask carry = 0;                                                                   \
        for (int lane = 0; lane < WARP_LANES; lane++) {                                        \
            T a = a_[lane], b = b_[lane];                                                      \
            WIDE in = carry_in;                                                                \
            WIDE wide = (WIDE)(T)(product) + c_[lane] + in;                                    \
            sum[lane] = (T)wide;                                                               \
            carry |= (lane_mask)(wide >> (8 * sizeof(T)) & 1) << lane;                         \
        }                                                                                      \
        pick_lanes(warp, op->dst, active, sum, sizeof(T));                                     \
        if (op->kind)                                                                          \
            warp->carry = (warp->carry & ~active) | (carry & active);                          \
    }
EXTENDED_MAD(mad_lo_cc_32, uint32_t, uint64_t, 0, a * b)
EXTENDED_MAD(mad_hi_cc_u32, uint32_t, uint64_t, 0, (uint64_t)a * b >> 32)
EXTENDED_MAD(mad_hi_cc_s32, uint32_t, uint64_t, 0, (int64_t)(int32_t)a * (int32_t)b >> 32)
EXTENDED_MAD(madc_lo_32, uint32_t, uint64_t, CARRY_BIT, a * b)
EXTENDED_MAD(madc_hi_u32, uint32_t, uint64_t, CARRY_BIT, (uint64_t)a * b >> 32)
EXTENDED_MAD(madc_hi_s32, uint32_t, uint64_t, CARRY_BIT, (int64_t)(int32_t)a * (int32_t)b >> 32)
EXTENDED_MAD(mad_lo_cc_64, uint64_t, u128, 0, a * b)
EXTENDED_MAD(mad_hi_cc_u64, uint64_t, u128, 0, (u128)a * b >> 64)
EXTENDED_MAD(mad_hi_cc_s64, uint64_t, u128, 0, (s128)(int64_t)a * (int64_t)b >> 64)
EXTENDED_MAD(madc_lo_64, uint64_t, u128, CARRY_BIT, a * b)
EXTENDED_MAD(madc_hi_u64, uint64_t, u128, CARRY_BIT, (u128)a * b >> 64)
EXTENDED_MAD(madc_hi_s64, uint64_t, u128, CARRY_BIT, (s128)(int64_t)a * (int64_t)b >> 64)
/* clang-format on */

/* vabsdiff4 with .add: the byte distances summed onto c (PTX ISA 9.7.17). */
static inline uint32_t byte_distances(uint32_t a, uint32_t b, bool is_signed, uint32_t c, bool sum)
{
    uint32_t packed = 0;
    for (int byte = 0; byte < 4; byte++) {
        int32_t x = byte_of(a, byte, is_signed), y = byte_of(b, byte, is_signed);
        uint32_t distance = (uint32_t)(x > y ? x - y : y - x);
        c += distance;
        packed |= (distance & 0xFF) << 8 * byte;
    }
    return sum ? c : packed;
}

LANES3(vabsdiff4_u32, uint32_t, uint32_t, uint32_t, byte_distances(a, b, false, c, op->kind))
LANES3(vabsdiff4_s32, uint32_t, uint32_t, uint32_t, byte_distances(a, b, true, c, op->kind))
