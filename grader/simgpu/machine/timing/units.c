/* units.c - what an op's machine instructions keep busy, and for how long; see costs.def. */
#include "units.h"

static double later(double a, double b)
{
    return a > b ? a : b;
}

void units_init(struct units *units, const struct sim_profile *profile)
{
    unsigned schedulers =
        profile->schedulers < MOST_SCHEDULERS ? profile->schedulers : MOST_SCHEDULERS;
    double share = 1.0 / profile->schedulers;
    *units =
        (struct units){.schedulers = schedulers,
                       .fma_cycles = 2 * WARP_LANES / (profile->fp32_lanes * share), /* of a half */
                       .alu_cycles = WARP_LANES / (profile->int_lanes * share),
                       .xu_cycles = WARP_LANES / (profile->sfu_lanes * share),
                       .fp64_cycles = WARP_LANES / (profile->fp64_lanes * share)};
}

double units_ready(const struct units *units, const struct op_cost *cost, uint32_t s, double time)
{
    double heavy = units->free[UNIT_FMA][s], alu = units->free[UNIT_ALU][s];
    if (cost->xu)
        time = later(time, units->free[UNIT_XU][s]);
    else if (cost->fp64)
        time = later(time, units->free[UNIT_FP64][s]);
    else if (cost->imad)
        time = later(time, heavy);
    else if (cost->alu)
        time = later(time, alu);
    else if (cost->fma)
        time = later(time, heavy < units->light_free[s] ? heavy : units->light_free[s]);
    else if (cost->either)
        time = later(time, heavy < alu ? heavy : alu);
    if (cost->tensor_cycles > 0)
        time = later(time, units->free[UNIT_TENSOR][s]);
    return time;
}

static void use(struct units *units, enum unit unit, double *free, double now, double cycles)
{
    *free = later(*free, now) + cycles;
    units->busy[unit] += cycles / units->schedulers;
}

void units_use(struct units *units, const struct op_cost *cost, uint32_t s, double now)
{
    double *heavy = &units->free[UNIT_FMA][s], *light = &units->light_free[s];
    double *alu = &units->free[UNIT_ALU][s];
    for (unsigned i = 0; i < cost->fma; i++)
        use(units, UNIT_FMA, *heavy <= *light ? heavy : light, now, units->fma_cycles);
    if (cost->port_cycles > 0) {
        use(units, UNIT_FMA, heavy, now, (double)cost->port_cycles);
        use(units, UNIT_FMA, light, now, (double)cost->port_cycles);
    }
    for (unsigned i = 0; i < cost->imad; i++)
        use(units, UNIT_FMA, heavy, now, units->fma_cycles);
    for (unsigned i = 0; i < cost->alu; i++)
        use(units, UNIT_ALU, alu, now, units->alu_cycles);
    for (unsigned i = 0; i < cost->either; i++)
        if (*heavy < *alu)
            use(units, UNIT_FMA, heavy, now, units->fma_cycles);
        else
            use(units, UNIT_ALU, alu, now, units->alu_cycles);
    for (unsigned i = 0; i < cost->xu; i++)
        use(units, UNIT_XU, &units->free[UNIT_XU][s], now, units->xu_cycles);
    for (unsigned i = 0; i < cost->fp64; i++)
        use(units, UNIT_FP64, &units->free[UNIT_FP64][s], now, units->fp64_cycles);
    if (cost->tensor_cycles > 0)
        use(units, UNIT_TENSOR, &units->free[UNIT_TENSOR][s], now, (double)cost->tensor_cycles);
}

/* What fits either unit goes where there is room: no warp waits for it here. */
void units_price(const struct units *units, const struct op_cost *cost, double times,
                 double busy[UNITS])
{
    times /= units->schedulers;
    busy[UNIT_FMA] +=
        times * (units->fma_cycles * (cost->imad + cost->fma) / 2 + (double)cost->port_cycles);
    busy[UNIT_ALU] += times * units->alu_cycles * cost->alu;
    busy[UNIT_XU] += times * units->xu_cycles * cost->xu;
    busy[UNIT_FP64] += times * units->fp64_cycles * cost->fp64;
    busy[UNIT_TENSOR] += times * (double)cost->tensor_cycles;
}
