/* report_time_line.c - when a call's copies and kernels run, for lessons about that. */
#include "check/record.h"
#include "check/report_parts.h"
#include "lib/units.h"

#include <math.h>
#include <stdio.h>

/* Copies of either direction take turns with nothing but each other, so at most the shorter of the
 * two can be hidden behind the longer one. */
static void say_overlap(const json_t *line, char *text, size_t bytes)
{
    char copies[32], kernels[32], both[32], most[32];
    double copies_ns = record_real(line, "copies_ns"), kernels_ns = record_real(line, "kernels_ns");
    units_time(copies_ns, copies, sizeof copies);
    units_time(kernels_ns, kernels, sizeof kernels);
    units_time(record_real(line, "both_ns"), both, sizeof both);
    units_time(fmin(copies_ns, kernels_ns), most, sizeof most);
    snprintf(text, bytes,
             "copies run for %s, kernels for %s; both at the same time for %s, of at most %s "
             "(modelled)",
             copies, kernels, both, most);
}

void report_time_line(const json_t *counters, const struct terminal *terminal)
{
    const json_t *cases = json_object_get(counters, "cases");
    const json_t *one = json_array_get(cases, (size_t)record_integer(counters, "shown"));
    const json_t *line = json_object_get(one, "time_line");
    char text[400];
    if (!line)
        return;
    fprintf(terminal->out, "  %-12s", "streams");
    say_overlap(line, text, sizeof text);
    terminal_wrap(terminal, text, REPORT_STATE, REPORT_STATE);
    if (!*record_text(line, "gap"))
        return;
    snprintf(text, sizeof text, "the longest gap: %s", record_text(line, "gap"));
    terminal_wrap(terminal, text, REPORT_STATE, 0);
}
