/* traced_sectors.c - adds up the accesses of traces. */
#include "traced_sectors.h"
#include "sector_set.h"
#include "trace_words.h"

struct sets {
    struct sector_set read, written, whole;
};

static void count_warp(const struct warp_trace *trace, struct sets *sets)
{
    struct trace_item item;
    for (uint32_t at = 0; trace_next(trace, &at, &item);)
        for (uint32_t i = 0; i < item.count; i++) {
            if (item.how == TRACE_READ)
                sector_set_add(&sets->read, item.lines[i]);
            if (trace_is_write(item.how))
                sector_set_add(&sets->written, item.lines[i]);
            if (item.how == TRACE_WRITE)
                sector_set_add(&sets->whole, item.lines[i]);
        }
}

bool traced_sectors(const struct traces *traces, struct traced_sectors *sectors)
{
    struct sets sets = {0};
    for (uint32_t i = 0; i < traces->count; i++)
        for (uint32_t j = 0; j < traces->blocks[i].warp_count; j++)
            count_warp(&traces->blocks[i].warps[j], &sets);
    *sectors =
        (struct traced_sectors){.read = sets.read.sectors,
                                .read_lines = sets.read.lines,
                                .written = sets.written.sectors,
                                .written_pieces = sector_set_pieces(&sets.written),
                                .written_in_part = sets.written.sectors - sets.whole.sectors};
    bool counted = !sets.read.failed && !sets.written.failed && !sets.whole.failed;
    sector_set_free(&sets.read);
    sector_set_free(&sets.written);
    sector_set_free(&sets.whole);
    return counted;
}

static uint64_t reads_of_warp(const struct warp_trace *trace, const bool *ops)
{
    uint64_t sectors = 0;
    struct trace_item item;
    for (uint32_t at = 0; trace_next(trace, &at, &item);)
        if (item.tag == TRACE_ACCESS && item.how == TRACE_READ && ops[item.value])
            sectors += trace_sectors(item.lines, item.count);
    return sectors;
}

uint64_t traced_reads(const struct traces *traces, const bool *ops)
{
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < traces->count; i++)
        for (uint32_t j = 0; j < traces->blocks[i].warp_count; j++)
            sectors += reads_of_warp(&traces->blocks[i].warps[j], ops);
    return sectors;
}

static uint64_t atomics_of_warp(const struct warp_trace *trace)
{
    uint64_t turns = 0;
    struct trace_item item;
    for (uint32_t at = 0; trace_next(trace, &at, &item);)
        if (item.tag == TRACE_ACCESS && (item.how == TRACE_REDUCE || item.how == TRACE_ATOMIC))
            turns += item.passes;
    return turns;
}

uint64_t traced_atomics(const struct traces *traces)
{
    uint64_t turns = 0;
    for (uint32_t i = 0; i < traces->count; i++)
        for (uint32_t j = 0; j < traces->blocks[i].warp_count; j++)
            turns += atomics_of_warp(&traces->blocks[i].warps[j]);
    return turns;
}
