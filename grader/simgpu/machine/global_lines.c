/* global_lines.c - where the lines of global memory are kept: by allocation, in pages that are made
 * when an access first falls there.
 *
 * Workers share the lines. A worker that changes one makes its sequence odd meanwhile, and higher
 * afterwards: one that only looks need not take it, and looks again when it has changed.
 */
#include "global_races.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_LINES = 512 };

static struct area *area_new(const struct allocation *allocation)
{
    struct area *area = calloc(1, sizeof *area);
    if (!area)
        return NULL;
    area->address = allocation->address;
    area->size_bytes = allocation->size_bytes;
    area->page_count = allocation->size_bytes / LINE_BYTES / PAGE_LINES + 1;
    area->pages = calloc(area->page_count, sizeof *area->pages);
    if (area->pages)
        return area;
    free(area);
    return NULL;
}

struct area *area_of(struct launch *launch, const struct allocation *allocation)
{
    struct global_races *races = launch->global_races;
    pthread_mutex_lock(&races->lock);
    struct area *area = races->areas;
    while (area && area->address != allocation->address)
        area = area->next;
    if (!area && (area = area_new(allocation))) {
        area->next = races->areas;
        races->areas = area;
    }
    pthread_mutex_unlock(&races->lock);
    return area;
}

static void page_free(struct line *page, bool has_more)
{
    for (size_t i = 0; page && has_more && i < PAGE_LINES; i++)
        free(page[i].more);
    free(page);
}

void areas_free(struct area *areas, bool has_more)
{
    for (struct area *next; areas; areas = next) {
        next = areas->next;
        for (size_t i = 0; i < areas->page_count; i++)
            page_free(areas->pages[i], has_more);
        free(areas->pages);
        free(areas);
    }
}

static __attribute__((noinline)) struct line *page_new(struct line **place)
{
    struct line *expected = NULL;
    struct line *page = aligned_alloc(_Alignof(struct line), PAGE_LINES * sizeof *page);
    if (!page)
        return NULL;
    memset(page, 0, PAGE_LINES * sizeof *page);
    if (__atomic_compare_exchange_n(place, &expected, page, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return page;
    free(page); /* another worker was first */
    return expected;
}

struct line *line_known(const struct area *area, uint64_t offset)
{
    uint64_t line = offset / LINE_BYTES;
    struct line *page = __atomic_load_n(&area->pages[line / PAGE_LINES], __ATOMIC_ACQUIRE);
    return page ? &page[line % PAGE_LINES] : NULL;
}

struct line *line_at(struct area *area, uint64_t offset)
{
    uint64_t line = offset / LINE_BYTES;
    struct line **place = &area->pages[line / PAGE_LINES];
    struct line *page = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (!page && !(page = page_new(place)))
        return NULL;
    return &page[line % PAGE_LINES];
}

void line_lock(struct line *line, bool is_shared)
{
    if (!is_shared)
        return;
    for (;;) {
        uint16_t before = __atomic_load_n(&line->sequence, __ATOMIC_RELAXED);
        if (before % 2 == 0 &&
            __atomic_compare_exchange_n(&line->sequence, &before, (uint16_t)(before + 1), true,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
    }
}

void line_unlock(struct line *line, bool is_shared)
{
    if (is_shared)
        __atomic_store_n(&line->sequence, (uint16_t)(line->sequence + 1), __ATOMIC_RELEASE);
}

uint32_t line_marks(const struct line *line, struct mark *marks)
{
    uint32_t count = 0;
    for (int i = 0; i < LINE_MARKS; i++)
        if (line->first[i].words)
            marks[count++] = line->first[i];
    if (line->more) {
        memcpy(marks + count, line->more->mark, line->more->count * sizeof *marks);
        count += line->more->count;
    }
    return count;
}

static bool make_room(struct line *line, uint32_t count)
{
    if (line->more && line->more->room >= count)
        return true;
    uint32_t room = line->more ? 2 * line->more->room : LINE_MARKS;
    room = room < count ? count : room;
    struct more_marks *more = realloc(line->more, sizeof *more + room * sizeof *more->mark);
    if (!more)
        return false;
    more->room = room;
    line->more = more;
    return true;
}

bool line_keep(struct line *line, const struct mark *marks, uint32_t count)
{
    uint32_t kept = 0, more = 0;
    for (uint32_t i = 0; i < count; i++)
        kept += marks[i].words != 0;
    if (kept > MOST_MARKS)
        return false;
    if (kept > LINE_MARKS && !make_room(line, kept - LINE_MARKS))
        return false;
    kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!marks[i].words)
            continue;
        if (kept < LINE_MARKS)
            line->first[kept] = marks[i];
        else
            line->more->mark[more++] = marks[i];
        kept++;
    }
    for (; kept < LINE_MARKS; kept++)
        line->first[kept].words = 0;
    if (line->more)
        line->more->count = more;
    return true;
}
