/* filled.c - makes up blocks for those that would be resident next to the ones that ran. */
#include "filled.h"
#include "trace_words.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_APART = 1 << 20 };

static uint32_t count_started(const struct traces *traces)
{
    uint32_t started = 0;
    while (started < traces->count && traces->blocks[started].started)
        started++;
    return started;
}

/* The warp's trace with all global memory so many lines further on. False without memory. */
static bool copy_warp(struct warp_trace *to, const struct warp_trace *from, uint32_t lines)
{
    struct trace_item item;
    *to = *from;
    to->words = malloc((from->count + 1) * sizeof *to->words);
    if (!to->words)
        return false;
    memcpy(to->words, from->words, from->count * sizeof *to->words);
    for (uint32_t at = 0; trace_next(from, &at, &item);) {
        bool is_global =
            item.tag == TRACE_ACCESS && item.how >= TRACE_READ && item.how <= TRACE_ATOMIC;
        for (uint32_t i = 0; is_global && i < item.count; i++)
            to->words[item.lines - from->words + i] += lines << LINE_SECTORS;
    }
    return true;
}

static bool copy_block(struct block_trace *to, const struct block_trace *from, uint32_t lines)
{
    *to = *from;
    to->warps = calloc(from->warp_count, sizeof *to->warps);
    bool made = to->warps;
    for (uint32_t i = 0; made && i < from->warp_count; i++)
        made = copy_warp(&to->warps[i], &from->warps[i], lines);
    return made;
}

struct traces *filled_up(const struct launch *launch)
{
    const struct traces *traces = launch->traces;
    uint32_t started = count_started(traces);
    uint32_t wanted = traces->count < traces->resident ? traces->count : traces->resident;
    if (!launch->sample || started == 0 || started >= wanted)
        return NULL;
    struct traces *filled = malloc(sizeof *filled);
    if (!filled)
        return NULL;
    *filled = *traces;
    filled->count = wanted;
    filled->blocks = calloc(wanted, sizeof *filled->blocks);
    bool made = filled->blocks;
    for (uint32_t i = 0; made && i < wanted; i++)
        made =
            copy_block(&filled->blocks[i], &traces->blocks[i % started], i / started * LINES_APART);
    if (made)
        return filled;
    filled_free(filled);
    return NULL;
}

void filled_free(struct traces *traces)
{
    for (uint32_t i = 0; traces && traces->blocks && i < traces->count; i++)
        for (uint32_t j = 0; traces->blocks[i].warps && j < traces->blocks[i].warp_count; j++)
            free(traces->blocks[i].warps[j].words);
    for (uint32_t i = 0; traces && traces->blocks && i < traces->count; i++)
        free(traces->blocks[i].warps);
    if (traces)
        free(traces->blocks);
    free(traces);
}
