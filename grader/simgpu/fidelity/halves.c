/* halves.c - figures and demands of one half. */
#include "halves.h"

#include "set_aside.h"
#include "statistics.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is demanded, besides counters that agree. Launches APART times apart must be in the right
 * order; a mend that gains more than a factor SAME must be modelled to gain. */
static const double LEAST_SPEARMAN = 0.95, MOST_ERROR = 0.20, APART = 1.5, SAME = 1.1;

enum { NAME_WIDTH = 36, WORST = 10 };

/* The launches of a half whose times are known. */
struct timed {
    const struct comparison_launch **launches;
    double *measured, *modelled, *errors;
    size_t count;
};

static void print_name(const struct comparison_launch *launch)
{
    printf("%-*.*s  ", NAME_WIDTH,
           (int)(launch->name_length < NAME_WIDTH ? launch->name_length : NAME_WIDTH),
           launch->name);
}

static int by_error(const void *a, const void *b)
{
    double left = table_time_error(*(const struct comparison_launch *const *)a);
    double right = table_time_error(*(const struct comparison_launch *const *)b);
    return (left < right) - (left > right);
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

static void print_order(const struct timed *timed, const struct statistics_order *order)
{
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

/* The launch "STEM_after" to a "STEM_before", or NULL. */
static const struct comparison_launch *after(const struct timed *timed,
                                             const struct comparison_launch *before)
{
    size_t stem = set_aside_stem(before->name, before->name_length);
    if (strncmp(before->name + stem, "_before", 7) != 0)
        return NULL;
    for (size_t i = 0; i < timed->count; i++) {
        const struct comparison_launch *launch = timed->launches[i];
        if (strncmp(launch->name, before->name, stem) == 0 &&
            strcmp(launch->name + stem, "_after") == 0)
            return launch;
    }
    return NULL;
}

/* What the mend of each pair gains. Returns how many gain enough that the model must see it, but
 * does not. */
static size_t print_mends(const struct timed *timed)
{
    size_t wrong = 0, shown = 0;
    for (size_t i = 0; i < timed->count; i++) {
        const struct comparison_launch *before = timed->launches[i], *mended = after(timed, before);
        if (!mended)
            continue;
        if (shown++ == 0)
            printf("\n%-36s  %12s  %12s\n", "one mend: time after over before", "measured",
                   "modelled");
        double measured = mended->measured_ns / before->measured_ns;
        double modelled = mended->modelled_ns / before->modelled_ns;
        printf("%-*.*s  %12.2f  %12.2f\n", NAME_WIDTH,
               (int)set_aside_stem(before->name, before->name_length), before->name, measured,
               modelled);
        wrong += measured * SAME < 1 && modelled >= 1;
    }
    return wrong;
}

static int judge(double spearman, double error, const struct statistics_order *order, size_t wrong)
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
    if (wrong) {
        printf("MISSED: %zu mends that gain more than a tenth are modelled to gain nothing.\n",
               wrong);
        missed++;
    }
    return missed;
}

static bool find_timed(const struct comparison *comparison, enum half half, struct timed *timed)
{
    size_t room = comparison->count + 1;
    timed->launches = calloc(room, sizeof *timed->launches);
    timed->measured = calloc(room, sizeof *timed->measured);
    timed->modelled = calloc(room, sizeof *timed->modelled);
    timed->errors = calloc(room, sizeof *timed->errors);
    if (!timed->launches || !timed->measured || !timed->modelled || !timed->errors)
        return false;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct comparison_launch *launch = &comparison->launches[i];
        if (launch->half != half || launch->measured_ns <= 0)
            continue;
        timed->launches[timed->count] = launch;
        timed->measured[timed->count] = launch->measured_ns;
        timed->modelled[timed->count] = launch->modelled_ns;
        timed->errors[timed->count++] = table_time_error(launch);
    }
    return true;
}

static int report(struct timed *timed, enum half half)
{
    static const char *const TITLES[] = {
        [HALF_OLDER] = "the older launches",
        [HALF_HELD_IN] = "fresh launches, held in",
        [HALF_SET_ASIDE] = "fresh launches, set aside",
        [HALF_SECOND_HELD_IN] = "the second round, held in",
        [HALF_SECOND_SET_ASIDE] = "the second round, set aside",
        [HALF_THIRD_HELD_IN] = "the third round, held in",
        [HALF_THIRD_SET_ASIDE] = "the third round, set aside",
        [HALF_FOURTH_HELD_IN] = "the fourth round, held in",
        [HALF_FOURTH_SET_ASIDE] = "the fourth round, set aside",
        [HALF_FIFTH_HELD_IN] = "the fifth round, held in",
        [HALF_FIFTH_SET_ASIDE] = "the fifth round, set aside",
    };
    struct statistics_order order = {0};
    double spearman = statistics_spearman(timed->measured, timed->modelled, timed->count);
    double error = statistics_quantile(timed->errors, timed->count, 0.5);
    double most = statistics_quantile(timed->errors, timed->count, 0.9);
    statistics_order(timed->measured, timed->modelled, timed->count, APART, &order);
    printf("\n=== Times of %s: %zu\n\nRank correlation (Spearman) %.3f, at least %.2f wanted; "
           "error %.1f %% (median, at most %.0f %%\nwanted) and %.1f %% (90th percentile); %zu of "
           "%zu pairs measured more than %.1f x apart are reversed,\nnone wanted.\n",
           TITLES[half], timed->count, spearman, LEAST_SPEARMAN, 100 * error, 100 * MOST_ERROR,
           100 * most, order.reversed, order.pairs, APART);
    print_order(timed, &order);
    size_t wrong = print_mends(timed);
    print_worst(timed);
    putchar('\n');
    return judge(spearman, error, &order, wrong);
}

int halves_report(const struct comparison *comparison, enum half half)
{
    struct timed timed = {0};
    int missed = 0;
    if (!find_timed(comparison, half, &timed)) {
        printf("MISSED: out of memory.\n");
        missed = 1;
    } else if (timed.count)
        missed = report(&timed, half);
    free(timed.launches);
    free(timed.measured);
    free(timed.modelled);
    free(timed.errors);
    return missed;
}
