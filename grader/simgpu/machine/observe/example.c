/* example.c - keeps one request of each memory op, to show; and tells how far apart the addresses
 * of neighbouring lanes are.
 *
 * The request that is kept is the first of those with most sectors or wavefronts beyond the ideal.
 * Both depend on the shape of an access, so only accesses of a new shape are looked at.
 */
#include "lanes.h"
#include "observers.h"

#include <string.h>

/* What three of four neighbouring lanes agree on, or 0. False when no two lanes are neighbours. */
static bool find_distance(const struct access *access, int64_t *distance)
{
    const int64_t *delta = access->shape->delta;
    lane_mask pairs = access->active & access->active >> 1;
    if (!pairs)
        return false;
    int first = __builtin_ctz(pairs), agree = 0;
    *distance = delta[first + 1] - delta[first];
    FOR_ACTIVE (lane, pairs)
        agree += delta[lane + 1] - delta[lane] == *distance;
    if (4 * agree < 3 * __builtin_popcount(pairs))
        *distance = 0;
    return true;
}

static void note_neighbours(const struct access *access, struct site *site)
{
    int64_t *known = &site->counters.neighbour_bytes, distance;
    bool settled = site->example.neighbours_known && *known == 0;
    if (settled || site->example.age == access->shape->age || !find_distance(access, &distance))
        return;
    *known = !site->example.neighbours_known || *known == distance ? distance : 0;
    site->example.neighbours_known = true;
    site->example.age = access->shape->age;
}

void example_request(const struct access *access, struct site *site, uint32_t count, uint32_t ideal)
{
    uint32_t beyond = count > ideal ? count - ideal : 0;
    note_neighbours(access, site);
    if (site->example.kept && beyond <= site->example.beyond)
        return;
    const struct block *block = access->warp->block;
    struct sim_request *request = &site->example.request;
    request->active = access->active;
    request->bytes = access->bytes;
    request->allocation =
        access->space == SPACE_GLOBAL && access->allocation ? access->allocation->address : 0;
    request->warp = access->warp->index;
    memcpy(request->block, block->index, sizeof request->block);
    for (int lane = 0; lane < WARP_LANES; lane++)
        request->address[lane] = access->base + (uint64_t)access->shape->delta[lane];
    site->example.block = block->number;
    site->example.beyond = beyond;
    site->example.kept = true;
}

void example_merge_neighbours(struct sim_access_counters *to,
                              const struct sim_access_counters *from)
{
    if (to->requests == 0)
        to->neighbour_bytes = from->neighbour_bytes;
    else if (from->requests && to->neighbour_bytes != from->neighbour_bytes)
        to->neighbour_bytes = 0;
}
