/* trace_words.h - goes through a trace, one item after the other: see timing.h for its words. */
#ifndef SIM_TRACE_WORDS_H
#define SIM_TRACE_WORDS_H

#include "timing.h"

struct trace_item {
    const uint32_t *words; /* all of the item's, */
    uint32_t length;       /* so many */
    uint32_t tag, value;   /* TRACE_ENTER and a basic block's id, ... */
    /* Of an access: */
    enum trace_how how;
    uint32_t passes, count;
    const uint32_t *lines; /* count of them */
};

/* The item that starts at word *at, which moves on to the next one; false at the end. */
static inline bool trace_next(const struct warp_trace *trace, uint32_t *at, struct trace_item *item)
{
    if (*at >= trace->count)
        return false;
    const uint32_t *words = trace->words + *at;
    *item = (struct trace_item){.words = words,
                                .length = 1,
                                .tag = *words >> TRACE_TAG_SHIFT,
                                .value = *words & TRACE_VALUE};
    if (item->tag == TRACE_ACCESS) {
        item->how = words[1] >> 24;
        item->passes = words[1] >> 12 & 0xFFF;
        item->count = words[1] & TRACE_LINES;
        item->lines = words + 2;
        item->length = 2 + item->count;
    }
    *at += item->length;
    return true;
}

/* Sectors of those lines. */
static inline uint32_t trace_sectors(const uint32_t *lines, uint32_t count)
{
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < count; i++)
        sectors += (uint32_t)__builtin_popcount(lines[i] & ((1 << LINE_SECTORS) - 1));
    return sectors;
}

#endif
