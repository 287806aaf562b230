/* contention.c - observes atomics on global memory: how crowded the most wanted place is.
 *
 * A part of the L2 carries out atomics one after the other, wherever they come from: all lanes of a
 * warp that want different words of a sector at once, those that want the same word one by one.
 * Each line has its part (pair_atomics_warp_before: 64 words take half as long as one), so the most
 * wanted line is a limit of the whole launch. Which part that is, is scattered: of several lines
 * that are wanted as much, two may share one.
 */
#include "lanes.h"
#include "observers.h"

#include <math.h>
#include <stdlib.h>

enum { SECTOR_BYTES = 32, LINE_BYTES = 128 };

/* Parts among which lines are scattered (histogram_global_1M: eight lines, 1.7 times one). */
static const double PARTS = 32;
/* A line is as wanted as another when it is asked for so often, of that. */
static const double AS_WANTED = 0.75;

struct contention {
    struct contention *next;
    const struct allocation *allocation;
    atomic_uint *turns; /* by line */
    size_t lines;
};

static struct contention *find(struct launch *launch, const struct allocation *allocation)
{
    pthread_mutex_lock(&launch->lock);
    struct contention *found = launch->contention;
    while (found && found->allocation != allocation)
        found = found->next;
    if (!found && (found = calloc(1, sizeof *found))) {
        found->allocation = allocation;
        found->lines = allocation->size_bytes / LINE_BYTES + 1;
        found->turns = calloc(found->lines, sizeof *found->turns);
        found->next = launch->contention;
        launch->contention = found;
    }
    pthread_mutex_unlock(&launch->lock);
    return found && found->turns ? found : NULL;
}

/* How many turns the lanes in one sector need: as many as want its most wanted word. They are
 * taken out of left. */
static unsigned take_turns(const struct access *access, uint64_t offset, uint64_t sector,
                           lane_mask *left)
{
    unsigned turns[SECTOR_BYTES] = {0}, most = 0;
    FOR_ACTIVE(lane, *left)
    {
        uint64_t at = offset + (uint64_t)access->shape->delta[lane];
        if (at / SECTOR_BYTES != sector)
            continue;
        unsigned here = ++turns[at % SECTOR_BYTES];
        most = here > most ? here : most;
        *left &= ~(UINT32_C(1) << lane);
    }
    return most;
}

void contention_access(const struct access *access, struct site *site)
{
    if (!access->allocation ||
        (access->kind != ACCESS_ATOMIC && access->kind != ACCESS_REDUCTION))
        return;
    if (!site->contention || site->contention->allocation != access->allocation)
        site->contention = find(block_launch(access->warp), access->allocation);
    if (!site->contention)
        return;
    uint64_t offset = access->base - access->allocation->address;
    for (lane_mask left = access->active; left;) {
        uint64_t at = offset + (uint64_t)access->shape->delta[__builtin_ctz(left)];
        unsigned turns = take_turns(access, offset, at / SECTOR_BYTES, &left);
        atomic_fetch_add_explicit(&site->contention->turns[at / LINE_BYTES],
                                  access->op->for_all ? 1 : turns, memory_order_relaxed);
    }
}

static uint64_t most_wanted(const struct launch *launch)
{
    uint64_t most = 0;
    for (const struct contention *it = launch->contention; it; it = it->next)
        for (size_t i = 0; it->turns && i < it->lines; i++)
            most = it->turns[i] > most ? it->turns[i] : most;
    return most;
}

double contention_most(const struct launch *launch)
{
    double most = (double)most_wanted(launch), rivals = 0;
    for (const struct contention *it = launch->contention; it; it = it->next)
        for (size_t i = 0; it->turns && i < it->lines; i++)
            rivals += it->turns[i] >= AS_WANTED * most;
    double pairs = rivals * (rivals - 1) / 2;
    return most * (2 - exp(-pairs / PARTS));
}

void contention_free(struct launch *launch)
{
    for (struct contention *it = launch->contention, *next; it; it = next) {
        next = it->next;
        free(it->turns);
        free(it);
    }
    launch->contention = NULL;
}
