/* undefined_together.c - operations in which lanes of a warp see one another's values. */
#include "shuffle.h"
#include "undefined_operands.h"

void flow_shuffle(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome)
{
    const struct undefined *undefined = warp->undefined;
    const uint32_t *b = reg(warp, op->src[1]), *c = reg(warp, op->src[2]);
    size_t place = source_place(warp, op, 0);
    lane_mask unknown = source_lanes(warp, op, 1) | source_lanes(warp, op, 2);
    struct outcome made = {{0}};
    FOR_ACTIVE (lane, active) {
        bool valid;
        int from = shuffle_source(shuffle_mode(op), lane, b[lane], c[lane], &valid);
        uint64_t bits = unknown >> lane & 1 ? UINT64_MAX : shadow_of(warp, op, 0, from);
        set_bits(&made, 4, lane, bits);
        made.origin[lane] = unknown >> lane & 1 ? outcome->origin[lane]
                                                : *undefined_origin(undefined, place, 4, from);
    }
    *outcome = made;
    op->run(warp, op, active);
}

/* A ballot has a bit of each lane; all, any and uni may be settled by the lanes that are known. */
void flow_vote(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome)
{
    const uint32_t *masks = reg(warp, op->src[1]);
    const struct op_info *info = undefined_info(warp, op);
    lane_mask unsure = source_lanes(warp, op, 0), says = predicate_source(warp, op, 0);
    FOR_ACTIVE (lane, active) {
        lane_mask members = masks[lane] & ~warp->idle, known = members & ~unsure;
        lane_mask open = members & unsure;
        if (op->run == vote_any && (known & says))
            open = 0;
        if (op->run == vote_all && (known & ~says))
            open = 0;
        if (op->run == vote_uni && (known & says) && (known & ~says))
            open = 0;
        set_bits(outcome, info->result_bytes, lane, open);
        if (open)
            outcome->origin[lane] =
                *undefined_origin(warp->undefined, source_place(warp, op, 0), PREDICATE_BYTES, 0);
    }
    op->run(warp, op, active);
}

void flow_warp(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome)
{
    const struct op_info *info = undefined_info(warp, op);
    const uint32_t *masks = reg(warp, op->src[1]);
    lane_mask unsure = source_lanes(warp, op, 0);
    FOR_ACTIVE (lane, active) {
        lane_mask open = masks[lane] & ~warp->idle & unsure;
        set_bits(outcome, info->result_bytes, lane, open ? UINT64_MAX : 0);
        if (open)
            outcome->origin[lane] = *undefined_origin(warp->undefined, source_place(warp, op, 0),
                                                      info->source_bytes[0], __builtin_ctz(open));
    }
    op->run(warp, op, active);
}

bool members_decide(struct warp *warp, const struct op *op, lane_mask active)
{
    unsigned last = op->source_count - 1u;
    lane_mask lanes = source_lanes(warp, op, last) & active;
    if (!lanes)
        return true;
    int lane = __builtin_ctz(lanes);
    undefined_decides(warp, op, lane,
                      undefined_origin(warp->undefined, source_place(warp, op, last), 4, lane),
                      "decides which lanes take part");
    return !block_launch(warp)->faulted;
}
