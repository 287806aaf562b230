/* table.c - a row for each family: which counters agree, how far times are off. */
#include "table.h"

#include "statistics.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 100, MOST_NAMES = 12, MOST_FAMILIES = 64 };

static const double LEAST_DRAM_BYTES = 1 << 20; /* below, the ratio is noise */

double table_time_error(const struct comparison_launch *launch)
{
    return launch->measured_ns > 0
               ? fabs(launch->modelled_ns - launch->measured_ns) / launch->measured_ns
               : NAN;
}

static double dram_ratio(const struct comparison_launch *launch)
{
    return launch->measured_dram_bytes >= LEAST_DRAM_BYTES
               ? launch->modelled_dram_bytes / launch->measured_dram_bytes
               : NAN;
}

/* The median of one figure over a family's launches (all of them for NULL); those without, NAN,
 * are left out. scratch has room for every launch. */
static double family_median(const struct comparison *comparison, const char *family,
                            double (*figure)(const struct comparison_launch *), double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct comparison_launch *launch = &comparison->launches[i];
        double value = figure(launch);
        if ((!family || strcmp(launch->family, family) == 0) && !isnan(value))
            scratch[count++] = value;
    }
    return statistics_median(scratch, count);
}

static enum match match_of(const struct comparison_launch *launch, enum table_counter counter)
{
    return counter == TABLE_REQUESTS  ? launch->requests
           : counter == TABLE_SECTORS ? launch->sectors
                                      : launch->wavefronts;
}

size_t table_count_matches(const struct comparison *comparison, const char *family,
                           enum table_counter counter, enum match match)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++)
        if (!family || strcmp(comparison->launches[i].family, family) == 0)
            count += match_of(&comparison->launches[i], counter) == match;
    return count;
}

/* "14/16", or a dash where nothing was compared. */
static void print_exact(const struct comparison *comparison, const char *family,
                        enum table_counter counter)
{
    size_t exact = table_count_matches(comparison, family, counter, MATCH_EXACT), all = exact;
    for (int match = MATCH_EXACT + 1; match < MATCHES; match++)
        all += table_count_matches(comparison, family, counter, match);
    char text[48] = "-";
    if (all)
        snprintf(text, sizeof text, "%zu/%zu", exact, all);
    printf("  %10s", text);
}

static void print_family(const struct comparison *comparison, const char *family, double *scratch)
{
    size_t launches = 0;
    for (size_t i = 0; i < comparison->count; i++)
        launches += !family || strcmp(comparison->launches[i].family, family) == 0;
    printf("%-14.14s  %8zu", family ? family : "all", launches);
    print_exact(comparison, family, TABLE_REQUESTS);
    print_exact(comparison, family, TABLE_SECTORS);
    print_exact(comparison, family, TABLE_WAVEFRONTS);
    double error = family_median(comparison, family, table_time_error, scratch);
    double ratio = family_median(comparison, family, dram_ratio, scratch);
    if (isnan(error))
        printf("  %11s", "-");
    else
        printf("  %9.1f %%", 100 * error);
    if (isnan(ratio))
        printf("  %14s\n", "-");
    else
        printf("  %14.2f\n", ratio);
}

void table_print(const struct comparison *comparison, double *scratch)
{
    const char *families[MOST_FAMILIES];
    size_t count = 0;
    printf("%-14s  %8s  %10s  %10s  %10s  %11s  %14s\n", "family", "launches", "requests",
           "sectors", "wavefronts", "time error", "DRAM bytes");
    printf("%-14s  %8s  %10s  %10s  %10s  %11s  %14s\n", "", "", "exact", "exact", "exact",
           "median", "model/measured");
    for (size_t i = 0; i < comparison->count; i++) {
        const char *family = comparison->launches[i].family;
        size_t known = 0;
        while (known < count && strcmp(families[known], family) != 0)
            known++;
        if (known < count || count == MOST_FAMILIES)
            continue;
        families[count++] = family;
        print_family(comparison, family, scratch);
    }
    print_family(comparison, NULL, scratch);
}

/* Names of the launches that match in that way, wrapped; a name that repeats is shown once. */
static void print_names(const struct comparison *comparison, enum table_counter counter,
                        enum match match, const char *heading)
{
    size_t shown = 0, left = 0, column = WIDTH;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct comparison_launch *launch = &comparison->launches[i];
        if (match_of(launch, counter) != match)
            continue;
        const struct comparison_launch *before = i ? launch - 1 : NULL;
        if (before && match_of(before, counter) == match &&
            before->name_length == launch->name_length &&
            memcmp(before->name, launch->name, launch->name_length) == 0)
            continue;
        if (shown == MOST_NAMES) {
            left++;
            continue;
        }
        if (shown++ == 0)
            printf("\n%s:", heading);
        if (column + launch->name_length + 2 > WIDTH) {
            printf("\n ");
            column = 1;
        }
        printf(" %.*s", (int)launch->name_length, launch->name);
        column += launch->name_length + 1;
    }
    if (left)
        printf(" and %zu more", left);
    if (shown)
        putchar('\n');
}

void table_print_exceptions(const struct comparison *comparison)
{
    print_names(comparison, TABLE_REQUESTS, MATCH_DIFFERENT, "Requests differ");
    print_names(comparison, TABLE_SECTORS, MATCH_DIFFERENT, "Sectors differ");
    print_names(comparison, TABLE_WAVEFRONTS, MATCH_DIFFERENT, "Shared wavefronts differ");
    print_names(comparison, TABLE_WAVEFRONTS, MATCH_MERGED,
                "Fewer shared wavefronts: the machine code has wider loads than the PTX (allowed)");
    print_names(comparison, TABLE_WAVEFRONTS, MATCH_ARBITRATION,
                "Shared wavefronts within 2 %: the hardware repeats some for others (allowed)");
}
