/* global_lines.c - where the lines of global memory are kept: by allocation, in pages that are made
 * when an access first falls there.
 *
 * Workers share the lines. A worker that changes one makes its sequence odd meanwhile, and higher
 * afterwards: one that only looks need not take it, and looks again when it has changed.
 */
#include "global_races.h"
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

/* A page of a small allocation has only the lines that it needs: a kernel may make many small
 * allocations. */
enum { FEW_LINES = 64 };
/* When a page is taken, this many of its lines are prefetched. */
enum { FETCHED_LINES = 8 };
/* Places of pages are scanned in groups of this many, 4 KiB at a time: most places of an allocation
 * larger than this machine's memory are never touched, and then cost nothing. */
enum { PLACES_AT_ONCE = 512 };

static size_t few_lines(const struct area *area)
{
    uint64_t lines = area->size_bytes / LINE_BYTES + 1;
    return lines <= FEW_LINES ? lines : 0;
}

static void area_discard(struct area *area)
{
    sparse_free(area->pages, area->page_count * sizeof *area->pages);
    free(area->made);
    free(area);
}

static struct area *area_new(const struct allocation *allocation)
{
    struct area *area = calloc(1, sizeof *area);
    if (!area)
        return NULL;
    area->address = allocation->address;
    area->size_bytes = allocation->size_bytes;
    area->page_count = allocation->size_bytes / LINE_BYTES / PAGE_LINES + 1;
    area->pages = sparse_new(area->page_count * sizeof *area->pages);
    area->made = calloc(area->page_count / PLACES_AT_ONCE + 1, 1);
    if (area->pages && area->made)
        return area;
    area_discard(area);
    return NULL;
}

static struct area **bucket_of(const struct global_races *races, uint64_t address)
{
    uint64_t hash = address * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return &races->buckets[hash & (races->bucket_count - 1)];
}

/* At least as many buckets as areas, if there is memory for them; otherwise the buckets stay. */
static bool make_buckets(struct global_races *races)
{
    enum { LEAST_BUCKETS = 16 };
    size_t count = races->bucket_count ? 2 * races->bucket_count : LEAST_BUCKETS;
    if (races->area_count < races->bucket_count)
        return true;
    struct area **made = calloc(count, sizeof *made);
    if (!made)
        return races->buckets != NULL;
    free(races->buckets);
    races->buckets = made;
    races->bucket_count = count;
    for (struct area *area = races->areas; area; area = area->next) {
        struct area **bucket = bucket_of(races, area->address);
        area->same = *bucket;
        *bucket = area;
    }
    return true;
}

static struct area *area_add(struct global_races *races, const struct allocation *allocation)
{
    struct area *area = make_buckets(races) ? area_new(allocation) : NULL;
    if (!area)
        return NULL;
    struct area **bucket = bucket_of(races, area->address);
    area->same = *bucket;
    *bucket = area;
    area->next = races->areas;
    races->areas = area;
    races->area_count++;
    return area;
}

struct area *area_of(struct launch *launch, const struct allocation *allocation)
{
    struct global_races *races = launch->global_races;
    pthread_mutex_lock(&races->lock);
    struct area *area = races->buckets ? *bucket_of(races, allocation->address) : NULL;
    while (area && area->address != allocation->address)
        area = area->same;
    if (!area)
        area = area_add(races, allocation);
    pthread_mutex_unlock(&races->lock);
    return area;
}

static void lists_free(struct more_marks *list)
{
    for (struct more_marks *older; list; list = older) {
        older = list->older;
        free(list);
    }
}

static void page_free(struct launch *launch, const struct area *area, struct line *page)
{
    const struct global_races *races = launch->global_races;
    size_t few = few_lines(area), count = few ? few : PAGE_LINES;
    bool has_more = __atomic_load_n(&races->has_more, __ATOMIC_RELAXED);
    for (size_t i = 0; has_more && i < count; i++)
        if (line_is_of(&page[i], races->launch)) {
            lists_free(page[i].more);
            page[i].more = NULL;
        }
    if (few)
        free(page);
    else
        line_pool_give(launch->context->machine->line_pool, page, races->launch);
}

static void pages_free(struct launch *launch, const struct area *area)
{
    for (size_t i = 0; i < area->page_count; i++)
        if (i % PLACES_AT_ONCE == 0 && !area->made[i / PLACES_AT_ONCE])
            i += PLACES_AT_ONCE - 1;
        else if (area->pages[i])
            page_free(launch, area, area->pages[i]);
}

void areas_free(struct launch *launch)
{
    for (struct area *area = launch->global_races->areas, *next; area; area = next) {
        next = area->next;
        pages_free(launch, area);
        area_discard(area);
    }
    free(launch->global_races->buckets);
}

static struct line *make_few(size_t count)
{
    struct line *lines = aligned_alloc(_Alignof(struct line), count * sizeof *lines);
    return lines ? memset(lines, 0, count * sizeof *lines) : NULL;
}

struct line *page_new(struct launch *launch, const struct area *area, struct line **place)
{
    struct line *expected = NULL;
    size_t few = few_lines(area);
    struct line *page = few ? make_few(few) : line_pool_take(launch->context->machine->line_pool);
    __atomic_store_n(&area->made[(size_t)(place - area->pages) / PLACES_AT_ONCE], 1,
                     __ATOMIC_RELAXED);
    /* The next accesses mostly come to these lines, and an earlier launch's have left the caches:
     * see AHEAD in global_races.c, which looks no farther than the page. */
    for (size_t i = 0; page && i < (few && few < FETCHED_LINES ? few : FETCHED_LINES); i++)
        __builtin_prefetch(&page[i], 1);
    if (!page || __atomic_compare_exchange_n(place, &expected, page, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE))
        return page;
    page_free(launch, area, page); /* another worker was first */
    return expected;
}
