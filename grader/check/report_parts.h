/* report_parts.h - the parts of report.c; for it alone. */
#ifndef CHECK_REPORT_PARTS_H
#define CHECK_REPORT_PARTS_H

#include "lib/terminal.h"

#include <jansson.h>
#include <stdbool.h>

/* A name is at column 2, the state of a gate at REPORT_STATE, and the text at REPORT_TEXT. */
enum { REPORT_STATE = 14, REPORT_TEXT = 19 };

/* --- report_lines.c --------------------------------------------------------------------------- */

/* "  numerics  ok    " or, for one that is not passed, what it is. */
void report_start_line(const struct terminal *terminal, const char *name, const char *state,
                       enum terminal_style style);
/* The same for a gate. It is shown as the next one if an earlier gate has failed, and as neither
 * passed nor failed if the simulated device could not measure it. Returns whether it is passed. */
bool report_start_gate(const struct terminal *terminal, const json_t *gate, bool information);
/* The text after a state, or under it. */
void report_say(const struct terminal *terminal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A gate's reason and advice. */
void report_explain(const struct terminal *terminal, const json_t *gate);

/* A line of the source, cut at the right edge: its number finds it. */
void report_line(const json_t *line, const struct terminal *terminal);

/* --- report_others.c -------------------------------------------------------------------------- */

/* What the lesson's other launchers got, if one is not right; nothing if they were not judged. */
void report_others(const json_t *record, const struct terminal *terminal);

/* --- report_figures.c ------------------------------------------------------------------------- */

void report_counters(const json_t *gate, const struct terminal *terminal, bool information);
void report_utilization(const json_t *gate, const struct terminal *terminal, bool information);
/* ", gold" for a passed lesson that earned it, otherwise what gold requires, " (gold: at least 3.92
 * TB/s, 92 % of the copy rate)"; "" where our own solution does not earn it on this device
 * either. */
void report_gold(const json_t *gate, char *text, size_t bytes);

/* --- report_ladder.c -------------------------------------------------------------------------- */

/* Which step of the solution's ladder each timed case of utilization is as fast as; nothing where
 * the lesson has none. */
void report_ladder(const json_t *gate, const struct terminal *terminal);

/* --- report_kernel.c -------------------------------------------------------------------------- */

/* How the longest launch fills the device, or that this is not known. */
void report_kernel(const json_t *kernel, const struct terminal *terminal);

/* --- report_time_line.c ----------------------------------------------------------------------- */

/* How long copies and kernels run, and how long both at once, and the longest gap; nothing where
 * the lesson is not about that. counters: the gate, or NULL. */
void report_time_line(const json_t *counters, const struct terminal *terminal);

#endif
