/* ladder.h - the steps of a lesson's solution (solutions/NN_slug/steps), and which of them a
 * submission is as fast as.
 *
 * The steps' speeds are in solutions/NN_slug/ladder.csv, one row for each step, in order:
 *
 *     launcher,step,modelled,measured
 *     lesson2_sgemm,sgemm_03_tile,1.000,1.000
 *
 * (a dash for one that was not measured yet), as a multiple of the reference's speed, so that it
 * holds on other devices about as well. `make ladder` writes it, and `make steps` compares its
 * modelled column with what the steps get today.
 */
#ifndef CHECK_LADDER_H
#define CHECK_LADDER_H

#include "check/course.h"

#include <jansson.h>

/* A submission is as fast as a step if it has this much of its speed. */
#define LADDER_AS_FAST 0.97

/* The place in a table of a launcher's ratio to the reference's speed: {"steps": [ratios or null],
 * "reached": how many of them, "name": of the last one that is reached, or "", "top": the largest
 * ratio, "of_top": the share of it}. NULL where the table has no step of that launcher. */
json_t *ladder_place(const char *table, const char *launcher, double ratio, bool measured);

/* Add its place, as "ladder", to a timed case of a lesson that has a ladder; others are left
 * alone. */
void ladder_note(const struct lesson *lesson, json_t *outcome, bool measured);

#endif
