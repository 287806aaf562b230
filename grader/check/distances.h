/* distances.h - how far each bar is from the nearest entries on either side.
 *
 * Reads the records that a run of verdicts has left (OUT/records). For each counter's bar, for the
 * least gain that refuses, and for the utilization bar, it finds the nearest figure of an entry
 * that passes and of one that is refused. None may be within DISTANCES_LEAST of its bar.
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
