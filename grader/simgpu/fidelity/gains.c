/* gains.c - compares the gain that the model predicts for one mend with the gain on an H200.
 *
 *     gains [--held-in] PAIRS MEASURED SOURCES PROFILES
 *
 * PAIRS is bank/fresh/pairs.csv: which figure of its marked line each pair mends. MEASURED has the
 * times of both launches, SOURCES is the folder of the kernels, and PROFILES has a JSON profile
 * NAME_before.json of the launch before the mend, each by `simgpu run --json`. The prediction uses
 * that launch alone: the kernel after the mend is never run.
 *
 * Exit status: 0, 1 when a demand below is missed, 2 when something cannot be read.
 */
#include "csv.h"
#include "set_aside.h"
#include "statistics.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most that a prediction may err in the median pair, and the least rank correlation of what the
 * pairs gain. */
static const double MOST_ERROR = 0.15, LEAST_SPEARMAN = 0.8;

struct inputs {
    struct csv pairs, measured;
    const char *sources, *profiles;
};

struct half_sums {
    double measured[64], predicted[64], error[64];
    size_t count;
};

/* --- The mended line -------------------------------------------------------------------------- */

/* Does text name the pair after "mend:"? Names are set apart by commas and spaces. */
static bool marks(const char *text, const char *name)
{
    const char *at = strstr(text, "mend:");
    size_t length = strlen(name);
    while (at && (at = strstr(at + 1, name)) != NULL)
        if (at[-1] == ' ' && strchr(", \n", at[length]))
            return true;
    return false;
}

/* The number of the line in the source that is marked with the pair's name; 0 without. */
static int marked_line(const struct inputs *inputs, const char *source, const char *name)
{
    char path[512], text[512];
    snprintf(path, sizeof path, "%s/%s", inputs->sources, source);
    FILE *file = fopen(path, "r");
    int line = 0, number = 0;
    while (file && !number && fgets(text, sizeof text, file)) {
        line++;
        if (marks(text, name))
            number = line;
    }
    if (file)
        fclose(file);
    return number;
}

/* --- Prediction ------------------------------------------------------------------------------- */

/* Time after over time before, as the profile predicts it; 1 where it sees no gain, NAN when there
 * is no profile. Several files may have a line of that number: the one in the pair's source
 * counts. */
static double predicted(const struct inputs *inputs, const char *name, const char *source,
                        const char *mend)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s_before.json", inputs->profiles, name);
    json_t *root = json_load_file(path, 0, NULL), *line, *launch;
    int number = marked_line(inputs, source, name);
    double gain_ns = 0, time_ns = 0;
    size_t i;
    json_array_foreach (json_object_get(root, "launches"), i, launch)
        time_ns += json_number_value(json_object_get(launch, "modelled_ns"));
    json_array_foreach (json_object_get(root, "lines"), i, line) {
        const char *file = json_string_value(json_object_get(line, "file"));
        bool here = json_integer_value(json_object_get(line, "line")) == number && file &&
                    strlen(file) > strlen(source) &&
                    strcmp(file + strlen(file) - strlen(source), source) == 0;
        if (here)
            gain_ns = json_number_value(json_object_get(json_object_get(line, "gains_ns"), mend));
    }
    json_decref(root);
    return number && time_ns > 0 ? 1 - gain_ns / time_ns : NAN;
}

/* --- Measurement ------------------------------------------------------------------------------ */

static double time_of(const struct csv *table, const char *name, const char *ending)
{
    char wanted[128];
    double time_ns;
    snprintf(wanted, sizeof wanted, "%s_%s", name, ending);
    for (size_t row = 0; row < table->rows; row++)
        if (strcmp(csv_text(table, row, csv_column(table, "name")), wanted) == 0 &&
            csv_number(table, row, csv_column(table, "time_ns"), &time_ns))
            return time_ns;
    return NAN;
}

/* --- The table -------------------------------------------------------------------------------- */

static bool add_pair(const struct inputs *inputs, size_t row, struct half_sums *sums)
{
    const char *name = csv_text(&inputs->pairs, row, csv_column(&inputs->pairs, "pair"));
    const char *mend = csv_text(&inputs->pairs, row, csv_column(&inputs->pairs, "mends"));
    const char *source = csv_text(&inputs->pairs, row, csv_column(&inputs->pairs, "source"));
    if (strcmp(mend, "other") == 0)
        return true;
    double measured =
        time_of(&inputs->measured, name, "after") / time_of(&inputs->measured, name, "before");
    double forecast = predicted(inputs, name, source, mend);
    if (isnan(measured) || isnan(forecast)) {
        fprintf(stderr, "%s: its times, its marked line in %s or its profile are missing\n", name,
                source);
        return false;
    }
    double error = fabs(forecast / measured - 1);
    printf("%-28s  %-10s  %8.2f  %9.2f  %7.0f %%\n", name, mend, measured, forecast, 100 * error);
    sums->measured[sums->count] = measured;
    sums->predicted[sums->count] = forecast;
    sums->error[sums->count++] = error;
    return true;
}

/* The demands missed; -1 when a pair could not be read. */
static int report_half(const struct inputs *inputs, bool aside)
{
    struct half_sums sums = {.count = 0};
    int missed = 0;
    printf("\n%-28s  %-10s  %8s  %9s  %9s\n", aside ? "set aside" : "held in", "mends", "measured",
           "predicted", "error");
    for (size_t row = 0; row < inputs->pairs.rows && sums.count < 64; row++) {
        const char *name = csv_text(&inputs->pairs, row, csv_column(&inputs->pairs, "pair"));
        if (set_aside(name, strlen(name)) == aside && !add_pair(inputs, row, &sums))
            return -1;
    }
    double spearman = statistics_spearman(sums.measured, sums.predicted, sums.count);
    double error = statistics_median(sums.error, sums.count);
    printf("%zu pairs, time after over before: median error %.0f %% (at most %.0f %%), rank\n"
           "correlation %.2f (at least %.2f)\n",
           sums.count, 100 * error, 100 * MOST_ERROR, spearman, LEAST_SPEARMAN);
    if (!(error <= MOST_ERROR) || !(spearman >= LEAST_SPEARMAN)) {
        puts("MISSED: what a mend gains is not predicted as well as that.");
        missed++;
    }
    return missed;
}

static bool read_table(struct csv *table, const char *path)
{
    char error[CSV_ERROR_BYTES];
    if (csv_read(table, path, error))
        return true;
    fprintf(stderr, "gains: %s\n", error);
    return false;
}

int main(int count, char **words)
{
    bool held_in = count > 1 && strcmp(words[1], "--held-in") == 0;
    if (count != 5 + held_in) {
        fputs("usage: gains [--held-in] PAIRS MEASURED SOURCES PROFILES\n", stderr);
        return 2;
    }
    struct inputs inputs = {.sources = words[3 + held_in], .profiles = words[4 + held_in]};
    int missed = -1;
    if (read_table(&inputs.pairs, words[1 + held_in]) &&
        read_table(&inputs.measured, words[2 + held_in])) {
        puts("What one mend gains: time after over time before, predicted from the launch before");
        missed = report_half(&inputs, false);
        int aside = held_in || missed < 0 ? 0 : report_half(&inputs, true);
        missed = missed < 0 || aside < 0 ? -1 : missed + aside;
    }
    csv_free(&inputs.pairs);
    csv_free(&inputs.measured);
    return missed < 0 ? 2 : missed > 0;
}
