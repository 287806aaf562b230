/* undefined_flow.c - from the undefined bits of an operation's sources to those of its result.
 *
 * It is as exact as is cheap, and never reports more bits as undefined than memcheck does. Bits
 * that are moved, masked or selected keep their shadows one by one, so that bit fields, packed
 * halves and x & 0 come out right: there the handler itself is asked, by running it with the
 * undefined bits all 0 and all 1 (undefined_handler.c). Sums, comparisons, the lesser of two
 * integers and the place of the first 1 go by the range that an integer may lie in
 * (undefined_lanes.c). Everything else is undefined when any of it is.
 */
#include "undefined_operands.h"

const struct op_info *undefined_info(const struct warp *warp, const struct op *op)
{
    return &block_launch(warp)->function->module->ops[op->id];
}

/* How many of op->src are registers. */
static unsigned source_count(const struct warp *warp, const struct op *op)
{
    enum flow flow = undefined_info(warp, op)->flow;
    return flow == FLOW_PARTS_IN ? 0 : op->source_count;
}

const struct origin *undefined_source(const struct warp *warp, const struct op *op, int lane)
{
    const struct undefined *undefined = warp->undefined;
    const struct op_info *info = undefined_info(warp, op);
    for (unsigned i = 0; i < source_count(warp, op); i++)
        if (source_lanes(warp, op, i) >> lane & 1)
            return undefined_origin(undefined, source_place(warp, op, i), info->source_bytes[i],
                                    lane);
    for (unsigned i = 0; info->flow == FLOW_PARTS_IN && i < op->count; i++) {
        size_t place = undefined_place(warp, op->list[i]);
        if (undefined_lanes(undefined, place, op->dst_bytes) >> lane & 1)
            return undefined_origin(undefined, place, op->dst_bytes, lane);
    }
    return undefined->carry >> lane & 1 ? &undefined->carry_origin : NULL;
}

static bool anything_undefined(const struct warp *warp, const struct op *op)
{
    bool any = uses_carry(op) && warp->undefined->carry;
    for (unsigned i = 0; i < source_count(warp, op); i++)
        any |= undefined_marked(warp->undefined, source_place(warp, op, i));
    return any || (undefined_info(warp, op)->flow == FLOW_PARTS_IN && list_is_marked(warp, op));
}

static enum made made_by(const struct warp *warp, const struct op *op, enum made before)
{
    const struct op_info *info = undefined_info(warp, op);
    bool moves = op->row->flags & OP_MOVES || info->flow == FLOW_SHUFFLE;
    bool is_sum = info->flow >= FLOW_UP && info->flow <= FLOW_DIFFERENCE;
    bool mixes =
        info->data_sources > 1 && info->flow == FLOW_BITS && !is_named(op->row->mnemonic, "and");
    if (moves || (before == MIXED && (info->flow == FLOW_BITS || is_sum)))
        return before;
    return mixes ? MIXED : MADE;
}

/* Packed halves are results of their own, and stay so. */
static uint8_t grain_by(const struct warp *warp, const struct op *op, const struct origin *before)
{
    const struct op_info *info = undefined_info(warp, op);
    enum { WHOLE = 8, HALF = 2, BYTE = 1 };
    uint8_t was = before->made == MADE ? before->grain : WHOLE;
    if (info->flow == FLOW_HALVES || info->flow == FLOW_PACK)
        return HALF;
    if (info->flow == FLOW_PARTS_IN)
        return was < op->bytes ? was : op->bytes;
    if (op->run == prmt_32)
        return BYTE;
    return made_by(warp, op, AS_READ) == AS_READ ? was : WHOLE;
}

static void note_origins(const struct warp *warp, const struct op *op, struct outcome *outcome)
{
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct origin *origin = undefined_source(warp, op, lane);
        struct origin made = origin ? *origin : (struct origin){0};
        made.grain = grain_by(warp, op, &made);
        made.made = (uint8_t)made_by(warp, op, (enum made)made.made);
        outcome->origin[lane] = made;
    }
}

/* A value that is undefined in all bits is no mixture. */
static void settle_mixed(const struct warp *warp, const struct op *op, struct outcome *outcome)
{
    unsigned bytes = undefined_info(warp, op)->result_bytes;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t bits = lane_bits(outcome->bits, bytes, lane);
        if (outcome->origin[lane].made == MIXED && bits == UINT64_MAX >> (64 - 8 * bytes))
            outcome->origin[lane].made = MADE; /* its grain is that of the whole already */
    }
}

bool undefined_flow(struct warp *warp, const struct op *op, lane_mask active,
                    struct outcome *outcome)
{
    const struct op_info *info = undefined_info(warp, op);
    enum flow flow = info->flow;
    if (flow == FLOW_PARTS_OUT) {
        move_parts_out(warp, op, active);
        return false;
    }
    if (!anything_undefined(warp, op)) {
        op->run(warp, op, active);
        return false;
    }
    memset(outcome->bits, 0, sizeof outcome->bits);
    note_origins(warp, op, outcome);
    if (flow == FLOW_BITS && !says_where(warp, op, active))
        flow = FLOW_ANY;
    if (flow == FLOW_MATRIX_TURN)
        flow = active == ALL_LANES ? FLOW_MOVE : FLOW_ANY;
    switch (flow) {
    case FLOW_BITS: flow_bits(warp, op, active, outcome); break;
    case FLOW_MOVE:
    case FLOW_PARTS_IN: flow_move(warp, op, active, outcome); break;
    case FLOW_COMPARE: flow_compare(warp, op, active, outcome); break;
    case FLOW_SHUFFLE:
    case FLOW_VOTE:
    case FLOW_WARP:
        if (members_decide(warp, op, active))
            (flow == FLOW_SHUFFLE ? flow_shuffle
             : flow == FLOW_VOTE  ? flow_vote
                                  : flow_warp)(warp, op, active, outcome);
        break;
    default: flow_by_lanes(warp, op, active, flow, outcome); break;
    }
    if (flow == FLOW_BITS && info->result_bytes != PREDICATE_BYTES)
        settle_mixed(warp, op, outcome);
    return true;
}
