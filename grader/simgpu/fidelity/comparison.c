/* comparison.c - which counters of a launch agree, and why not. */
#include "comparison.h"

#include "kernel_name.h"

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

/* The worst of two: what a launch with both is. */
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

/* What a difference in wavefronts comes from: how many instructions there were tells. */
static enum match explain(struct pair pair, size_t row, const char *instructions)
{
    double measured, simulated;
    if (!number(pair.measured, row, instructions, &measured) ||
        !number(pair.simulated, row, instructions, &simulated) || measured == simulated)
        return MATCH_DIFFERENT;
    return measured < simulated ? MATCH_MERGED : MATCH_SPLIT;
}

/* Wavefronts of loads or of stores. Counts by address alone, where they were measured, are exact;
 * the hardware's own include passes that had to be repeated for others' sake. instructions, for
 * loads only, is the column that may explain a difference. */
static enum match match_wavefronts(struct pair pair, size_t row, const char *wavefronts,
                                   const char *by_address, const char *instructions)
{
    double measured, simulated;
    bool exact = number(pair.measured, row, by_address, &measured);
    if ((!exact && !number(pair.measured, row, wavefronts, &measured)) ||
        !number(pair.simulated, row, wavefronts, &simulated) || (measured == 0 && simulated == 0))
        return MATCH_ABSENT;
    if (measured == simulated)
        return MATCH_EXACT;
    if (!exact && measured > simulated && measured <= 1.02 * simulated)
        return MATCH_ARBITRATION;
    return instructions ? explain(pair, row, instructions) : MATCH_DIFFERENT;
}

static double dram_bytes(const struct csv *csv, size_t row)
{
    double read, written;
    return number(csv, row, "dram_read_bytes", &read) &&
                   number(csv, row, "dram_write_bytes", &written)
               ? read + written
               : NAN;
}

static void fill_launch(struct pair pair, size_t row, const char *family,
                        struct comparison_launch *launch)
{
    static const char *const REQUESTS[] = {"requests_ld", "requests_st", "requests_red",
                                           "requests_atom", NULL};
    static const char *const SECTORS[] = {"sectors_ld", "sectors_st", "sectors_red", "sectors_atom",
                                          NULL};
    const char *own_family = csv_text(pair.measured, row, csv_column(pair.measured, "family"));
    *launch = (struct comparison_launch){
        .name = csv_text(pair.measured, row, csv_column(pair.measured, "name")),
        .family = *own_family ? own_family : family,
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
    launch->wavefronts =
        worse(match_wavefronts(pair, row, "wavefronts_ld", "wavefronts_ld_sass", "shared_ld"),
              match_wavefronts(pair, row, "wavefronts_st", "wavefronts_st_sass", NULL));
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
            fill_launch(pair, row, source->family, &comparison->launches[comparison->count++]);
        source->csv = measured; /* keeps the names; its text does not move */
        measured = (struct csv){0};
    }
    csv_free(&simulated);
    csv_free(&measured);
    return good;
}

void comparison_free(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->source_count; i++) {
        csv_free(&comparison->sources[i].csv);
        free(comparison->sources[i].family);
    }
    free(comparison->sources);
    free(comparison->launches);
    memset(comparison, 0, sizeof *comparison);
}
