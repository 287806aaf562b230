/* touches.c - keeps the touches of a sample of lines; see touches.h.
 *
 * A worker keeps lines whose hash is below a limit. When its list is full, it lowers the limit so
 * that half of the list is left. At the end the limit of all is the highest one for which all kept
 * touches together are half a list: no worker's is lower, as none had more touches than all.
 */
#include "touches.h"
#include "keyed.h"
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOUCHES = 1 << 15, HASH_BITS = 24, RECENT = 1024, STEPS_BITS = 40 };
/* Touches of one block that are nearer than so many instructions are one. */
enum { NEAR_STEPS = 64 };

struct touches { /* of one worker */
    struct touch *list;
    size_t count;
    uint32_t limit;            /* of hashes; 0 when there is no memory */
    uint64_t wave_blocks;      /* how many blocks the device holds */
    uint64_t block, wave;      /* the last one's number plus 1, and its wave: a division less */
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

/* The lowest limit below which more than count touches of a list lie, less one line: the hash that
 * would be number count, if they were in order. Found by its upper half, then by its lower one. */
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
    made->wave_blocks =
        (uint64_t)sim_occupancy(launch->context, launch->function, launch->block_threads,
                                launch->config.dynamic_shared_bytes, NULL) *
        launch->context->machine->profile.multiprocessors;
    return made;
}

static void keep(struct touches *touches, const struct access *access, uint64_t piece)
{
    uint64_t block = access->warp->block->number, steps = access->warp->steps;
    struct recent *recent = &touches->recent[(piece ^ piece >> 10) % RECENT];
    bool is_own = recent->block == block + 1, again = is_own && recent->piece == piece;
    if (again && recent->op == access->op->id && steps - recent->steps < NEAR_STEPS)
        return;
    /* What lies below every limit must not be driven out by what one worker alone keeps. */
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
                       .piece = piece, .op = access->op->id, .again = again,
                       .stores = access->kind == ACCESS_STORE || access->kind == ACCESS_REDUCTION};
}

/* The pieces of a line are kept together, so one look at its hash is enough. */
static void look_at(struct touches *touches, const struct access *access, uint64_t first,
                    uint64_t last)
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

static void touches_access(const struct access *access, struct site *site)
{
    struct worker *worker = access->warp->worker;
    (void)site;
    if (!worker->touches && !(worker->touches = make(worker->launch)))
        return;
    if (access->shape->contiguous || access->shape->uniform) {
        look_at(worker->touches, access, access->base,
                access->base + (uint64_t)access->shape->highest + access->bytes - 1);
        return;
    }
    uint64_t latest = UINT64_MAX;
    FOR_ACTIVE(lane, access->active)
    {
        uint64_t at = access->base + (uint64_t)access->shape->delta[lane];
        if (at / TOUCH_PIECE_BYTES == latest)
            continue;
        latest = at / TOUCH_PIECE_BYTES;
        look_at(worker->touches, access, at, at + access->bytes - 1);
    }
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

/* By piece, and each piece's in order of time. */
static void sort(struct touch_sample *sample)
{
    size_t count = sample->count, end;
    struct keyed *order = malloc((2 * count + 1) * sizeof *order);
    struct touch *sorted = malloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; order && i < count; i++)
        order[i] = (struct keyed){sample->touches[i].piece, (uint32_t)i};
    if (order && sorted) {
        keyed_sort(order, order + count, count);
        for (size_t i = 0; i < count; i++)
            sorted[i] = sample->touches[order[i].number];
        for (size_t i = 0; i < count; i = end) {
            for (end = i + 1; end < count && sorted[end].piece == sorted[i].piece; end++)
                continue;
            if (end > i + 1)
                qsort(sorted + i, end - i, sizeof *sorted, by_piece);
        }
        memcpy(sample->touches, sorted, count * sizeof *sorted);
    } else {
        qsort(sample->touches, count, sizeof *sample->touches, by_piece);
    }
    free(order);
    free(sorted);
}

struct touch_sample touches_collect(const struct launch *launch)
{
    struct touch_sample sample = {0};
    size_t all = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        all += launch->workers[i].touches ? launch->workers[i].touches->count : 0;
    if (launch->sample || !(sample.touches = calloc(all + 1, sizeof *sample.touches)))
        return sample;
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        const struct touches *own = launch->workers[i].touches;
        if (own)
            memcpy(sample.touches + sample.count, own->list, own->count * sizeof *own->list);
        sample.count += own ? own->count : 0;
    }
    uint32_t limit = limit_for(sample.touches, sample.count, MOST_TOUCHES / 2);
    for (uint32_t i = 0; i < launch->worker_count; i++)
        if (launch->workers[i].touches && launch->workers[i].touches->limit < limit)
            limit = launch->workers[i].touches->limit;
    sample.count = below(sample.touches, sample.count, limit);
    sample.share = (double)limit / (1 << HASH_BITS);
    sort(&sample);
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
