/* estimate.h - the model of one launch, from its traces, totals and footprint to a time. */
#ifndef SIM_ESTIMATE_H
#define SIM_ESTIMATE_H

#include "observers.h"
#include "timing.h"

/* Fill in the modelled figures of launch->result and of its ops, from launch->traces, which have
 * been added up, from launch->result.totals and from what the launch touched. False when memory is
 * exhausted or nothing was traced. */
bool model_launch(struct launch *launch, const struct footprint_bytes *touched);

#endif
