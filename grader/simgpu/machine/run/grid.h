/* grid.h - what the files about a worker's blocks share: grid.c, grid_idle.c. */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "machine_internal.h"

/* How many steps a while of waiting for the host counts as: a budget has to end that, too. */
enum { IDLE_STEPS = 4096 };

/* grid_cluster.c: how the grid falls into clusters. */
/* Can the device run such clusters? See sim_launch_check. */
bool launch_check_cluster(struct sim_context *context, const struct function *kernel,
                          const struct sim_launch_config *config, struct sim_error *error);
/* Fill in the launch's clusters from its configuration, or its kernel. */
void launch_set_cluster(struct launch *launch);

/* To be called when no block of the worker can go on and no more can be started. Lets lanes that
 * wait at a convergence point go on, or lets time pass; if nothing helps, that is a fault. */
void grid_idle(struct worker *worker);

#endif
