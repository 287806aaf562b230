/* model.c - how long a launch would take: a roofline with one roof for each part of the device.
 *
 * Each part (DRAM, L2, the load/store unit, shared memory, every kind of arithmetic unit, the
 * issue slots) has a rate; the work counted for it, divided by the rate, is the time it needs at
 * least. Parts work side by side, so the longest of these times is the launch's, and names what
 * bounds it. A launch too small to fill the device pays for latency instead.
 *
 * This is a model: it says "modelled" wherever it is shown.
 */
#include "machine_internal.h"

struct roof {
    const char *name;
    double seconds;
};

static double multiprocessors_busy(const struct sim_profile *profile, uint64_t blocks)
{
    return blocks < profile->multiprocessors ? (double)blocks : profile->multiprocessors;
}

/* Warp instructions of class at lanes a cycle on each multiprocessor. */
static double unit_seconds(const struct sim_profile *profile, double warp_instructions,
                           double lanes, double multiprocessors)
{
    return warp_instructions * WARP_LANES / lanes / multiprocessors / (profile->clock_mhz * 1e6);
}

/* Sectors the L1 cannot keep: all that are not hit again while they are there. */
static double l2_sectors(const struct sim_totals *totals)
{
    double load = (double)totals->global_load.sectors;
    double ideal = (double)totals->global_load.bytes / 32;
    double reloaded = load > ideal && ideal > 0 ? ideal : load; /* L1 catches re-used sectors */
    return reloaded + (double)(totals->global_store.sectors + totals->global_atomic.sectors +
                               totals->global_reduction.sectors);
}

static void dram_bytes(const struct sim_profile *profile, const struct sim_totals *totals,
                       struct sim_launch_result *result)
{
    double unique = (double)(totals->compulsory_read_bytes + totals->compulsory_write_bytes);
    double kept = unique > 0 && unique > (double)profile->l2_bytes
                      ? (double)profile->l2_bytes / unique
                      : 1;
    double again = result->l2_bytes - unique;
    result->dram_read_bytes = (double)totals->compulsory_read_bytes + (again > 0 ? again * (1 - kept) : 0);
    result->dram_write_bytes = (double)totals->compulsory_write_bytes;
}

void model_time(const struct sim_profile *profile, uint64_t blocks, uint32_t warps,
                struct sim_launch_result *result)
{
    const struct sim_totals *totals = &result->totals;
    double busy = multiprocessors_busy(profile, blocks), cycle = 1 / (profile->clock_mhz * 1e6);
    (void)warps;
    result->l2_bytes = 32 * l2_sectors(totals);
    dram_bytes(profile, totals, result);
    double shared = (double)(totals->shared_load.wavefronts + totals->shared_store.wavefronts +
                             totals->shared_atomic.wavefronts);
    double requests = (double)(totals->global_load.sectors + totals->global_store.sectors) / 4;
    const struct roof roofs[] = {
        {"DRAM", (result->dram_read_bytes + result->dram_write_bytes) / profile->dram_bytes_per_s},
        {"L2", result->l2_bytes / profile->l2_bytes_per_s},
        {"L1", requests * cycle / busy},
        {"shared memory", shared * cycle / busy},
        {"FP32", unit_seconds(profile, (double)totals->by_class[SIM_OP_FLOAT], profile->fp32_lanes, busy)},
        {"FP64", unit_seconds(profile, (double)totals->by_class[SIM_OP_DOUBLE], profile->fp64_lanes, busy)},
        {"integer", unit_seconds(profile, (double)totals->by_class[SIM_OP_INTEGER], profile->int_lanes, busy)},
        {"special functions", unit_seconds(profile, (double)totals->by_class[SIM_OP_SPECIAL], profile->sfu_lanes, busy)},
        {"issue", (double)totals->warp_inst / profile->schedulers / busy * cycle},
    };
    unsigned worst = 0;
    for (unsigned i = 1; i < sizeof roofs / sizeof *roofs; i++)
        if (roofs[i].seconds > roofs[worst].seconds)
            worst = i;
    double floor = (profile->launch_ns + profile->dram_latency_ns) * 1e-9;
    result->modelled_ns = (roofs[worst].seconds + floor) * 1e9;
    result->bound = roofs[worst].seconds < floor ? "latency" : roofs[worst].name;
}
