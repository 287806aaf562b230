/* warp_ahead.c - lets lanes go on past a join, a convergence point, when nothing else can run. */
#include "spin.h"
#include "split.h"

/* --- Which lanes wait at a join --------------------------------------------------------------- */

/* The lanes that wait at split i's convergence point for the others of the split. */
static lane_mask arrived_at_join(const struct warp *warp, uint32_t i)
{
    const struct split *parent = &warp->splits[i];
    if (parent->state != SPLIT_WAITS_FOR_CHILDREN)
        return 0;
    lane_mask arrived = parent->mask & ~warp->idle;
    for (uint32_t j = 0; j < warp->split_count; j++)
        if (warp->splits[j].state != SPLIT_FREE && warp->splits[j].parent == i)
            arrived &= ~warp->splits[j].mask;
    return arrived;
}

/* The split that made the call that split is in; NULL in the kernel itself. */
static const struct split *caller_of(const struct warp *warp, const struct split *split)
{
    while (!split->call && split->parent != NO_SPLIT)
        split = &warp->splits[split->parent];
    return split->parent == NO_SPLIT ? NULL : &warp->splits[split->parent];
}

/* Do lanes that go on from where split is have nothing left to do but leave the kernel? */
static bool only_leaves(const struct warp *warp, const struct split *split)
{
    while (split) {
        if (split->at == split->join && split->parent != NO_SPLIT && !split->call)
            split = &warp->splits[split->parent];
        else if (flow_only_ends(split->function, split->at))
            split = caller_of(warp, split);
        else
            return false;
    }
    return true;
}

/* --- Letting them go -------------------------------------------------------------------------- */

/* Lanes go on after calls that others of split i are still in: they take their results along. */
static void take_results(struct warp *warp, uint32_t i, lane_mask lanes)
{
    for (uint32_t j = 0; j < warp->split_count; j++) {
        struct split *child = &warp->splits[j];
        if (child->state == SPLIT_FREE || child->parent != i || !child->call)
            continue;
        call_fetch_results(warp, child, &warp->splits[i], lanes & child->returned);
        child->returned &= ~lanes;
    }
}

/* A split of their own for lanes that need not wait at split i's join: a sibling of it, not a
 * child. */
static uint32_t open_sibling(struct warp *warp, uint32_t i, lane_mask lanes)
{
    uint32_t back = warp->current;
    take_results(warp, i, lanes);
    split_enter(warp, i);
    uint32_t ahead = split_open_child(warp, lanes);
    struct split *parent = warp->split;
    parent->children--;
    if (ahead != NO_SPLIT) {
        warp->splits[ahead].parent = parent->parent;
        warp->splits[ahead].call = parent->call;
        if (parent->parent != NO_SPLIT)
            warp->splits[parent->parent].children++;
        parent->mask &= ~lanes;
    }
    split_enter(warp, back);
    return ahead;
}

/* Lanes have come to the end of split i, and others of it have not: they wait one level further
 * out, at the outer join or after the call. */
static void move_out(struct warp *warp, uint32_t i, lane_mask lanes)
{
    struct split *split = &warp->splits[i];
    if (split->call)
        call_fetch_results(warp, split, &warp->splits[split->parent], lanes);
    split->mask &= ~lanes;
}

uint32_t warp_let_arrived_go(struct warp *warp, lane_mask wanted)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < warp->split_count; i++) {
            const struct split *parent = &warp->splits[i];
            lane_mask arrived = arrived_at_join(warp, i);
            if (!(arrived & wanted))
                continue;
            if (parent->at != parent->join && parent->at != EXIT_BLOCK)
                return open_sibling(warp, i, arrived);
            if (parent->parent == NO_SPLIT)
                continue;
            move_out(warp, i, arrived);
            changed = true;
        }
    }
    return NO_SPLIT;
}

/* Lanes that only have to leave the kernel leave it. The end of the kernel is not counted for them
 * but for the others that come to it: on a device, their branch to it is a conditional exit. */
static lane_mask let_leave(struct warp *warp)
{
    lane_mask leaving = 0;
    for (uint32_t i = 0; i < warp->split_count; i++)
        if (only_leaves(warp, &warp->splits[i]))
            leaving |= arrived_at_join(warp, i);
    if (leaving)
        warp_exit(warp, leaving);
    return leaving;
}

/* --- When nothing of the warp runs ------------------------------------------------------------ */

/* Lanes that others wait for by name, at a warp-wide operation. */
static lane_mask named_lanes(const struct warp *warp)
{
    lane_mask named = 0;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state == SPLIT_WAITS_FOR_LANES)
            named |= split->waits_for & ~split->mask;
    }
    return named & ~warp->idle;
}

/* Does a split wait at a barrier that is not complete before the whole warp has arrived? */
static bool waits_for_warp(const struct warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state == SPLIT_WAITS_AT_BARRIER &&
            (!warp->block->barriers[split->barrier].expected || warp_checks_barrier(warp, split)))
            return true;
    }
    return false;
}

/* Lanes that a mask names may meet the waiting lanes at another instruction (PTX ISA 9.7.13, since
 * sm_70). They owe that until the whole warp comes to one together. */
static bool let_named_go(struct warp *warp)
{
    lane_mask named = named_lanes(warp);
    uint32_t ahead = named ? warp_let_arrived_go(warp, named) : NO_SPLIT;
    if (ahead == NO_SPLIT)
        return false;
    warp->splits[ahead].ahead = true;
    warp->owed |= warp->splits[ahead].mask & named;
    return true;
}

bool warp_go_on_to_exit(struct warp *warp)
{
    if (warp->split_count == 1)
        return false;
    if (let_leave(warp) && split_next(warp) != NO_SPLIT)
        return true;
    if (let_named_go(warp))
        return true;
    if (!waits_for_warp(warp))
        return false;
    uint32_t ahead = warp_let_arrived_go(warp, ALL_LANES);
    if (ahead == NO_SPLIT)
        return false;
    warp->splits[ahead].ahead = true;
    warp->may_skip = (block_launch(warp)->config.checks & SIM_CHECK_BARRIERS) != 0;
    warp->turn_end = warp->steps; /* the next turn checks where they go */
    return true;
}

bool warp_go_ahead(struct warp *warp)
{
    bool waits = false;
    for (uint32_t i = 0; i < warp->split_count; i++)
        waits |=
            warp->splits[i].state == SPLIT_WAITS_FOR_PHASE ||
            warp->splits[i].state == SPLIT_WAITS_AT_BARRIER ||
            warp->splits[i].state == SPLIT_WAITS_FOR_CLUSTER ||
            (warp->splits[i].state == SPLIT_SPINS && spin_of(warp, i)->wake_ticks == SPIN_NEVER);
    if (!waits || warp_let_arrived_go(warp, ALL_LANES) == NO_SPLIT)
        return false;
    warp->ran_ahead = true;
    warp->status = WARP_READY;
    return true;
}
