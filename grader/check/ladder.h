/* ladder.h - the steps of a lesson's solution (solutions/NN_slug/steps), and which of them a
 * submission is as fast as.
 *
 * How fast the steps are stands in solutions/NN_slug/ladder.csv, a row a step in their order:
 *
 *     launcher,step,modelled,measured
 *     lesson2_sgemm,sgemm_03_tile,1.000,1.000
 *
 * (a dash for one that was not measured yet), each as times the speed of the lesson's reference, so
 * that it holds on other devices as well as a ratio does. `make ladder` writes it, and `make
 * test-steps` holds its modelled column to what the steps get today.
 */
#ifndef CHECK_LADDER_H
#define CHECK_LADDER_H

#include "check/course.h"

#include <jansson.h>

/* As fast as a step: that much of its speed. */
#define LADDER_AS_FAST 0.97

/* Where a launcher's ratio to the reference's speed stands in a table: {"steps": [ratios or null],
 * "reached": how many of them, "name": of the last one that is reached, or "", "top": the largest
 * ratio, "of_top": the share of it}. NULL where the table has no step of that launcher. */
json_t *ladder_place(const char *table, const char *launcher, double ratio, bool measured);

/* Give a timed case of a lesson that has a ladder its place, as "ladder"; others are left alone. */
void ladder_note(const struct lesson *lesson, json_t *outcome, bool measured);

#endif
