/* distances.h - how far each number that decides lies from the nearest entries on either side.
 *
 * Of the records that a run of verdicts has left (OUT/records): for each counter's bar, for the
 * least gain that refuses, and for the utilization bar, the nearest figure of an entry that it lets
 * pass and the nearest of one that it refuses. None may lie within DISTANCES_LEAST of its bar.
 */
#ifndef CHECK_DISTANCES_H
#define CHECK_DISTANCES_H

#include "check/course.h"
#include "lib/terminal.h"

#define DISTANCES_LEAST 0.03

/* lesson: NULL for all. records: the folder. The exit status is 0 when all keep their distance, 1
 * when not. */
int distances(const struct course *course, const char *lesson, const char *records,
              const struct terminal *terminal);

#endif
