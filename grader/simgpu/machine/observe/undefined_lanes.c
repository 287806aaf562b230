/* undefined_lanes.c - operations in which each lane works by itself: sums, products, comparisons.
 *
 * undefined_ranges.h says what an integer may be when some of its bits are undefined. An integer
 * times 0 is 0 whatever the other factor is; a float times 0 is not, since the other may be
 * infinite or NaN.
 */
#include "undefined_operands.h"
#include "undefined_ranges.h"

/* --- Flows of a lane by itself ---------------------------------------------------------------- */

/* From the lowest undefined bit up. */
static uint64_t upwards(uint64_t bits)
{
    return bits | (0 - bits);
}

static uint64_t halves(uint64_t bits)
{
    return (bits & 0xFFFF ? 0xFFFF : 0) | (bits & 0xFFFF0000 ? 0xFFFF0000 : 0);
}

static uint64_t product(const struct warp *warp, const struct op *op, int lane)
{
    uint64_t a = shadow_of(warp, op, 0, lane), b = shadow_of(warp, op, 1, lane);
    uint64_t c = op->source_count > 2 ? shadow_of(warp, op, 2, lane) : 0;
    bool is_zero =
        (!a && value_of(warp, op, 0, lane) == 0) || (!b && value_of(warp, op, 1, lane) == 0);
    return (is_zero ? 0 : a | b) | c ? UINT64_MAX : 0;
}

static uint64_t all_sources(const struct warp *warp, const struct op *op, int lane)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < op->source_count; i++)
        bits |= shadow_of(warp, op, i, lane);
    return bits;
}

static struct partly partly_of(const struct warp *warp, const struct op *op, unsigned i, int lane)
{
    return (struct partly){value_of(warp, op, i, lane), shadow_of(warp, op, i, lane)};
}

static struct reading reading_of(const struct warp *warp, const struct op *op)
{
    return (struct reading){8u * undefined_info(warp, op)->source_bytes[0], op_is_signed(op)};
}

/* Integers of two sources, both undefined bit by bit. */
static uint64_t of_two(const struct warp *warp, const struct op *op, enum flow flow, int lane)
{
    struct partly a = partly_of(warp, op, 0, lane), b = partly_of(warp, op, 1, lane);
    if (flow == FLOW_SUM)
        return undefined_of_sum(a, b);
    if (flow == FLOW_DIFFERENCE) /* whatever it is, x - x is 0 */
        return op->src[0] == op->src[1] ? 0 : undefined_of_difference(a, b);
    return undefined_of_choice(a, b, reading_of(warp, op), flow == FLOW_MOST);
}

static uint64_t lane_flow(const struct warp *warp, const struct op *op, enum flow flow, int lane)
{
    bool carried = warp->undefined->carry >> lane & 1;
    uint64_t bits = flow == FLOW_PRODUCT ? product(warp, op, lane) : all_sources(warp, op, lane);
    switch (flow) {
    case FLOW_UP: return carried ? UINT64_MAX : upwards(bits);
    case FLOW_SUM:
    case FLOW_DIFFERENCE:
    case FLOW_LEAST:
    case FLOW_MOST: return bits ? of_two(warp, op, flow, lane) : 0;
    case FLOW_LEADING: return undefined_of_leading(partly_of(warp, op, 0, lane));
    case FLOW_PRODUCT: return carried ? UINT64_MAX : bits;
    case FLOW_HALVES: return halves(bits);
    case FLOW_PACK:
        return (shadow_of(warp, op, 1, lane) ? 0xFFFF : 0) |
               (shadow_of(warp, op, 0, lane) ? 0xFFFF0000 : 0);
    default: return bits || carried ? UINT64_MAX : 0;
    }
}

static void leave_carry(struct warp *warp, const struct op *op, lane_mask active,
                        const struct outcome *outcome)
{
    struct undefined *undefined = warp->undefined;
    unsigned bytes = undefined_info(warp, op)->result_bytes;
    undefined->carry &= ~active;
    FOR_ACTIVE (lane, active)
        if (undefined_has(outcome, bytes, lane)) {
            undefined->carry |= UINT32_C(1) << lane;
            undefined->carry_origin = outcome->origin[lane];
        }
}

void flow_by_lanes(struct warp *warp, const struct op *op, lane_mask active, enum flow flow,
                   struct outcome *outcome)
{
    unsigned bytes = undefined_info(warp, op)->result_bytes;
    bool carries = uses_carry(op);
    lane_mask carry = warp->undefined->carry;
    warp->undefined->carry = carries ? carry : 0;
    FOR_ACTIVE (lane, active)
        set_bits(outcome, bytes, lane, lane_flow(warp, op, flow, lane));
    warp->undefined->carry = carry;
    if (carries)
        leave_carry(warp, op, active, outcome);
    op->run(warp, op, active);
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Does the comparison come out alike whatever the undefined bits are? Integers are unequal if they
 * differ in a bit that is defined in both; and one may be the smaller whatever its undefined bits
 * are. */
static bool compares_alike(const struct warp *warp, const struct op *op, int lane, uint64_t bits)
{
    struct partly a = partly_of(warp, op, 0, lane), b = partly_of(warp, op, 1, lane);
    struct reading reading = reading_of(warp, op);
    if (!is_integer(op->type))
        return false;
    if (op->src[0] == op->src[1])
        return true;
    switch (op->compare) {
    case COMPARE_EQ:
    case COMPARE_NE: return ((a.value ^ b.value) & ~bits) != 0;
    case COMPARE_LT:
    case COMPARE_GE: return !is_less_undefined(a, b, reading, false);
    case COMPARE_LE:
    case COMPARE_GT: return !is_less_undefined(a, b, reading, true);
    default: return false;
    }
}

/* The predicate that the comparison is combined with may decide alone. */
static bool is_settled(const struct warp *warp, const struct op *op, int lane, bool compared)
{
    if (op->combine == COMBINE_NONE || op->source_count < 3)
        return compared;
    bool with = predicate_source(warp, op, 2) >> lane & 1;
    bool known = !(source_lanes(warp, op, 2) >> lane & 1);
    if (known && ((op->combine == COMBINE_AND && !with) || (op->combine == COMBINE_OR && with)))
        return true;
    return compared && known;
}

void flow_compare(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome)
{
    bool by_halves = ptx_type_class((enum ptx_type)op->type) == 'X';
    FOR_ACTIVE (lane, active) {
        uint64_t bits = shadow_of(warp, op, 0, lane) | shadow_of(warp, op, 1, lane);
        uint64_t first = by_halves ? bits & 0xFFFF : bits;
        bool compared = !first || compares_alike(warp, op, lane, bits);
        set_bits(outcome, PREDICATE_BYTES, lane, !is_settled(warp, op, lane, compared));
        bool high = !is_settled(warp, op, lane, !(bits & 0xFFFF0000));
        unsigned second = sizeof(lane_mask) + (unsigned)lane / 8;
        outcome->bits[second] |= (unsigned char)((by_halves && high) << lane % 8);
    }
    op->run(warp, op, active);
}
