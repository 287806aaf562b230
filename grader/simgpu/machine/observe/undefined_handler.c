/* undefined_handler.c - operations that mask, select or move bits: their handlers know best where
 * each bit goes, and are asked, with other values in the registers or with the shadows themselves.
 */
#include "undefined_operands.h"

/* --- Bits: ask the handler -------------------------------------------------------------------- */

enum { MOST_DATA = 3, MOST_REGISTER = WARP_LANES * 8 };

struct trial { /* a source that has undefined bits */
    unsigned char *at;
    const unsigned char *shadow;
    size_t bytes;
    VECTOR unsigned char value[MOST_REGISTER];
};

static unsigned undefined_data(struct warp *warp, const struct op *op, struct trial *trials)
{
    const struct op_info *info = undefined_info(warp, op);
    unsigned count = 0;
    for (unsigned i = 0; i < info->data_sources; i++) {
        size_t place = source_place(warp, op, i);
        bool again = false;
        for (unsigned j = 0; j < count; j++)
            again |= trials[j].at == (unsigned char *)reg(warp, op->src[i]);
        if (again || !undefined_marked(warp->undefined, place))
            continue;
        struct trial *trial = &trials[count++];
        trial->at = reg(warp, op->src[i]);
        trial->shadow = warp->undefined->bits + place;
        trial->bytes = register_size(info->source_bytes[i]);
        memcpy(trial->value, trial->at, trial->bytes);
    }
    return count;
}

/* Its undefined bits all become 0, or all 1. */
static void fill_in(const struct trial *trial, bool ones)
{
    for (size_t i = 0; i < trial->bytes; i++)
        trial->at[i] =
            (unsigned char)((trial->value[i] & ~trial->shadow[i]) | (ones ? trial->shadow[i] : 0));
}

/* Each bit of the result is a function of a few bits of the sources, the same few whatever they
 * are: a bit that comes out alike for all ways to fill in what is undefined is defined. */
void flow_bits(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome)
{
    struct trial trials[MOST_DATA];
    VECTOR unsigned char first[MOST_REGISTER], before[MOST_REGISTER];
    unsigned count = undefined_data(warp, op, trials);
    unsigned char *result = reg(warp, op->dst);
    size_t bytes = register_size(undefined_info(warp, op)->result_bytes);
    memcpy(before, result, bytes);
    for (unsigned way = 0; way < 1u << count; way++) {
        memcpy(result, before, bytes);
        for (unsigned i = 0; i < count; i++)
            fill_in(&trials[i], way >> i & 1);
        op->run(warp, op, active);
        for (size_t i = 0; way && i < bytes; i++)
            outcome->bits[i] |= result[i] ^ first[i];
        if (way == 0)
            memcpy(first, result, bytes);
    }
    memcpy(result, before, bytes);
    for (unsigned i = 0; i < count; i++)
        memcpy(trials[i].at, trials[i].value, trials[i].bytes);
    op->run(warp, op, active);
}

bool says_where(const struct warp *warp, const struct op *op, lane_mask active)
{
    lane_mask lanes = 0;
    for (unsigned i = undefined_info(warp, op)->data_sources; i < op->source_count; i++)
        lanes |= source_lanes(warp, op, i);
    return (lanes & active) == 0;
}

/* --- Moves: let the handler move the shadows -------------------------------------------------- */

bool list_is_marked(const struct warp *warp, const struct op *op)
{
    bool marked = false;
    for (unsigned i = 0; i < op->count; i++)
        marked |= op->list[i] != NO_REGISTER &&
                  undefined_marked(warp->undefined, undefined_place(warp, op->list[i]));
    return marked;
}

static void move_shadows(struct warp *warp, const struct op *op, lane_mask active)
{
    unsigned char *registers = warp->registers;
    lane_mask idle = warp->idle;
    warp->registers = warp->undefined->bits + warp->split->register_base;
    warp->idle = 0; /* lanes that are not active keep their shadows */
    op->run(warp, op, active);
    warp->registers = registers;
    warp->idle = idle;
}

/* What the move left as the shadow of the result becomes the outcome. */
void flow_move(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome)
{
    size_t place = undefined_place(warp, op->dst);
    size_t bytes = register_size(undefined_info(warp, op)->result_bytes);
    unsigned char *shadow = warp->undefined->bits + place;
    VECTOR unsigned char before[MOST_REGISTER];
    memcpy(before, shadow, bytes);
    move_shadows(warp, op, active);
    memcpy(outcome->bits, shadow, bytes);
    memcpy(shadow, before, bytes);
    op->run(warp, op, active);
}

void move_parts_out(struct warp *warp, const struct op *op, lane_mask active)
{
    struct outcome outcome;
    const struct op_info *info = undefined_info(warp, op);
    VECTOR unsigned char whole[MOST_REGISTER];
    struct origin origins[WARP_LANES];
    unsigned bytes = op->bytes, wide = info->source_bytes[0];
    size_t place = source_place(warp, op, 0);
    memcpy(whole, warp->undefined->bits + place, (size_t)wide * WARP_LANES);
    for (int lane = 0; lane < WARP_LANES; lane++)
        origins[lane] = *undefined_origin(warp->undefined, place, wide, lane);
    op->run(warp, op, active);
    for (unsigned i = 0; i < op->count; i++) {
        if (op->list[i] == NO_REGISTER)
            continue;
        memset(outcome.bits, 0, sizeof outcome.bits);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            memcpy(outcome.bits + lane * op->dst_bytes, whole + lane * wide + i * bytes, bytes);
        memcpy(outcome.origin, origins, sizeof origins);
        undefined_put(warp, undefined_place(warp, op->list[i]), op->dst_bytes, active, &outcome);
    }
}
