/* time_line.h - when a timed case's copies and kernels run, for lessons about that (judge.h:
 * by_time_line). */
#ifndef EXAMINE_TIME_LINE_H
#define EXAMINE_TIME_LINE_H

#include "check/examine/lab.h"
#include "simgpu/simgpu.h"

#include <jansson.h>

/* The timeline of the watched program since the report began; all zeros for a lesson that is not
 * about it. */
struct simgpu_timeline time_line_read(const struct lab *lab);
/* {"copies_ns", "kernels_ns", "both_ns": at the same time, "gap": a sentence on the longest gap, or
 * ""}; NULL if neither was seen. Copies are those of the direction that takes longer. */
json_t *time_line_json(const struct simgpu_timeline *line);

#endif
