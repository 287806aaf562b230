/* rule.c - see rule.h. */
#include "check/examine/rule.h"

#include <math.h>
#include <string.h>

enum {
    SURE_PAIRS = 36,        /* before these, a bad result may be chance: continue */
    LEFT_OUT_AT_FIRST = 18, /* this many may be left out, ... */
    LEFT_OUT_TIMES = 2,     /* ... and this many for each pair that counted */
    FORGED_PAIRS = 72,      /* a clock that disagrees may be mistaken in this many windows */
    CLOCK_SPREADS = 2,      /* of the reference's shorter windows that are taken for chance */
};

#define CLOCK_TOLERANCE 0.10 /* of a launch */
#define CLOCK_RESOLVES 0.25  /* of a launch: a clock that may be off by more confirms nothing */
#define CLOCK_GRAIN_NS 50e3  /* of a window: the shortest of two processes, 5 to 40 us */
#define ANCHOR_TOLERANCE 0.02
#define SAME 0.1 /* hopeless times lie within this share of each other */

double rule_log_ratio(const struct rule_seen *seen, size_t pair)
{
    return log(seen->reference.event_ns[pair] / seen->submission.event_ns[pair]);
}

static double median_of(const double *values, size_t count)
{
    double copy[STATISTICS_MOST_PAIRS];
    memcpy(copy, values, count * sizeof *copy);
    return statistics_median(copy, count);
}

static double test_point(const struct rule_seen *seen)
{
    return log(seen->bar) - seen->delta / 2;
}

double rule_noise(const struct rule_seen *seen)
{
    double steps[STATISTICS_MOST_PAIRS];
    size_t count = seen->pairs < 2 ? 0 : seen->pairs - 1;
    for (size_t i = 0; i < count; i++)
        steps[i] = fabs(log(seen->reference.event_ns[i + 1] / seen->reference.event_ns[i]));
    return count ? 1.4826 * statistics_median(steps, count) / sqrt(2) : 0;
}

/* Windows are too long for many reasons, for a while or for a whole process, but never too short:
 * the shortest tell the most. Uses the two shortest, so that one odd reading does not count. */
static double shortest(const double *values, size_t count)
{
    double copy[STATISTICS_MOST_PAIRS];
    memcpy(copy, values, count * sizeof *copy);
    statistics_median(copy, count); /* sorts them */
    return count > 1 ? (copy[0] + copy[1]) / 2 : count ? copy[0] : 0;
}

static double lower_quartile(const double *values, size_t count)
{
    double copy[STATISTICS_MOST_PAIRS];
    memcpy(copy, values, count * sizeof *copy);
    statistics_median(copy, count);
    return count ? copy[count / 4] : 0;
}

double rule_clock_ns(const struct rule_seen *seen, double *off_by_ns)
{
    const struct rule_side *reference = &seen->reference, *submission = &seen->submission;
    double besides[STATISTICS_MOST_PAIRS];
    for (size_t i = 0; i < seen->pairs; i++)
        besides[i] = reference->wall_ns[i] - reference->event_ns[i] * reference->launches;
    double least = shortest(besides, seen->pairs);
    /* Only the reference's spread counts: the submission controls its own. */
    double spread = lower_quartile(besides, seen->pairs) - least;
    *off_by_ns = (CLOCK_GRAIN_NS + CLOCK_SPREADS * spread) / submission->launches;
    return (shortest(submission->wall_ns, seen->pairs) - least) / submission->launches;
}

/* Is it so far below the bar, in each of the first pairs and always by about the same amount, that
 * no more pairs are needed? A time that is slow by chance varies. */
static bool is_hopeless(const struct rule_seen *seen)
{
    double best = -INFINITY, least = INFINITY, most = 0;
    for (size_t i = 0; i < seen->pairs; i++) {
        best = fmax(best, rule_log_ratio(seen, i));
        least = fmin(least, seen->submission.event_ns[i]);
        most = fmax(most, seen->submission.event_ns[i]);
    }
    return most <= least * (1 + SAME) &&
           ((seen->pairs >= STATISTICS_QUICK_PAIRS && best < log(seen->bar / 2)) ||
            (seen->pairs >= STATISTICS_FEWEST_PAIRS && best < log(seen->bar / 20)));
}

/* The answer of the signs at a look; the noise is tested afterwards. */
static enum rule_answer by_signs(const struct rule_seen *seen, double *distance)
{
    double ratios[STATISTICS_MOST_PAIRS];
    size_t good = 0;
    for (size_t i = 0; i < seen->pairs; i++) {
        ratios[i] = rule_log_ratio(seen, i);
        good += ratios[i] >= test_point(seen);
    }
    *distance = statistics_median(ratios, seen->pairs) - test_point(seen);
    switch (statistics_decide(seen->pairs, good)) {
    case STATISTICS_FAST: return RULE_FAST;
    case STATISTICS_SLOW: return RULE_SLOW;
    case STATISTICS_MORE: break;
    }
    return RULE_MORE;
}

/* Does the grader's clock agree? Once is enough: no window is shorter than its work, which is
 * verified. */
static enum rule_answer confirm(const struct rule_seen *seen)
{
    double off_by, clock = rule_clock_ns(seen, &off_by);
    double claimed = median_of(seen->submission.event_ns, seen->pairs);
    if (off_by > CLOCK_RESOLVES * fmax(claimed, clock)) /* more pairs would not mend it */
        return seen->pairs >= SURE_PAIRS ? RULE_UNCONFIRMED : RULE_MORE;
    if (clock - claimed > CLOCK_TOLERANCE * clock + off_by)
        return seen->pairs >= FORGED_PAIRS ? RULE_FORGED : RULE_MORE;
    return RULE_FAST;
}

static bool is_look(size_t pairs)
{
    for (size_t i = 0; i < STATISTICS_LOOKS; i++)
        if (pairs == statistics_look(i))
            return true;
    return false;
}

enum rule_answer rule_decide(const struct rule_seen *seen)
{
    double distance;
    if (seen->left_out > LEFT_OUT_AT_FIRST + LEFT_OUT_TIMES * seen->pairs)
        return RULE_BUSY;
    if (is_hopeless(seen))
        return RULE_SLOW;
    if (!is_look(seen->pairs))
        return RULE_MORE;
    enum rule_answer answer = by_signs(seen, &distance);
    if (!statistics_quiet(sqrt(2) * rule_noise(seen), seen->delta, distance))
        return seen->pairs >= SURE_PAIRS ? RULE_NOISY : RULE_MORE;
    return answer == RULE_FAST ? confirm(seen) : answer;
}

enum rule_answer rule_weigh(const struct rule_seen *seen)
{
    double reference = median_of(seen->reference.event_ns, seen->pairs);
    double submission = median_of(seen->submission.event_ns, seen->pairs);
    double slower = fmax(seen->before_ns, seen->after_ns);
    double faster = fmin(seen->before_ns, seen->after_ns);
    double tolerance = fmax(ANCHOR_TOLERANCE, 4 * rule_noise(seen));
    if (reference <= slower * (1 + tolerance) || log(slower / submission) >= test_point(seen))
        return RULE_FAST;
    /* If the reference was not always the same even when alone, the device is the cause. */
    return slower > faster * (1 + tolerance) ? RULE_NOISY : RULE_SLOWED;
}
