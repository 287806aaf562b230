/* comparison.c - which counters of a launch agree, and why not. */
#include "comparison.h"

#include "kernel_name.h"
#include "machine_code.h"
#include "set_aside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two tables under comparison. */
struct pair {
    const struct csv *measured, *simulated;
};

static bool number(const struct csv *csv, size_t row, const char *column, double *value)
{
    return csv_number(csv, row, csv_column(csv, column), value);
}

/* The worse of two: that of a launch with both. */
static enum match worse(enum match a, enum match b)
{
    return a > b ? a : b;
}

static enum match match_exactly(struct pair pair, size_t row, const char *const *columns)
{
    enum match match = MATCH_ABSENT;
    for (; *columns; columns++) {
        double measured, simulated;
        if (number(pair.measured, row, *columns, &measured) &&
            number(pair.simulated, row, *columns, &simulated))
            match = worse(match, measured == simulated ? MATCH_EXACT : MATCH_DIFFERENT);
    }
    return match;
}

/* The hardware's own count of wavefronts includes passes that were repeated because of other
 * traffic: it may exceed the count by address by this much. */
static const double MOST_REPEATED = 1.02;
/* Four words at once take a quarter of the passes of four times one, at best. */
static const double MOST_MERGED = 4;

/* The columns with the wavefronts of loads or of stores: as the hardware counts them; by address,
 * without ldmatrix; and those of ldmatrix. */
struct wavefronts {
    const char *own, *by_address, *of_matrices;
};
static const struct wavefronts LOADS = {"wavefronts_ld", "wavefronts_ld_sass",
                                        "wavefronts_ldsm_sass"},
                               STORES = {"wavefronts_st", "wavefronts_st_sass", NULL};

/* The wavefronts by address, where they were counted that way; else with repetitions, and *repeated
 * is set. False when they were not counted. */
static bool measured_wavefronts(const struct csv *csv, size_t row, const struct wavefronts *columns,
                                double *measured, bool *repeated)
{
    double own = 0, matrices = 0;
    bool known = number(csv, row, columns->own, &own);
    *repeated = !number(csv, row, columns->by_address, measured);
    if (columns->of_matrices && number(csv, row, columns->of_matrices, &matrices))
        *measured += matrices;
    *repeated |= *measured == 0 && own > 0;
    if (*repeated)
        *measured = own;
    return known || !*repeated;
}

/* merged: ptxas makes fewer loads of them, so the simulated device may count more. */
static enum match match_wavefronts(struct pair pair, size_t row, const struct wavefronts *columns,
                                   bool merged)
{
    double measured, simulated;
    bool repeated;
    if (!measured_wavefronts(pair.measured, row, columns, &measured, &repeated) ||
        !number(pair.simulated, row, columns->own, &simulated) || (measured == 0 && simulated == 0))
        return MATCH_ABSENT;
    double most = repeated ? MOST_REPEATED * simulated : simulated;
    if (measured == simulated)
        return MATCH_EXACT;
    if (measured > simulated && measured <= most)
        return MATCH_ARBITRATION;
    if (merged && measured <= most && measured >= simulated / MOST_MERGED)
        return MATCH_MERGED;
    return MATCH_DIFFERENT;
}

static double dram_bytes(const struct csv *csv, size_t row)
{
    double read, written;
    return number(csv, row, "dram_read_bytes", &read) &&
                   number(csv, row, "dram_write_bytes", &written)
               ? read + written
               : NAN;
}

/* Rounds of fresh launches are halved by the rule; older launches have no halves. */
static enum half half_of(const char *program, const struct comparison_launch *launch)
{
    bool aside = set_aside(launch->name, launch->name_length);
    if (strcmp(program, "fresh") == 0)
        return aside ? HALF_SET_ASIDE : HALF_HELD_IN;
    if (strcmp(program, "second") == 0)
        return aside ? HALF_SECOND_SET_ASIDE : HALF_SECOND_HELD_IN;
    if (strcmp(program, "third") == 0)
        return aside ? HALF_THIRD_SET_ASIDE : HALF_THIRD_HELD_IN;
    if (strcmp(program, "fourth") == 0)
        return aside ? HALF_FOURTH_SET_ASIDE : HALF_FOURTH_HELD_IN;
    if (strcmp(program, "fifth") == 0)
        return aside ? HALF_FIFTH_SET_ASIDE : HALF_FIFTH_HELD_IN;
    return HALF_OLDER;
}

/* sass may be empty; program is the name that its rows have for these launches. */
static void fill_launch(struct pair pair, size_t row, const struct csv *sass, const char *program,
                        struct comparison_launch *launch)
{
    static const char *const REQUESTS[] = {"requests_ld", "requests_st", "requests_red",
                                           "requests_atom", NULL};
    static const char *const SECTORS[] = {"sectors_ld", "sectors_st", "sectors_red", "sectors_atom",
                                          NULL};
    const char *own_family = csv_text(pair.measured, row, csv_column(pair.measured, "family"));
    *launch = (struct comparison_launch){
        .name = csv_text(pair.measured, row, csv_column(pair.measured, "name")),
        .family = *own_family ? own_family : program,
        .requests = match_exactly(pair, row, REQUESTS),
        .sectors = match_exactly(pair, row, SECTORS),
        .measured_dram_bytes = dram_bytes(pair.measured, row),
        .modelled_dram_bytes = dram_bytes(pair.simulated, row),
    };
    launch->name_length = strlen(launch->name);
    if (launch->name_length == 0)
        launch->name =
            kernel_name(csv_text(pair.measured, row, csv_column(pair.measured, "kernel")),
                        &launch->name_length);
    launch->half = half_of(program, launch);
    bool merged = machine_code_merges(
        sass, program, csv_text(pair.simulated, row, csv_column(pair.simulated, "kernel")));
    launch->wavefronts = worse(match_wavefronts(pair, row, &LOADS, merged),
                               match_wavefronts(pair, row, &STORES, false));
    if (!number(pair.measured, row, "time_ns", &launch->measured_ns) ||
        !number(pair.simulated, row, "modelled_ns", &launch->modelled_ns))
        launch->measured_ns = launch->modelled_ns = 0;
    else
        launch->measured_ns -= COMPARISON_EVENTS_NS;
}

/* "measured/kernels.csv" -> "kernels" */
static char *family_of(const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    return strndup(name, strcspn(name, "."));
}

static bool same_launches(struct pair pair, const char *measured_path, const char *simulated_path,
                          char error[CSV_ERROR_BYTES])
{
    size_t rows = pair.measured->rows;
    if (rows != pair.simulated->rows) {
        snprintf(error, CSV_ERROR_BYTES, "%s has %zu launches, %s has %zu.", measured_path, rows,
                 simulated_path, pair.simulated->rows);
        return false;
    }
    for (size_t row = 0; row < rows; row++) {
        const char *measured = csv_text(pair.measured, row, csv_column(pair.measured, "kernel"));
        const char *simulated = csv_text(pair.simulated, row, csv_column(pair.simulated, "kernel"));
        if (!kernel_name_same(measured, simulated)) {
            snprintf(error, CSV_ERROR_BYTES, "Launch %zu is %.80s in %s, but %.80s in %s.", row,
                     measured, measured_path, simulated, simulated_path);
            return false;
        }
    }
    return true;
}

static bool grow(struct comparison *comparison, size_t rows, const char *measured_path)
{
    struct comparison_source *sources =
        realloc(comparison->sources, (comparison->source_count + 2) * sizeof *sources);
    if (sources)
        comparison->sources = sources;
    struct comparison_launch *launches =
        realloc(comparison->launches, (comparison->count + rows + 1) * sizeof *launches);
    if (launches)
        comparison->launches = launches;
    char *family = family_of(measured_path);
    if (!sources || !launches || !family) {
        free(family);
        return false;
    }
    comparison->sources[comparison->source_count++] = (struct comparison_source){.family = family};
    return true;
}

bool comparison_machine_code(struct comparison *comparison, const char *path,
                             char error[CSV_ERROR_BYTES])
{
    return csv_read(&comparison->sass, path, error);
}

bool comparison_add(struct comparison *comparison, const char *measured_path,
                    const char *simulated_path, char error[CSV_ERROR_BYTES])
{
    struct csv measured = {0}, simulated = {0};
    struct pair pair = {&measured, &simulated};
    bool good = csv_read(&measured, measured_path, error) &&
                csv_read(&simulated, simulated_path, error) &&
                same_launches(pair, measured_path, simulated_path, error);
    if (good && !grow(comparison, measured.rows, measured_path)) {
        snprintf(error, CSV_ERROR_BYTES, "Out of memory.");
        good = false;
    }
    if (good) {
        struct comparison_source *source = &comparison->sources[comparison->source_count - 1];
        for (size_t row = 0; row < measured.rows; row++)
            fill_launch(pair, row, &comparison->sass, source->family,
                        &comparison->launches[comparison->count++]);
        source->csv = measured; /* keeps the names; its text does not move */
        measured = (struct csv){0};
    }
    csv_free(&simulated);
    csv_free(&measured);
    return good;
}

static bool is_shown(enum half half, enum shown shown)
{
    if (half == HALF_FIFTH_SET_ASIDE)
        return shown == SHOWN_ALL;
    if (half == HALF_SET_ASIDE || half == HALF_SECOND_SET_ASIDE || half == HALF_THIRD_SET_ASIDE ||
        half == HALF_FOURTH_SET_ASIDE)
        return shown != SHOWN_HELD_IN;
    return true;
}

void comparison_drop_set_aside(struct comparison *comparison, enum shown shown)
{
    size_t kept = 0;
    for (size_t i = 0; i < comparison->count; i++)
        if (is_shown(comparison->launches[i].half, shown))
            comparison->launches[kept++] = comparison->launches[i];
    comparison->count = kept;
}

void comparison_free(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->source_count; i++) {
        csv_free(&comparison->sources[i].csv);
        free(comparison->sources[i].family);
    }
    free(comparison->sources);
    free(comparison->launches);
    csv_free(&comparison->sass);
    memset(comparison, 0, sizeof *comparison);
}
