/* shown.c - how much of a launch its traces show. */
#include "shown.h"

static bool is_cut(const struct block_trace *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (block->warps[i].cut)
            return true;
    return false;
}

/* Whole traces are replayed past the blocks that fill the multiprocessor at first; with cut ones
 * that would show nothing. */
uint32_t traces_to_replay(const struct traces *traces)
{
    uint32_t started = 0;
    while (started < traces->count && traces->blocks[started].started)
        started++;
    uint32_t whole = 0;
    while (whole < started && !is_cut(&traces->blocks[whole]))
        whole++;
    if (whole == started || whole >= 2 * traces->resident)
        return whole;
    return started < traces->resident ? started : traces->resident;
}

struct trace_steps traces_steps(const struct traces *traces, uint32_t count)
{
    struct trace_steps steps = {0};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < traces->blocks[i].warp_count; j++) {
            steps.traced += (double)traces->blocks[i].warps[j].steps;
            steps.all += (double)traces->blocks[i].warps[j].all_steps;
        }
    return steps;
}
