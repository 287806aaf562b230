/* sectors.c - observes global memory: how many 32-byte sectors each request touches.
 *
 * A request is one load or store of one warp. The device fetches memory in aligned pieces of 32
 * bytes, so a request costs as many sectors as its lanes touch different ones: 4 when 32
 * neighbouring lanes read neighbouring floats, 32 when each lane is somewhere else. Exact against
 * the hardware's l1tex__t_sectors counters (make fidelity).
 *
 * The number depends on the shape of the access and on where its base lies within a sector; while
 * both stay the same, so does the number.
 */
#include "lanes.h"
#include "observers.h"

enum { SECTOR_BYTES = 32 };

/* A set of up to 64 numbers in a table of 128 places. */
struct number_set {
    uint64_t number[128];
    uint64_t used[2];
    unsigned count;
};

static void set_add(struct number_set *set, uint64_t number)
{
    unsigned at = (unsigned)(number * UINT64_C(0x9E3779B97F4A7C15) >> 57);
    while (set->used[at / 64] >> at % 64 & 1) {
        if (set->number[at] == number)
            return;
        at = (at + 1) % 128;
    }
    set->used[at / 64] |= UINT64_C(1) << at % 64;
    set->number[at] = number;
    set->count++;
}

static uint32_t distinct_sectors(const struct access *access)
{
    const struct shape *shape = access->shape;
    uint64_t first = access->base / SECTOR_BYTES;
    if (shape->uniform || shape->contiguous) {
        uint64_t last = access->base + (uint64_t)shape->highest + access->bytes - 1;
        return (uint32_t)(last / SECTOR_BYTES - first + 1);
    }
    struct number_set set = {.count = 0};
    FOR_ACTIVE(lane, access->active)
    set_add(&set, (access->base + (uint64_t)shape->delta[lane]) / SECTOR_BYTES);
    return set.count;
}

/* Lanes at one address count once. */
static uint32_t distinct_bytes(const struct access *access)
{
    struct number_set set = {.count = 1};
    if (!access->shape->uniform) {
        set.count = 0;
        FOR_ACTIVE(lane, access->active)
        set_add(&set, (uint64_t)access->shape->delta[lane]);
    }
    return set.count * access->bytes;
}

/* Atomics on one address take turns: a sector counts once for each lane on its busiest address.
 *
 * The hardware counts a little more where lanes want words whose numbers differ in bits 5 and 7 and
 * in no other of the lower eight: then it sometimes takes another lane of the same sector in a turn
 * of its own, 0.4 a warp for 256 counters (an H200, 1000 warps of known addresses: none without such
 * a pair). Which of the two gives way is not known, so that is left out. */
static uint32_t atomic_sectors(const struct access *access)
{
    const struct shape *shape = access->shape;
    uint32_t total = 0;
    lane_mask rest = access->active;
    while (rest) {
        uint64_t sector =
            (access->base + (uint64_t)shape->delta[__builtin_ctz(rest)]) / SECTOR_BYTES;
        lane_mask here = 0;
        FOR_ACTIVE(lane, rest)
        if ((access->base + (uint64_t)shape->delta[lane]) / SECTOR_BYTES == sector)
            here |= UINT32_C(1) << lane;
        rest &= ~here;
        uint32_t busiest = 0;
        for (lane_mask left = here; left;) {
            int64_t delta = shape->delta[__builtin_ctz(left)];
            lane_mask same = MASK_OF(shape->delta[lane] == delta) & left;
            uint32_t lanes = (uint32_t)__builtin_popcount(same);
            busiest = lanes > busiest ? lanes : busiest;
            left &= ~same;
        }
        total += busiest;
    }
    return total;
}

/* Local memory is interleaved by words of lanes, so lanes at one address are neighbours. */
static uint32_t local_sectors(const struct access *access)
{
    struct number_set set = {.count = 0};
    FOR_ACTIVE(lane, access->active)
    for (uint32_t word = 0; word < (access->bytes + 3) / 4; word++) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        set_add(&set, (address / 4 + word) * 4 + (uint64_t)lane / 8);
    }
    return set.count;
}

void sectors_access(const struct access *access, struct site *site)
{
    struct sim_access_counters *counters = &site->counters;
    uint32_t lanes = (uint32_t)__builtin_popcount(access->active);
    uint32_t base = (uint32_t)(access->base % SECTOR_BYTES);
    if (site->sectors.age != access->shape->age || site->sectors.base != base) {
        bool is_atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
        site->sectors.count = access->space == SPACE_LOCAL ? local_sectors(access)
                              : is_atomic                  ? atomic_sectors(access)
                                                           : distinct_sectors(access);
        site->sectors.distinct_bytes = access->space == SPACE_LOCAL ? lanes * access->bytes
                                                                    : distinct_bytes(access);
        site->sectors.ideal = /* what the same bytes would cost side by side */
            (site->sectors.distinct_bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
        site->sectors.age = access->shape->age;
        site->sectors.base = base;
        example_request(access, site, site->sectors.count, site->sectors.ideal);
    }
    counters->requests++;
    counters->lanes += lanes;
    counters->bytes += (uint64_t)lanes * access->bytes;
    counters->distinct_bytes += site->sectors.distinct_bytes;
    counters->sectors += site->sectors.count;
    counters->ideal_sectors += site->sectors.ideal;
}
