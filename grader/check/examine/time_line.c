/* time_line.c - see time_line.h. */
#include "check/examine/time_line.h"

#include <math.h>

struct simgpu_timeline time_line_read(const struct lab *lab)
{
    struct simgpu_timeline line = {.span_ns = 0};
    if (lab->judge->by_time_line && lab->simgpu->timeline(&line) != SIMGPU_OK)
        line = (struct simgpu_timeline){.span_ns = 0};
    return line;
}

json_t *time_line_json(const struct simgpu_timeline *line)
{
    double copies_ns = fmax(line->up_ns, line->down_ns);
    if (!(copies_ns > 0 || line->compute_ns > 0))
        return NULL;
    return json_pack("{s:f, s:f, s:f, s:s}", "copies_ns", copies_ns, "kernels_ns", line->compute_ns,
                     "both_ns", line->overlap_ns, "gap", line->gap_says);
}
