/* footprint.c - observes which parts of global memory a launch touches at all.
 *
 * However good its caches, a device must fetch each of them once, and write back what was written.
 * One bit stands for one sector: was it read, was it written as a whole. Of sectors written in part
 * a byte tells which of their 8 words. Each worker keeps maps of its own, which no other thread
 * reads before the launch is over: when two workers shared a map, they spent a quarter of their
 * time fetching it from each other's caches (saxpy).
 *
 * The host's memory is on the other side of the bus, and L2 keeps none of it: there, each sector of
 * each request counts.
 */
#include "lanes.h"
#include "observers.h"
#include "sample.h"
#include "sparse.h"

#include <stdlib.h>

enum { WORD_BYTES = 4, ALL_WORDS = 0xFF };
/* Sectors of a word of a map, and words of a map that are looked at only if any bit is set. */
enum { MAP_SECTORS = 64, PAGE_WORDS = 512 };
/* Which maps of a page were marked: only those are read. */
enum { TOUCHED_READ = 1, TOUCHED_WHOLE = 2 };
/* The map of parts is larger: of it, only the marked eighths are read. */
enum { EIGHTHS = 8, EIGHTH_SECTORS = PAGE_WORDS * MAP_SECTORS / EIGHTHS };

struct footprint { /* of one worker in one allocation */
    struct footprint *next;
    const struct allocation *allocation;
    bool over_bus; /* then there are no maps, but these counts of sectors and lines */
    uint64_t host_read, host_read_lines, host_written, host_written_lines;
    size_t pages;
    struct sparse_map maps;       /* which read and whole lie in */
    uint64_t *read, *whole;       /* a bit a sector */
    unsigned char *parts;         /* a byte a sector; NULL while none was written in part */
    unsigned char *touched;       /* by page */
    unsigned char *touched_parts; /* by page, a bit for each eighth of its parts */
};

static size_t maps_bytes(const struct footprint *footprint)
{
    return (2 * footprint->pages + 1) * PAGE_WORDS * sizeof *footprint->read;
}

static size_t parts_bytes(const struct footprint *footprint)
{
    return footprint->pages * PAGE_WORDS * MAP_SECTORS;
}

/* Zeros again where they were touched, so that they may be used for another launch. */
static void give_back(struct sparse_store *store, struct footprint *footprint)
{
    enum { PAGE_BYTES = PAGE_WORDS * sizeof(uint64_t) };
    struct sparse_map *maps = &footprint->maps;
    for (size_t i = 0; i < footprint->pages; i++)
        maps->resident += PAGE_BYTES * (size_t)__builtin_popcount(footprint->touched[i]);
    if (maps->resident > maps->bytes) /* pages were counted that an earlier launch had touched */
        maps->resident = maps->bytes;
    if (!sparse_wants(maps)) {
        sparse_free(maps->memory, maps->bytes);
        return;
    }
    for (size_t i = 0; i < footprint->pages; i++) {
        if (footprint->touched[i] & TOUCHED_READ)
            memset(footprint->read + i * PAGE_WORDS, 0, PAGE_BYTES);
        if (footprint->touched[i] & TOUCHED_WHOLE)
            memset(footprint->whole + i * PAGE_WORDS, 0, PAGE_BYTES);
    }
    sparse_give(store, maps);
}

static void discard(struct sparse_store *store, struct footprint *footprint)
{
    if (footprint->touched)
        give_back(store, footprint);
    else
        sparse_free(footprint->maps.memory, footprint->maps.bytes);
    sparse_free(footprint->parts, parts_bytes(footprint));
    free(footprint->touched);
    free(footprint->touched_parts);
    free(footprint);
}

/* A page of a map is one of the host's, so that looking at it brings no other. */
static uint64_t *aligned(void *maps)
{
    enum { PAGE_BYTES = PAGE_WORDS * sizeof(uint64_t) };
    return (uint64_t *)(((uintptr_t)maps + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
}

static struct footprint *make(struct sparse_store *store, const struct allocation *allocation)
{
    struct footprint *made = worker_alloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->allocation = allocation;
    made->over_bus = is_over_bus(allocation);
    if (made->over_bus)
        return made;
    made->pages = allocation->size_bytes / SECTOR_BYTES / MAP_SECTORS / PAGE_WORDS + 1;
    made->maps = sparse_take(store, maps_bytes(made));
    made->read = aligned(made->maps.memory);
    made->whole = made->read + made->pages * PAGE_WORDS;
    made->touched = worker_alloc(made->pages, 1);
    made->touched_parts = worker_alloc(made->pages, 1);
    if (made->maps.memory && made->touched && made->touched_parts)
        return made;
    discard(store, made);
    return NULL;
}

static struct footprint *find(struct worker *worker, const struct allocation *allocation)
{
    struct footprint *footprint = worker->footprints;
    while (footprint && footprint->allocation != allocation)
        footprint = footprint->next;
    struct sparse_store *store = worker->launch->context->machine->maps;
    if (!footprint && (footprint = make(store, allocation))) {
        footprint->next = worker->footprints;
        worker->footprints = footprint;
    }
    return footprint;
}

/* --- Marking ---------------------------------------------------------------------------------- */

/* Mark sectors first to last in a map, and their pages as touched in that way. */
static void mark(struct footprint *footprint, uint64_t *map, unsigned touched, uint64_t first,
                 uint64_t last)
{
    for (uint64_t at = first; at <= last; at = (at / MAP_SECTORS + 1) * MAP_SECTORS) {
        uint64_t in_word = MAP_SECTORS - at % MAP_SECTORS, left = last - at + 1;
        uint64_t count = left < in_word ? left : in_word;
        map[at / MAP_SECTORS] |= (UINT64_MAX >> (MAP_SECTORS - count)) << at % MAP_SECTORS;
        footprint->touched[at / MAP_SECTORS / PAGE_WORDS] |= (unsigned char)touched;
    }
}

/* The words from first on to last, both in one sector. */
static void mark_in_part(struct footprint *footprint, uint64_t sector, unsigned first,
                         unsigned last)
{
    if (!footprint->parts)
        footprint->parts = sparse_new(parts_bytes(footprint));
    if (!footprint->parts)
        return;
    footprint->parts[sector] |= (ALL_WORDS << first) & (ALL_WORDS >> (7 - last));
    footprint->touched_parts[sector / EIGHTH_SECTORS / EIGHTHS] |=
        (unsigned char)(1 << sector / EIGHTH_SECTORS % EIGHTHS);
}

/* Bytes from first to last of the allocation. */
static void mark_written(struct footprint *footprint, uint64_t first, uint64_t last)
{
    uint64_t first_sector = first / SECTOR_BYTES, last_sector = last / SECTOR_BYTES;
    unsigned first_word = first % SECTOR_BYTES / WORD_BYTES;
    unsigned last_word = last % SECTOR_BYTES / WORD_BYTES;
    if (first_sector == last_sector && (first_word > 0 || last_word < 7)) {
        mark_in_part(footprint, first_sector, first_word, last_word);
        return;
    }
    if (first_word > 0)
        mark_in_part(footprint, first_sector++, first_word, 7);
    if (last_word < 7)
        mark_in_part(footprint, last_sector--, 0, last_word);
    mark(footprint, footprint->whole, TOUCHED_WHOLE, first_sector, last_sector);
}

static void mark_bytes(struct footprint *footprint, enum access_kind kind, uint64_t first,
                       uint64_t last)
{
    if (kind != ACCESS_STORE)
        mark(footprint, footprint->read, TOUCHED_READ, first / SECTOR_BYTES, last / SECTOR_BYTES);
    if (kind != ACCESS_LOAD)
        mark_written(footprint, first, last);
}

/* Lanes side by side are marked together: a warp often reads a few rows of a tile. */
static void mark_runs(struct footprint *footprint, const struct access *access, uint64_t offset)
{
    uint64_t first = offset + (uint64_t)access->shape->delta[__builtin_ctz(access->active)];
    uint64_t end = first;
    FOR_ACTIVE (lane, access->active) {
        uint64_t at = offset + (uint64_t)access->shape->delta[lane];
        if (at != end) {
            mark_bytes(footprint, access->kind, first, end - 1);
            first = at;
        }
        end = at + access->bytes;
    }
    mark_bytes(footprint, access->kind, first, end - 1);
}

/* How many different pieces of so many bytes a request touches in the allocation. */
static uint64_t count_pieces(const struct access *access, const struct allocation *allocation,
                             unsigned piece_bytes)
{
    uint64_t seen[WARP_LANES];
    unsigned count = 0;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        uint64_t piece = address / piece_bytes;
        unsigned i = 0;
        while (i < count && seen[i] != piece)
            i++;
        if (i == count && address - allocation->address < allocation->size_bytes)
            seen[count++] = piece;
    }
    return count;
}

static void count_over_bus(struct footprint *footprint, const struct access *access)
{
    uint64_t lanes_wide = 1 + (access->bytes - 1) / SECTOR_BYTES; /* more than 1: bulk copies */
    uint64_t sectors = count_pieces(access, footprint->allocation, SECTOR_BYTES) * lanes_wide;
    uint64_t lines = count_pieces(access, footprint->allocation, LINE_BYTES);
    if (access->kind == ACCESS_LOAD || access->kind == ACCESS_ATOMIC) {
        footprint->host_read += sectors;
        footprint->host_read_lines += lines;
    }
    if (access->kind != ACCESS_LOAD) {
        footprint->host_written += sectors;
        footprint->host_written_lines += lines;
    }
}

/* Lanes fall into several allocations: some may be the host's. */
static void count_lanes_over_bus(const struct access *access)
{
    struct worker *worker = access->warp->worker;
    const struct allocation *counted = NULL;
    FOR_ACTIVE (lane, access->active) {
        const struct allocation *allocation = memory_find(
            worker->launch->context, access->base + (uint64_t)access->shape->delta[lane]);
        if (!allocation || allocation == counted || !is_over_bus(allocation))
            continue;
        struct footprint *footprint = find(worker, allocation);
        if (footprint)
            count_over_bus(footprint, access);
        counted = allocation;
    }
}

static void footprint_access(const struct access *access, struct site *site)
{
    if (!access->allocation) {
        count_lanes_over_bus(access);
        return;
    }
    if (!site->footprint || site->footprint->allocation != access->allocation)
        site->footprint = find(access->warp->worker, access->allocation);
    if (!site->footprint)
        return;
    if (site->footprint->over_bus) {
        count_over_bus(site->footprint, access);
        return;
    }
    uint64_t offset = access->base - access->allocation->address;
    if (access->shape->contiguous || access->shape->uniform) {
        mark_bytes(site->footprint, access->kind, offset,
                   offset + (uint64_t)access->shape->highest + access->bytes - 1);
        return;
    }
    mark_runs(site->footprint, access, offset);
}

/* --- Adding up -------------------------------------------------------------------------------- */

/* One page of all workers' maps, combined. Where no worker touched it, its contents are
 * arbitrary. */
struct page {
    uint64_t read[PAGE_WORDS], whole[PAGE_WORDS];
    uint64_t parts[PAGE_WORDS * MAP_SECTORS / sizeof(uint64_t)];
    unsigned touched, touched_parts;
};

static void add_map(uint64_t *to, const void *from, size_t bytes, bool is_first)
{
    const uint64_t *map = from;
    if (is_first)
        memcpy(to, map, bytes);
    for (size_t i = 0; !is_first && i < bytes / sizeof *to; i++)
        to[i] |= map[i];
}

/* A map that was not touched is not looked at: its memory comes where it is read, page by page. */
static void put_together(struct page *page, const struct footprint *footprint, size_t number)
{
    unsigned touched = footprint->touched[number], first = touched & ~page->touched;
    if (touched & TOUCHED_READ)
        add_map(page->read, footprint->read + number * PAGE_WORDS, sizeof page->read,
                first & TOUCHED_READ);
    if (touched & TOUCHED_WHOLE)
        add_map(page->whole, footprint->whole + number * PAGE_WORDS, sizeof page->whole,
                first & TOUCHED_WHOLE);
    page->touched |= touched;
    unsigned parts = footprint->touched_parts[number];
    for (unsigned i = 0; i < EIGHTHS; i++)
        if (parts >> i & 1)
            add_map(page->parts + i * EIGHTH_SECTORS / sizeof *page->parts,
                    footprint->parts + number * sizeof page->parts + i * EIGHTH_SECTORS,
                    EIGHTH_SECTORS, !(page->touched_parts >> i & 1));
    page->touched_parts |= parts;
}

/* Of the 64 sectors of word at, those written in part. Sectors whose parts make up a whole are
 * added to the whole ones. */
static uint64_t sort_parts(struct page *page, size_t at)
{
    const unsigned char *parts = (const unsigned char *)page->parts + at * MAP_SECTORS;
    uint64_t in_part = 0;
    for (unsigned i = 0; i < MAP_SECTORS; i++) {
        page->whole[at] |= parts[i] == ALL_WORDS ? UINT64_C(1) << i : 0;
        in_part |= parts[i] ? UINT64_C(1) << i : 0;
    }
    return in_part & ~page->whole[at];
}

/* A bit for each two neighbours of which any is set, and for each four. */
static uint64_t pairs(uint64_t sectors)
{
    return (sectors | sectors >> 1) & UINT64_C(0x5555555555555555);
}

static uint64_t fours(uint64_t sectors)
{
    uint64_t two = pairs(sectors);
    return (two | two >> 2) & UINT64_C(0x1111111111111111);
}

/* bytes for each bit that is set. */
static uint64_t times(uint64_t bits, unsigned bytes)
{
    return (uint64_t)__builtin_popcountll(bits) * bytes;
}

/* 64 sectors. DRAM moves two at a time; where it has read them it need not fill either. */
static void add_word(struct footprint_bytes *bytes, uint64_t read, uint64_t whole, uint64_t in_part)
{
    uint64_t to_fill = in_part & ~(pairs(read) | pairs(read) << 1);
    bytes->read += times(pairs(read), 2 * SECTOR_BYTES);
    bytes->read_lines += times(fours(read), 4 * SECTOR_BYTES);
    bytes->written += times(whole | in_part, SECTOR_BYTES);
    bytes->written_moved += times(pairs(whole | in_part), 2 * SECTOR_BYTES);
    bytes->filled += times(to_fill, SECTOR_BYTES);
    bytes->filled_moved += times(pairs(to_fill), 2 * SECTOR_BYTES);
}

static void add_page(struct footprint_bytes *bytes, struct page *page)
{
    if (!page->touched && !page->touched_parts)
        return;
    if (!(page->touched & TOUCHED_READ))
        memset(page->read, 0, sizeof page->read);
    if (!(page->touched & TOUCHED_WHOLE))
        memset(page->whole, 0, sizeof page->whole);
    for (size_t i = 0; i < PAGE_WORDS; i++) {
        bool has_parts = page->touched_parts >> i / (PAGE_WORDS / EIGHTHS) & 1;
        uint64_t in_part = has_parts ? sort_parts(page, i) : 0;
        if (page->read[i] | page->whole[i] | in_part)
            add_word(bytes, page->read[i], page->whole[i], in_part);
    }
    page->touched = page->touched_parts = 0;
}

/* The next map of the same allocation, of a worker after that of index *worker. */
static const struct footprint *next_worker(const struct launch *launch, uint32_t *worker,
                                           const struct allocation *allocation)
{
    while (++*worker < launch->worker_count) {
        const struct footprint *it = launch->workers[*worker].footprints;
        while (it && it->allocation != allocation)
            it = it->next;
        if (it)
            return it;
    }
    return NULL;
}

/* Has a worker before that of index worker a map of the allocation, too? */
static bool was_added(const struct launch *launch, uint32_t worker,
                      const struct allocation *allocation)
{
    for (uint32_t i = 0; i < worker; i++)
        for (const struct footprint *it = launch->workers[i].footprints; it; it = it->next)
            if (it->allocation == allocation)
                return true;
    return false;
}

/* The allocation of first, of which no worker before has a map. */
static void add_allocation(struct footprint_bytes *bytes, const struct launch *launch,
                           uint32_t worker, const struct footprint *first)
{
    struct page page;
    page.touched = page.touched_parts = 0;
    for (size_t at = 0; at < first->pages; at++) {
        uint32_t i = worker;
        for (const struct footprint *one = first; one;
             one = next_worker(launch, &i, first->allocation))
            put_together(&page, one, at);
        add_page(bytes, &page);
    }
}

/* --- Of a sampled launch ---------------------------------------------------------------------- */

/* No more can be touched than there is: blocks share what several of them read. */
static uint64_t at_most(uint64_t bytes, const struct allocation *allocation)
{
    uint64_t whole = (allocation->size_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    return bytes < whole ? bytes : whole;
}

/* What one worker's blocks touched of an allocation, scaled up to the blocks that they stand
 * for. */
static void add_scaled(struct footprint_bytes *sum, const struct worker *worker,
                       const struct footprint *footprint)
{
    struct footprint_bytes own = {0};
    struct page page;
    page.touched = page.touched_parts = 0;
    for (size_t at = 0; at < footprint->pages; at++) {
        put_together(&page, footprint, at);
        add_page(&own, &page);
    }
    sum->read += sample_scale(worker, own.read);
    sum->read_lines += sample_scale(worker, own.read_lines);
    sum->written += sample_scale(worker, own.written);
    sum->filled += sample_scale(worker, own.filled);
    sum->written_moved += sample_scale(worker, own.written_moved);
    sum->filled_moved += sample_scale(worker, own.filled_moved);
}

static void add_sampled(struct footprint_bytes *bytes, const struct launch *launch, uint32_t worker,
                        const struct footprint *first)
{
    const struct allocation *allocation = first->allocation;
    struct footprint_bytes sum = {0};
    for (const struct footprint *one = first; one; one = next_worker(launch, &worker, allocation))
        add_scaled(&sum, &launch->workers[worker], one);
    bytes->read += at_most(sum.read, allocation);
    bytes->read_lines += at_most(sum.read_lines, allocation);
    bytes->written += at_most(sum.written, allocation);
    bytes->filled += at_most(sum.filled, allocation);
    bytes->written_moved += at_most(sum.written_moved, allocation);
    bytes->filled_moved += at_most(sum.filled_moved, allocation);
}

/* Scaled up to the blocks that the worker's stand for, if the launch is sampled. */
static void add_host(struct footprint_bytes *bytes, const struct worker *worker,
                     const struct footprint *footprint)
{
    bytes->host_read += sample_scale(worker, footprint->host_read);
    bytes->host_read_lines += sample_scale(worker, footprint->host_read_lines);
    bytes->host_written += sample_scale(worker, footprint->host_written);
    bytes->host_written_lines += sample_scale(worker, footprint->host_written_lines);
}

struct footprint_bytes footprint_sum(const struct launch *launch)
{
    struct footprint_bytes bytes = {0};
    for (uint32_t i = 0; i < launch->worker_count; i++)
        for (const struct footprint *it = launch->workers[i].footprints; it; it = it->next) {
            add_host(&bytes, &launch->workers[i], it);
            if (it->over_bus || was_added(launch, i, it->allocation))
                continue;
            if (launch->sample)
                add_sampled(&bytes, launch, i, it);
            else
                add_allocation(&bytes, launch, i, it);
        }
    return bytes;
}

static void footprint_free(struct launch *launch)
{
    for (uint32_t i = 0; launch->workers && i < launch->worker_count; i++)
        for (struct footprint *it = launch->workers[i].footprints, *next; it; it = next) {
            next = it->next;
            discard(launch->context->machine->maps, it);
        }
}

static bool footprint_wants(const struct launch *launch)
{
    bool is_untimed = launch->sample && launch->config.sampling.untimed;
    return launch->config.count && !is_untimed; /* only the model asks for it */
}

const struct observer observer_footprint = {
    .name = "footprint",
    .spaces = 1 << SPACE_GLOBAL,
    .looks_at = LOOKS_AT_TRAFFIC,
    .wants = footprint_wants,
    .access = footprint_access,
    .launch_free = footprint_free,
};
