/* contention.c - observes atomics on global memory: how crowded the most wanted place is.
 *
 * A part of the L2 carries out atomics one after the other, wherever they come from: all lanes of a
 * warp that want different words of a sector at once, those that want the same word one by one.
 * Which part it is depends on the address, in pieces of about 256 bytes (histogram_global in the
 * bank), so the most wanted piece is a limit of the whole launch.
 */
#include "lanes.h"
#include "observers.h"

#include <stdlib.h>

enum { SECTOR_BYTES = 32, PIECE_BYTES = 256 };

struct contention {
    struct contention *next;
    const struct allocation *allocation;
    atomic_uint *turns; /* by piece */
    size_t pieces;
};

static struct contention *find(struct launch *launch, const struct allocation *allocation)
{
    pthread_mutex_lock(&launch->lock);
    struct contention *found = launch->contention;
    while (found && found->allocation != allocation)
        found = found->next;
    if (!found && (found = calloc(1, sizeof *found))) {
        found->allocation = allocation;
        found->pieces = allocation->size_bytes / PIECE_BYTES + 1;
        found->turns = calloc(found->pieces, sizeof *found->turns);
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
        atomic_fetch_add_explicit(&site->contention->turns[at / PIECE_BYTES],
                                  take_turns(access, offset, at / SECTOR_BYTES, &left),
                                  memory_order_relaxed);
    }
}

uint64_t contention_most(const struct launch *launch)
{
    uint64_t most = 0;
    for (const struct contention *it = launch->contention; it; it = it->next)
        for (size_t i = 0; it->turns && i < it->pieces; i++)
            most = it->turns[i] > most ? it->turns[i] : most;
    return most;
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
