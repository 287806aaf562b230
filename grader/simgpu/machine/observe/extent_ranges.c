/* extent_ranges.c - the maps of a launch's workers (extent.c) become ranges of addresses. */
#include "extent.h"
#include "launch.h"

#include <stdlib.h>
#include <string.h>

/* A kernel that touches every other byte has many short ranges: those after so many are cut off. */
enum { FIRST_ROOM = 16, MOST_RANGES = 1 << 16 };

/* --- Ranges ----------------------------------------------------------------------------------- */

/* Rooms are powers of two, so the count tells when one is full. */
static bool is_full(size_t count)
{
    return count == 0 || (count >= FIRST_ROOM && (count & (count - 1)) == 0);
}

bool sim_extent_add(struct sim_extent *extent, enum sim_touch touch, struct sim_bytes bytes)
{
    struct sim_bytes **ranges = &extent->ranges[touch];
    size_t count = extent->count[touch];
    if (count && (*ranges)[count - 1].high >= bytes.low) {
        struct sim_bytes *last = &(*ranges)[count - 1];
        last->high = bytes.high > last->high ? bytes.high : last->high;
        return true;
    }
    if (count == MOST_RANGES)
        return true;
    if (is_full(count)) {
        size_t room = count ? 2 * count : FIRST_ROOM;
        struct sim_bytes *grown = realloc(*ranges, room * sizeof *grown);
        if (!grown)
            return false;
        *ranges = grown;
    }
    (*ranges)[extent->count[touch]++] = bytes;
    return true;
}

void sim_extent_free(struct sim_extent *extent)
{
    for (int touch = 0; touch < SIM_TOUCHES; touch++)
        free(extent->ranges[touch]);
    free(extent->touchers);
    *extent = (struct sim_extent){.has_fences = false};
}

/* --- From maps -------------------------------------------------------------------------------- */

/* The ranges of bits in a word that stands for 64 bytes from address on. */
static bool add_word(struct sim_extent *extent, enum sim_touch touch, uint64_t address,
                     uint64_t word)
{
    while (word) {
        unsigned first = (unsigned)__builtin_ctzll(word);
        uint64_t rest = ~(word >> first);
        unsigned length = rest ? (unsigned)__builtin_ctzll(rest) : 64;
        if (!sim_extent_add(extent, touch,
                            (struct sim_bytes){address + first, address + first + length}))
            return false;
        word = first + length < 64 ? word & UINT64_MAX << (first + length) : 0;
    }
    return true;
}

/* A part of an allocation, in which several workers may have touched bytes. */
static bool add_part(struct sim_extent *extent, struct touched_parts *const *same, size_t count,
                     size_t part, enum sim_touch touch)
{
    uint64_t all[PART_WORDS];
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t *map = same[i]->maps[part * SIM_TOUCHES + touch];
        if (map && !any)
            memcpy(all, map, sizeof all);
        for (size_t word = 0; map && any && word < PART_WORDS; word++)
            all[word] |= map[word];
        any |= map != NULL;
    }
    uint64_t address = same[0]->address + part * PART_BYTES;
    for (size_t word = 0; any && word < PART_WORDS; word++)
        if (all[word] && !add_word(extent, touch, address + word * 64, all[word]))
            return false;
    return true;
}

static int by_address(const void *a, const void *b)
{
    uint64_t one = (*(struct touched_parts *const *)a)->address;
    uint64_t other = (*(struct touched_parts *const *)b)->address;
    return (one > other) - (one < other);
}

/* What all workers touched, in order of addresses; NULL without memory. The caller frees. */
static struct touched_parts **sorted_parts(const struct launch *launch, size_t *count)
{
    struct touched_parts *const *of = extent_parts(launch), **sorted;
    size_t found = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        for (const struct touched_parts *parts = of[i]; parts; parts = parts->next)
            found++;
    sorted = malloc((found + 1) * sizeof *sorted);
    *count = 0;
    for (uint32_t i = 0; sorted && i < launch->worker_count; i++)
        for (struct touched_parts *parts = of[i]; parts; parts = parts->next)
            sorted[(*count)++] = parts;
    if (sorted)
        qsort(sorted, *count, sizeof(struct touched_parts *), by_address);
    return sorted;
}

static bool add_ranges(struct sim_extent *extent, struct touched_parts *const *sorted, size_t count)
{
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && sorted[end]->address == sorted[first]->address; end++)
            continue;
        for (size_t part = 0; part < sorted[first]->part_count; part++)
            for (int touch = 0; touch < SIM_TOUCHES; touch++)
                if (!add_part(extent, sorted + first, end - first, part, (enum sim_touch)touch))
                    return false;
    }
    return true;
}

/* --- Instructions ----------------------------------------------------------------------------- */

static bool add_touchers(struct sim_extent *extent, const struct launch *launch)
{
    const struct module *module = launch->function->module;
    size_t count = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        for (const struct site *site = launch->workers[i].latest_site; site;
             site = site->made_before)
            count += site->extent.op != NULL;
    extent->touchers = malloc((count + 1) * sizeof *extent->touchers);
    for (uint32_t i = 0; extent->touchers && i < launch->worker_count; i++)
        for (const struct site *site = launch->workers[i].latest_site; site;
             site = site->made_before)
            if (site->extent.op)
                extent->touchers[extent->toucher_count++] = (struct sim_toucher){
                    .within = {site->extent.low, site->extent.high},
                    .writes = site->extent.writes,
                    .line = module->lines[module->ops[site->extent.op->id].location]};
    return extent->touchers;
}

bool sim_launch_extent(const struct launch *launch, struct sim_extent *extent)
{
    size_t count = 0;
    const struct function *kernel = launch->function;
    *extent = (struct sim_extent){.kernel_line = kernel->module->lines[kernel->location],
                                  .has_fences = extent_has_fences(launch)};
    if (!extent_parts(launch))
        return false;
    struct touched_parts **sorted = sorted_parts(launch, &count);
    bool made = sorted && add_ranges(extent, sorted, count) && add_touchers(extent, launch);
    free(sorted);
    if (!made)
        sim_extent_free(extent);
    return made;
}
