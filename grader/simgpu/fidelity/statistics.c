/* statistics.c - median, rank correlation, reversed pairs. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double statistics_quantile(double *values, size_t count, double part)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, by_size);
    double at = part * (double)(count - 1);
    size_t below = (size_t)at;
    return below + 1 < count
               ? values[below] + (at - (double)below) * (values[below + 1] - values[below])
               : values[below];
}

double statistics_median(double *values, size_t count)
{
    return statistics_quantile(values, count, 0.5);
}

/* How many are smaller, plus half of those that are equal: the rank, up to a constant. */
static void rank(const double *values, size_t count, double *ranks)
{
    for (size_t i = 0; i < count; i++) {
        ranks[i] = 0;
        for (size_t j = 0; j < count; j++)
            ranks[i] += values[j] < values[i] ? 1 : values[j] == values[i] ? 0.5 : 0;
    }
}

static double pearson(const double *a, const double *b, size_t count)
{
    double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < count; i++) {
        mean_a += a[i] / (double)count;
        mean_b += b[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        ab += (a[i] - mean_a) * (b[i] - mean_b);
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

double statistics_spearman(const double *a, const double *b, size_t count)
{
    double *ranks = count >= 2 ? malloc(2 * count * sizeof *ranks) : NULL;
    if (!ranks)
        return NAN;
    rank(a, count, ranks);
    rank(b, count, ranks + count);
    double correlation = pearson(ranks, ranks + count, count);
    free(ranks);
    return correlation;
}

/* Keep the reversal if it is among the worst: the further both ratios are apart, the worse. */
static void note(struct statistics_order *order, struct statistics_reversal reversal)
{
    enum { MOST = sizeof order->worst / sizeof *order->worst };
    double badness = reversal.measured_ratio / reversal.modelled_ratio;
    size_t at = order->worst_count < MOST ? order->worst_count++ : MOST;
    while (at > 0 &&
           order->worst[at - 1].measured_ratio / order->worst[at - 1].modelled_ratio < badness) {
        if (at < MOST)
            order->worst[at] = order->worst[at - 1];
        at--;
    }
    if (at < MOST)
        order->worst[at] = reversal;
}

void statistics_order(const double *measured, const double *modelled, size_t count, double apart,
                      struct statistics_order *order)
{
    memset(order, 0, sizeof *order);
    for (size_t fast = 0; fast < count; fast++)
        for (size_t slow = 0; slow < count; slow++) {
            if (measured[slow] <= apart * measured[fast])
                continue;
            order->pairs++;
            if (modelled[slow] >= modelled[fast])
                continue;
            order->reversed++;
            note(order, (struct statistics_reversal){fast, slow, measured[slow] / measured[fast],
                                                     modelled[slow] / modelled[fast]});
        }
}
