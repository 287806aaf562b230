/* statistics.c - the group-sequential sign test, and robust summaries of times. */
#include "check/examine/statistics.h"

#include <math.h>
#include <stdlib.h>

/* good >= clear passes, good <= pairs - clear fails: tails of a fair coin below 1e-4 each. The last
 * look always decides, with ties going to the learner. */
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

struct statistics_chances statistics_chances(double p)
{
    double state[STATISTICS_MOST_PAIRS + 2] = {1}; /* by number of good pairs, undecided so far */
    struct statistics_chances chances = {0, 0, 0};
    for (size_t pairs = 1; pairs <= STATISTICS_MOST_PAIRS; pairs++) {
        for (size_t good = pairs; good > 0; good--)
            state[good] = state[good] * (1 - p) + state[good - 1] * p;
        state[0] *= 1 - p;
        for (size_t good = 0; good <= pairs; good++) {
            enum statistics_answer answer = statistics_decide(pairs, good);
            if (answer == STATISTICS_MORE)
                continue;
            *(answer == STATISTICS_FAST ? &chances.fast : &chances.slow) += state[good];
            chances.pairs += state[good] * (double)pairs;
            state[good] = 0;
        }
    }
    return chances;
}

/* P(a normal variable is above -z standard deviations). */
static double normal(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

double statistics_fast_chance(double distance, double pair_sd, double run_sd)
{
    enum { STEPS = 24 }; /* on either side, up to 6 standard deviations */
    double fast = 0, weights = 0;
    for (int step = -STEPS; step <= STEPS; step++) {
        double z = 6.0 * step / STEPS, weight = exp(-z * z / 2);
        double here = distance + z * run_sd;
        fast += weight * statistics_chances(normal(here / fmax(pair_sd, 1e-9))).fast;
        weights += weight;
    }
    return fast / weights;
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
    /* Ranks n/2 -+ 0.98 sqrt(n) enclose the median in 95 of 100 samples. */
    double reach = 0.98 * sqrt((double)count), middle = (double)count / 2;
    double first = floor(middle - reach), last = ceil(middle + reach);
    *low = values[first > 0 ? (size_t)first : 0];
    *high = values[last < (double)count ? (size_t)last : count - 1];
}

bool statistics_quiet(double spread, double delta, double distance)
{
    return fmax(delta, fabs(distance)) / 2 >= 1.3 * spread;
}
