/* facts.h - what is known about a call's longest launch and the line that is named (judge.h: struct
 * judge_kernel, struct judge_line), as JSON and back. */
#ifndef EXAMINE_FACTS_H
#define EXAMINE_FACTS_H

#include "check/judge.h"
#include "simgpu/simgpu.h"

#include <jansson.h>

/* {"blocks": ..., and the rest by the names of judge.h, "limit": what limits the resident warps,
 * "device"}; null if nothing was launched. */
json_t *facts_of_kernel(const struct simgpu_report *report);
json_t *facts_of_line(const struct simgpu_line *line);

/* Fields that are absent become NAN. */
void facts_read_kernel(const json_t *facts, struct judge_kernel *kernel);
void facts_read_line(const json_t *facts, struct judge_line *line);

#endif
