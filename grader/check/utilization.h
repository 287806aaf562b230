/* utilization.h - the last gate: how fast, compared with the reference and with the device. */
#ifndef CHECK_UTILIZATION_H
#define CHECK_UTILIZATION_H

#include "check/course.h"

#include <jansson.h>

/* The gate's outcome, from what an examination measured on a GPU (the cases of its "timing"), or
 * modelled (those of its "counters"). ceilings may be NULL. NULL when nothing was timed. */
json_t *utilization_outcome(const struct lesson *lesson, const json_t *stage, bool measured,
                            const json_t *ceilings);

#endif
