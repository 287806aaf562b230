/* drawn.c - recognises launches whose blocks draw their work, and deals it out evenly. */
#include "drawn.h"
#include "schedule.h"
#include "trace_words.h"

#include <stdlib.h>
#include <string.h>

/* Work counts as drawn if the first block did TIMES_AS_MUCH what a block does on average and drew
 * at least LEAST_DRAWS times; and if all draws, each worth as much work as those of the first
 * block, make up all work to within a factor ABOUT. */
enum { TIMES_AS_MUCH = 4, LEAST_DRAWS = 8, ABOUT = 2 };

static uint64_t draws_of(const struct block_trace *block)
{
    uint64_t draws = 0;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct trace_item item;
        for (uint32_t at = 0; trace_next(&block->warps[i], &at, &item);)
            draws += item.tag == TRACE_ACCESS && item.how == TRACE_ATOMIC;
    }
    return draws;
}

static uint64_t steps_of_block(const struct block_trace *block, bool all)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < block->warp_count; i++)
        steps += all ? block->warps[i].all_steps : block->warps[i].steps;
    return steps;
}

static double steps_of_launch(const struct traces *traces)
{
    double steps = 0;
    for (uint64_t i = 0; i < traces->stride; i++)
        steps += (double)traces->dealt_steps[i];
    return steps;
}

/* What share of the first block's work a block would do if all did the same; 1 when nothing was
 * drawn. */
static double share_of_first(const struct launch *launch)
{
    const struct traces *traces = launch->traces;
    const struct block_trace *first = &traces->blocks[0];
    double all = steps_of_launch(traces), mean = all / (double)launch->block_count;
    double own = (double)steps_of_block(first, true), traced = (double)steps_of_block(first, false);
    double draws = (double)draws_of(first);
    bool are_there = launch->block_count <= traces->resident * traces->stride;
    if (launch->sample || !are_there || draws < LEAST_DRAWS || own < TIMES_AS_MUCH * mean)
        return 1;
    double told = traced / draws * (double)launch->result.totals.global_atomic.requests;
    return told < ABOUT * all && all < ABOUT * told ? mean / own : 1;
}

/* Cut the trace off after so many steps. */
static void cut_short(const struct launch *launch, struct warp_trace *trace, uint64_t most_steps)
{
    const struct module *module = launch->function->module;
    struct trace_item item;
    uint64_t steps = 0;
    for (uint32_t at = 0, before = 0; trace_next(trace, &at, &item); before = at) {
        if (item.tag != TRACE_ENTER)
            continue;
        const struct function *function = function_of_block(module, item.value);
        uint32_t count = function->blocks[item.value - function->first_block_id].count;
        if (steps + count > most_steps) {
            trace->count = before;
            trace->steps = steps;
            trace->cut = true;
            return;
        }
        steps += count;
    }
}

static bool copy_first(const struct launch *launch, struct block_trace *block, double share)
{
    const struct block_trace *first = &launch->traces->blocks[0];
    *block = *first;
    block->warps = malloc(first->warp_count * sizeof *block->warps);
    for (uint32_t i = 0; block->warps && i < first->warp_count; i++) {
        struct warp_trace *warp = &block->warps[i];
        *warp = first->warps[i];
        warp->all_steps = (uint64_t)((double)warp->all_steps * share) + 1;
        cut_short(launch, warp, warp->all_steps);
    }
    return block->warps;
}

struct traces *drawn_evenly(const struct launch *launch)
{
    double share = share_of_first(launch);
    struct traces *even = share < 1 ? malloc(sizeof *even) : NULL;
    if (!even)
        return NULL;
    *even = *launch->traces;
    even->longest_steps = 0;
    even->dealt_steps = calloc(even->stride, sizeof *even->dealt_steps);
    even->blocks = calloc(even->count, sizeof *even->blocks);
    bool made = even->dealt_steps && even->blocks;
    for (uint32_t i = 0; made && i < even->count; i++)
        made = copy_first(launch, &even->blocks[i], share);
    for (uint64_t i = 0; made && i < even->stride; i++)
        even->dealt_steps[i] = 1; /* all the same */
    if (made)
        return even;
    drawn_free(even);
    return NULL;
}

void drawn_free(struct traces *traces)
{
    for (uint32_t i = 0; traces && traces->blocks && i < traces->count; i++)
        free(traces->blocks[i].warps);
    if (traces) {
        free(traces->blocks);
        free(traces->dealt_steps);
    }
    free(traces);
}
