/* ladder.c - reads a lesson's table of steps, and finds a ratio's place in it. */
#include "check/ladder.h"

#include "check/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16 };

struct row {
    char launcher[64], step[64];
    double modelled, measured;
};

/* False for a line that is not a step's row, such as the first. A step that was not measured yet
 * has a dash in that place. */
static bool read_row(const char *line, struct row *row)
{
    row->measured = NAN;
    return sscanf(line, "%63[^,],%63[^,],%lf,%lf", row->launcher, row->step, &row->modelled,
                  &row->measured) >= 3;
}

json_t *ladder_place(const char *table, const char *launcher, double ratio, bool measured)
{
    json_t *steps = json_array();
    char name[64] = "";
    int reached = 0;
    double top = 0;
    for (const char *line = table; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        struct row row;
        if (!read_row(line, &row) || strcmp(row.launcher, launcher) != 0)
            continue;
        double step = measured ? row.measured : row.modelled;
        json_array_append_new(steps, isfinite(step) ? json_real(step) : json_null());
        if (!isfinite(step))
            continue;
        top = fmax(top, step);
        if (ratio >= LADDER_AS_FAST * step) {
            reached = (int)json_array_size(steps);
            snprintf(name, sizeof name, "%s", row.step);
        }
    }
    if (json_array_size(steps) > 0 && top > 0)
        return json_pack("{s:o, s:i, s:s, s:f, s:f}", "steps", steps, "reached", reached, "name",
                         name, "top", top, "of_top", ratio / top);
    json_decref(steps);
    return NULL;
}

void ladder_note(const struct lesson *lesson, json_t *outcome, bool measured)
{
    double ratio = record_real(outcome, "ratio");
    const char *slash = strrchr(lesson->solution.text, '/');
    if (!slash || !isfinite(ratio))
        return;
    struct path path =
        path_of("%.*s/ladder.csv", (int)(slash - lesson->solution.text), lesson->solution.text);
    char *table = file_read(path.text, MOST_BYTES, NULL);
    json_t *place =
        table ? ladder_place(table, record_text(outcome, "launcher"), ratio, measured) : NULL;
    if (place)
        json_object_set_new(outcome, "ladder", place);
    free(table);
}
