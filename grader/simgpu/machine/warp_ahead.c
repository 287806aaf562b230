/* warp_ahead.c - lanes that wait for others of their warp at a join, and need not. */
#include "split.h"

/* Lanes that wait at split i's join for the others of the split. */
static lane_mask arrived_at_join(const struct warp *warp, uint32_t i)
{
    const struct split *parent = &warp->splits[i];
    if (parent->state != SPLIT_WAITS_FOR_CHILDREN || parent->at == EXIT_BLOCK)
        return 0;
    lane_mask arrived = parent->mask & ~warp->idle;
    for (uint32_t j = 0; j < warp->split_count; j++)
        if (warp->splits[j].state != SPLIT_FREE && warp->splits[j].parent == i)
            arrived &= ~warp->splits[j].mask;
    return arrived;
}

/* A split of its own for lanes that need not wait at split i's join: beside it, not below it. */
static uint32_t open_sibling(struct warp *warp, uint32_t i, lane_mask lanes)
{
    uint32_t back = warp->current;
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

uint32_t warp_let_arrived_go(struct warp *warp)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < warp->split_count; i++) {
            struct split *parent = &warp->splits[i];
            lane_mask arrived = arrived_at_join(warp, i);
            if (!arrived)
                continue;
            if (parent->at != parent->join)
                return open_sibling(warp, i, arrived);
            if (parent->call || parent->parent == NO_SPLIT)
                continue;
            parent->mask &= ~arrived; /* a join of two branches: they wait at the outer one */
            changed = true;
        }
    }
    return NO_SPLIT;
}

bool warp_go_on_to_exit(struct warp *warp)
{
    bool waits = false;
    for (uint32_t i = 0; i < warp->split_count; i++)
        waits |= warp->splits[i].state == SPLIT_WAITS_FOR_LANES;
    uint32_t ahead = waits ? warp_let_arrived_go(warp) : NO_SPLIT;
    if (ahead == NO_SPLIT)
        return false;
    const struct split *split = &warp->splits[ahead];
    warp->splits[ahead].ahead = !flow_only_ends(split->function, split->at);
    return true;
}

bool warp_go_ahead(struct warp *warp)
{
    bool waits = false;
    for (uint32_t i = 0; i < warp->split_count; i++)
        waits |= warp->splits[i].state == SPLIT_WAITS_FOR_PHASE;
    if (!waits || warp_let_arrived_go(warp) == NO_SPLIT)
        return false;
    warp->ran_ahead = true;
    warp->status = WARP_READY;
    return true;
}
