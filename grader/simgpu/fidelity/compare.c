/* compare.c - the table of `make fidelity`: how truly the simulated device counts and times.
 *
 *     compare [--sass TABLE] MEASURED SIMULATED [MEASURED SIMULATED]...
 *
 * TABLE is what sass.sh wrote: the evidence that ptxas merged loads, which excuses a difference.
 * Exit status: 0, 1 when a demand below is missed, 2 when the tables cannot be compared.
 */
#include "comparison.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is demanded, beside counters that agree. */
static const double LEAST_SPEARMAN = 0.95, MOST_ERROR = 0.20, APART = 1.5;

enum { WIDTH = 100, MOST_NAMES = 12, MOST_FAMILIES = 64, WORST = 8 };

static const double LEAST_DRAM_BYTES = 1 << 20; /* below, the ratio is noise */

static double time_error(const struct comparison_launch *launch)
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

enum counter { REQUESTS, SECTORS, WAVEFRONTS };

static enum match match_of(const struct comparison_launch *launch, enum counter counter)
{
    return counter == REQUESTS  ? launch->requests
           : counter == SECTORS ? launch->sectors
                                : launch->wavefronts;
}

static size_t count_matches(const struct comparison *comparison, const char *family,
                            enum counter counter, enum match match)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++)
        if (!family || strcmp(comparison->launches[i].family, family) == 0)
            count += match_of(&comparison->launches[i], counter) == match;
    return count;
}

/* "14/16", or a dash where nothing was compared. */
static void print_exact(const struct comparison *comparison, const char *family,
                        enum counter counter)
{
    size_t exact = count_matches(comparison, family, counter, MATCH_EXACT), all = exact;
    for (int match = MATCH_EXACT + 1; match < MATCHES; match++)
        all += count_matches(comparison, family, counter, match);
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
    print_exact(comparison, family, REQUESTS);
    print_exact(comparison, family, SECTORS);
    print_exact(comparison, family, WAVEFRONTS);
    double error = family_median(comparison, family, time_error, scratch);
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

static void print_table(const struct comparison *comparison, double *scratch)
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

/* Names of the launches that match so, wrapped; a name that repeats is shown once. */
static void print_names(const struct comparison *comparison, enum counter counter, enum match match,
                        const char *heading)
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

static void print_exceptions(const struct comparison *comparison)
{
    print_names(comparison, REQUESTS, MATCH_DIFFERENT, "Requests differ");
    print_names(comparison, SECTORS, MATCH_DIFFERENT, "Sectors differ");
    print_names(comparison, WAVEFRONTS, MATCH_DIFFERENT, "Shared wavefronts differ");
    print_names(comparison, WAVEFRONTS, MATCH_MERGED,
                "Fewer shared wavefronts: the machine code has wider loads than the PTX (allowed)");
    print_names(comparison, WAVEFRONTS, MATCH_ARBITRATION,
                "Shared wavefronts within 2 %: the hardware repeats some for others (allowed)");
}

static int by_error(const void *a, const void *b)
{
    double left = time_error(*(const struct comparison_launch *const *)a);
    double right = time_error(*(const struct comparison_launch *const *)b);
    return (left < right) - (left > right);
}

/* The launches whose times are known. */
struct timed {
    const struct comparison_launch **launches;
    double *measured, *modelled;
    size_t count;
};

enum { NAME_WIDTH = 36 };

static void print_name(const struct comparison_launch *launch)
{
    printf("%-*.*s  ", NAME_WIDTH,
           (int)(launch->name_length < NAME_WIDTH ? launch->name_length : NAME_WIDTH),
           launch->name);
}

static void print_worst(struct timed *timed)
{
    qsort(timed->launches, timed->count, sizeof *timed->launches, by_error);
    printf("\n%-36s  %-12s  %12s  %12s  %8s\n", "furthest off in time", "family", "measured",
           "modelled", "error");
    for (size_t i = 0; i < timed->count && i < WORST; i++) {
        const struct comparison_launch *launch = timed->launches[i];
        print_name(launch);
        printf("%-12.12s  %9.1f us  %9.1f us  %6.0f %%\n", launch->family,
               launch->measured_ns / 1e3, launch->modelled_ns / 1e3,
               100 * (launch->modelled_ns - launch->measured_ns) / launch->measured_ns);
    }
}

static void print_order(const struct timed *timed, double spearman, double error,
                        const struct statistics_order *order)
{
    printf("\nTime of %zu launches: rank correlation (Spearman) %.3f, at least %.2f wanted; median "
           "error %.1f %%,\nat most %.0f %% wanted; %zu of %zu pairs measured more than %.1f x "
           "apart are reversed, none wanted.\n",
           timed->count, spearman, LEAST_SPEARMAN, 100 * error, 100 * MOST_ERROR, order->reversed,
           order->pairs, APART);
    if (order->worst_count)
        printf("\n%-36s  %-36s  %10s  %10s\n", "reversed: takes longer ...", "... than", "measured",
               "modelled");
    for (size_t i = 0; i < order->worst_count; i++) {
        const struct statistics_reversal *reversal = &order->worst[i];
        print_name(timed->launches[reversal->slow]);
        print_name(timed->launches[reversal->fast]);
        printf("%8.1f x  %8.2f x\n", reversal->measured_ratio, reversal->modelled_ratio);
    }
}

/* Prints a sentence for each demand on the counters that is missed, and counts them. */
static int judge_counters(const struct comparison *comparison)
{
    static const char *const NAMES[] = {"requests", "sectors", "shared wavefronts"};
    int missed = 0;
    for (int counter = REQUESTS; counter <= WAVEFRONTS; counter++) {
        size_t count = count_matches(comparison, NULL, (enum counter)counter, MATCH_DIFFERENT);
        if (!count)
            continue;
        printf("MISSED: %zu %s in %s; all must agree.\n", count,
               count == 1 ? "launch differs" : "launches differ", NAMES[counter]);
        missed++;
    }
    return missed;
}

static int judge_times(double spearman, double error, const struct statistics_order *order)
{
    int missed = 0;
    if (!(spearman >= LEAST_SPEARMAN)) {
        printf("MISSED: the rank correlation of times is %.3f, below %.2f.\n", spearman,
               LEAST_SPEARMAN);
        missed++;
    }
    if (!(error <= MOST_ERROR)) {
        printf("MISSED: the median error of times is %.1f %%, above %.0f %%.\n", 100 * error,
               100 * MOST_ERROR);
        missed++;
    }
    if (order->reversed) {
        printf("MISSED: %zu pairs of launches more than %.1f x apart are in the wrong order.\n",
               order->reversed, APART);
        missed++;
    }
    return missed;
}

static bool find_timed(const struct comparison *comparison, struct timed *timed)
{
    size_t room = comparison->count + 1;
    timed->launches = calloc(room, sizeof *timed->launches);
    timed->measured = calloc(room, sizeof *timed->measured);
    timed->modelled = calloc(room, sizeof *timed->modelled);
    if (!timed->launches || !timed->measured || !timed->modelled)
        return false;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct comparison_launch *launch = &comparison->launches[i];
        if (launch->measured_ns <= 0)
            continue;
        timed->launches[timed->count] = launch;
        timed->measured[timed->count] = launch->measured_ns;
        timed->modelled[timed->count++] = launch->modelled_ns;
    }
    return true;
}

/* The number of demands missed. */
static int report(const struct comparison *comparison, struct timed *timed, double *scratch)
{
    struct statistics_order order = {0};
    double spearman = 1, error = 0;
    print_table(comparison, scratch);
    print_exceptions(comparison);
    if (timed->count) {
        spearman = statistics_spearman(timed->measured, timed->modelled, timed->count);
        error = family_median(comparison, NULL, time_error, scratch);
        statistics_order(timed->measured, timed->modelled, timed->count, APART, &order);
        print_order(timed, spearman, error, &order);
        print_worst(timed);
    }
    putchar('\n');
    int missed = judge_counters(comparison) + judge_times(spearman, error, &order);
    if (!missed)
        printf("Every demand is met.\n");
    return missed;
}

int main(int count, char **arguments)
{
    static struct comparison comparison;
    struct timed timed = {0};
    char error[CSV_ERROR_BYTES] = "Out of memory.";
    int first = count > 2 && strcmp(arguments[1], "--sass") == 0 ? 3 : 1;
    if (count < first + 2 || (count - first) % 2 != 0) {
        fprintf(stderr, "Usage: compare [--sass TABLE] MEASURED SIMULATED "
                        "[MEASURED SIMULATED]...\n");
        return 2;
    }
    bool good = first == 1 || comparison_machine_code(&comparison, arguments[2], error);
    for (int i = first; good && i < count; i += 2)
        good = comparison_add(&comparison, arguments[i], arguments[i + 1], error);
    double *scratch = calloc(comparison.count + 1, sizeof *scratch);
    int status = 2;
    if (good && scratch && find_timed(&comparison, &timed))
        status = report(&comparison, &timed, scratch) ? 1 : 0;
    else
        fprintf(stderr, "compare: %s\n", error);
    free(scratch);
    free(timed.launches);
    free(timed.measured);
    free(timed.modelled);
    comparison_free(&comparison);
    return status;
}
