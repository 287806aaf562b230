/* touches.c - keeps the touches of a sample of lines; see touches.h.
 *
 * A worker keeps lines whose hash is below a limit. When its list is full, it lowers the limit so
 * that half of the list is left. At the end the limit of all is the highest one for which all kept
 * touches together are half a list: no worker's is lower, as none had more touches than all.
 */
#include "touches.h"
#include "lanes.h"
#include "timing/timing.h"

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

static int by_hash(const void *a, const void *b)
{
    uint32_t x = hash_of(((const struct touch *)a)->piece);
    uint32_t y = hash_of(((const struct touch *)b)->piece);
    return (x > y) - (x < y);
}

/* The lowest limit below which more than count touches of a sorted list lie, less one line. */
static uint32_t limit_for(const struct touch *list, size_t have, size_t count)
{
    return have > count ? hash_of(list[count].piece) : 1 << HASH_BITS;
}

static size_t below(const struct touch *list, size_t count, uint32_t limit)
{
    while (count > 0 && hash_of(list[count - 1].piece) >= limit)
        count--;
    return count;
}

static void thin_out(struct touches *touches)
{
    qsort(touches->list, touches->count, sizeof *touches->list, by_hash);
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
    made->wave_blocks = launch->traces ? launch->traces->resident * launch->traces->stride : 1;
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
    if (hash_of(piece) >= touches->limit)
        return;
    touches->list[touches->count++] =
        (struct touch){.wave_steps = block / touches->wave_blocks << STEPS_BITS | steps,
                       .piece = piece, .op = access->op->id, .again = again,
                       .stores = access->kind == ACCESS_STORE || access->kind == ACCESS_REDUCTION};
}

static void look_at(struct touches *touches, const struct access *access, uint64_t first,
                    uint64_t last)
{
    for (uint64_t piece = first / TOUCH_PIECE_BYTES; piece <= last / TOUCH_PIECE_BYTES; piece++)
        if (hash_of(piece) < touches->limit)
            keep(touches, access, piece);
}

void touches_access(const struct access *access, struct site *site)
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

void touches_free(struct launch *launch)
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

struct touch_sample touches_collect(const struct launch *launch)
{
    struct touch_sample sample = {0};
    size_t all = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        all += launch->workers[i].touches ? launch->workers[i].touches->count : 0;
    if (launch->sample || !(sample.touches = malloc((all + 1) * sizeof *sample.touches)))
        return sample;
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        const struct touches *own = launch->workers[i].touches;
        if (own)
            memcpy(sample.touches + sample.count, own->list, own->count * sizeof *own->list);
        sample.count += own ? own->count : 0;
    }
    qsort(sample.touches, sample.count, sizeof *sample.touches, by_hash);
    uint32_t limit = limit_for(sample.touches, sample.count, MOST_TOUCHES / 2);
    for (uint32_t i = 0; i < launch->worker_count; i++)
        if (launch->workers[i].touches && launch->workers[i].touches->limit < limit)
            limit = launch->workers[i].touches->limit;
    sample.count = below(sample.touches, sample.count, limit);
    sample.share = (double)limit / (1 << HASH_BITS);
    qsort(sample.touches, sample.count, sizeof *sample.touches, by_piece);
    return sample;
}
