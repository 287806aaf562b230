/* compare.c - is the timeline true? The simulated device's trace of the programs next to what an
 * H200 measured.
 *
 *     compare trace.json measured.csv [measured_again.csv]
 *
 * The demands are for programs of several streams, and of graphs: the others show what single calls
 * and copies take, and with pageable memory that depends on the host's.
 *
 * A program's time is that of the NVTX range of its name, and the end of a stream that of the last
 * piece of work on it. Two ends count as ordered if they are further apart on the hardware than
 * APART of the program's time, and not the other way round when it was measured again. Prints a row
 * for each program and the demands below; the exit status is 1 if one is missed.
 */
#include "../csv.h"
#include "../statistics.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MEDIAN_ERROR = 0.10, WORST_ERROR = 0.25, APART = 0.05;

/* As programs.cu numbers its streams, and as the device does: its own two come first. */
enum { LANES = 11, LEGACY = LANES - 1, DEVICE_LEGACY = 1, DEVICE_FIRST = 3 };

struct times {
    double total_us;
    double end_us[LANES]; /* NAN: not used */
};

static void give_up(const char *what, const char *name)
{
    fprintf(stderr, "compare: %s: %s\n", name, what);
    exit(2);
}

/* --- Measured --------------------------------------------------------------------------------- */

static struct csv read_table(const char *path)
{
    struct csv csv;
    char error[CSV_ERROR_BYTES];
    if (!csv_read(&csv, path, error))
        give_up(error, path);
    if (csv_column(&csv, "ends_us") < 0 || csv_column(&csv, "total_us") < 0)
        give_up("it has no columns total_us and ends_us: measure with build/fidelity/timeline",
                path);
    return csv;
}

static struct times measured(const struct csv *csv, size_t row)
{
    struct times times;
    char *order = (char *)csv_text(csv, row, csv_column(csv, "order"));
    char *ends = (char *)csv_text(csv, row, csv_column(csv, "ends_us"));
    for (int lane = 0; lane < LANES; lane++)
        times.end_us[lane] = NAN;
    if (!csv_number(csv, row, csv_column(csv, "total_us"), &times.total_us))
        give_up("a total_us is no number", csv_text(csv, row, 0));
    for (;;) {
        char *after;
        long lane = strtol(order, &after, 10);
        if (after == order || lane < 0 || lane >= LANES)
            return times;
        times.end_us[lane] = strtod(ends, &ends);
        order = after;
    }
}

static long row_named(const struct csv *csv, const char *name)
{
    for (size_t row = 0; row < csv->rows; row++)
        if (strcmp(csv_text(csv, row, 0), name) == 0)
            return (long)row;
    return -1;
}

/* --- Modelled --------------------------------------------------------------------------------- */

static double number(const json_t *event, const char *key)
{
    return json_number_value(json_object_get(event, key));
}

static bool is(const json_t *event, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(event, key));
    return value && strcmp(value, text) == 0;
}

/* The lanes of streams; there is one program. */
static double streams_of(const json_t *events)
{
    size_t i;
    json_t *event;
    json_array_foreach (events, i, event) {
        const char *name =
            json_string_value(json_object_get(json_object_get(event, "args"), "name"));
        if (is(event, "name", "process_name") && name && strncmp(name, "streams", 7) == 0)
            return number(event, "pid");
    }
    return -1;
}

static const json_t *range_named(const json_t *events, const char *name)
{
    size_t i;
    json_t *event;
    json_array_foreach (events, i, event)
        if (is(event, "cat", "range") && is(event, "name", name))
            return event;
    give_up("the trace has no range of this name: the program's NVTX was not seen", name);
    return NULL;
}

static struct times modelled(const json_t *events, const char *name)
{
    const json_t *range = range_named(events, name);
    double from = number(range, "ts"), streams = streams_of(events);
    struct times times = {.total_us = number(range, "dur")};
    size_t i;
    json_t *event;
    for (int lane = 0; lane < LANES; lane++)
        times.end_us[lane] = NAN;
    json_array_foreach (events, i, event) {
        double start = number(event, "ts"), end = start + number(event, "dur") - from;
        int stream = (int)number(event, "tid");
        int lane = stream == DEVICE_LEGACY ? LEGACY : stream - DEVICE_FIRST;
        bool inside = start >= from && start <= from + times.total_us;
        if (!is(event, "ph", "X") || number(event, "pid") != streams || !inside || lane < 0 ||
            lane >= LANES)
            continue;
        times.end_us[lane] = fmax(times.end_us[lane], end); /* NAN counts as less */
    }
    return times;
}

/* --- Compared --------------------------------------------------------------------------------- */

/* Pairs of streams that end in another order than on the hardware. */
static unsigned reversed(const struct times *hardware, const struct times *again,
                         const struct times *model)
{
    unsigned count = 0;
    for (int a = 0; a < LANES; a++)
        for (int b = 0; b < LANES; b++) {
            double apart = hardware->end_us[b] - hardware->end_us[a];
            bool counts = apart > APART * hardware->total_us &&
                          !(again && again->end_us[b] < again->end_us[a]);
            count += counts && !(model->end_us[a] <= model->end_us[b]);
        }
    return count;
}

static bool is_of_several(const char *name, const struct times *hardware)
{
    unsigned streams = 0;
    for (int lane = 0; lane < LANES; lane++)
        streams += !isnan(hardware->end_us[lane]);
    return streams > 1 || strncmp(name, "graph_", 6) == 0;
}

static bool demand(const char *what, bool holds)
{
    printf("  %s  %s\n", holds ? "ok  " : "FAIL", what);
    return holds;
}

static void say(const char *which, double *errors, size_t count)
{
    double median = statistics_median(errors, count); /* sorts them */
    if (count)
        printf("%zu programs of %s: median error %.1f %%, worst %.1f %%\n", count, which,
               100 * median, 100 * errors[count - 1]);
}

static bool judge(double *errors, size_t count, unsigned reversals)
{
    char text[200];
    if (count == 0)
        return demand("there are programs of several streams, or graphs", false);
    double median = statistics_median(errors, count);
    snprintf(text, sizeof text, "median error: %.1f %%, at most %.0f %%", 100 * median,
             100 * MEDIAN_ERROR);
    bool ok = demand(text, median <= MEDIAN_ERROR);
    snprintf(text, sizeof text, "worst error: %.1f %%, at most %.0f %%", 100 * errors[count - 1],
             100 * WORST_ERROR);
    ok &= demand(text, errors[count - 1] <= WORST_ERROR);
    snprintf(text, sizeof text, "programs whose streams end in another order: %u", reversals);
    return demand(text, reversals == 0) & ok;
}

int main(int count, char **words)
{
    json_error_t error;
    if (count < 3) {
        fprintf(stderr, "usage: compare trace.json measured.csv [measured_again.csv]\n");
        return 2;
    }
    json_t *trace = json_load_file(words[1], 0, &error);
    if (!trace)
        give_up(error.text, words[1]);
    const json_t *events = json_object_get(trace, "traceEvents");
    struct csv csv = read_table(words[2]), second = {0};
    if (count > 3)
        second = read_table(words[3]);
    double *errors = calloc(csv.rows + 1, sizeof *errors);
    double *single = calloc(csv.rows + 1, sizeof *single);
    size_t several_count = 0, single_count = 0;
    unsigned reversals = 0;
    if (!errors || !single || csv.rows == 0)
        give_up("it has no programs", words[2]);
    printf("%-32s %12s %12s %8s\n", "program, us", "measured", "modelled", "error");
    for (size_t row = 0; row < csv.rows; row++) {
        const char *name = csv_text(&csv, row, 0);
        long other = count > 3 ? row_named(&second, name) : -1;
        struct times hardware = measured(&csv, row), model = modelled(events, name), again;
        if (other >= 0)
            again = measured(&second, (size_t)other);
        bool is_reversed = reversed(&hardware, other >= 0 ? &again : NULL, &model) > 0;
        double off = model.total_us / hardware.total_us - 1;
        printf("%-32s %12.2f %12.2f %+7.1f%%%s\n", name, hardware.total_us, model.total_us,
               100 * off, is_reversed ? "  another order" : "");
        if (is_of_several(name, &hardware))
            errors[several_count++] = fabs(off);
        else
            single[single_count++] = fabs(off);
        reversals += is_reversed;
    }
    say("one stream", single, single_count);
    say("several streams, or graphs", errors, several_count);
    bool ok = judge(errors, several_count, reversals);
    free(errors);
    free(single);
    csv_free(&csv);
    csv_free(&second);
    json_decref(trace);
    return !ok;
}
