/* units.h - the arithmetic units of a multiprocessor: each scheduler has its own. Times in cycles.
 */
#ifndef SIM_UNITS_H
#define SIM_UNITS_H

#include "cost.h"

enum unit { UNIT_FMA, UNIT_ALU, UNIT_XU, UNIT_FP64, UNIT_TENSOR, UNITS };
enum { MOST_SCHEDULERS = 8 };

struct units {
    unsigned schedulers;
    double free[UNITS][MOST_SCHEDULERS]; /* when each is free again */
    double light_free[MOST_SCHEDULERS];  /* the lighter half of the FMA unit: no integers */
    double fma_cycles, alu_cycles, xu_cycles, fp64_cycles; /* that a warp instruction takes */
    double busy[UNITS]; /* of one scheduler's unit, mean over the schedulers */
};

void units_init(struct units *units, const struct sim_profile *profile);
/* When the units of that scheduler that an op wants are free, from time on. */
double units_ready(const struct units *units, const struct op_cost *cost, uint32_t scheduler,
                   double time);
/* Add to busy, for one scheduler's units and half of the FMA unit, what that many executions of the
 * op take. */
void units_price(const struct units *units, const struct op_cost *cost, double times,
                 double busy[UNITS]);
/* The op is issued now. */
void units_use(struct units *units, const struct op_cost *cost, uint32_t scheduler, double now);

#endif
