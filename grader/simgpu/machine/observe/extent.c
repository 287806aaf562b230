/* extent.c - observes which bytes of global memory a launch reads and writes, for whoever knows
 * what other work may run at the same time (device/conflicts.c).
 *
 * A touch is strong if it is an atomic, or volatile, relaxed, an acquire or a release: two strong
 * touches of different launches do not race (PTX ISA 8.7). A load that is only compared counts as
 * strong, as it does within a launch (global_judge.c). Next: extent_ranges.c.
 */
#include "extent.h"
#include "global_mark.h"
#include "global_races.h"
#include "lanes.h"
#include "observers.h"

#include <stdlib.h>

/* A kernel may allocate a great many pieces of memory: those after so many are not followed. */
enum { MOST_FOLLOWED = 256 };

struct extents {
    struct touched_parts **of; /* by worker */
    atomic_bool fences;
};

struct touched_parts *const *extent_parts(const struct launch *launch)
{
    const struct extents *extents = launch->own[OBSERVER_extent];
    return extents ? extents->of : NULL;
}

static void discard(struct touched_parts *parts)
{
    for (size_t i = 0; parts->maps && i < parts->part_count * SIM_TOUCHES; i++)
        free(parts->maps[i]);
    free(parts->maps);
    free(parts);
}

static struct touched_parts *make(const struct allocation *allocation)
{
    struct touched_parts *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->address = allocation->address;
    made->size_bytes = allocation->size_bytes;
    made->part_count = allocation->size_bytes / PART_BYTES + 1;
    made->maps = calloc(made->part_count * SIM_TOUCHES, sizeof *made->maps);
    if (made->maps)
        return made;
    free(made);
    return NULL;
}

static struct touched_parts *find(const struct worker *worker, const struct allocation *allocation)
{
    struct extents *extents = worker->launch->own[OBSERVER_extent];
    struct touched_parts **link = &extents->of[worker->index];
    size_t count = 0;
    while (*link && (*link)->address != allocation->address && count++ < MOST_FOLLOWED)
        link = &(*link)->next;
    if (!*link)
        *link = make(allocation);
    return *link && (*link)->address == allocation->address ? *link : NULL;
}

/* --- Marking ---------------------------------------------------------------------------------- */

static void mark_bits(uint64_t *map, uint64_t first, uint64_t last)
{
    uint64_t low = UINT64_MAX << first % 64, high = UINT64_MAX >> (63 - last % 64);
    uint64_t at = first / 64, end = last / 64;
    if (at == end) {
        map[at] |= low & high;
        return;
    }
    map[at] |= low;
    while (++at < end)
        map[at] = UINT64_MAX;
    map[end] |= high;
}

/* Without memory for it the touch is not noted: then a race may be missed. */
static void mark(struct touched_parts *parts, enum sim_touch touch, uint64_t first, uint64_t last)
{
    for (uint64_t part = first / PART_BYTES; part <= last / PART_BYTES; part++) {
        uint64_t **map = &parts->maps[part * SIM_TOUCHES + touch], start = part * PART_BYTES;
        if (!*map && !(*map = calloc(PART_WORDS, sizeof **map)))
            return;
        mark_bits(*map, first > start ? first - start : 0,
                  last < start + PART_BYTES ? last - start : PART_BYTES - 1);
    }
}

static void mark_run(const struct access *access, struct touched_parts *parts, uint64_t first,
                     uint64_t last)
{
    uint32_t what = mark_what_of(access);
    bool is_strong = what & (MARK_STRONG | MARK_COMPARED);
    if (!parts || last >= parts->size_bytes)
        return;
    if (access->kind == ACCESS_LOAD || what & MARK_ATOMIC)
        mark(parts, is_strong ? SIM_TOUCH_STRONG_READ : SIM_TOUCH_READ, first, last);
    if (access->kind != ACCESS_LOAD)
        mark(parts, is_strong ? SIM_TOUCH_STRONG_WRITE : SIM_TOUCH_WRITE, first, last);
}

/* Lanes side by side are marked together. */
static void mark_lanes(const struct access *access, struct touched_parts *parts, uint64_t offset)
{
    uint64_t first = offset + (uint64_t)access->shape->delta[__builtin_ctz(access->active)];
    uint64_t end = first;
    FOR_ACTIVE (lane, access->active) {
        uint64_t at = offset + (uint64_t)access->shape->delta[lane];
        if (at != end) {
            if (end > first)
                mark_run(access, parts, first, end - 1);
            first = at;
        }
        end = at + access->bytes;
    }
    mark_run(access, parts, first, end - 1);
}

/* Lanes fall into several allocations. */
static void mark_each(const struct access *access)
{
    const struct worker *worker = access->warp->worker;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        const struct allocation *allocation = memory_find(worker->launch->context, address);
        if (!allocation)
            continue;
        uint64_t first = address - allocation->address;
        mark_run(access, find(worker, allocation), first, first + access->bytes - 1);
    }
}

/* From the lowest byte to past the highest that the op ever touched. */
static void widen(const struct access *access, struct site *site)
{
    uint64_t low = access->base + (uint64_t)access->shape->lowest;
    uint64_t high = access->base + (uint64_t)access->shape->highest + access->bytes;
    if (!site->extent.op || low < site->extent.low)
        site->extent.low = low;
    if (!site->extent.op || high > site->extent.high)
        site->extent.high = high;
    site->extent.op = access->op;
    site->extent.writes = access->kind != ACCESS_LOAD;
}

/* Launches that have one each may be ordered by what they meet at: see sim_extent. */
static void note_fence(const struct warp *warp)
{
    struct extents *extents = block_launch(warp)->own[OBSERVER_extent];
    atomic_store_explicit(&extents->fences, true, memory_order_relaxed);
}

static void extent_access(const struct access *access, struct site *site)
{
    const struct allocation *allocation = access->allocation;
    if (site->extent.op && site->extent.age == access->shape->age &&
        site->extent.base == access->base)
        return;
    if (access->op->orders)
        note_fence(access->warp);
    widen(access, site);
    site->extent.age = access->shape->age;
    site->extent.base = access->base;
    if (!allocation) {
        mark_each(access);
        return;
    }
    if (!site->extent.parts || site->extent.parts->address != allocation->address)
        site->extent.parts = find(access->warp->worker, allocation);
    uint64_t offset = access->base - allocation->address;
    if (access->shape->contiguous || access->shape->uniform)
        mark_run(access, site->extent.parts, offset,
                 offset + (uint64_t)access->shape->highest + access->bytes - 1);
    else
        mark_lanes(access, site->extent.parts, offset);
}

/* --- Order ------------------------------------------------------------------------------------ */

static void extent_fence(struct warp *warp, const struct op *op, lane_mask lanes)
{
    (void)lanes;
    if (!op->in_block)
        note_fence(warp);
}

bool extent_has_fences(const struct launch *launch)
{
    const struct extents *extents = launch->own[OBSERVER_extent];
    return extents && extents->fences;
}

/* --- Beginning and end ------------------------------------------------------------------------ */

static bool extent_begin(struct launch *launch)
{
    struct extents *extents = launch->own[OBSERVER_extent] = calloc(1, sizeof *extents);
    if (!extents)
        return false;
    extents->of = calloc(launch->worker_count, sizeof *extents->of);
    return extents->of;
}

static void extent_free(struct launch *launch)
{
    struct extents *extents = launch->own[OBSERVER_extent];
    for (uint32_t i = 0; extents && extents->of && i < launch->worker_count; i++)
        for (struct touched_parts *parts = extents->of[i], *next; parts; parts = next) {
            next = parts->next;
            discard(parts);
        }
    if (extents)
        free(extents->of);
    free(extents);
    launch->own[OBSERVER_extent] = NULL;
}

/* What some blocks touch says nothing of the others. */
static bool extent_wants(const struct launch *launch)
{
    return launch->config.extent && !launch->sample;
}

const struct observer observer_extent = {
    .name = "extent",
    .spaces = 1 << SPACE_GLOBAL,
    .looks_at = LOOKS_AT_ORDER,
    .wants = extent_wants,
    .launch_begin = extent_begin,
    .launch_free = extent_free,
    .access = extent_access,
    .fence = extent_fence,
};
