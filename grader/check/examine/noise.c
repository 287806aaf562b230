/* noise.c - how often is a verdict on speed wrong on this GPU, alone and next to a program that
 * disturbs? `make noise`, by check/noise.c.
 *
 * The submission is one whose work is padded, or the reference itself. Its true ratio is measured
 * first, over many pairs. Then the bar is set so that this ratio is a known part of it, and
 * verdicts are made, each with anchors and pairs of its own as in a check. Processes stay alive
 * from one verdict to the next: `make calibrate` shows the noise of starting new ones. Unlike in a
 * check, nothing is tried twice here, unless the clock disagrees.
 *
 *     "noise": {"verdicts": 200, "of_bar": [0.9, ...], "disturber": program or "", "seconds": most,
 *               "block_us": 0 for the usual}
 */
#include "check/examine/pairs.h"
#include "check/examine/stages.h"
#include "lib/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_VERDICTS = 10000, TRUTHS = 3, DISTURBER_STARTS_NS = 800000000 };

struct noise {
    struct pairs pairs;
    double true_ratio;
    size_t verdicts;
    double ends_s; /* the clock's time by which to end; now, of one place of the bar */
    pid_t disturber;
};

/* The results of all verdicts at one place of the bar. */
struct tally {
    size_t verdicts, fast, slow, wrong;
    size_t by_answer[RULE_SLOWED + 1];
    double ratio[MOST_VERDICTS], low[MOST_VERDICTS], high[MOST_VERDICTS], seconds[MOST_VERDICTS];
    double pairs, left_out, spread[MOST_VERDICTS];
    /* The clock's time of a launch as a share of the claimed one, and how far off it may be. */
    double clock[MOST_VERDICTS], off_by[MOST_VERDICTS];
};

static double now_s(void)
{
    return (double)process_now_ns() * 1e-9;
}

static enum rule_answer one_verdict(struct pairs *pairs)
{
    struct rule_seen *seen = &pairs->seen;
    seen->pairs = seen->left_out = 0;
    enum rule_answer answer = pairs_anchor(pairs, &seen->before_ns);
    if (answer != RULE_FAST)
        return answer;
    answer = pairs_measure(pairs, 0);
    if (answer == RULE_FORGED || answer == RULE_UNCONFIRMED) /* a check, too, tries again */
        answer = pairs_measure(pairs, 0);
    if (answer != RULE_FAST)
        return answer;
    answer = pairs_anchor(pairs, &seen->after_ns);
    return answer == RULE_FAST ? rule_weigh(seen) : answer;
}

static void add(struct tally *tally, const struct rule_seen *seen, enum rule_answer answer,
                double of_bar, double seconds)
{
    size_t i = tally->verdicts++;
    double ratios[STATISTICS_MOST_PAIRS], low = NAN, high = NAN;
    for (size_t pair = 0; pair < seen->pairs; pair++)
        ratios[pair] = rule_log_ratio(seen, pair);
    if (seen->pairs)
        statistics_interval(ratios, seen->pairs, &low, &high);
    tally->ratio[i] = exp(statistics_median(ratios, seen->pairs));
    tally->low[i] = exp(low);
    tally->high[i] = exp(high);
    tally->seconds[i] = seconds;
    tally->spread[i] = statistics_spread(ratios, seen->pairs);
    if (seen->pairs) {
        double claimed[STATISTICS_MOST_PAIRS], off_by, clock = rule_clock_ns(seen, &off_by);
        memcpy(claimed, seen->submission.event_ns, seen->pairs * sizeof *claimed);
        double middle = statistics_median(claimed, seen->pairs);
        tally->clock[i] = clock / middle - 1;
        tally->off_by[i] = off_by / middle;
    }
    tally->pairs += (double)seen->pairs;
    tally->left_out += (double)seen->left_out;
    tally->by_answer[answer]++;
    tally->fast += answer == RULE_FAST;
    tally->slow += answer == RULE_SLOW || answer == RULE_SLOWED;
    bool slow = answer == RULE_SLOW || answer == RULE_SLOWED || answer == RULE_FORGED;
    tally->wrong += (answer == RULE_FAST && of_bar <= 1 - STATISTICS_DELTA) ||
                    (slow && of_bar >= 1) || answer == RULE_FORGED;
}

/* Minimum, quartiles and maximum. */
static json_t *five_numbers(double *values, size_t count)
{
    json_t *list = json_array();
    statistics_median(values, count); /* sorts them */
    for (size_t i = 0; i <= 4 && count; i++)
        json_array_append_new(list, json_real(values[(count - 1) * i / 4]));
    return list;
}

/* The time of one side's windows besides their launches. */
static json_t *besides_of(const struct rule_side *side, size_t count)
{
    double besides[STATISTICS_MOST_PAIRS];
    for (size_t i = 0; i < count; i++)
        besides[i] = side->wall_ns[i] - side->event_ns[i] * side->launches;
    return five_numbers(besides, count);
}

/* NANs, where nothing was measured, are left out. */
static double median(const double *values, size_t count)
{
    double *known = malloc((count + 1) * sizeof *known);
    size_t some = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            known[some++] = values[i];
    double middle = some ? statistics_median(known, some) : 0;
    free(known);
    return middle;
}

static json_t *tally_json(struct tally *tally, const struct noise *noise, double of_bar)
{
    static const char *const ANSWERS[] = {[RULE_BUSY] = "busy",
                                          [RULE_NOISY] = "noisy",
                                          [RULE_UNCONFIRMED] = "unconfirmed",
                                          [RULE_FORGED] = "forged",
                                          [RULE_SLOWED] = "slowed"};
    size_t count = tally->verdicts;
    double all = fmax((double)count, 1), seconds = 0, longest = 0;
    json_t *causes = json_object();
    for (size_t i = RULE_BUSY; i <= RULE_SLOWED; i++)
        json_object_set_new(causes, ANSWERS[i], json_integer((json_int_t)tally->by_answer[i]));
    for (size_t i = 0; i < count; i++) {
        seconds += tally->seconds[i] / all;
        longest = fmax(longest, tally->seconds[i]);
    }
    return json_pack(
        "{s:b, s:f, s:f, s:f, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, "
        "s:f, s:f, s:o, s:o, s:o, s:o, s:o}",
        "disturbed", noise->disturber > 0, "of_bar", of_bar, "true_ratio", noise->true_ratio, "bar",
        noise->true_ratio / of_bar, "verdicts", (int)count, "fast", (int)tally->fast, "slow",
        (int)tally->slow, "inconclusive",
        (int)(count - tally->fast - tally->slow - tally->by_answer[RULE_FORGED]), "wrong",
        (int)tally->wrong, "ratio", median(tally->ratio, count), "low", median(tally->low, count),
        "high", median(tally->high, count), "spread", median(tally->spread, count), "pairs",
        tally->pairs / all, "left_out", tally->left_out / all, "seconds", seconds, "longest",
        longest, "causes", causes, "clock", five_numbers(tally->clock, count), "clock_off_by",
        five_numbers(tally->off_by, count), "besides_reference",
        besides_of(&noise->pairs.seen.reference, noise->pairs.seen.pairs), "besides_submission",
        besides_of(&noise->pairs.seen.submission, noise->pairs.seen.pairs));
}

/* The verdicts at one place of the bar; NULL with a finding when something ended it. */
static json_t *measure_at(struct noise *noise, double of_bar)
{
    struct tally *tally = calloc(1, sizeof *tally);
    json_t *row = NULL;
    noise->pairs.seen.bar = noise->true_ratio / of_bar;
    while (tally->verdicts < noise->verdicts && now_s() < noise->ends_s) {
        double start = now_s();
        enum rule_answer answer = one_verdict(&noise->pairs);
        if (answer == RULE_MORE)
            break;
        add(tally, &noise->pairs.seen, answer, of_bar, now_s() - start);
    }
    if (noise->pairs.finding.verdict == VERDICT_PASS)
        row = tally_json(tally, noise, of_bar);
    free(tally);
    return row;
}

/* The true ratio: the median of several measurements with as many pairs as possible. */
static bool find_truth(struct noise *noise)
{
    double truths[TRUTHS], ratios[STATISTICS_MOST_PAIRS];
    struct pairs *pairs = &noise->pairs;
    size_t least =
        noise->verdicts < STATISTICS_MOST_PAIRS ? statistics_look(0) : STATISTICS_MOST_PAIRS;
    if (pairs_anchor(pairs, &pairs->seen.before_ns) != RULE_FAST)
        return finding_set(&pairs->finding, VERDICT_INCONCLUSIVE,
                           "another program is using the GPU already");
    for (int i = 0; i < TRUTHS; i++) {
        pairs->seen.bar = 1;
        if (pairs_measure(pairs, least) != RULE_FAST)
            return finding_set(&pairs->finding, VERDICT_INCONCLUSIVE,
                               "the true ratio cannot be measured here");
        for (size_t pair = 0; pair < pairs->seen.pairs; pair++)
            ratios[pair] = rule_log_ratio(&pairs->seen, pair);
        truths[i] = statistics_median(ratios, pairs->seen.pairs);
    }
    noise->true_ratio = exp(statistics_median(truths, TRUTHS));
    return true;
}

static void start_disturber(struct noise *noise, const char *program)
{
    const char *argv[] = {program, NULL};
    struct process_spec spec = {.argv = argv, .fds = {0, 1, 2}, .fd_count = 3};
    if (!*program)
        return;
    noise->disturber = process_start(&spec);
    nanosleep(&(struct timespec){.tv_nsec = DISTURBER_STARTS_NS}, NULL);
}

static bool start_all(struct noise *noise, struct lab *lab, struct link *reference,
                      const struct judge_case *problem, const json_t *asked)
{
    struct pairs *pairs = &noise->pairs;
    double block_us = json_number_value(json_object_get(asked, "block_us"));
    pairs->lab = lab;
    if (!lab_start(lab, reference, lab->reference, &pairs->finding) ||
        !pairs_open(pairs, lab, problem, reference, 1, STATISTICS_DELTA, block_us * 1e3) ||
        pairs_anchor(pairs, &pairs->seen.before_ns) == RULE_MORE)
        return false;
    return lab_start(lab, &lab->link, lab->submission, &pairs->finding) && pairs_meet(pairs);
}

static void measure_all(struct noise *noise, const json_t *asked, json_t *rows)
{
    size_t i, rows_left = json_array_size(json_object_get(asked, "of_bar"));
    json_t *of_bar, *row;
    const double ends_s = noise->ends_s;
    const char *disturber = json_string_value(json_object_get(asked, "disturber"));
    if (!find_truth(noise))
        return;
    start_disturber(noise, disturber ? disturber : "");
    json_array_foreach (json_object_get(asked, "of_bar"), i, of_bar) {
        noise->ends_s = now_s() + (ends_s - now_s()) / (double)rows_left--;
        if (!(row = measure_at(noise, json_number_value(of_bar))))
            break;
        json_array_append_new(rows, row);
    }
    if (noise->disturber > 0)
        process_end(noise->disturber);
}

json_t *noise_stage(struct lab *lab, const json_t *asked)
{
    struct judge_case cases[MOST_TIMED_CASES];
    struct noise *noise = calloc(1, sizeof *noise);
    struct link *reference = calloc(1, sizeof *reference);
    json_t *rows = json_array();
    size_t most = (size_t)json_integer_value(json_object_get(asked, "verdicts"));
    noise->verdicts = most < MOST_VERDICTS ? most : MOST_VERDICTS;
    noise->ends_s = now_s() + json_number_value(json_object_get(asked, "seconds"));
    turn_alone(&lab->turn);
    lab_look_at_memory(lab);
    if (judged_cases(lab, cases, MOST_TIMED_CASES) > 0 &&
        start_all(noise, lab, reference, &cases[0], asked))
        measure_all(noise, asked, rows);
    json_t *outcome = finding_json(&noise->pairs.finding);
    json_object_set_new(outcome, "rows", rows);
    if (noise->pairs.lab && noise->pairs.runners[0].link)
        pairs_close(&noise->pairs);
    link_stop(reference);
    turn_close(&lab->turn);
    free(reference);
    free(noise);
    return outcome;
}
