/* statistics.c - the group-sequential sign test, and robust summaries of times. */
#include "check/examine/statistics.h"

#include <math.h>
#include <stdlib.h>

/* good >= clear passes, good <= pairs - clear fails: tails of a fair coin below 1e-4 each. The
 * last look decides whatever it sees, ties to the learner. */
static const struct {
    size_t pairs, clear;
} LOOKS[STATISTICS_LOOKS] = {{18, 17}, {36, 30}, {72, 53}, {STATISTICS_MOST_PAIRS, 72}};

size_t statistics_look(size_t index)
{
    return LOOKS[index].pairs;
}

enum statistics_answer statistics_decide(size_t pairs, size_t good)
{
    for (size_t i = 0; i < STATISTICS_LOOKS; i++) {
        if (LOOKS[i].pairs != pairs)
            continue;
        if (good >= LOOKS[i].clear)
            return STATISTICS_FAST;
        if (pairs == STATISTICS_MOST_PAIRS || pairs - good >= LOOKS[i].clear)
            return STATISTICS_SLOW;
    }
    return STATISTICS_MORE;
}

bool statistics_hopeless(const double *log_ratio, size_t pairs, double bar)
{
    double best = -INFINITY;
    for (size_t i = 0; i < pairs; i++)
        best = fmax(best, log_ratio[i]);
    return (pairs >= STATISTICS_QUICK_PAIRS && best < log(bar / 2)) ||
           (pairs >= STATISTICS_FEWEST_PAIRS && best < log(bar / 20));
}

double statistics_test_point(double bar)
{
    return log(bar) - STATISTICS_DELTA / 2;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double statistics_median(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double statistics_spread(double *values, size_t count)
{
    double distance[STATISTICS_MOST_PAIRS], median = statistics_median(values, count);
    if (count > STATISTICS_MOST_PAIRS)
        count = STATISTICS_MOST_PAIRS;
    for (size_t i = 0; i < count; i++)
        distance[i] = fabs(values[i] - median);
    return 1.4826 * statistics_median(distance, count);
}

void statistics_interval(double *values, size_t count, double *low, double *high)
{
    qsort(values, count, sizeof *values, by_value);
    /* Ranks n/2 -+ 0.98 sqrt(n) hold the median in 95 of 100 samples. */
    double reach = 0.98 * sqrt((double)count), middle = (double)count / 2;
    double first = floor(middle - reach), last = ceil(middle + reach);
    *low = values[first > 0 ? (size_t)first : 0];
    *high = values[last < (double)count ? (size_t)last : count - 1];
}

bool statistics_quiet(double spread, double distance)
{
    return fmax(STATISTICS_DELTA, fabs(distance)) / 2 >= 1.3 * spread;
}
