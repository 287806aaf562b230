/* ceilings.h - what this device was measured to reach, by lesson 0's probes.
 *
 * Kept in build/ceilings-<device>.json:
 *   {"device": name, "version": of the grader, "copy_rate": bytes/s, "fma_rate": FLOP/s,
 *    "launch_ns": ..., "probes": [{"case", "time_ns", "bytes", "flop"}, ...]}
 *
 * A ceiling is what a program reached here, not what a data sheet promises. Utilization is a share
 * of it, and a figure above it must be wrong.
 */
#ifndef CHECK_CEILINGS_H
#define CHECK_CEILINGS_H

#include "check/course.h"

#include <jansson.h>

/* From the probes of an examination; NULL when they are not there. */
json_t *ceilings_of_probes(const char *device, const char *version, json_t *probes);
/* What this version of the grader has kept for that device, or NULL. */
json_t *ceilings_load(const struct course *course, const char *device);
bool ceilings_store(const struct course *course, const json_t *ceilings);

/* The value of "copy rate" (bytes/s) or "FMA rate" (FLOP/s); 0 when it is not known. */
double ceilings_value(const json_t *ceilings, const char *name);

#endif
