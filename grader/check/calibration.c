/* calibration.c - reads the rows of a calibration table and holds them to a bar. */
#include "check/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 4, FIELD_BYTES = 96 };
enum field { SUBMISSION, EXPECTED, LAUNCHER, RATIO };

struct row {
    char field[FIELDS][FIELD_BYTES];
};

/* The first fields of a line, which have neither commas nor quotes in them. */
static bool read_row(const char *line, struct row *row)
{
    for (int i = 0; i < FIELDS; i++) {
        size_t length = strcspn(line, ",\n");
        if (length >= FIELD_BYTES || line[length] != ',')
            return false;
        snprintf(row->field[i], FIELD_BYTES, "%.*s", (int)length, line);
        line += length + 1;
    }
    return true;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* Of that submission over all launchers; worst gets the launcher. */
static double lowest_ratio(const char *csv, const char *submission, struct row *worst)
{
    struct row row;
    double lowest = INFINITY;
    for (const char *line = csv; *line; line = next_line(line)) {
        if (!read_row(line, &row) || strcmp(row.field[SUBMISSION], submission) != 0 ||
            row.field[RATIO][0] == '\0') /* a launch alone: shown, not judged */
            continue;
        double ratio = atof(row.field[RATIO]);
        if (ratio < lowest) {
            lowest = ratio;
            *worst = row;
        }
    }
    return lowest;
}

bool calibration_holds(const char *csv, double bar, char *reason, size_t reason_bytes)
{
    struct row row, worst;
    bool right_ones = false;
    for (const char *line = next_line(csv); *line; line = next_line(line)) {
        if (!read_row(line, &row)) {
            snprintf(reason, reason_bytes, "the line \"%.*s\" is not a row of it",
                     (int)strcspn(line, "\n") < 80 ? (int)strcspn(line, "\n") : 80, line);
            return false;
        }
        double lowest = lowest_ratio(csv, row.field[SUBMISSION], &worst);
        bool right = strcmp(row.field[EXPECTED], "PASS") == 0;
        bool slow = strcmp(row.field[EXPECTED], "SLOW utilization") == 0;
        right_ones |= right;
        if ((right && lowest < bar) || (slow && lowest >= bar)) {
            snprintf(reason, reason_bytes, "%s reaches %.3f (%s), and the bar is %.2f",
                     row.field[SUBMISSION], lowest, worst.field[LAUNCHER], bar);
            return false;
        }
    }
    if (!right_ones)
        snprintf(reason, reason_bytes, "it has no right submission in it");
    return right_ones;
}
