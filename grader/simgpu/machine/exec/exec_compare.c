/* exec_compare.c - comparison and selection (PTX ISA 9.7.6, 9.7.7). */
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"

/* --- Selection -------------------------------------------------------------------------------- */

#define SELECT(name, T)                                           \
    HANDLER(name)                                                 \
    {                                                             \
        SOURCE(T, a_, 0);                                         \
        SOURCE(T, b_, 1);                                         \
        lane_mask chosen = predicate_source(warp, op, 2);         \
        WRITE_LANES(T, chosen >> lane & 1 ? a_[lane] : b_[lane]); \
    }
SELECT(selp_16, uint16_t)
SELECT(selp_32, uint32_t)
SELECT(selp_64, uint64_t)

#define PLAIN(x) (x)
#define FLUSHED(x) flushed(x, op->ftz)
#define FLUSHED_F16(x) flushed_f16(float_of_f16(x), op->ftz)

/* slct: a where c is not negative; NaN counts as negative. */
#define SELECT_BY_SIGN(name, T, C, LOAD)                           \
    HANDLER(name)                                                  \
    {                                                              \
        SOURCE(T, a_, 0);                                          \
        SOURCE(T, b_, 1);                                          \
        SOURCE(C, c_, 2);                                          \
        WRITE_LANES(T, LOAD(c_[lane]) >= 0 ? a_[lane] : b_[lane]); \
    }
SELECT_BY_SIGN(slct_16_s32, uint16_t, int32_t, PLAIN)
SELECT_BY_SIGN(slct_32_s32, uint32_t, int32_t, PLAIN)
SELECT_BY_SIGN(slct_64_s32, uint64_t, int32_t, PLAIN)
SELECT_BY_SIGN(slct_16_f32, uint16_t, float, FLUSHED)
SELECT_BY_SIGN(slct_32_f32, uint32_t, float, FLUSHED)
SELECT_BY_SIGN(slct_64_f32, uint64_t, float, FLUSHED)

/* --- Comparison (PTX ISA 9.7.6) ---------------------------------------------------------------
 * The result may be combined with a predicate: setp.lt.and p|q, a, b, r gives p = (a < b) and r,
 * q = not (a < b) and r. */
static inline lane_mask combined(const struct warp *warp, const struct op *op, lane_mask result)
{
    lane_mask with = op->combine ? predicate_source(warp, op, 2) : 0;
    switch (op->combine) {
    case COMBINE_AND: return result & with;
    case COMBINE_OR: return result | with;
    case COMBINE_XOR: return result ^ with;
    default: return result;
    }
}

#define COMPARE_MASK(T, condition)    \
    MASK_OF(({                        \
        T a = a_[lane], b = b_[lane]; \
        condition;                    \
    }))

#define COMPARE_INTEGERS(T)                                                    \
    static lane_mask compare_##T(const struct warp *warp, const struct op *op) \
    {                                                                          \
        SOURCE(T, a_, 0);                                                      \
        SOURCE(T, b_, 1);                                                      \
        switch (op->compare) {                                                 \
        case COMPARE_EQ: return COMPARE_MASK(T, a == b);                       \
        case COMPARE_NE: return COMPARE_MASK(T, a != b);                       \
        case COMPARE_LT: return COMPARE_MASK(T, a < b);                        \
        case COMPARE_LE: return COMPARE_MASK(T, a <= b);                       \
        case COMPARE_GT: return COMPARE_MASK(T, a > b);                        \
        default: return COMPARE_MASK(T, a >= b);                               \
        }                                                                      \
    }
COMPARE_INTEGERS(uint16_t)
COMPARE_INTEGERS(int16_t)
COMPARE_INTEGERS(uint32_t)
COMPARE_INTEGERS(int32_t)
COMPARE_INTEGERS(uint64_t)
COMPARE_INTEGERS(int64_t)

/* Ordered comparisons are false when either is NaN, the u forms are true. LOAD turns what the
 * register holds into a number C can compare. */
#define NUMBERS(a, b) ((a) == (a) && (b) == (b))
#define COMPARE_FLOATS(name, T, STORED, LOAD)                                     \
    static lane_mask compare_##name(const struct warp *warp, const struct op *op) \
    {                                                                             \
        const STORED *x_ = reg(warp, op->src[0]), *y_ = reg(warp, op->src[1]);    \
        VECTOR T a_[WARP_LANES], b_[WARP_LANES];                                  \
        FOR_LANES                                                                 \
        {                                                                         \
            STORED x = x_[lane], y = y_[lane];                                    \
            a_[lane] = LOAD(x);                                                   \
            b_[lane] = LOAD(y);                                                   \
        }                                                                         \
        switch (op->compare) {                                                    \
        case COMPARE_EQ: return COMPARE_MASK(T, a == b);                          \
        case COMPARE_NE: return COMPARE_MASK(T, NUMBERS(a, b) && a != b);         \
        case COMPARE_LT: return COMPARE_MASK(T, a < b);                           \
        case COMPARE_LE: return COMPARE_MASK(T, a <= b);                          \
        case COMPARE_GT: return COMPARE_MASK(T, a > b);                           \
        case COMPARE_GE: return COMPARE_MASK(T, a >= b);                          \
        case COMPARE_EQU: return COMPARE_MASK(T, !NUMBERS(a, b) || a == b);       \
        case COMPARE_NEU: return COMPARE_MASK(T, a != b);                         \
        case COMPARE_LTU: return COMPARE_MASK(T, !(a >= b));                      \
        case COMPARE_LEU: return COMPARE_MASK(T, !(a > b));                       \
        case COMPARE_GTU: return COMPARE_MASK(T, !(a <= b));                      \
        case COMPARE_GEU: return COMPARE_MASK(T, !(a < b));                       \
        case COMPARE_NUM: return COMPARE_MASK(T, NUMBERS(a, b));                  \
        default: return COMPARE_MASK(T, !NUMBERS(a, b));                          \
        }                                                                         \
    }
COMPARE_FLOATS(f32, float, float, FLUSHED)
COMPARE_FLOATS(f64, double, double, PLAIN)
COMPARE_FLOATS(f16, float, uint16_t, FLUSHED_F16)
COMPARE_FLOATS(bf16, float, uint16_t, float_of_bf16)

/* setp writes predicates; set writes all ones, or 1.0 for a float destination. */
static inline void write_compare(struct warp *warp, const struct op *op, lane_mask active,
                                 lane_mask result)
{
    if (op->dst != NO_REGISTER)
        WRITE_PREDICATE(op->dst, combined(warp, op, result));
    if (op->dst2 != NO_REGISTER)
        WRITE_PREDICATE(op->dst2, combined(warp, op, ~result));
}

static inline void write_set(struct warp *warp, const struct op *op, lane_mask active,
                             lane_mask result)
{
    result = combined(warp, op, result);
    uint32_t yes = (uint32_t)op->offset; /* what true looks like in the destination type */
    if (op->dst_bytes == 2)
        WRITE_LANES(uint16_t, result >> lane & 1 ? yes : 0);
    else
        WRITE_LANES(uint32_t, result >> lane & 1 ? yes : 0);
}

#define COMPARE_HANDLERS(suffix, compare)                   \
    HANDLER(setp_##suffix)                                  \
    {                                                       \
        write_compare(warp, op, active, compare(warp, op)); \
    }                                                       \
    HANDLER(set_##suffix)                                   \
    {                                                       \
        write_set(warp, op, active, compare(warp, op));     \
    }
COMPARE_HANDLERS(u16, compare_uint16_t)
COMPARE_HANDLERS(s16, compare_int16_t)
COMPARE_HANDLERS(u32, compare_uint32_t)
COMPARE_HANDLERS(s32, compare_int32_t)
COMPARE_HANDLERS(u64, compare_uint64_t)
COMPARE_HANDLERS(s64, compare_int64_t)
COMPARE_HANDLERS(f32, compare_f32)
COMPARE_HANDLERS(f64, compare_f64)
COMPARE_HANDLERS(f16, compare_f16)
COMPARE_HANDLERS(bf16, compare_bf16)

/* Packed comparison: each half on its own. setp gives p for the low and q for the high half;
 * set gives 1.0 or all ones in each half. */
#define HALF_COMPARE(load, x, y) half_compare(op->compare, load((uint16_t)(x)), load((uint16_t)(y)))

static inline bool half_compare(uint8_t compare, float a, float b)
{
    bool numbers = NUMBERS(a, b);
    switch (compare) {
    case COMPARE_EQ: return a == b;
    case COMPARE_NE: return numbers && a != b;
    case COMPARE_LT: return a < b;
    case COMPARE_LE: return a <= b;
    case COMPARE_GT: return a > b;
    case COMPARE_GE: return a >= b;
    case COMPARE_EQU: return !numbers || a == b;
    case COMPARE_NEU: return a != b;
    case COMPARE_LTU: return !(a >= b);
    case COMPARE_LEU: return !(a > b);
    case COMPARE_GTU: return !(a <= b);
    case COMPARE_GEU: return !(a < b);
    case COMPARE_NUM: return numbers;
    default: return !numbers;
    }
}

#define PACKED_COMPARE(suffix, load)                                                             \
    static void halves_##suffix(const struct warp *warp, const struct op *op, lane_mask *low,    \
                                lane_mask *high)                                                 \
    {                                                                                            \
        SOURCE(uint32_t, a, 0);                                                                  \
        SOURCE(uint32_t, b, 1);                                                                  \
        *low = MASK_OF(HALF_COMPARE(load, a[lane], b[lane]));                                    \
        *high = MASK_OF(HALF_COMPARE(load, a[lane] >> 16, b[lane] >> 16));                       \
    }                                                                                            \
    HANDLER(setp_##suffix)                                                                       \
    {                                                                                            \
        lane_mask low, high;                                                                     \
        halves_##suffix(warp, op, &low, &high);                                                  \
        if (op->dst != NO_REGISTER)                                                              \
            WRITE_PREDICATE(op->dst, combined(warp, op, low));                                   \
        if (op->dst2 != NO_REGISTER)                                                             \
            WRITE_PREDICATE(op->dst2, combined(warp, op, high));                                 \
    }                                                                                            \
    HANDLER(set_##suffix)                                                                        \
    {                                                                                            \
        lane_mask low, high;                                                                     \
        halves_##suffix(warp, op, &low, &high);                                                  \
        low = combined(warp, op, low);                                                           \
        high = combined(warp, op, high);                                                         \
        uint32_t yes = (uint32_t)op->offset;                                                     \
        WRITE_LANES(uint32_t, (low >> lane & 1 ? yes : 0) | (high >> lane & 1 ? yes : 0) << 16); \
    }
PACKED_COMPARE(f16x2, FLUSHED_F16)
PACKED_COMPARE(bf16x2, float_of_bf16)
