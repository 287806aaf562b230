/* warp.c - a warp: 32 lanes that step together.
 *
 * It runs a basic block of its current split, all of whose lanes agree where they are, and then
 * settles: have they come to the join, and whose turn is it? split.c has what happens when lanes
 * part. Splits take turns, so lanes that wait for their neighbours (a spin lock within a warp, an
 * exchange between the two sides of a branch) do not wait for ever. Next: split.c, warp_wait.c,
 * block.c.
 */
#include "lanes.h"
#include "opcode.h"
#include "spin.h"
#include "split.h"
#include "undefined.h"

#include <stdlib.h>

/* Steps without a change after which lanes that wait at a join may go ahead. */
enum { LONG_RUN = 1 << 17 };
/* The same for a warp that keeps polling memory that others may change: it may be waiting, as for a
 * lock that a lane waiting at the join holds. Once that has happened, it is likely to happen again,
 * so the limit is lower from then on. */
enum { LONG_WAIT = 1 << 12, NEXT_WAIT = 1 << 7, ASKED_LATELY = 128 };
/* After this many polls in one turn a warp may be waiting. On an H200, blocks that meet at a
 * grid-wide barrier poll 1.4 times each until all have arrived (grid_barriers_132x128); with more
 * polls here, more time would be modelled than the device spends. */
enum { MOST_ASKED = 2 };

lane_mask warp_live(const struct warp *warp)
{
    return ~warp->idle;
}

/* --- Turns of splits -------------------------------------------------------------------------- */

static inline bool goes_on(const struct split *split)
{
    return split->state == SPLIT_RUNS && split->mask && split->at != split->join;
}

void warp_settle(struct warp *warp)
{
    while (!goes_on(warp->split)) {
        const struct split *split = warp->split;
        if (split->state == SPLIT_RUNS) {
            split_close(warp);
            if (warp->idle == ALL_LANES) {
                warp->status = WARP_DONE;
                return;
            }
            if (warp->split->state == SPLIT_RUNS)
                continue;
        }
        uint32_t next = split_next(warp);
        if (next == NO_SPLIT && warp_go_on_to_exit(warp))
            next = split_next(warp);
        if (next == NO_SPLIT) {
            warp->status = WARP_WAITS;
            return;
        }
        split_enter(warp, next);
    }
}

/* Mostly there is nothing to be done. */
static inline void settle(struct warp *warp)
{
    if (!goes_on(warp->split))
        warp_settle(warp);
}

/* --- Running ---------------------------------------------------------------------------------- */

static lane_mask guarded(const struct warp *warp, const struct op *op, lane_mask mask)
{
    lane_mask guard = *predicate(warp, op->guard);
    lane_mask active = mask & (op->guard_negated ? ~guard : guard);
    warp->worker->guarded_off[op->id] += (unsigned)__builtin_popcount(mask & ~active);
    return active;
}

/* For a warp that is watched or whose values are followed (undefined.h). */
static void run_op_followed(struct warp *warp, const struct op *op, lane_mask mask,
                            lane_mask active)
{
    lane_mask live = warp_live(warp);
    uint32_t depth = warp->watched ? split_depth(warp) : 0;
    if (warp->doubt)
        undefined_step(warp, op, mask, active);
    else if (active)
        op->run(warp, op, active);
    if (warp->undefined && warp->undefined->brought)
        undefined_begin(warp, op, active);
    if (warp->watched && !warp->again)
        observers_step(warp, &(struct step){op, live, mask, active, depth});
}

/* Ops from op on, until one brings an undefined value, which sets warp->run_end back; returns the
 * first that is left. */
static inline __attribute__((always_inline)) const struct op *
run_until_doubt(struct warp *warp, const struct op *op, const struct op *end, lane_mask mask)
{
    lane_mask active = 0;
    warp->run_end = warp->doubt ? op : end;
    for (; op < warp->run_end; op++) {
        active = op->guard == NO_REGISTER ? mask : guarded(warp, op, mask);
        if (active)
            op->run(warp, op, active);
    }
    if (__builtin_expect(warp->undefined->brought, 0))
        undefined_begin(warp, op - 1, active);
    return op;
}

/* All ops of the split's basic block. Its lanes cannot change before the last op, so counting the
 * block once counts them all. Compiled twice, so that warps that are not watched pay nothing. */
static inline __attribute__((always_inline)) void run_basic_block(struct warp *warp, bool followed)
{
    struct split *split = warp->split;
    const struct function *function = split->function;
    uint32_t here = split->at;
    const struct basic_block *block = &function->blocks[here];
    struct block_counters *counters = &warp->worker->blocks[block->id];
    lane_mask mask = split->mask;
    unsigned lanes = (unsigned)__builtin_popcount(mask);
    counters->entries++;
    counters->lanes += lanes;
    warp->steps += block->count;
    if (warp->followed)
        observers_entered(warp, block);
    split->at = here + 1 < function->block_count ? here + 1 : EXIT_BLOCK;
    const struct op *end = function->ops + block->first + block->count;
    const struct op *op = function->ops + block->first;
    if (followed && warp->undefined && !warp->watched)
        op = run_until_doubt(warp, op, end, mask);
    for (; op < end; op++) {
        lane_mask active = op->guard == NO_REGISTER ? mask : guarded(warp, op, mask);
        if (followed)
            run_op_followed(warp, op, mask, active);
        else if (active)
            op->run(warp, op, active);
    }
    if (warp->again) { /* it waits: what was counted will be counted when it goes on */
        warp->again = false;
        counters->entries--;
        counters->lanes -= lanes;
        warp->steps -= block->count;
        if (warp->followed)
            observers_left(warp, block);
        warp->split->at = here;
    }
}

/* The same as the loops of warp_run, for a warp of which it matters where some lanes go. */
static __attribute__((noinline)) void run_and_look(struct warp *warp)
{
    const struct launch *launch = block_launch(warp);
    bool followed = warp->watched || warp->undefined;
    while (warp->may_skip && warp->status == WARP_READY && warp->steps < warp->turn_end &&
           !launch->faulted) {
        if (warp->split->ahead && !warp_check_skip(warp))
            return;
        if (followed)
            run_basic_block(warp, true);
        else
            run_basic_block(warp, false);
        settle(warp);
    }
}

void warp_asks(struct warp *warp)
{
    warp->asked_at = warp->steps;
    if (++warp->asked >= MOST_ASKED)
        warp->turn_end = warp->steps;
}

/* Have the other lanes run so long, while some wait at a join, that they may be waiting for
 * those? */
static bool waits_in_vain(const struct warp *warp)
{
    if (warp->steps - warp->changed_at > LONG_RUN)
        return true;
    bool asks = warp->steps - warp->asked_at < ASKED_LATELY;
    return asks && warp->steps - warp->joined_at > (warp->ran_ahead ? NEXT_WAIT : LONG_WAIT);
}

void warp_run(struct warp *warp, uint64_t budget)
{
    warp->turn_end = warp->steps + budget;
    warp->asked = 0;
    struct launch *launch = block_launch(warp);
    warp->status = WARP_READY;
    uint32_t next = split_next(warp);
    if (next == NO_SPLIT) {
        warp->status = WARP_WAITS;
        return;
    }
    split_enter(warp, next);
    warp_settle(warp);
    if (warp->may_skip)
        run_and_look(warp);
    while ((warp->watched || warp->undefined) && warp->status == WARP_READY &&
           warp->steps < warp->turn_end && !launch->faulted) {
        run_basic_block(warp, true);
        settle(warp);
    }
    while (warp->status == WARP_READY && warp->steps < warp->turn_end && !launch->faulted) {
        run_basic_block(warp, false);
        settle(warp);
    }
    if (warp->status == WARP_READY && warp->asked >= MOST_ASKED && !launch->faulted)
        spin_try(warp);
    if (warp->status == WARP_READY && waits_in_vain(warp)) {
        warp->ran_ahead |= warp_let_arrived_go(warp, ALL_LANES) != NO_SPLIT;
        warp->changed_at = warp->joined_at = warp->steps;
    }
}

void warp_start(struct warp *warp, lane_mask lanes)
{
    const struct launch *launch = block_launch(warp);
    const struct function *kernel = launch->function;
    warp->idle = ~lanes;
    warp->status = WARP_READY;
    warp->again = warp->ran_ahead = warp->may_skip = warp->has_waited = false;
    warp->steps = warp->changed_at = warp->joined_at = warp->asked_at = 0;
    warp->carry = 0;
    warp->owed = 0;
    warp->spinning = warp->spin_pause = warp->spin_next_pause = 0;
    warp->copies_over = warp->copy_count = warp->group_count = 0;
    warp->cluster_arrived = warp->cluster_passed = 0;
    warp->splits[0] = (struct split){.state = SPLIT_RUNS,
                                     .mask = lanes,
                                     .at = kernel->block_count ? 0 : EXIT_BLOCK,
                                     .join = EXIT_BLOCK,
                                     .parent = NO_SPLIT,
                                     .function = kernel};
    warp->split_count = 1;
    warp->followed = 0;
    warp->watched = false;
    split_enter(warp, 0);
}

bool warp_init(struct warp *warp, struct block *block, uint32_t index)
{
    const struct function *kernel = block->launch->function;
    struct split root = {.function = kernel};
    *warp = (struct warp){.block = block, .worker = block->worker, .index = index};
    for (int axis = 0; axis < 3; axis++)
        warp->tid[axis] = block->tids + ((size_t)axis * block->warp_count + index) * WARP_LANES;
    return split_init(warp) && call_prepare_frame(warp, &root);
}

void warp_free(struct warp *warp)
{
    free(warp->splits);
    free(warp->register_stack);
    free(warp->local);
    free(warp->copies);
    free(warp->kept);
    spin_free(warp);
}
