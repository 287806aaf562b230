/* banks.c - observes shared memory: how many wavefronts each request takes.
 *
 * Shared memory has 32 banks of 4 bytes; word w lies in bank w mod 32. In one wavefront each bank
 * gives one word, to any number of lanes. So a request takes as many wavefronts as the busiest
 * bank has different words to give. Requests of 8 or 16 bytes a lane go by half-warps or
 * quarter-warps, unless neighbouring lanes of a load share addresses: then two such parts go
 * together (seen on an H200; make fidelity). Operations on mbarriers do not come this way: the
 * hardware counts neither a request nor a wavefront for them (the bank's pipelines).
 */
#include "lanes.h"
#include "observers.h"

enum { BANKS = 32, WORD_BYTES = 4 };

/* Wavefronts of the lanes of part: words of each bank, each word once. */
static uint32_t part_wavefronts(const struct access *access, lane_mask part)
{
    uint64_t seen[BANKS][WARP_LANES];
    uint8_t count[BANKS] = {0};
    uint32_t busiest = 0, words = (access->bytes + WORD_BYTES - 1) / WORD_BYTES;
    FOR_ACTIVE (lane, part)
        for (uint32_t i = 0; i < words; i++) {
            uint64_t word = (access->base + (uint64_t)access->shape->delta[lane]) / WORD_BYTES + i;
            unsigned bank = word % BANKS, known = 0;
            while (known < count[bank] && seen[bank][known] != word)
                known++;
            if (known < count[bank])
                continue;
            seen[bank][count[bank]++] = word;
            busiest = count[bank] > busiest ? count[bank] : busiest;
        }
    return busiest;
}

/* Does every lane read the same as the lane whose number differs by step? */
static bool pairs_share(const int64_t *address, int step)
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (address[lane] != address[lane ^ step])
            return false;
    return true;
}

/* Does a lane before this one have its word? */
static bool came_before(const uint64_t *words, lane_mask active, int lane)
{
    FOR_ACTIVE (other, active & ((UINT32_C(1) << lane) - 1))
        if (words[other] == words[lane])
            return true;
    return false;
}

/* Atomics on one word take turns, lane by lane; those that only count go together. */
static uint32_t atomic_wavefronts(const struct access *access)
{
    uint32_t count[BANKS] = {0}, busiest = 0;
    uint64_t words[WARP_LANES];
    FOR_ACTIVE (lane, access->active) {
        uint64_t word = (access->base + (uint64_t)access->shape->delta[lane]) / WORD_BYTES;
        words[lane] = word;
        if (access->op->counts && came_before(words, access->active, lane))
            continue;
        uint32_t lanes = ++count[word % BANKS];
        busiest = lanes > busiest ? lanes : busiest;
    }
    return busiest;
}

static uint32_t wavefronts_of(const struct access *access, uint32_t parts)
{
    uint32_t total = 0, lanes = WARP_LANES / parts;
    lane_mask part = parts == 1 ? ALL_LANES : (UINT32_C(1) << lanes) - 1;
    for (uint32_t i = 0; i < parts; i++, part = parts == 1 ? 0 : part << lanes)
        total += part_wavefronts(access, access->active & part);
    return total;
}

static uint32_t parts_of(const int64_t *address, uint32_t bytes, bool all_load)
{
    uint32_t parts = bytes <= 4 ? 1 : bytes / 4;
    if (parts > 1 && all_load && (pairs_share(address, 1) || pairs_share(address, 2)))
        parts /= 2;
    return parts;
}

uint32_t banks_wavefronts(const struct access *access)
{
    bool is_atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    bool all_load = access->kind == ACCESS_LOAD && access->active == ALL_LANES;
    return is_atomic
               ? atomic_wavefronts(access)
               : wavefronts_of(access, parts_of(access->shape->delta, access->bytes, all_load));
}

uint32_t sim_request_parts(const struct sim_request *request, enum sim_access_class access)
{
    if (access != SIM_ACCESS_LOAD && access != SIM_ACCESS_STORE)
        return 1;
    return parts_of((const int64_t *)request->address, request->bytes,
                    access == SIM_ACCESS_LOAD && request->active == ALL_LANES);
}

/* Lanes that all read one place never wait for each other, even where 16 bytes there take two
 * wavefronts. */
static uint32_t ideal_wavefronts(const struct access *access, uint32_t lanes, uint32_t count)
{
    const uint32_t wavefront_bytes = BANKS * WORD_BYTES;
    if (access->shape->uniform && access->kind == ACCESS_LOAD)
        return count;
    uint32_t bytes = access->shape->uniform ? access->bytes : lanes * access->bytes;
    return (bytes + wavefront_bytes - 1) / wavefront_bytes;
}

static void banks_access(const struct access *access, struct site *site)
{
    struct sim_access_counters *counters = &site->counters;
    uint32_t lanes = (uint32_t)__builtin_popcount(access->active);
    uint32_t base = (uint32_t)(access->base % WORD_BYTES);
    if (access->op->is_mbarrier)
        return;
    if (site->wavefronts.age != access->shape->age || site->wavefronts.base != base) {
        site->wavefronts.count = banks_wavefronts(access);
        site->wavefronts.ideal = ideal_wavefronts(access, lanes, site->wavefronts.count);
        site->wavefronts.age = access->shape->age;
        site->wavefronts.base = base;
        example_request(access, site, site->wavefronts.count, site->wavefronts.ideal);
    }
    counters->requests++;
    counters->lanes += lanes;
    counters->bytes += (uint64_t)lanes * access->bytes;
    counters->wavefronts += site->wavefronts.count;
    counters->ideal_wavefronts += site->wavefronts.ideal;
}

static bool banks_wants(const struct launch *launch)
{
    return launch->config.count;
}

const struct observer observer_banks = {
    .name = "banks",
    .spaces = 1 << SPACE_SHARED | 1 << SPACE_CLUSTER,
    .looks_at = LOOKS_AT_TRAFFIC,
    .wants = banks_wants,
    .access = banks_access,
};
