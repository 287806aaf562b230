/* footprint.c - observes which sectors of global memory a launch touches at all.
 *
 * However good its caches, a device must fetch each of them once. One byte stands for one sector,
 * so that workers may mark it without a lock: they all write the same value.
 */
#include "lanes.h"
#include "observers.h"

#include <stdlib.h>

enum { SECTOR_BYTES = 32 };

struct footprint { /* of one allocation */
    struct footprint *next;
    const struct allocation *allocation;
    size_t sectors;
    unsigned char *read, *written; /* a byte a sector */
};

static struct footprint *make(struct launch *launch, const struct allocation *allocation)
{
    struct footprint *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->allocation = allocation;
    made->sectors = allocation->size_bytes / SECTOR_BYTES + 2;
    made->read = calloc(made->sectors, 1);
    made->written = calloc(made->sectors, 1);
    if (!made->read || !made->written) {
        free(made->read);
        free(made->written);
        free(made);
        return NULL;
    }
    made->next = launch->footprints;
    launch->footprints = made;
    return made;
}

static struct footprint *find(struct launch *launch, const struct allocation *allocation)
{
    pthread_mutex_lock(&launch->lock);
    struct footprint *footprint = launch->footprints;
    while (footprint && footprint->allocation != allocation)
        footprint = footprint->next;
    if (!footprint)
        footprint = make(launch, allocation);
    pthread_mutex_unlock(&launch->lock);
    return footprint;
}

static void mark_lanes(const struct access *access, unsigned char *sectors)
{
    uint64_t start = access->allocation->address;
    FOR_ACTIVE(lane, access->active)
    sectors[(access->base + (uint64_t)access->shape->delta[lane] - start) / SECTOR_BYTES] = 1;
}

void footprint_access(const struct access *access, struct site *site)
{
    if (access->space != SPACE_GLOBAL || !access->allocation)
        return;
    if (!site->footprint || site->footprint->allocation != access->allocation)
        site->footprint = find(block_launch(access->warp), access->allocation);
    if (!site->footprint)
        return;
    unsigned char *sectors =
        access->kind == ACCESS_LOAD ? site->footprint->read : site->footprint->written;
    if (!access->shape->contiguous && !access->shape->uniform) {
        mark_lanes(access, sectors);
        return;
    }
    uint64_t offset = access->base - access->allocation->address;
    uint64_t last = offset + (uint64_t)access->shape->highest + access->bytes - 1;
    memset(sectors + offset / SECTOR_BYTES, 1, last / SECTOR_BYTES - offset / SECTOR_BYTES + 1);
}

void footprint_sum(const struct launch *launch, uint64_t *read_bytes, uint64_t *written_bytes)
{
    *read_bytes = *written_bytes = 0;
    for (const struct footprint *footprint = launch->footprints; footprint;
         footprint = footprint->next)
        for (size_t i = 0; i < footprint->sectors; i++) {
            *read_bytes += SECTOR_BYTES * footprint->read[i];
            *written_bytes += SECTOR_BYTES * footprint->written[i];
        }
}

void footprint_free(struct launch *launch)
{
    for (struct footprint *footprint = launch->footprints, *next; footprint; footprint = next) {
        next = footprint->next;
        free(footprint->read);
        free(footprint->written);
        free(footprint);
    }
    launch->footprints = NULL;
}
