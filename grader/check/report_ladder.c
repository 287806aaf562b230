/* report_ladder.c - which step of the solution's ladder each launcher is as fast as. */
#include "check/parts.h"
#include "check/record.h"
#include "check/report_parts.h"

#include <stdio.h>
#include <string.h>

/* "sgemm: step 3 of 11, sgemm_03_tile (0.06 0.66 1 1.87 ... times the reference's speed)" */
static void say_place(const json_t *one, double share, char *text, size_t bytes)
{
    size_t i;
    json_t *step, *place = json_object_get(one, "ladder");
    const json_t *steps = json_object_get(place, "steps");
    const char *name = record_text(place, "name");
    int used = snprintf(text, bytes, "%s: step %d of %zu%s%s; the steps'",
                        parts_short(record_text(one, "launcher")), record_integer(place, "reached"),
                        json_array_size(steps), *name ? ", " : "", name);
    json_array_foreach (steps, i, step) {
        if (used < 0 || (size_t)used >= bytes)
            break;
        used += json_is_null(step)
                    ? snprintf(text + used, bytes - (size_t)used, " --")
                    : snprintf(text + used, bytes - (size_t)used, " %.2f", json_number_value(step));
    }
    if (used >= 0 && (size_t)used < bytes)
        snprintf(text + used, bytes - (size_t)used, " times the reference's speed, gold from %.2f",
                 share * record_real(place, "top"));
}

void report_ladder(const json_t *gate, const struct terminal *terminal)
{
    size_t i;
    json_t *one;
    bool first = true;
    double share = record_real(gate, "gold_of_ladder");
    json_array_foreach (json_object_get(gate, "cases"), i, one) {
        char text[500];
        if (!json_object_get(one, "ladder"))
            continue;
        say_place(one, share, text, sizeof text);
        fprintf(terminal->out, "  %-12s", first ? "ladder" : "");
        terminal_wrap(terminal, text, REPORT_STATE, REPORT_STATE);
        first = false;
    }
}
