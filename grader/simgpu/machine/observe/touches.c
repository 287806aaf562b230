/* touches.c - keeps the touches of a sample of lines; see touches.h.
 *
 * A worker keeps lines whose hash is below a limit. When its list is full, it lowers the limit so
 * that half of the list is left. At the end the common limit is the highest one for which the kept
 * touches of all workers together are half a list: no worker's own limit is lower, since none has
 * more touches than all together.
 */
#include "touches.h"
#include "keyed.h"
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOUCHES = 1 << 15, HASH_BITS = 24, RECENT = 1024, STEPS_BITS = 40 };
/* Touches of one block that are fewer instructions apart than this count as one. */
enum { NEAR_STEPS = 64 };

struct touches { /* of one worker */
    struct touch *list;
    size_t count;
    uint32_t limit;       /* of hashes; 0 when there is no memory */
    uint64_t wave_blocks; /* how many blocks the device holds */
    uint64_t block, wave; /* the last one's number plus 1, and its wave: a division less */
    const struct sim_memory *memory;
    struct recent {
        uint64_t piece, block, steps;
        uint32_t op;
    } recent[RECENT];
};

static uint32_t hash_of(uint64_t piece)
{
    uint64_t line = piece / (TOUCH_LINE_BYTES / TOUCH_PIECE_BYTES);
    return (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS));
}

/* The hash that would be number count if the list were sorted: a limit below which at most count
 * touches lie. Its upper half is found first, then its lower one. */
static uint32_t limit_for(const struct touch *list, size_t have, size_t count)
{
    enum { HALF_BITS = HASH_BITS / 2, HALVES = 1 << HALF_BITS };
    uint32_t number[HALVES] = {0}, upper = 0, lower = 0;
    if (have <= count)
        return 1 << HASH_BITS;
    for (size_t i = 0; i < have; i++)
        number[hash_of(list[i].piece) >> HALF_BITS]++;
    for (; number[upper] <= count; upper++)
        count -= number[upper];
    memset(number, 0, sizeof number);
    for (size_t i = 0; i < have; i++)
        if (hash_of(list[i].piece) >> HALF_BITS == upper)
            number[hash_of(list[i].piece) % HALVES]++;
    for (; number[lower] <= count; lower++)
        count -= number[lower];
    return upper << HALF_BITS | lower;
}

/* Keeps those below the limit, in their order. */
static size_t below(struct touch *list, size_t count, uint32_t limit)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (hash_of(list[i].piece) < limit)
            list[kept++] = list[i];
    return kept;
}

static void thin_out(struct touches *touches)
{
    touches->limit = limit_for(touches->list, touches->count, MOST_TOUCHES / 2);
    touches->count = below(touches->list, touches->count, touches->limit);
}

static struct touches *make(const struct launch *launch)
{
    struct touches *made = worker_alloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->list = malloc(MOST_TOUCHES * sizeof *made->list);
    made->limit = made->list ? 1 << HASH_BITS : 0;
    made->memory = launch->context->machine->memory;
    made->wave_blocks =
        (uint64_t)sim_occupancy(launch->context, launch->function, launch->block_threads,
                                launch->config.dynamic_shared_bytes, NULL) *
        launch->context->machine->profile.multiprocessors;
    return made;
}

static __attribute__((noinline)) void keep(struct touches *touches, const struct access *access,
                                           uint64_t piece)
{
    uint64_t block = access->warp->block->number, steps = access->warp->steps;
    struct recent *recent = &touches->recent[(piece ^ piece >> 10) % RECENT];
    bool is_own = recent->block == block + 1, again = is_own && recent->piece == piece;
    if (again && recent->op == access->op->id && steps - recent->steps < NEAR_STEPS)
        return;
    /* Touches below every worker's limit must not be driven out by those that one worker alone
     * keeps. */
    if (!is_own || hash_of(piece) <= hash_of(recent->piece))
        *recent = (struct recent){piece, block + 1, steps, access->op->id};
    if (touches->count == MOST_TOUCHES)
        thin_out(touches);
    if (touches->block != block + 1) {
        touches->block = block + 1;
        touches->wave = block / touches->wave_blocks;
    }
    if (hash_of(piece) >= touches->limit)
        return;
    touches->list[touches->count++] =
        (struct touch){.wave_steps = touches->wave << STEPS_BITS | steps,
                       .piece = piece,
                       .op = access->op->id,
                       .again = again,
                       .stores = access->kind == ACCESS_STORE || access->kind == ACCESS_REDUCTION};
}

/* The pieces of a line are kept together, so checking its hash once is enough. */
static __attribute__((noinline)) void look_at(struct touches *touches, const struct access *access,
                                              uint64_t first, uint64_t last)
{
    enum { PIECES = TOUCH_LINE_BYTES / TOUCH_PIECE_BYTES };
    uint64_t piece = first / TOUCH_PIECE_BYTES, end = last / TOUCH_PIECE_BYTES + 1;
    while (piece < end) {
        uint64_t of_line = (piece / PIECES + 1) * PIECES;
        of_line = of_line < end ? of_line : end;
        if (hash_of(piece) < touches->limit)
            for (uint64_t i = piece; i < of_line; i++)
                keep(touches, access, i);
        piece = of_line;
    }
}

/* The pieces of each lane, one after the other. */
static void look_at_lanes(struct touches *touches, const struct access *access)
{
    uint64_t base = memory_place(touches->memory, access->base), latest = UINT64_MAX;
    FOR_ACTIVE (lane, access->active) {
        uint64_t at = base + (uint64_t)access->shape->delta[lane];
        if (at / TOUCH_PIECE_BYTES == latest)
            continue;
        latest = at / TOUCH_PIECE_BYTES;
        look_at(touches, access, at, at + access->bytes - 1);
    }
}

/* What the pieces of a shape depend on besides: the place of its base, and how much a lane touches.
 */
static uint32_t place_of(const struct access *access)
{
    return access->bytes * TOUCH_PIECE_BYTES + (uint32_t)(access->base % TOUCH_PIECE_BYTES);
}

/* Which pieces those are, from the one of the base on. */
static void find_pieces(const struct access *access, struct site *site)
{
    uint64_t start = access->base / TOUCH_PIECE_BYTES, latest = UINT64_MAX;
    site->touched.age = access->shape->age;
    site->touched.place = place_of(access);
    site->touched.count = 0;
    site->touched.is_plain = true;
    FOR_ACTIVE (lane, access->active) {
        uint64_t at = access->base + (uint64_t)access->shape->delta[lane];
        uint64_t piece = at / TOUCH_PIECE_BYTES;
        if (piece == latest)
            continue;
        latest = piece;
        site->touched.piece[site->touched.count++] = (int64_t)(piece - start);
        site->touched.is_plain &= (at + access->bytes - 1) / TOUCH_PIECE_BYTES == piece;
    }
}

/* A load in a loop mostly keeps its shape: then its site knows the pieces. */
static void look_at_shape(struct touches *touches, const struct access *access, struct site *site)
{
    uint64_t start = memory_place(touches->memory, access->base) / TOUCH_PIECE_BYTES;
    if (site->touched.age != access->shape->age || site->touched.place != place_of(access))
        find_pieces(access, site);
    if (!site->touched.is_plain) {
        look_at_lanes(touches, access);
        return;
    }
    for (uint32_t i = 0; i < site->touched.count; i++) {
        uint64_t piece = start + (uint64_t)site->touched.piece[i];
        if (hash_of(piece) < touches->limit)
            keep(touches, access, piece);
    }
}

/* Mostly it is one line, which is not in the sample: that case has to be fast. */
static void touches_access(const struct access *access, struct site *site)
{
    struct worker *worker = access->warp->worker;
    struct touches *touches = worker->touches;
    if (__builtin_expect(!touches, 0) && !(touches = worker->touches = make(worker->launch)))
        return;
    if (!access->shape->contiguous && !access->shape->uniform) {
        look_at_shape(touches, access, site);
        return;
    }
    uint64_t first = memory_place(touches->memory, access->base);
    uint64_t last = first + (uint64_t)access->shape->highest + access->bytes - 1;
    bool is_one = first / TOUCH_LINE_BYTES == last / TOUCH_LINE_BYTES;
    if (!is_one || hash_of(first / TOUCH_PIECE_BYTES) < touches->limit)
        look_at(touches, access, first, last);
}

static void touches_free(struct launch *launch)
{
    for (uint32_t i = 0; launch->workers && i < launch->worker_count; i++)
        if (launch->workers[i].touches) {
            free(launch->workers[i].touches->list);
            free(launch->workers[i].touches);
            launch->workers[i].touches = NULL;
        }
}

static int by_piece(const void *a, const void *b)
{
    const struct touch *x = a, *y = b;
    if (x->piece != y->piece)
        return x->piece < y->piece ? -1 : 1;
    if (x->wave_steps != y->wave_steps)
        return x->wave_steps < y->wave_steps ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return x->again != y->again ? x->again - y->again : x->stores - y->stores;
}

/* Sort the touches of one piece, which are next to each other, by time. */
static void sort_pieces(struct touch *touches, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && touches[end].piece == touches[i].piece; end++)
            continue;
        if (end > i + 1)
            qsort(touches + i, end - i, sizeof *touches, by_piece);
    }
}

/* A copy by piece, and each piece's in order of time; NULL when memory is exhausted. */
static struct touch *sorted(const struct touch *touches, size_t count)
{
    struct keyed *order = malloc((2 * count + 1) * sizeof *order);
    struct touch *copy = malloc((count + 1) * sizeof *copy);
    for (size_t i = 0; order && i < count; i++)
        order[i] = (struct keyed){touches[i].piece, (uint32_t)i};
    if (order)
        keyed_sort(order, order + count, count);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = touches[order ? order[i].number : i];
    if (copy && order)
        sort_pieces(copy, count);
    else if (copy)
        qsort(copy, count, sizeof *copy, by_piece);
    free(order);
    return copy;
}

/* What all workers kept, one after the other: the caller's, if several did. */
static struct touch *all_of(const struct launch *launch, size_t count)
{
    struct touch *all = calloc(count + 1, sizeof *all);
    for (uint32_t i = 0, at = 0; all && i < launch->worker_count; i++) {
        const struct touches *own = launch->workers[i].touches;
        if (own && own->count)
            memcpy(all + at, own->list, own->count * sizeof *own->list);
        at += own ? (uint32_t)own->count : 0;
    }
    return all;
}

/* What lies below the limit of all. The worker, if all is one's, has thinned out its list so. */
static struct touch_sample sample_of(struct touch *all, size_t count, uint32_t limit,
                                     struct touches *worker)
{
    uint32_t lowest = limit_for(all, count, MOST_TOUCHES / 2);
    limit = lowest < limit ? lowest : limit;
    struct touch_sample sample = {.count = below(all, count, limit),
                                  .share = (double)limit / (1 << HASH_BITS)};
    if (worker) {
        worker->count = sample.count;
        worker->limit = limit;
    }
    sample.touches = sorted(all, sample.count);
    return sample.touches ? sample : (struct touch_sample){0};
}

/* A single worker's list is used in place: it may be large, and a copy costs fresh memory. */
struct touch_sample touches_collect(const struct launch *launch)
{
    struct touches *only = NULL;
    uint32_t limit = 1 << HASH_BITS, workers = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        struct touches *own = launch->workers[i].touches;
        if (!own)
            continue;
        only = own;
        workers++;
        count += own->count;
        limit = own->limit < limit ? own->limit : limit;
    }
    if (launch->sample)
        return (struct touch_sample){0};
    if (workers == 1)
        return only->list ? sample_of(only->list, count, limit, only) : (struct touch_sample){0};
    struct touch *all = all_of(launch, count);
    struct touch_sample sample =
        all ? sample_of(all, count, limit, NULL) : (struct touch_sample){0};
    free(all);
    return sample;
}

static bool touches_wants(const struct launch *launch)
{
    return launch->config.count && !launch->sample;
}

const struct observer observer_touches = {
    .name = "touches",
    .spaces = 1 << SPACE_GLOBAL,
    .looks_at = LOOKS_AT_TRAFFIC,
    .wants = touches_wants,
    .access = touches_access,
    .launch_free = touches_free,
};
