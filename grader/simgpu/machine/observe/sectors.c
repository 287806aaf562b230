/* sectors.c - observes global memory: how many 32-byte sectors each request touches.
 *
 * A request is one load or store of one warp. The device fetches memory in aligned pieces of 32
 * bytes, so a request costs as many sectors as its lanes touch different ones: 4 when 32
 * neighbouring lanes read neighbouring floats, 32 when each lane is somewhere else. Exact against
 * the hardware's l1tex__t_sectors counters (make fidelity).
 *
 * The number depends on the shape of the access and on where its base lies within a sector (of an
 * atomic: on all of its base); while both stay the same, so does the number.
 */
#include "lanes.h"
#include "observers.h"

enum { TAG_BANKS = 4 };

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
    FOR_ACTIVE (lane, access->active)
        set_add(&set, (access->base + (uint64_t)shape->delta[lane]) / SECTOR_BYTES);
    return set.count;
}

/* For a shape that was met before, the number is taken to be what it was then, though a base
 * elsewhere in its line may make it one more. */
static uint32_t distinct_lines(const struct access *access)
{
    const struct shape *shape = access->shape;
    uint64_t first = access->base / LINE_BYTES;
    if (shape->uniform || shape->contiguous) {
        uint64_t last = access->base + (uint64_t)shape->highest + access->bytes - 1;
        return (uint32_t)(last / LINE_BYTES - first + 1);
    }
    struct number_set set = {.count = 0};
    FOR_ACTIVE (lane, access->active)
        set_add(&set, (access->base + (uint64_t)shape->delta[lane]) / LINE_BYTES);
    return set.count;
}

/* Lanes at one address count once. */
static uint32_t distinct_bytes(const struct access *access)
{
    struct number_set set = {.count = 1};
    if (!access->shape->uniform) {
        set.count = 0;
        FOR_ACTIVE (lane, access->active)
            set_add(&set, (uint64_t)access->shape->delta[lane]);
    }
    return set.count * access->bytes;
}

/* L1 has its tags in four banks. Which one a line is in depends on all bits of its number: they are
 * folded by fives, and these are the fives that decide the two bits of the bank. Lines are counted
 * from the start of their buffer, so that it does not matter where that lies. */
static unsigned bank_of(uint64_t line)
{
    static const uint64_t EVERY_FIFTH = ((UINT64_C(1) << 60) - 1) / 31;
    return (unsigned)__builtin_parityll(line & 0x15 * EVERY_FIFTH) |
           (unsigned)__builtin_parityll(line & 0x1A * EVERY_FIFTH) << 1;
}

/* Lanes of an atomic take turns. In each turn, a bank serves the line of its first remaining lane:
 * all lanes in that line, except those with an earlier remaining lane at the same place of any line
 * of the bank - mostly the same word, but one of another line will do. A sector counts once a turn.
 *
 * This rule was found from 1000 launches on an H200, one warp each, whose addresses were known; it
 * gives the sectors of all of them, and of the bank's launches (add_shuffled, histogram_global). */
static uint32_t atomic_sectors(const struct access *access)
{
    uint64_t buffer = access->allocation ? access->allocation->address : 0;
    uint32_t total = 0;
    for (lane_mask left = access->active, taken; left; left &= ~taken) {
        struct number_set sectors = {.count = 0};
        uint64_t served[TAG_BANKS];
        bool busy[TAG_BANKS] = {false}, seen[TAG_BANKS][LINE_BYTES] = {{false}};
        taken = 0;
        FOR_ACTIVE (lane, left) {
            uint64_t address = access->base + (uint64_t)access->shape->delta[lane] - buffer;
            uint64_t line = address / LINE_BYTES;
            unsigned bank = bank_of(line);
            if (!busy[bank])
                served[bank] = line;
            if (!seen[bank][address % LINE_BYTES] && (!busy[bank] || served[bank] == line)) {
                taken |= UINT32_C(1) << lane;
                set_add(&sectors, address / SECTOR_BYTES);
            }
            busy[bank] = seen[bank][address % LINE_BYTES] = true;
        }
        total += sectors.count;
    }
    return total;
}

/* Local memory is interleaved by words of lanes, so lanes at one address are neighbours. */
static uint32_t local_sectors(const struct access *access)
{
    struct number_set set = {.count = 0};
    FOR_ACTIVE (lane, access->active)
        for (uint32_t word = 0; word < (access->bytes + 3) / 4; word++) {
            uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
            set_add(&set, (address / 4 + word) * 4 + (uint64_t)lane / 8);
        }
    return set.count;
}

/* Lanes that are whole lines apart touch as many sectors wherever the first one is. */
static bool is_anywhere_alike(const struct access *access)
{
    return access->space != SPACE_LOCAL && access->shape->low_bits % LINE_BYTES == 0;
}

static void sectors_access(const struct access *access, struct site *site)
{
    struct sim_access_counters *counters = &site->counters;
    uint32_t lanes = (uint32_t)__builtin_popcount(access->active);
    bool is_atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    uint32_t base = (uint32_t)(is_atomic ? access->base : access->base % SECTOR_BYTES);
    bool is_moved = site->sectors.base != base && (is_atomic || !is_anywhere_alike(access));
    if (site->sectors.age != access->shape->age || is_moved) {
        site->sectors.count = access->space == SPACE_LOCAL ? local_sectors(access)
                              : is_atomic                  ? atomic_sectors(access)
                                                           : distinct_sectors(access);
        site->sectors.lines =
            access->space == SPACE_LOCAL ? (site->sectors.count + 3) / 4 : distinct_lines(access);
        site->sectors.distinct_bytes =
            access->space == SPACE_LOCAL ? lanes * access->bytes : distinct_bytes(access);
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
    counters->lines += site->sectors.lines;
    counters->ideal_sectors += site->sectors.ideal;
}

static bool sectors_wants(const struct launch *launch)
{
    return launch->config.count;
}

const struct observer observer_sectors = {
    .name = "sectors",
    .spaces = ALL_SPACES & ~(1 << SPACE_SHARED | 1 << SPACE_CLUSTER | 1 << SPACE_PARAM),
    .looks_at = LOOKS_AT_TRAFFIC,
    .wants = sectors_wants,
    .access = sectors_access,
};
