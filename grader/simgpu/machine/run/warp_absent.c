/* warp_absent.c - lanes that others of their warp wait for, and that do not come: where that is
 * reported, and how. How waiting lanes are let go on is in warp_ahead.c and warp_wait.c. */
#include "lanes.h"
#include "opcode.h"
#include "split.h"

#include <stdio.h>

/* --- Where lanes are -------------------------------------------------------------------------- */

/* The innermost split that lane is in; NULL when it has exited. */
static const struct split *split_of(const struct warp *warp, int lane)
{
    const struct split *found = NULL;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state == SPLIT_FREE || !(split->mask >> lane & 1))
            continue;
        if (!found || split_is_below(warp, i, found))
            found = split;
    }
    return found;
}

void warp_describe_lane(const struct warp *warp, int lane, char *text, size_t size)
{
    const struct split *split = split_of(warp, lane);
    uint32_t thread[3];
    fault_thread(warp, lane, thread);
    bool ends = !split || split->at >= split->function->block_count;
    unsigned line = ends ? 0 : fault_line(warp, split_waiting_op(split))->line;
    int used = snprintf(text, size, "thread (%u,%u,%u)", thread[0], thread[1], thread[2]);
    if (line)
        snprintf(text + used, size - (size_t)used, " %s at line %u",
                 split->state == SPLIT_RUNS ? "is" : "waits", line);
    else if (ends)
        snprintf(text + used, size - (size_t)used, " is about to end");
}

/* --- Barriers that are checked ---------------------------------------------------------------- */

bool warp_checks_barrier(const struct warp *warp, const struct split *split)
{
    return (block_launch(warp)->config.checks & SIM_CHECK_BARRIERS) && !warp->ran_ahead &&
           split->state == SPLIT_WAITS_AT_BARRIER && split_waiting_op(split)->run != barrier_sync;
}

/* --- Telling ---------------------------------------------------------------------------------- */

/* Lanes of the current split may be those that are missing: at op, unless that is NULL. */
static void raise_barrier(struct warp *warp, uint32_t index, const struct op *op)
{
    lane_mask missing = warp_live(warp) & ~warp->splits[index].mask;
    char where[80];
    if (op && warp->split->mask >> __builtin_ctz(missing) & 1)
        warp->split->at = split_block_of(warp->split, op);
    warp_describe_lane(warp, __builtin_ctz(missing), where, sizeof where);
    split_enter(warp, index);
    const struct split *split = warp->split;
    fault_raise(warp, split_waiting_op(split), SIM_FAULT_BARRIER, __builtin_ctz(split->mask),
                "waits at a barrier that %d of the %d running threads of its warp do not come to: "
                "%s",
                __builtin_popcount(missing), __builtin_popcount(warp_live(warp)), where);
}

static void raise_members(struct warp *warp, uint32_t index)
{
    split_enter(warp, index); /* whose calls lead to the line */
    const struct split *split = warp->split;
    const struct op *op = split_waiting_op(split);
    lane_mask absent = split->waits_for & ~warp->idle & ~split->mask;
    if (op->row->flags & OP_MATRIX)
        fault_raise(warp, op, SIM_FAULT_PARTIAL_WARP, __builtin_ctz(split->mask),
                    "runs a matrix instruction that %d threads of its warp do not come to",
                    __builtin_popcount(absent));
    else
        fault_raise(warp, op, SIM_FAULT_MEMBER_MASK, __builtin_ctz(split->mask),
                    "waits with member mask 0x%08x for lanes 0x%08x of its warp, which do not "
                    "come",
                    split->waits_for, absent);
}

/* Of splits that wait for each other, those that wait for lanes that went ahead are reported
 * first. */
static int urgency(const struct warp *warp, const struct split *split)
{
    return split_waiting_op(split)->row->flags & OP_MATRIX ? 2 : !(split->mask & warp->owed);
}

bool warp_raise_absent_members(struct warp *warp, lane_mask absent)
{
    uint32_t found = NO_SPLIT;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state == SPLIT_WAITS_FOR_LANES && split->waits_for & absent &&
            (found == NO_SPLIT || urgency(warp, split) > urgency(warp, &warp->splits[found])))
            found = i;
    }
    if (found != NO_SPLIT)
        raise_members(warp, found);
    return found != NO_SPLIT;
}

void warp_raise_owed(struct warp *warp, lane_mask lanes)
{
    uint32_t back = warp->current;
    if (block_launch(warp)->config.checks & SIM_CHECK_BARRIERS)
        warp_raise_absent_members(warp, lanes);
    split_enter(warp, back);
}

bool warp_raise_absent_barrier(struct warp *warp, lane_mask absent, const struct op *op)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (!warp_checks_barrier(warp, split) || !(warp_live(warp) & ~split->mask & absent))
            continue;
        if (op && split_waits_alike(warp, split, op))
            continue;
        raise_barrier(warp, i, op);
        return true;
    }
    return false;
}

bool warp_raise_absent(struct warp *warp, lane_mask absent, const struct op *op)
{
    return warp_raise_absent_members(warp, absent) || warp_raise_absent_barrier(warp, absent, op);
}
