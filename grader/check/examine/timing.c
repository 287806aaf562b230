/* timing.c - is it fast enough on this GPU? Pairs of blocks, submission and reference in turn.
 *
 *     anchor          the reference alone, before the submission's process exists
 *     pairs           until the rule has an answer (rule.h), at most three times
 *     endurance       if it is fast: many more launches, and then results that are right
 *     anchor          the reference alone again, when the submission's process is gone
 *
 * In-process events repeat to a tenth of a percent and give the number; they are claims of an
 * untrusted process, which is why the grader's clock has to confirm them. The anchors show whether
 * the reference was slowed down while the submission was there.
 *
 * A case without work, like an empty kernel, is only a launch: its time is shown, but not judged.
 *
 * INCONCLUSIVE costs no points, so a submission must not be able to cause it. But work that it
 * leaves on the device looks like another program's. Trials tell the two apart (is_its_own_work):
 * with its processes gone, and with new ones, several times.
 */
#include "check/examine/pairs.h"
#include "check/examine/stages.h"
#include "lib/process.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
    TRIES = 3,        /* of a measurement that has no answer */
    ACCUSATIONS = 2,  /* of those, before events are called forged */
    TRIALS = 4,       /* of whose work it is */
    TRIAL_LOOKS = 12, /* at the device, in one of these */
};

#define LOOK_APART_NS 5e6 /* at most, between two looks: drawn */
#define REST_NS 200000000 /* before another try: the disturbance may end */

struct timing {
    struct pairs pairs;
    bool judged, complete;
    int tries, forged; /* and in how many the clock disagreed */
};

/* --- Whose work is it? ------------------------------------------------------------------------ */

/* In how many of several looks at the device, at drawn times, was it empty? */
static int clear_looks(const struct timing *timing)
{
    int clear = 0;
    for (int i = 0; i < TRIAL_LOOKS; i++) {
        uint64_t draw = (uint64_t)process_now_ns() * UINT64_C(0x9E3779B97F4A7C15) >> 40;
        double wait_ns = LOOK_APART_NS * (double)draw * 0x1p-24;
        nanosleep(&(struct timespec){.tv_nsec = (long)wait_ns}, NULL);
        clear += timed_window_is_clear(&timing->pairs.patience);
    }
    return clear;
}

/* The device was never empty while the submission's processes were stopped. Is it busy each time
 * they exist, and empty each time they are gone? Leaves them gone. */
static bool is_its_own_work(struct timing *timing)
{
    struct lab *lab = timing->pairs.lab;
    struct finding ignored = {.verdict = VERDICT_PASS};
    for (int trial = 0; trial < TRIALS; trial++) {
        pairs_dismiss(&timing->pairs);
        if (clear_looks(timing) < TRIAL_LOOKS)
            return false;
        if (trial + 1 == TRIALS)
            break;
        if (!lab_start(lab, &lab->link, lab->submission, &ignored) || !pairs_meet(&timing->pairs))
            return false;
        if (clear_looks(timing) > 0)
            return false;
    }
    return true;
}

/* --- The answer ------------------------------------------------------------------------------- */

static void say_busy(struct timing *timing)
{
    struct finding *finding = &timing->pairs.finding;
    if (timing->pairs.lab->link.pid && is_its_own_work(timing)) {
        finding_set(finding, VERDICT_TIMER_MISMATCH,
                    "the device continues to work after its calls have ended");
        return;
    }
    finding_set(finding, VERDICT_INCONCLUSIVE, "another program was using the GPU all the time");
    snprintf(finding->advice, sizeof finding->advice,
             "find it (nvidia-smi lists programs), end it or wait for it, and check again");
}

static void say_forged(struct timing *timing)
{
    const struct rule_seen *seen = &timing->pairs.seen;
    double off_by, claimed[STATISTICS_MOST_PAIRS];
    for (size_t i = 0; i < seen->pairs; i++)
        claimed[i] = seen->submission.event_ns[i];
    finding_set(&timing->pairs.finding, VERDICT_TIMER_MISMATCH,
                "its own events say %.1f us a launch, the grader's clock %.1f us",
                statistics_median(claimed, seen->pairs) * 1e-3,
                rule_clock_ns(seen, &off_by) * 1e-3);
}

static double median_log_ratio(const struct rule_seen *seen)
{
    double ratios[STATISTICS_MOST_PAIRS];
    for (size_t i = 0; i < seen->pairs; i++)
        ratios[i] = rule_log_ratio(seen, i);
    return statistics_median(ratios, seen->pairs);
}

static void say(struct timing *timing, enum rule_answer answer)
{
    struct finding *finding = &timing->pairs.finding;
    const struct rule_seen *seen = &timing->pairs.seen;
    double off_by, ratio = exp(median_log_ratio(seen));
    switch (answer) {
    case RULE_MORE: /* something ended it, and said so */
    case RULE_FAST: break;
    case RULE_SLOW:
        finding_set(finding, VERDICT_SLOW, "it reaches %.1f %% of the reference's speed",
                    100 * ratio);
        break;
    case RULE_SLOWED:
        finding_set(finding, VERDICT_SLOW,
                    "it reaches %.1f %% of the reference's speed next to "
                    "it, but next to it the reference is slower than alone",
                    100 * ratio);
        break;
    case RULE_BUSY: say_busy(timing); break;
    case RULE_FORGED: say_forged(timing); break;
    case RULE_NOISY:
        finding_set(finding, VERDICT_INCONCLUSIVE,
                    "the reference's own times spread by %.1f %%: other programs, or clocks that "
                    "change",
                    100 * rule_noise(seen));
        snprintf(finding->advice, sizeof finding->advice,
                 "end what else uses the GPU, or let it cool down, and check again");
        break;
    case RULE_UNCONFIRMED:
        rule_clock_ns(seen, &off_by);
        finding_set(finding, VERDICT_INCONCLUSIVE,
                    "the grader's clock may be off by %.1f us a launch, which confirms nothing",
                    off_by * 1e-3);
        snprintf(finding->advice, sizeof finding->advice,
                 "processes wake up late here: end what else uses the processor, and check again");
        break;
    }
}

/* --- One case --------------------------------------------------------------------------------- */

/* Another measurement may give an answer where this one gave none. */
static bool worth_another_try(enum rule_answer answer)
{
    return answer == RULE_NOISY || answer == RULE_SLOWED || answer == RULE_FORGED ||
           answer == RULE_UNCONFIRMED;
}

/* The submission's process from its start to its end. */
static enum rule_answer meet_and_measure(struct timing *timing)
{
    struct pairs *pairs = &timing->pairs;
    struct lab *lab = pairs->lab;
    if (!lab_start(lab, &lab->link, lab->submission, &pairs->finding) || !pairs_meet(pairs) ||
        !pairs_keep_rules(pairs))
        return RULE_MORE;
    enum rule_answer answer = pairs_measure(pairs, timing->judged ? 0 : statistics_look(0));
    if (answer == RULE_MORE || (timing->judged && answer == RULE_BUSY))
        return answer;
    if (answer == RULE_FAST && !pairs_endure(pairs))
        return RULE_MORE;
    pairs_dismiss(&timing->pairs);
    enum rule_answer anchor = pairs_anchor(pairs, &pairs->seen.after_ns);
    if (anchor != RULE_FAST)
        return anchor;
    timing->complete = true;
    return answer == RULE_FAST && timing->judged ? rule_weigh(&pairs->seen) : answer;
}

static void run(struct timing *timing)
{
    struct pairs *pairs = &timing->pairs;
    enum rule_answer answer = pairs_anchor(pairs, &pairs->seen.before_ns);
    for (timing->tries = 0; answer == RULE_FAST;) {
        answer = meet_and_measure(timing);
        timing->forged += answer == RULE_FORGED;
        if (++timing->tries == TRIES || !worth_another_try(answer))
            break;
        if (answer == RULE_UNCONFIRMED)
            pairs_lengthen(pairs);
        nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
        answer = pairs_anchor(pairs, &pairs->seen.before_ns);
    }
    if (answer == RULE_FORGED && timing->forged < ACCUSATIONS)
        answer = RULE_UNCONFIRMED;
    timing->complete |= answer != RULE_MORE;
    if (timing->judged || answer == RULE_BUSY)
        say(timing, answer);
}

static void set_real(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

static json_t *timing_json(struct timing *timing, const struct judge_case *problem)
{
    const struct judge *judge = timing->pairs.lab->judge;
    const struct rule_seen *seen = &timing->pairs.seen;
    struct judge_work work = judge->work(problem);
    double times[STATISTICS_MOST_PAIRS], ratios[STATISTICS_MOST_PAIRS], low, high, off_by;
    json_t *json =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i}", "case", problem->name, "launcher",
                  judge->launchers[problem->launcher], "pairs", (int)seen->pairs, "left_out",
                  (int)seen->left_out, "tries", timing->tries, "sets",
                  (int)timing->pairs.sets.count, "launches", (int)seen->reference.launches);
    for (size_t i = 0; i < seen->pairs; i++) {
        times[i] = seen->submission.event_ns[i];
        ratios[i] = rule_log_ratio(seen, i);
    }
    set_real(json, "time_ns", statistics_median(times, seen->pairs));
    for (size_t i = 0; i < seen->pairs; i++)
        times[i] = seen->reference.event_ns[i];
    set_real(json, "reference_ns", statistics_median(times, seen->pairs));
    set_real(json, "spread", statistics_spread(ratios, seen->pairs));
    statistics_interval(ratios, seen->pairs, &low, &high);
    set_real(json, "ratio", exp(statistics_median(ratios, seen->pairs)));
    set_real(json, "low", exp(low));
    set_real(json, "high", exp(high));
    set_real(json, "noise", rule_noise(seen));
    set_real(json, "bar", seen->bar);
    set_real(json, "delta", seen->delta);
    set_real(json, "anchor_before_ns", seen->before_ns);
    set_real(json, "anchor_after_ns", seen->after_ns);
    set_real(json, "clock_ns", rule_clock_ns(seen, &off_by));
    set_real(json, "clock_off_by_ns", off_by);
    set_real(json, "bytes", work.bytes);
    set_real(json, "flop", work.flop);
    set_real(json, "tensor_flop", work.tensor_flop);
    return json;
}

/* One timed case from the anchor to the verdict. The reference's runner stays for the next one. */
static json_t *time_case(struct lab *lab, const struct judge_case *problem, struct link *reference,
                         struct finding *finding)
{
    struct timing *timing = calloc(1, sizeof *timing);
    struct pairs *pairs = &timing->pairs;
    int64_t start_ns = process_now_ns();
    timing->judged = judge_has_work(lab->judge->work(problem));
    if (pairs_open(pairs, lab, problem, reference,
                   lab->bar > 0 ? lab->bar : lab->judge->utilization_bar,
                   fmax(lab->delta, STATISTICS_DELTA), 0))
        run(timing);
    if (!timing->complete && pairs->finding.verdict == VERDICT_PASS)
        finding_set(&pairs->finding, VERDICT_DEVICE, "the device stopped answering");
    *finding = pairs->finding;
    json_t *outcome = finding_json(finding);
    json_t *measured = pairs->seen.pairs ? timing_json(timing, problem) : NULL;
    if (measured)
        json_object_update(outcome, measured);
    json_decref(measured);
    pairs_close(pairs);
    json_object_set_new(outcome, "seconds",
                        json_real((double)(process_now_ns() - start_ns) * 1e-9));
    free(timing);
    return outcome;
}

json_t *timing_stage(struct lab *lab)
{
    struct judge_case cases[MOST_TIMED_CASES];
    struct finding finding = {.verdict = VERDICT_PASS};
    struct link *reference = calloc(1, sizeof *reference);
    lab_stop(lab, &lab->link); /* the numerics' runner: times start with a fresh process */
    lab_start(lab, reference, lab->reference, &finding); /* again, with its error, if it fails */
    turn_alone(&lab->turn);
    lab_look_at_memory(lab);
    size_t count = judged_cases(lab, cases, MOST_TIMED_CASES);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, time_case(lab, &cases[i], reference, &finding));
        if (finding.verdict != VERDICT_PASS && finding.verdict != VERDICT_SLOW)
            break;
    }
    turn_close(&lab->turn); /* only clearing up is left */
    link_stop(reference);
    free(reference);
    return json_pack("{s:o}", "cases", list);
}
