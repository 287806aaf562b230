/* split.c - what happens when the lanes of a warp disagree.
 *
 * A warp starts as one split: all lanes, at the kernel's first basic block. When the lanes of a
 * split part at a branch, the split waits at the join, the convergence point (where all paths from
 * the branch meet again, see flow.c), and opens a child for each path. A child that reaches the
 * join hands its lanes back; when the last has done so, the parent walks on with all of them:
 *
 *     if (lane < 8) a(); else b();        parent  ########........................   waits at c
 *     c();                                child   ########                           runs a
 *                                         child           ########################   runs b
 *
 * A call works the same way: the caller waits after the call, and a child walks through the
 * function (warp_call.c). Next: warp.c, which gives children their turns.
 */
#include "split.h"
#include "lanes.h"

#include <stdlib.h>

enum { FIRST_SPLITS = 16, MOST_SPLITS = 4096 };

bool split_init(struct warp *warp)
{
    warp->splits = worker_alloc(FIRST_SPLITS, sizeof *warp->splits);
    warp->split_room = FIRST_SPLITS;
    return warp->splits != NULL;
}

uint32_t split_open_child(struct warp *warp, lane_mask lanes)
{
    uint32_t index = 0;
    while (index < warp->split_count && warp->splits[index].state != SPLIT_FREE)
        index++;
    if (index == warp->split_room) {
        uint32_t room = 2 * warp->split_room;
        struct split *grown =
            room > MOST_SPLITS ? NULL : realloc(warp->splits, room * sizeof *grown);
        if (!grown)
            return NO_SPLIT;
        warp->splits = grown;
        warp->split_room = room;
        warp->split = &warp->splits[warp->current];
    }
    if (index == warp->split_count)
        warp->split_count++;
    struct split *parent = warp->split, *child = &warp->splits[index];
    *child = *parent;
    child->state = SPLIT_RUNS;
    child->mask = lanes;
    child->returned = 0;
    child->parent = warp->current;
    child->children = 0;
    child->released = false;
    child->call = NULL;
    parent->children++;
    parent->state = SPLIT_WAITS_FOR_CHILDREN;
    return index;
}

uint32_t split_next(const struct warp *warp)
{
    uint32_t index = warp->current;
    if (warp->split_count && index >= warp->split_count) /* the last ones may have gone */
        index %= warp->split_count;
    for (uint32_t i = 1; i <= warp->split_count; i++) {
        index = index + 1 < warp->split_count ? index + 1 : 0;
        if (warp->splits[index].state == SPLIT_RUNS)
            return index;
    }
    return NO_SPLIT;
}

void split_close(struct warp *warp)
{
    struct split *split = warp->split;
    uint32_t parent_index = split->parent;
    if (parent_index == NO_SPLIT) {
        warp_exit(warp, split->mask);
        split->state = SPLIT_FREE;
        return;
    }
    struct split *parent = &warp->splits[parent_index];
    if (split->call)
        call_fetch_results(warp, split, parent, split->mask | split->returned);
    split->state = SPLIT_FREE;
    while (warp->split_count && warp->splits[warp->split_count - 1].state == SPLIT_FREE)
        warp->split_count--;
    if (--parent->children > 0) {
        warp->joined_at = warp->steps;
        return;
    }
    parent->state = SPLIT_RUNS;
    parent->mask &= ~warp->idle;
    split_enter(warp, parent_index);
}

/* --- What handlers do with the current split -------------------------------------------------- */

uint32_t split_block_of(const struct split *split, const struct op *op)
{
    const struct function *function = split->function;
    uint32_t index = (uint32_t)(op - function->ops), low = 0, high = function->block_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (function->blocks[middle].first <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void warp_part(struct warp *warp, const struct op *op, uint32_t count, const lane_mask *lanes,
               const uint32_t *target)
{
    if (count == 1) {
        warp->split->at = target[0];
        return;
    }
    warp->worker->divergent[op->id]++;
    const struct basic_block *blocks = warp->split->function->blocks;
    uint32_t join = blocks[split_block_of(warp->split, op)].join, paths = 0, only = 0;
    for (uint32_t i = 0; i < count; i++)
        if (target[i] != join) {
            paths++;
            only = i;
        }
    if (join == warp->split->join && paths == 1) {
        /* The others wait where this split itself will hand back: just let them go. A loop whose
         * lanes leave one by one needs no split for each. */
        lane_mask leaving = warp->split->mask & ~lanes[only];
        warp->joined_at = warp->steps;
        warp->split->returned |= leaving;
        warp->split->mask = lanes[only];
        warp->split->at = target[only];
        if (join == EXIT_BLOCK && warp->split->function->is_kernel)
            warp_exit(warp, leaving);
        return;
    }
    warp->split->at = join;
    uint32_t child = NO_SPLIT;
    for (uint32_t i = 0; i < count; i++) {
        if (target[i] == join) {
            warp->joined_at = warp->steps;
            continue;
        }
        child = split_open_child(warp, lanes[i]);
        if (child == NO_SPLIT) {
            call_overflow(warp, op);
            return;
        }
        warp->splits[child].at = target[i];
        warp->splits[child].join = join;
    }
    split_enter(warp, child);
}

void warp_run_apart(struct warp *warp, const struct op *op, lane_mask some, lane_mask others)
{
    const struct split *split = warp->split;
    uint32_t here = split_block_of(split, op);
    lane_mask rest = split->mask & ~(some | others);
    const lane_mask lanes[] = {some, others, rest};
    const uint32_t targets[] = {here, here, split->at};
    warp_part(warp, op, rest ? 3 : 2, lanes, targets);
}

/* May the exit of some lanes let others go on at a barrier? Mostly no warp waits at one. */
static bool has_barriers(const struct block *block)
{
    return block->barriers_met || block->cluster || block->is_met;
}

void warp_exit(struct warp *warp, lane_mask lanes)
{
    if (lanes & warp->owed)
        warp_raise_owed(warp, lanes & warp->owed);
    warp->idle |= lanes;
    for (uint32_t i = 0; i < warp->split_count; i++)
        warp->splits[i].mask &= ~warp->idle;
    warp_release_gathered(warp);
    if (has_barriers(warp->block))
        block_check_barriers(warp->block);
}

void warp_return(struct warp *warp, lane_mask lanes)
{
    struct split *split = warp->split;
    split->returned |= lanes;
    if (split->mask == lanes)
        split->at = EXIT_BLOCK;
    else
        split->mask &= ~lanes; /* a path that returns has the function's end as its join */
}

uint32_t split_depth(const struct warp *warp)
{
    uint32_t depth = 0;
    for (uint32_t parent = warp->split->parent; parent != NO_SPLIT;
         parent = warp->splits[parent].parent)
        depth++;
    return depth;
}
