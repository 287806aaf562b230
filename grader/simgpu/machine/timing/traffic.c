/* traffic.c - goes through the traces once, as an L1 alone would see them. */
#include "traffic.h"
#include "cache.h"
#include "schedule.h"
#include "sector_set.h"
#include "trace_words.h"

#include <stdlib.h>

/* About as much as DRAM has open at a time: lines of one page cost it less than lines of
 * several. */
enum { PAGE_BYTES = 4096, PAGE_LINES = PAGE_BYTES / LINE_BYTES };

struct view {
    const struct launch *launch;
    struct cache cache;
    struct sector_set pieces;      /* asked for so far */
    uint64_t asked, missed, fresh; /* sectors */
    uint64_t host_asked, host_missed;
    uint64_t read_lines, write_lines, read_pages_more, write_pages_more;
    bool writes_in_part;
};

/* The next access of a trace that has lines, from *at on; false at its end. */
static bool next_access(const struct warp_trace *trace, uint32_t *at, struct trace_item *access)
{
    while (trace_next(trace, at, access))
        if (access->count)
            return true;
    return false;
}

/* How many pages an access touches beyond its first. A line most of which is wanted does not count:
 * it is worth opening its page. */
static uint64_t pages_more(const struct trace_item *access)
{
    uint64_t more = 0;
    for (uint32_t i = 1; i < access->count; i++) {
        uint32_t sectors = access->lines[i] & ((1 << LINE_SECTORS) - 1);
        if (__builtin_popcount(sectors) > LINE_SECTORS / 2)
            continue;
        uint32_t page = (access->lines[i] >> LINE_SECTORS) / PAGE_LINES, j = i;
        while (j-- > 0 && (access->lines[j] >> LINE_SECTORS) / PAGE_LINES != page) {
        }
        more += j == UINT32_MAX;
    }
    return more;
}

/* Must L1 not answer it? */
static bool goes_past_l1(const struct launch *launch, uint32_t op)
{
    const struct function *function = function_of_op(launch->function->module, op);
    const struct schedule *schedule = schedule_of(function, &launch->context->machine->profile);
    return schedule && schedule->access[op - function->first_op_id].past_l1;
}

/* L1 alone keeps what came over the bus. */
static void look_over_bus(struct view *view, const struct trace_item *access)
{
    bool past_l1 = goes_past_l1(view->launch, access->value);
    for (uint32_t i = 0; i < access->count; i++) {
        struct cache_line *entry;
        uint32_t sectors = access->lines[i] & ((1 << LINE_SECTORS) - 1);
        uint32_t here = past_l1 ? 0
                                : cache_look_up(&view->cache, access->lines[i] >> LINE_SECTORS,
                                                sectors, true, &entry);
        view->host_asked += (unsigned)__builtin_popcount(sectors);
        view->host_missed += (unsigned)__builtin_popcount(sectors & ~here);
    }
}

static void look(struct view *view, const struct trace_item *access)
{
    if (access->how == TRACE_HOST_READ)
        look_over_bus(view, access);
    if (trace_is_write(access->how)) {
        view->write_lines += access->count;
        view->writes_in_part |= access->how != TRACE_WRITE;
        view->write_pages_more += pages_more(access);
    }
    if (access->how != TRACE_READ)
        return;
    view->read_lines += access->count;
    view->read_pages_more += pages_more(access);
    bool past_l1 = goes_past_l1(view->launch, access->value);
    for (uint32_t i = 0; i < access->count; i++) {
        struct cache_line *entry;
        uint32_t sectors = access->lines[i] & ((1 << LINE_SECTORS) - 1);
        uint32_t here = past_l1 ? 0
                                : cache_look_up(&view->cache, access->lines[i] >> LINE_SECTORS,
                                                sectors, true, &entry);
        uint32_t fresh = sector_set_add(&view->pieces, pieces_of_sectors(access->lines[i]));
        view->fresh += (unsigned)__builtin_popcount(fresh & sectors);
        view->asked += (unsigned)__builtin_popcount(sectors);
        view->missed += (unsigned)__builtin_popcount(sectors & ~here);
    }
}

static double ratio(uint64_t a, uint64_t b, double if_none)
{
    return b ? (double)a / (double)b : if_none;
}

bool traffic_look(struct traffic *traffic, const struct launch *launch, uint32_t l1_bytes)
{
    const struct traces *traces = launch->traces;
    size_t warps = (size_t)traces->count * launch->warp_count;
    uint32_t *at = calloc(warps, sizeof *at);
    struct view view = {.launch = launch};
    bool made = at && cache_init(&view.cache, l1_bytes);
    for (bool more = made; more;) {
        more = false;
        for (size_t i = 0; i < warps; i++) {
            struct trace_item access;
            if (!next_access(&traces->blocks[i / launch->warp_count].warps[i % launch->warp_count],
                             &at[i], &access))
                continue;
            more = true;
            look(&view, &access);
        }
    }
    free(at);
    if (made)
        cache_free(&view.cache);
    sector_set_free(&view.pieces);
    *traffic = (struct traffic){
        .l1_misses = ratio(view.missed, view.asked, 1),
        .fresh = ratio(view.fresh, view.asked, 1),
        .sectors_per_line = ratio(view.asked, view.read_lines, LINE_SECTORS),
        .scattered_reads = ratio(view.read_pages_more, view.read_lines, 0),
        .scattered_writes = ratio(view.write_pages_more, view.write_lines, 0),
        .writes_in_part = view.writes_in_part,
        .host_misses = ratio(view.host_missed, view.host_asked, 1),
    };
    return made;
}
