/* exec_logic.c - bits: logic, shifts, fields, and moves (PTX ISA 9.7.1.14 on, 9.7.8, 9.7.9.1). */
#include "lanes.h"
#include "opcode.h"

/* clang-format off */
LANES2(and_16, uint16_t, uint16_t, a & b)
LANES2(and_32, uint32_t, uint32_t, a & b)
LANES2(and_64, uint64_t, uint64_t, a & b)
LANES2(or_16, uint16_t, uint16_t, a | b)
LANES2(or_32, uint32_t, uint32_t, a | b)
LANES2(or_64, uint64_t, uint64_t, a | b)
LANES2(xor_16, uint16_t, uint16_t, a ^ b)
LANES2(xor_32, uint32_t, uint32_t, a ^ b)
LANES2(xor_64, uint64_t, uint64_t, a ^ b)
LANES1(not_16, uint16_t, uint16_t, ~a)
LANES1(not_32, uint32_t, uint32_t, ~a)
LANES1(not_64, uint64_t, uint64_t, ~a)
LANES1(cnot_16, uint16_t, uint16_t, a == 0)
LANES1(cnot_32, uint32_t, uint32_t, a == 0)
LANES1(cnot_64, uint64_t, uint64_t, a == 0)

/* Predicates are masks, so logic on 32 of them is one C operator. */
#define PREDICATE_LOGIC(name, expression)                                                      \
    HANDLER(name)                                                                              \
    {                                                                                          \
        lane_mask p = predicate_source(warp, op, 0), q = predicate_source(warp, op, 1);        \
        WRITE_PREDICATE(op->dst, expression);                                                  \
    }
PREDICATE_LOGIC(and_pred, p & q)
PREDICATE_LOGIC(or_pred, p | q)
PREDICATE_LOGIC(xor_pred, p ^ q)
/* clang-format on */

HANDLER(not_pred)
{
    WRITE_PREDICATE(op->dst, ~predicate_source(warp, op, 0));
}

HANDLER(mov_pred)
{
    WRITE_PREDICATE(op->dst, predicate_source(warp, op, 0));
}

/* lop3: the truth table is an immediate byte; bit (a << 2 | b << 1 | c) is the answer. */
static inline uint32_t table_logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

LANES3(lop3_32, uint32_t, uint32_t, uint32_t, table_logic(a, b, c, (uint32_t)op->offset))

/* lop3.BoolOp d|p, a, b, c, table, q: p is whether d has a bit, combined with q. */
HANDLER(lop3_pred)
{
    SOURCE(uint32_t, a, 0);
    SOURCE(uint32_t, b, 1);
    SOURCE(uint32_t, c, 2);
    lane_mask q = predicate_source(warp, op, 3);
    VECTOR uint32_t result[WARP_LANES];
    FOR_LANES result[lane] = table_logic(a[lane], b[lane], c[lane], (uint32_t)op->offset);
    lane_mask any = MASK_OF(result[lane] != 0);
    if (op->dst != NO_REGISTER)
        WRITE_LANES(uint32_t, result[lane]);
    if (op->dst2 != NO_REGISTER)
        WRITE_PREDICATE(op->dst2, op->combine == COMBINE_AND ? any & q : any | q);
}

/* A shift by the width or more gives 0, or copies of the sign: PTX clamps where C is undefined. */
#define SHIFT(name, T, WIDTH, expression)                                           \
    HANDLER(name)                                                                   \
    {                                                                               \
        SOURCE(T, a_, 0);                                                           \
        SOURCE(uint32_t, b_, 1);                                                    \
        WRITE_LANES(T, ({                                                           \
                        T a = a_[lane];                                             \
                        uint32_t by = b_[lane] < WIDTH ? b_[lane] : WIDTH;          \
                        uint32_t by_less = b_[lane] < WIDTH ? b_[lane] : WIDTH - 1; \
                        (void)by, (void)by_less;                                    \
                        expression;                                                 \
                    }));                                                            \
    }
SHIFT(shl_16, uint16_t, 16, (uint32_t)a << by)
SHIFT(shl_32, uint32_t, 32, by == 32 ? 0 : a << by_less)
SHIFT(shl_64, uint64_t, 64, by == 64 ? 0 : a << by_less)
SHIFT(shr_u16, uint16_t, 16, (uint32_t)a >> by)
SHIFT(shr_u32, uint32_t, 32, by == 32 ? 0 : a >> by_less)
SHIFT(shr_u64, uint64_t, 64, by == 64 ? 0 : a >> by_less)
SHIFT(shr_s16, int16_t, 16, a >> by_less)
SHIFT(shr_s32, int32_t, 32, a >> by_less)
SHIFT(shr_s64, int64_t, 64, a >> by_less)

/* Funnel shift: 64 bits b:a, shifted; the high word for .l, the low word for .r. */
static inline uint64_t joined(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

LANES3(shf_l_wrap, uint32_t, uint32_t, uint32_t, joined(b, a) << (c & 31) >> 32)
LANES3(shf_r_wrap, uint32_t, uint32_t, uint32_t, joined(b, a) >> (c & 31))
LANES3(shf_l_clamp, uint32_t, uint32_t, uint32_t, c >= 32 ? a : joined(b, a) << c >> 32)
LANES3(shf_r_clamp, uint32_t, uint32_t, uint32_t, c >= 32 ? b : joined(b, a) >> c)

LANES1(popc_32, uint32_t, uint32_t, __builtin_popcount(a))
LANES1(popc_64, uint32_t, uint64_t, __builtin_popcountll(a))
LANES1(clz_32, uint32_t, uint32_t, a ? __builtin_clz(a) : 32)
LANES1(clz_64, uint32_t, uint64_t, a ? __builtin_clzll(a) : 64)

/* bfind: the position of the highest bit that differs from the sign; .shiftamt (op->kind) gives
 * the shift that would bring it to the top instead. */
static inline uint32_t highest_bit(uint64_t value, uint32_t width, bool shift_amount)
{
    if (value == 0)
        return UINT32_MAX;
    uint32_t position = 63 - (uint32_t)__builtin_clzll(value);
    return shift_amount ? width - 1 - position : position;
}

LANES1(bfind_u32, uint32_t, uint32_t, highest_bit(a, 32, op->kind))
LANES1(bfind_u64, uint32_t, uint64_t, highest_bit(a, 64, op->kind))
LANES1(bfind_s32, uint32_t, uint32_t, highest_bit(a >> 31 ? ~a : a, 32, op->kind))
LANES1(bfind_s64, uint32_t, uint64_t, highest_bit(a >> 63 ? ~a : a, 64, op->kind))

static inline uint32_t reversed32(uint32_t x)
{
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0F0F0F0F) << 4 | (x >> 4 & 0x0F0F0F0F);
    return __builtin_bswap32(x);
}

LANES1(brev_32, uint32_t, uint32_t, reversed32(a))
LANES1(brev_64, uint64_t, uint64_t,
       joined(reversed32((uint32_t)a), reversed32((uint32_t)(a >> 32))))

/* fns: the position of the c-th set bit from b on; c < 0 searches downwards (9.7.1.20). */
static inline uint32_t nth_set_bit(uint32_t mask, uint32_t base, int32_t count)
{
    if (count == 0)
        return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    int step = count > 0 ? 1 : -1;
    int left = count > 0 ? count : -count;
    for (int position = (int)base; position >= 0 && position < 32; position += step)
        if (mask >> position & 1 && --left == 0)
            return (uint32_t)position;
    return UINT32_MAX;
}

LANES3(fns_32, uint32_t, uint32_t, uint32_t, nth_set_bit(a, b, (int32_t)c))

/* PTX gives position and length of bfe and bfi a range of 0..255. Beyond it an H200 takes the low 8
 * bits of them in 32-bit fields, and in 64-bit ones all of them. */
static inline uint32_t in_range(uint32_t places, uint32_t width)
{
    return width == 64 && places > 255 ? 255 : places & 0xFF;
}

static inline uint64_t field(uint64_t value, uint32_t width, uint32_t position, uint32_t length,
                             bool is_signed)
{
    position = in_range(position, width);
    length = in_range(length, width);
    uint32_t top = position + length < width ? position + length : width;
    uint32_t sign_at = position + length == 0 ? 0 : (top ? top - 1 : 0);
    uint64_t sign = is_signed && length ? value >> (sign_at < width ? sign_at : width - 1) & 1 : 0;
    uint64_t bits = position < width ? value >> position : 0;
    uint32_t kept = position < width ? top - position : 0;
    if (kept < 64)
        bits &= (UINT64_C(1) << kept) - 1;
    if (sign && kept < 64)
        bits |= ~UINT64_C(0) << kept;
    return bits;
}

LANES3(bfe_u32, uint32_t, uint32_t, uint32_t, field(a, 32, b, c, false))
LANES3(bfe_s32, uint32_t, uint32_t, uint32_t, field(a, 32, b, c, true))

static inline uint64_t inserted(uint64_t from, uint64_t into, uint32_t width, uint32_t position,
                                uint32_t length)
{
    position = in_range(position, width);
    length = in_range(length, width);
    if (position >= width || length == 0)
        return into;
    uint64_t mask = length < 64 ? (UINT64_C(1) << length) - 1 : UINT64_MAX;
    return (into & ~(mask << position)) | (from & mask) << position;
}

/* bfe.u64 has a 64-bit value and 32-bit position and length; bfi has four sources. */
#define FIELD64(name, is_signed)                                                   \
    HANDLER(name)                                                                  \
    {                                                                              \
        SOURCE(uint64_t, a_, 0);                                                   \
        SOURCE(uint32_t, b_, 1);                                                   \
        SOURCE(uint32_t, c_, 2);                                                   \
        WRITE_LANES(uint64_t, field(a_[lane], 64, b_[lane], c_[lane], is_signed)); \
    }
FIELD64(bfe_u64, false)
FIELD64(bfe_s64, true)

#define INSERT(name, T, WIDTH)                                                   \
    HANDLER(name)                                                                \
    {                                                                            \
        SOURCE(T, a_, 0);                                                        \
        SOURCE(T, b_, 1);                                                        \
        SOURCE(uint32_t, c_, 2);                                                 \
        SOURCE(uint32_t, d_, 3);                                                 \
        WRITE_LANES(T, inserted(a_[lane], b_[lane], WIDTH, c_[lane], d_[lane])); \
    }
INSERT(bfi_32, uint32_t, 32)
INSERT(bfi_64, uint64_t, 64)

/* bmsk: length ones from a position on. */
static inline uint32_t bit_mask(uint32_t position, uint32_t length, bool wrap)
{
    if (wrap)
        position &= 31, length &= 31;
    if (position >= 32)
        return 0;
    uint32_t ones = length >= 32 ? UINT32_MAX : (UINT32_C(1) << length) - 1;
    return ones << position;
}

LANES2(bmsk_clamp, uint32_t, uint32_t, bit_mask(a, b, false))
LANES2(bmsk_wrap, uint32_t, uint32_t, bit_mask(a, b, true))

/* prmt: pick four of the eight bytes of b:a (PTX ISA 9.7.9.7). Without a mode each nibble of c
 * names a byte, and its top bit asks for that byte's sign instead; op->kind is the mode. */
static inline uint32_t selector_nibble(int mode, int i, uint32_t c)
{
    uint32_t first = c & 3, position = (uint32_t)i;
    switch (mode) {
    case 1: return (first + position) & 7;              /* f4e: forward 4 */
    case 2: return (first - position) & 7;              /* b4e: backward 4 */
    case 3: return first;                               /* rc8: replicate 8 */
    case 4: return first > position ? first : position; /* ecl: edge clamp left */
    case 5: return first < position ? first : position; /* ecr: edge clamp right */
    case 6: return (first & 1) * 2 + (position & 1);    /* rc16: replicate 16 */
    default: return c >> 4 * i & 15;
    }
}

static inline uint32_t permuted(uint32_t a, uint32_t b, uint32_t c, int mode)
{
    uint64_t bytes = joined(b, a);
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t selector = selector_nibble(mode, i, c);
        uint8_t byte = (uint8_t)(bytes >> 8 * (selector & 7));
        if (selector & 8)
            byte = byte >> 7 ? 0xFF : 0;
        result |= (uint32_t)byte << 8 * i;
    }
    return result;
}

LANES3(prmt_32, uint32_t, uint32_t, uint32_t, permuted(a, b, c, op->kind))

/* --- Moves ------------------------------------------------------------------------------------ */

LANES1(mov_16, uint16_t, uint16_t, a)
LANES1(mov_32, uint32_t, uint32_t, a)
LANES1(mov_64, uint64_t, uint64_t, a)

/* mov.b64 {lo, hi}, %rd: op->list holds the parts' registers, each op->bytes wide. */
HANDLER(mov_unpack)
{
    uint32_t width = op->bytes;
    for (int part = 0; part < op->count; part++) {
        if (op->list[part] == NO_REGISTER)
            continue;
        const unsigned char *from = reg(warp, op->src[0]);
        unsigned char *to = reg(warp, op->list[part]);
        FOR_ACTIVE (lane, active)
            memcpy(to + (size_t)lane * width,
                   from + (size_t)lane * width * op->count + (size_t)part * width, width);
    }
}

/* A part of 8 bits is the low half of a register of 16. */
HANDLER(mov_pack)
{
    uint32_t width = op->bytes, held = width < 2 ? 2 : width;
    VECTOR unsigned char packed[WARP_LANES * 8];
    for (int part = 0; part < op->count; part++) {
        const unsigned char *from = reg(warp, op->list[part]);
        for (int lane = 0; lane < WARP_LANES; lane++)
            memcpy(packed + (size_t)lane * width * op->count + (size_t)part * width,
                   from + (size_t)lane * held, width);
    }
    pick_lanes(warp, op->dst, active, packed, (size_t)width * op->count);
}
