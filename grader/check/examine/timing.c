/* timing.c - is it fast enough on this GPU? Pairs of blocks, submission and reference in turn.
 *
 *     anchor          the reference alone, before the submission's process exists
 *     pairs           ABBA order, until the sign test has an answer (statistics.h)
 *     confirmation    blocks of two lengths by the grader's own clock: the slope between them is
 *                     time a launch, and has to agree with the events in the submission's process
 *     anchor          the reference alone again, when the submission's process is gone
 *
 * In-process events repeat to a tenth of a percent and give the number; they are claims of an
 * untrusted process, which is why the clock has to confirm them. The anchors show whether the
 * reference was slowed down while the submission was there.
 *
 * A case without work, like an empty kernel, is nothing but a launch: its time is shown, and
 * nothing is judged by it.
 *
 * What is hopelessly slow is told quickly: its blocks are shorter, a few pairs will do, and nobody
 * claims to be slower than he is, so no clock has to confirm it.
 */
#include "check/examine/data.h"
#include "check/examine/sets.h"
#include "check/examine/stages.h"
#include "check/examine/statistics.h"
#include "check/process.h"

#include <math.h>
#include <stdlib.h>

enum {
    WARM_UPS = 3,
    ANCHOR_BLOCKS = 6,
    CONFIRMATIONS = 7,
    FEW_CONFIRMATIONS = 3,     /* do for long blocks, of which a clock tells more */
    LONG_BLOCK = 4,            /* times as long as a plain one, for the slope */
    MOST_PASSES = 64,          /* over the sets, in one block */
    LEAST_SETS = 2,
    PATIENCE = 4,              /* a submission's block may take so many times the reference's */
};

#define BLOCK_NS 2e6           /* shorter blocks go through the sets again */
#define LONG_BLOCK_NS 4e6      /* longer ones do with fewer sets */
#define TIMER_TOLERANCE 0.25   /* of the slope; its own noise is 2 to 5 % */
#define ANCHOR_TOLERANCE 0.02

struct timing {
    struct lab *lab;
    struct sets sets;
    struct link *reference;
    uint32_t launches;         /* of a block of the reference */
    uint32_t own_launches;     /* of the submission: as many, or fewer when it is very slow */
    struct finding finding;
    double log_ratio[STATISTICS_MOST_PAIRS];
    double submission_ns[STATISTICS_MOST_PAIRS], reference_ns[STATISTICS_MOST_PAIRS];
    size_t pairs, good;
    bool judged, complete;
    double before_ns, after_ns, clock_ns, events_ns;
};

/* One block. The time a launch by events, and the whole block by our clock (may be NULL). */
static bool block(struct timing *timing, struct link *link, uint32_t launches, double *event_ns,
                  double *wall_ns)
{
    struct runner_command command;
    struct runner_answer answer;
    sets_command(&timing->sets, launches, &command);
    if (!sets_poison(timing->lab, &timing->sets))
        return finding_set(&timing->finding, VERDICT_DEVICE, "the device does not take a copy");
    int64_t start = process_now_ns();
    if (!lab_launch(timing->lab, link, &command, &answer, &timing->finding)) {
        if (link == timing->reference) /* not the learner's fault, unless they meddled with it */
            timing->finding.verdict = VERDICT_INCONCLUSIVE;
        return false;
    }
    if (wall_ns)
        *wall_ns = (double)(process_now_ns() - start);
    *event_ns = (double)answer.milliseconds * 1e6 / launches;
    return true;
}

/* Median time a launch of the reference, while nothing else runs. */
static bool anchor(struct timing *timing, double *median_ns)
{
    double times[ANCHOR_BLOCKS];
    for (size_t i = 0; i < ANCHOR_BLOCKS; i++)
        if (!sets_refresh(timing->lab, &timing->sets) ||
            !block(timing, timing->reference, timing->launches, &times[i], NULL))
            return false;
    *median_ns = statistics_median(times, ANCHOR_BLOCKS);
    return true;
}

/* Start a runner unless it is there, show it the sets, and let it run: twice (the first launch also
 * loads the kernel), then each of the sets WARM_UPS times unless that takes long. */
static bool warm_up(struct timing *timing, struct link *link, const char *submission,
                    double *event_ns)
{
    double most = WARM_UPS * (double)timing->sets.count;
    if (!link->pid && !lab_start(timing->lab, link, submission, &timing->finding))
        return false;
    sets_show(&timing->sets, link);
    if (!sets_refresh(timing->lab, &timing->sets) || !block(timing, link, 1, event_ns, NULL) ||
        !block(timing, link, 1, event_ns, NULL))
        return false;
    double launches = fmin(most, PATIENCE * LONG_BLOCK_NS / fmax(*event_ns, 1));
    return launches < 2 || block(timing, link, (uint32_t)launches, event_ns, NULL);
}

/* From the reference's time: so many sets that a block is not too long, and so many passes over
 * them that it is not too short. A launch that is long enough is a block by itself. */
static void size_block(struct timing *timing, double launch_ns)
{
    struct sets *sets = &timing->sets;
    double wanted = fmax(ceil(LONG_BLOCK_NS / fmax(launch_ns, 1)), LEAST_SETS);
    if (wanted < (double)sets->count)
        sets->count = (size_t)wanted;
    double passes = ceil(BLOCK_NS / fmax(launch_ns, 1) / (double)sets->count);
    timing->launches =
        launch_ns >= LONG_BLOCK_NS
            ? 1
            : (uint32_t)(fmin(fmax(passes, 1), MOST_PASSES) * (double)sets->count);
}

static void size_own_block(struct timing *timing, double reference_ns, double launch_ns)
{
    double most = PATIENCE * reference_ns / fmax(launch_ns, 1) * timing->launches;
    timing->own_launches = (uint32_t)fmax(fmin(timing->launches, most), 1);
}

/* One pair; which comes first alternates. verified: keep both results and compare. */
static bool pair(struct timing *timing, bool verified)
{
    struct lab *lab = timing->lab;
    size_t p = timing->pairs, used = timing->sets.count;
    if (used > timing->own_launches)
        used = timing->own_launches;
    size_t set = data_word(lab->seed, p) % used;
    bool reference_first = (p + 1) / 2 % 2 == 0; /* A B, B A, B A, A B, ... */
    if (!sets_refresh(lab, &timing->sets))
        return false;
    for (int turn = 0; turn < 2; turn++) {
        bool is_reference = (turn == 0) == reference_first;
        struct link *link = is_reference ? timing->reference : &lab->link;
        double *time_ns = is_reference ? timing->reference_ns : timing->submission_ns;
        uint32_t launches = is_reference ? timing->launches : timing->own_launches;
        if (!block(timing, link, launches, &time_ns[p], NULL) ||
            (verified && !sets_keep(lab, &timing->sets, set, is_reference)))
            return false;
    }
    timing->log_ratio[p] = log(timing->reference_ns[p] / timing->submission_ns[p]);
    timing->good += timing->log_ratio[p] >= statistics_test_point(lab->judge->utilization_bar);
    timing->pairs++;
    return !verified || sets_verify(&timing->sets, &timing->finding);
}

/* Pairs until the rule has an answer, or the first look if none is asked. The first and the last
 * before each look are verified, and one in four between them, drawn after the fact. */
static enum statistics_answer measure_pairs(struct timing *timing)
{
    for (size_t look = 0; look < STATISTICS_LOOKS; look++) {
        size_t pairs = statistics_look(look);
        while (timing->pairs < pairs) {
            size_t p = timing->pairs;
            bool verified = p == 0 || p + 1 == pairs ||
                            data_word(data_seed(timing->lab->seed, pairs), p) % 4 == 0;
            lab_progress("timing, pair %zu", p + 1);
            if (!pair(timing, verified))
                return STATISTICS_MORE;
            if (statistics_hopeless(timing->log_ratio, timing->pairs,
                                    timing->lab->judge->utilization_bar))
                return STATISTICS_SLOW;
        }
        enum statistics_answer answer = statistics_decide(pairs, timing->good);
        if (!timing->judged)
            return STATISTICS_FAST;
        if (answer != STATISTICS_MORE)
            return answer;
    }
    return STATISTICS_MORE;
}

/* What our clock says of the submission: the slope between short and long blocks. */
static bool confirm(struct timing *timing)
{
    double slope[CONFIRMATIONS], events[CONFIRMATIONS], ignored, short_ns, long_ns;
    uint32_t few = timing->own_launches, more = few * LONG_BLOCK;
    size_t times = few > 1 ? CONFIRMATIONS : FEW_CONFIRMATIONS;
    for (size_t i = 0; i < times; i++) {
        if (!sets_refresh(timing->lab, &timing->sets) ||
            !block(timing, &timing->lab->link, few, &ignored, &short_ns) ||
            !block(timing, &timing->lab->link, more, &events[i], &long_ns))
            return false;
        slope[i] = (long_ns - short_ns) / (more - few);
    }
    timing->clock_ns = statistics_median(slope, times);
    timing->events_ns = statistics_median(events, times);
    return true;
}

/* Everything that has to hold before a verdict on speed is sound. */
static void weigh(struct timing *timing, enum statistics_answer answer)
{
    struct finding *finding = &timing->finding;
    bool hopeless = statistics_hopeless(timing->log_ratio, timing->pairs,
                                        timing->lab->judge->utilization_bar);
    double anchors = (timing->before_ns + timing->after_ns) / 2;
    double reference = statistics_median(timing->reference_ns, timing->pairs);
    double spread = statistics_spread(timing->log_ratio, timing->pairs);
    double drift = fabs(reference / anchors - 1);
    double median = statistics_median(timing->log_ratio, timing->pairs);
    double distance = median - statistics_test_point(timing->lab->judge->utilization_bar);
    if (answer == STATISTICS_FAST &&
        timing->events_ns < timing->clock_ns * (1 - TIMER_TOLERANCE))
        finding_set(finding, VERDICT_TIMER_MISMATCH,
                    "its own events say %.1f us a launch, the grader's clock %.1f us",
                    timing->events_ns * 1e-3, timing->clock_ns * 1e-3);
    else if (!hopeless && !statistics_quiet(spread, distance))
        finding_set(finding, VERDICT_INCONCLUSIVE,
                    "pairs of times spread by %.1f %%: is something else using the GPU?",
                    100 * spread);
    else if (!hopeless && drift > fmax(ANCHOR_TOLERANCE, 4 * spread))
        finding_set(finding, VERDICT_INCONCLUSIVE,
                    "the reference took %.1f us in pairs but %.1f us alone: clocks or other "
                    "programs changed its speed",
                    reference * 1e-3, anchors * 1e-3);
    else if (answer == STATISTICS_SLOW)
        finding_set(finding, VERDICT_SLOW, "it reaches %.1f %% of the reference's speed",
                    100 * exp(median));
}

static void run(struct timing *timing)
{
    struct lab *lab = timing->lab;
    double reference_ns, launch_ns;
    if (!warm_up(timing, timing->reference, lab->reference, &reference_ns))
        return;
    size_block(timing, reference_ns);
    if (!anchor(timing, &timing->before_ns))
        return;
    if (!warm_up(timing, &lab->link, lab->submission, &launch_ns))
        return;
    size_own_block(timing, reference_ns, launch_ns);
    enum statistics_answer answer = measure_pairs(timing);
    bool confirmed = answer != STATISTICS_FAST || !timing->judged;
    if (answer == STATISTICS_MORE || (!confirmed && !confirm(timing)))
        return;
    lab_stop(lab, &lab->link);
    timing->complete = anchor(timing, &timing->after_ns);
    if (timing->complete && timing->judged)
        weigh(timing, answer);
}

static json_t *timing_json(struct timing *timing, const struct judge_case *problem)
{
    struct judge_work work = timing->lab->judge->work(problem);
    double low, high;
    size_t pairs = timing->pairs;
    statistics_interval(timing->log_ratio, pairs, &low, &high);
    double spread = statistics_spread(timing->log_ratio, pairs);
    return json_pack(
        "{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:i, s:f, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f}",
        "case", problem->name, "launcher",
        timing->lab->judge->launchers[problem->launcher], "time_ns",
        statistics_median(timing->submission_ns, pairs), "reference_ns",
        statistics_median(timing->reference_ns, pairs), "ratio",
        exp(statistics_median(timing->log_ratio, pairs)), "low", exp(low), "high", exp(high),
        "pairs", (int)pairs, "spread", spread, "sets", (int)timing->sets.count, "launches",
        (int)timing->launches, "anchor_before_ns", timing->before_ns, "anchor_after_ns",
        timing->after_ns, "clock_ns", timing->clock_ns, "bytes", work.bytes, "flop", work.flop,
        "tensor_flop", work.tensor_flop);
}

/* One timed case from the anchor to the verdict. The reference's runner stays for the next one. */
static json_t *time_case(struct lab *lab, const struct judge_case *problem,
                         struct link *reference, struct finding *finding)
{
    struct timing *timing = calloc(1, sizeof *timing);
    struct finding ignored;
    timing->lab = lab;
    timing->reference = reference;
    timing->judged = judge_has_work(lab->judge->work(problem));
    if (sets_open(lab, problem, RUNNER_MOST_SETS, &timing->sets, &timing->finding))
        run(timing);
    if (!timing->complete && timing->finding.verdict == VERDICT_PASS)
        finding_set(&timing->finding, VERDICT_DEVICE, "the device stopped answering");
    sets_hide(reference);
    if (reference->pid) /* memory is freed after it has been forgotten */
        lab_settle(lab, reference, &ignored);
    lab_stop(lab, &lab->link);
    *finding = timing->finding;
    json_t *outcome = finding_json(finding);
    json_t *measured = timing->pairs ? timing_json(timing, problem) : NULL;
    if (measured)
        json_object_update(outcome, measured);
    json_decref(measured);
    sets_close(lab, &timing->sets);
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
    turn_close(&lab->turn); /* what is left is to clear up */
    link_stop(reference);
    free(reference);
    return json_pack("{s:o}", "cases", list);
}
