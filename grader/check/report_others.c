/* report_others.c - the launchers of a lesson besides the one that the report is about. */
#include "check/parts.h"
#include "check/record.h"
#include "check/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "right in 40 cases; 46.0 % of the reference's speed, at least 40 %" */
static void say_right(const json_t *other, const struct terminal *terminal)
{
    const json_t *gate = record_gate(other, "utilization");
    int done = record_integer(record_gate(other, "numerics"), "done");
    double ratio = record_real(gate, "ratio");
    if (isnan(ratio))
        report_say(terminal, "right in %d cases", done);
    else
        report_say(terminal,
                   "right in %d cases; %.1f %% of the reference's speed, at least %.0f "
                   "%%",
                   done, 100 * ratio, 100 * record_real(gate, "bar"));
}

static void say_wrong(const json_t *other, const struct terminal *terminal)
{
    const json_t *gate = record_gate(other, record_text(other, "failed_gate"));
    const char *reason = record_text(other, "reason"), *in_case = record_text(gate, "case");
    enum verdict verdict = record_verdict(other);
    if (verdict == VERDICT_SLOW)
        report_say(terminal, "[SLOW] right in %d cases, but: %s",
                   record_integer(record_gate(other, "numerics"), "done"), reason);
    else if (*in_case && !strstr(reason, in_case))
        report_say(terminal, "[%s] %s (%s)", verdict_name(verdict), reason, in_case);
    else
        report_say(terminal, "[%s] %s", verdict_name(verdict), reason);
    const json_t *line = json_object_get(other, "line");
    if (line)
        report_line(line, terminal);
}

void report_others(const json_t *record, const struct terminal *terminal)
{
    size_t i;
    json_t *other;
    json_array_foreach (json_object_get(record, "others"), i, other) {
        bool passed = record_verdict(other) == VERDICT_PASS;
        report_start_line(terminal, parts_short(record_text(other, "launcher")),
                          passed ? "ok" : "NO", passed ? STYLE_GOOD : STYLE_BAD);
        if (passed)
            say_right(other, terminal);
        else
            say_wrong(other, terminal);
    }
}
