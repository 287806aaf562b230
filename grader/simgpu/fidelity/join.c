/* join.c - renames the columns of a profiler's output to ours, and joins it with the times by
 * events.
 *
 *     join metrics few|all                               what to ask the profiler for
 *     join table few|all [--times TIMES] FIRST:PROFILE.. the measured table, as CSV
 *     join missing all --times TIMES FIRST:PROFILE..     launches the profiles lack: number, name
 *
 * PROFILE is what `ncu --csv --page raw` wrote; its rows are launches FIRST, FIRST + 1, ... of the
 * program. With TIMES (`bank time --csv`) the table has a row for each of its rows, with empty
 * cells where the profile lacks one; a launch that the profiler skipped is found out by kernel,
 * block and grid. Without, it has the profile's rows.
 */
#include "csv.h"
#include "kernel_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum metric_set { FEW, MORE };

static const struct metric {
    const char *column, *name;
    enum metric_set set;
} METRICS[] = {
#define METRIC(column, name, set, meaning) {#column, name, set},
#include "metrics.def"
};

enum { METRIC_COUNT = sizeof METRICS / sizeof *METRICS, MOST_PROFILES = 64 };

struct profile {
    struct csv csv;
    size_t first; /* launch of its first row */
    size_t data;  /* the row after the units */
    int kernel, block, grid;
    int columns[METRIC_COUNT];
};

/* One row of the table to write; profile is NULL when the profiler has no data for it. */
struct launch {
    const struct profile *profile;
    size_t row;
};

struct table {
    struct csv times; /* columns 0 without --times */
    struct profile profiles[MOST_PROFILES];
    size_t profile_count;
    struct launch *launches;
    size_t count;
    bool all;
};

/* How many of our units (bytes, nanoseconds, Hz) one of the profiler's units is. */
static double unit_scale(const char *unit)
{
    static const struct {
        const char *unit;
        double scale;
    } UNITS[] = {
        {"Kbyte", 1e3},         {"Mbyte", 1e6},
        {"Gbyte", 1e9},         {"us", 1e3},
        {"usecond", 1e3},       {"ms", 1e6},
        {"msecond", 1e6},       {"s", 1e9},
        {"second", 1e9},        {"Khz", 1e3},
        {"Mhz", 1e6},           {"Ghz", 1e9},
        {"cycle/usecond", 1e6}, {"cycle/nsecond", 1e9},
    };
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (strcmp(unit, UNITS[i].unit) == 0)
            return UNITS[i].scale;
    return 1;
}

static void find_columns(struct profile *profile)
{
    const struct csv *csv = &profile->csv;
    profile->kernel = csv_column(csv, "Kernel Name");
    profile->block = csv_column(csv, "Block Size");
    profile->grid = csv_column(csv, "Grid Size");
    profile->data = csv->rows > 0 && csv_text(csv, 0, csv_column(csv, "ID"))[0] == '\0';
    for (size_t i = 0; i < METRIC_COUNT; i++)
        profile->columns[i] = csv_column(csv, METRICS[i].name);
}

static bool read_profile(struct table *table, const char *argument, char *error)
{
    char *path;
    errno = 0;
    unsigned long first = strtoul(argument, &path, 10);
    if (path == argument || *path != ':' || errno || table->profile_count == MOST_PROFILES) {
        snprintf(error, CSV_ERROR_BYTES, "%s is not FIRST:PROFILE, or there are more than %d.",
                 argument, MOST_PROFILES);
        return false;
    }
    struct profile *profile = &table->profiles[table->profile_count];
    if (!csv_read(&profile->csv, path + 1, error)) {
        csv_free(&profile->csv);
        return false;
    }
    profile->first = first;
    find_columns(profile);
    table->profile_count++;
    if (profile->kernel >= 0 && profile->block >= 0 && profile->grid >= 0)
        return true;
    snprintf(error, CSV_ERROR_BYTES, "%s has no columns Kernel Name, Block Size, Grid Size.",
             path + 1);
    return false;
}

static bool same_launch(const struct csv *times, size_t at, const struct profile *profile,
                        size_t row)
{
    return kernel_name_same(csv_text(times, at, csv_column(times, "kernel")),
                            csv_text(&profile->csv, row, profile->kernel)) &&
           strcmp(csv_text(times, at, csv_column(times, "block")),
                  csv_text(&profile->csv, row, profile->block)) == 0 &&
           strcmp(csv_text(times, at, csv_column(times, "grid")),
                  csv_text(&profile->csv, row, profile->grid)) == 0;
}

/* Give each row of a profile its launch, in order; one that fits none is reported. */
static void assign(struct table *table, const struct profile *profile)
{
    size_t at = profile->first;
    for (size_t row = profile->data; row < profile->csv.rows; row++) {
        size_t found = at;
        while (found < table->times.rows && !same_launch(&table->times, found, profile, row))
            found++;
        if (found < table->times.rows) {
            table->launches[found] = (struct launch){profile, row};
            at = found + 1;
        } else
            fprintf(stderr, "join: the profile's %s fits no launch from %zu on; left out.\n",
                    csv_text(&profile->csv, row, profile->kernel), at);
    }
}

static bool build(struct table *table)
{
    table->count = table->times.rows;
    for (size_t i = 0; !table->times.columns && i < table->profile_count; i++)
        table->count += table->profiles[i].csv.rows - table->profiles[i].data;
    table->launches = calloc(table->count + 1, sizeof *table->launches);
    if (!table->launches)
        return false;
    size_t next = 0;
    for (size_t i = 0; i < table->profile_count; i++) {
        const struct profile *profile = &table->profiles[i];
        if (table->times.columns)
            assign(table, profile);
        else
            for (size_t row = profile->data; row < profile->csv.rows; row++)
                table->launches[next++] = (struct launch){profile, row};
    }
    return true;
}

static void write_metric(const struct launch *launch, size_t metric)
{
    double number, unit = 1;
    if (!launch->profile ||
        !csv_number(&launch->profile->csv, launch->row, launch->profile->columns[metric], &number))
        return;
    if (launch->profile->data)
        unit = unit_scale(csv_text(&launch->profile->csv, 0, launch->profile->columns[metric]));
    printf("%.12g", number * unit);
}

/* The cells of one set, or with launch NULL their headers. */
static void write_metrics(const struct launch *launch, enum metric_set set)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        if (METRICS[i].set != set)
            continue;
        putchar(',');
        if (launch)
            write_metric(launch, i);
        else
            fputs(METRICS[i].column, stdout);
    }
}

/* The columns that only TIMES has, between the metrics of both sets. */
static void write_times(const struct csv *times, size_t row, bool header)
{
    static const char *const COLUMNS[] = {"name",    "family",      "cache",      "shared_bytes",
                                          "time_ns", "time_min_ns", "time_max_ns"};
    for (size_t i = 0; times->columns && i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        putchar(',');
        csv_write(stdout,
                  header ? COLUMNS[i] : csv_text(times, row, csv_column(times, COLUMNS[i])));
    }
}

/* launch, kernel, block, grid: the profiler's own, or else those of TIMES, which alone knows the
 * number of a launch when not all were timed. */
static void write_launch(const struct table *table, size_t at)
{
    const struct launch *launch = &table->launches[at];
    const struct profile *profile = launch->profile;
    const struct csv *csv = profile ? &profile->csv : &table->times;
    size_t row = profile ? launch->row : at;
    int number = csv_column(&table->times, "launch");
    if (number >= 0)
        printf("%s,", csv_text(&table->times, at, number));
    else
        printf("%zu,", at);
    csv_write(stdout, csv_text(csv, row, profile ? profile->kernel : csv_column(csv, "kernel")));
    putchar(',');
    csv_write(stdout, csv_text(csv, row, profile ? profile->block : csv_column(csv, "block")));
    putchar(',');
    csv_write(stdout, csv_text(csv, row, profile ? profile->grid : csv_column(csv, "grid")));
}

static void write_table(const struct table *table)
{
    for (size_t at = 0; at <= table->count; at++) {
        bool header = at == 0;
        const struct launch *launch = header ? NULL : &table->launches[at - 1];
        if (header)
            fputs("launch,kernel,block,grid", stdout);
        else
            write_launch(table, at - 1);
        write_metrics(launch, FEW);
        write_times(&table->times, at - 1, header);
        if (table->all)
            write_metrics(launch, MORE);
        putchar('\n');
    }
}

static void free_table(struct table *table)
{
    free(table->launches);
    for (size_t i = 0; i < table->profile_count; i++)
        csv_free(&table->profiles[i].csv);
    csv_free(&table->times);
}

static void write_missing(const struct table *table)
{
    for (size_t at = 0; at < table->count; at++)
        if (!table->launches[at].profile)
            printf("%zu %s\n", at, csv_text(&table->times, at, csv_column(&table->times, "name")));
}

static int make_table(char **arguments, bool all, bool only_missing)
{
    static struct table table;
    char error[CSV_ERROR_BYTES] = "out of memory.";
    bool good = true;
    table.all = all;
    if (*arguments && strcmp(*arguments, "--times") == 0 && arguments[1]) {
        good = csv_read(&table.times, arguments[1], error);
        arguments += 2;
    }
    for (; good && *arguments; arguments++)
        good = read_profile(&table, *arguments, error);
    good = good && build(&table);
    if (good && only_missing)
        write_missing(&table);
    else if (good)
        write_table(&table);
    else
        fprintf(stderr, "join: %s\n", error);
    free_table(&table);
    return good && fflush(stdout) == 0 ? 0 : 1;
}

int main(int count, char **arguments)
{
    const char *mode = count > 2 ? arguments[1] : "", *set = count > 2 ? arguments[2] : "";
    bool all = strcmp(set, "all") == 0;
    if (!all && strcmp(set, "few") != 0)
        mode = "";
    if (strcmp(mode, "metrics") == 0) {
        for (size_t i = 0; i < METRIC_COUNT; i++)
            if (all || METRICS[i].set == FEW)
                printf("%s%s", i ? "," : "", METRICS[i].name);
        putchar('\n');
        return 0;
    }
    if (strcmp(mode, "table") == 0 || strcmp(mode, "missing") == 0)
        return make_table(arguments + 3, all, strcmp(mode, "missing") == 0);
    fprintf(stderr, "Usage: join metrics few|all   or   "
                    "join table|missing few|all [--times TIMES] FIRST:PROFILE...\n");
    return 2;
}
