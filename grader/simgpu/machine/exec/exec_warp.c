/* exec_warp.c - what the lanes of a warp, and the warps of a block, do together: shuffles, votes,
 * barriers (PTX ISA 9.7.9.6, 9.7.13).
 *
 * Every lane puts its value down in warp->exchange; when all members are there (warp_gather), each
 * picks up what it needs from warp->exchanged.
 */
#include "lanes.h"
#include "opcode.h"
#include "shuffle.h"

#define PUT_DOWN(expression)  \
    FOR_ACTIVE (lane, active) \
    warp->exchange[lane] = (expression)

/* --- Members ---------------------------------------------------------------------------------- */

/* The members of active lanes, which may differ from lane to lane: tiles of a warp each name their
 * own. Lanes that name the same members go together; false when lanes differ, and the op has to run
 * again for each group. */
static bool same_members(struct warp *warp, const struct op *op, lane_mask active, int slot,
                         lane_mask *members)
{
    SOURCE(uint32_t, masks, slot);
    lane_mask first = masks[__builtin_ctz(active)], together = 0;
    FOR_ACTIVE (lane, active)
        together |= masks[lane] == first ? UINT32_C(1) << lane : 0;
    *members = first;
    if (together == active || warp->split->released)
        return true;
    warp_run_apart(warp, op, together, active & ~together);
    return false;
}

/* --- Shuffles --------------------------------------------------------------------------------- */

/* A value from a lane that takes no part is undefined: that matters only where something depends on
 * it. */
static void tell_absent(struct warp *warp, lane_mask active, lane_mask members, const int *from)
{
    lane_mask lanes = 0;
    FOR_ACTIVE (lane, active)
        lanes |= members >> from[lane] & 1 ? 0 : UINT32_C(1) << lane;
    if (lanes)
        observers_shuffled_absent(warp, lanes, from);
}

static void shuffle(struct warp *warp, const struct op *op, lane_mask active, enum shuffle mode)
{
    SOURCE(uint32_t, a, 0);
    SOURCE(uint32_t, b, 1);
    SOURCE(uint32_t, c, 2);
    lane_mask members;
    if (!same_members(warp, op, active, 3, &members))
        return;
    PUT_DOWN(a[lane]);
    if (!warp_gather(warp, op, active, members))
        return;
    VECTOR uint32_t result[WARP_LANES];
    VECTOR int from[WARP_LANES];
    lane_mask in_range = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool valid = false;
        from[lane] = shuffle_source(mode, lane, b[lane], c[lane], &valid);
        result[lane] = (uint32_t)warp->exchanged[from[lane]];
        in_range |= (lane_mask)valid << lane;
    }
    if (warp->gathered != ALL_LANES)
        tell_absent(warp, active, warp->gathered, from);
    if (op->dst != NO_REGISTER)
        pick_lanes(warp, op->dst, active, result, sizeof *result);
    if (op->dst2 != NO_REGISTER)
        WRITE_PREDICATE(op->dst2, in_range);
}

HANDLER(shfl_up)
{
    shuffle(warp, op, active, SHUFFLE_UP);
}

HANDLER(shfl_down)
{
    shuffle(warp, op, active, SHUFFLE_DOWN);
}

HANDLER(shfl_bfly)
{
    shuffle(warp, op, active, SHUFFLE_BFLY);
}

HANDLER(shfl_idx)
{
    shuffle(warp, op, active, SHUFFLE_IDX);
}

/* --- Votes ------------------------------------------------------------------------------------ */

/* The lanes of the members with the predicate. False while some are still to come. */
static bool vote(struct warp *warp, const struct op *op, lane_mask active, lane_mask *members,
                 lane_mask *yes)
{
    lane_mask mine = predicate_source(warp, op, 0);
    if (!same_members(warp, op, active, 1, members))
        return false;
    PUT_DOWN(mine >> lane & 1);
    if (!warp_gather(warp, op, active, *members))
        return false;
    *members = warp->gathered;
    *yes = MASK_OF(warp->exchanged[lane]) & *members;
    return true;
}

#define VOTE(name, expression)                                      \
    HANDLER(name)                                                   \
    {                                                               \
        lane_mask members, yes;                                     \
        if (vote(warp, op, active, &members, &yes))                 \
            WRITE_PREDICATE(op->dst, (expression) ? ALL_LANES : 0); \
    }
VOTE(vote_all, yes == members)
VOTE(vote_any, yes != 0)
VOTE(vote_uni, yes == members || yes == 0)

HANDLER(vote_ballot)
{
    lane_mask members, yes;
    if (vote(warp, op, active, &members, &yes))
        WRITE_LANES(uint32_t, yes);
}

/* --- Matches ---------------------------------------------------------------------------------- */

static lane_mask lanes_with(const struct warp *warp, uint64_t value)
{
    return MASK_OF(warp->exchanged[lane] == value) & warp->gathered;
}

static void match_any(struct warp *warp, const struct op *op, lane_mask active, lane_mask members)
{
    if (!warp_gather(warp, op, active, members) || op->dst == NO_REGISTER)
        return;
    uint32_t *to = reg(warp, op->dst);
    FOR_ACTIVE (lane, active)
        to[lane] = lanes_with(warp, warp->exchanged[lane]);
}

static void match_all(struct warp *warp, const struct op *op, lane_mask active, lane_mask members)
{
    if (!warp_gather(warp, op, active, members))
        return;
    lane_mask same = lanes_with(warp, warp->exchanged[__builtin_ctz(active)]);
    bool all = same == warp->gathered;
    if (op->dst != NO_REGISTER)
        WRITE_LANES(uint32_t, all ? same : 0);
    if (op->dst2 != NO_REGISTER)
        WRITE_PREDICATE(op->dst2, all ? ALL_LANES : 0);
}

#define MATCH(name, T, match)                             \
    HANDLER(name)                                         \
    {                                                     \
        SOURCE(T, a, 0);                                  \
        lane_mask members;                                \
        if (!same_members(warp, op, active, 1, &members)) \
            return;                                       \
        PUT_DOWN(a[lane]);                                \
        match(warp, op, active, members);                 \
    }
MATCH(match_any_32, uint32_t, match_any)
MATCH(match_any_64, uint64_t, match_any)
MATCH(match_all_32, uint32_t, match_all)
MATCH(match_all_64, uint64_t, match_all)

HANDLER(activemask)
{
    WRITE_LANES(uint32_t, active);
}

/* --- Reductions over a warp ------------------------------------------------------------------- */

static uint32_t reduced(uint32_t x, uint32_t y, const struct op *op)
{
    bool is_signed = op_is_signed(op);
    bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (op->kind) {
    case COMBINE_ADD: return x + y;
    case COMBINE_LEAST: return less ? x : y;
    case COMBINE_MOST: return less ? y : x;
    case COMBINE_BITS_AND: return x & y;
    case COMBINE_BITS_OR: return x | y;
    default: return x ^ y;
    }
}

HANDLER(redux)
{
    SOURCE(uint32_t, a, 0);
    lane_mask members;
    if (!same_members(warp, op, active, 1, &members))
        return;
    PUT_DOWN(a[lane]);
    if (!warp_gather(warp, op, active, members))
        return;
    members = warp->gathered;
    uint32_t result = (uint32_t)warp->exchanged[__builtin_ctz(members)];
    FOR_ACTIVE (lane, members & (members - 1))
        result = reduced(result, (uint32_t)warp->exchanged[lane], op);
    WRITE_LANES(uint32_t, result);
}

/* elect: the lowest member is the one; d gets its number. */
HANDLER(elect)
{
    SOURCE(uint32_t, mask, 0);
    lane_mask members = mask[__builtin_ctz(active)];
    if (!warp_gather(warp, op, active, members))
        return;
    members = warp->gathered;
    if (op->dst != NO_REGISTER)
        WRITE_LANES(uint32_t, (uint32_t)__builtin_ctz(members));
    if (op->dst2 != NO_REGISTER)
        WRITE_PREDICATE(op->dst2, members & -members);
}

HANDLER(warp_sync)
{
    lane_mask members;
    if (same_members(warp, op, active, 0, &members) && warp_gather(warp, op, active, members))
        observers_warp_sync(warp, warp->gathered);
}

/* --- Barriers of a block ---------------------------------------------------------------------- */

/* bar.sync is for whole warps: a real device may hang or go on too early when lanes of a warp come
 * by different ways. Lanes that are still to come may be about to leave the kernel, and then no
 * lane waits for them; if they do something else, warp_ahead.c takes care of it. */
static bool check_aligned(struct warp *warp, const struct op *op, lane_mask active)
{
    lane_mask missing = warp_live(warp) & ~active;
    if (!missing || !(block_launch(warp)->config.checks & SIM_CHECK_BARRIERS) ||
        warp->split->released || warp->ran_ahead)
        return true;
    return !warp_raise_absent(warp, active, op);
}

static uint32_t barrier_number(const struct warp *warp, const struct op *op, lane_mask active)
{
    SOURCE(uint32_t, a, 0);
    return a[__builtin_ctz(active)];
}

/* The thread count is the second source, when the instruction has one in slot. */
static uint32_t barrier_count(const struct warp *warp, const struct op *op, lane_mask active,
                              bool has_count)
{
    SOURCE(uint32_t, b, 1);
    return has_count ? b[__builtin_ctz(active)] : 0;
}

HANDLER(barrier_sync)
{
    warp_barrier(warp, op, active, barrier_number(warp, op, active),
                 barrier_count(warp, op, active, op->source_count > 1), true);
}

HANDLER(bar_sync)
{
    if (check_aligned(warp, op, active))
        barrier_sync(warp, op, active);
}

HANDLER(bar_arrive)
{
    warp_barrier(warp, op, active, barrier_number(warp, op, active),
                 barrier_count(warp, op, active, true), false);
}

/* bar.red: the predicate is the last source. Each warp adds its votes when it arrives. */
static bool barrier_vote(struct warp *warp, const struct op *op, lane_mask active,
                         struct barrier **barrier)
{
    uint32_t id = barrier_number(warp, op, active), predicate_slot = op->source_count - 1u;
    *barrier = block_barrier(warp->block, id);
    if (!check_aligned(warp, op, active))
        return false;
    if (!warp->split->released) {
        lane_mask yes = predicate_source(warp, op, (int)predicate_slot) & active;
        (*barrier)->ones += (uint32_t)__builtin_popcount(yes);
        (*barrier)->votes += (uint32_t)__builtin_popcount(active);
    }
    return warp_barrier(warp, op, active, id, barrier_count(warp, op, active, op->source_count > 2),
                        true);
}

HANDLER(bar_popc)
{
    struct barrier *barrier;
    if (barrier_vote(warp, op, active, &barrier))
        WRITE_LANES(uint32_t, barrier->result_ones);
}

HANDLER(bar_and)
{
    struct barrier *barrier;
    if (barrier_vote(warp, op, active, &barrier))
        WRITE_PREDICATE(op->dst, barrier->result_ones == barrier->result_votes ? ALL_LANES : 0);
}

HANDLER(bar_or)
{
    struct barrier *barrier;
    if (barrier_vote(warp, op, active, &barrier))
        WRITE_PREDICATE(op->dst, barrier->result_ones ? ALL_LANES : 0);
}
