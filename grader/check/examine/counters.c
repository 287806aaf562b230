/* counters.c - the timed cases on the simulated device: counters against bars, and a modelled time.
 *
 * The reference is measured in them before any submission runs (reference.c).
 */
#include "check/examine/bars.h"
#include "check/examine/calls.h"
#include "check/examine/data.h"
#include "check/examine/facts.h"
#include "check/examine/host.h"
#include "check/examine/measure.h"
#include "check/examine/modelled.h"
#include "check/examine/nearby.h"
#include "check/examine/reference.h"
#include "check/examine/regimes.h"
#include "check/examine/stages.h"
#include "check/examine/time_line.h"
#include "lib/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The gate --------------------------------------------------------------------------------- */

static json_t *counters_json(const struct figure counter[JUDGE_COUNTERS])
{
    json_t *object = json_object();
    for (int i = 1; i < JUDGE_COUNTERS; i++)
        if (figure_is_number(&counter[i]))
            json_object_set_new(object, counter_name((enum judge_counter)i),
                                json_real(counter[i].value));
    return object;
}

/* The line to blame for the counter, or for the time when no bar was missed. */
static void name_line(const struct lab *lab, const struct measured *measured,
                      enum judge_counter counter, json_t *result)
{
    struct path file = path_of("%s.cu", strchr(lab->judge->lesson, '_') + 1);
    char text[256], time[256], gain[160];
    size_t count = 0;
    struct simgpu_line *lines = figures_lines(measured->report, file.text, &count);
    const struct simgpu_line *worst = figures_worst(lines, count, counter);
    if (worst) {
        struct figure own[JUDGE_COUNTERS];
        figures_of_line(worst, own);
        figures_say(lines, count, worst, counter, text, sizeof text);
        figures_say_time(measured->report, lines, count, worst, time, sizeof time);
        figures_say_gain(measured->report, worst, gain, sizeof gain);
        json_object_set_new(result, "worst_line",
                            json_pack("{s:s, s:i, s:s, s:s, s:s, s:o}", "file",
                                      path_base(worst->place.file), "line", (int)worst->place.line,
                                      "says", text, "time", time, "gain", gain, "counters",
                                      counters_json(own)));
        json_object_set_new(json_object_get(result, "worst_line"), "facts", facts_of_line(worst));
    }
    free(lines);
}

/* Blocks drawn for this check may cost this many times as much as those that every check counts:
 * blocks differ at edges, and in what the traced ones happen to share. */
static const double ELSEWHERE = 1.15;

/* Does another launch miss a bar that this one met? */
static bool misses_another(const struct lab *lab, const struct judge_case *problem,
                           const struct measured *this, const struct measured *other)
{
    for (size_t i = 0; i < lab->judge->bar_count; i++) {
        const struct judge_bar *bar = &lab->judge->bars[i];
        if (bars_applies(bar, problem) && bars_meets(bar, &this->figures.counter[bar->counter]) &&
            !bars_meets(bar, &other->figures.counter[bar->counter]))
            return true;
    }
    return false;
}

/* A kernel may tell its first call from its second, so both have the safety checks on. In a case
 * that computes much they take many seconds, since its blocks are long: there only drawn blocks get
 * them. */
static bool is_checked(const struct lab *lab, const struct timed *timed)
{
    return timed->sampled && !timed->all && (timed->draw || !measure_is_long(lab, timed->problem));
}

/* With the safety checks on, if the case is sampled. A race is not forgiven: other blocks may
 * depend on what one block has left. */
static bool measure_checked(struct lab *lab, struct timed *timed, bool what_if,
                            const struct figures_reference *reference, uint64_t budget,
                            struct measured *measured, struct finding *finding)
{
    timed->checked = is_checked(lab, timed);
    measure_options(lab, timed, what_if, budget);
    bool right =
        lab_ensure(lab, finding) && measure(lab, &lab->link, timed, reference, measured, finding);
    timed->checked = false;
    return right;
}

/* Run other blocks of a sampled case, which no submission can know in advance: they must be right
 * as well. Their cost counts if it is clearly higher, or misses another bar. */
static bool look_elsewhere(struct lab *lab, struct timed *timed,
                           const struct figures_reference *reference, uint64_t budget,
                           struct measured *measured, struct finding *finding)
{
    struct timed other = *timed;
    struct measured again = {.report = NULL};
    other.draw = data_seed(lab->seed, 3000) | 1;
    bool right = measure_checked(lab, &other, false, reference, budget, &again, finding);
    if (!right)
        memcpy(timed->unsampled, other.unsampled, sizeof timed->unsampled);
    bool costs_more =
        right && (again.figures.sums.modelled_ns > ELSEWHERE * measured->figures.sums.modelled_ns ||
                  misses_another(lab, timed->problem, measured, &again));
    measure_forget(lab, &again);
    if (!costs_more)
        return right;
    measure_forget(lab, measured);
    measure_options(lab, &other, true, budget);
    return measure(lab, &lab->link, &other, reference, measured, finding);
}

/* Two later calls: by then a launcher has created what it keeps. One that joins a stream of its own
 * makes a few streams and events; a changed limit makes a context wait for all its work and
 * allocate again. */
static bool host_makes_few(const struct simgpu_calls *calls, struct finding *finding)
{
    enum { MOST_MADE = 8 };
    uint64_t made = calls->stream_creations + calls->event_creations;
    if (made <= MOST_MADE && calls->limit_changes == 0)
        return true;
    if (calls->limit_changes)
        finding_set(finding, VERDICT_SLOW,
                    "the launcher changes a device limit in each call, which waits for all work on "
                    "the device");
    else
        finding_set(finding, VERDICT_SLOW,
                    "the launcher makes %llu streams and events in two "
                    "calls; at most %d",
                    (unsigned long long)made, MOST_MADE);
    snprintf(finding->advice, sizeof finding->advice,
             "create and set what every call needs only "
             "once");
    return false;
}

/* The runner shares its process with the submission, which may have made it call only once: if the
 * device has seen a launcher at work once, it was called once. */
static bool was_called_twice(const struct simgpu_calls *calls, double launches_of_one,
                             struct finding *finding)
{
    if ((double)calls->launches >= 2 * fmax(launches_of_one, 1))
        return true;
    finding_set(finding, VERDICT_IMPOSSIBLE,
                "two calls were made, and the device has not seen the work of two");
    snprintf(finding->advice, sizeof finding->advice,
             "kernels of a call must do that call's work, on the stream that it is given");
    return false;
}

/* Then a second call reads what the first one wrote. If only some blocks ran, only a part of that
 * is there, and the call does something else. */
static bool works_in_place(const struct lab *lab, const struct judge_case *problem)
{
    struct image image;
    image_layout(lab->judge, problem, IMAGE_ALIGNMENT, &image);
    return image_is_in_place(&image);
}

/* Two calls without a wait between them (every_case.h): the figure counts waits of the launcher
 * that one call did not show. */
static bool look_for_waits(struct lab *lab, struct timed *timed,
                           const struct figures_reference *reference, uint64_t budget,
                           struct measured *measured, struct finding *finding)
{
    struct timed two = *timed;
    struct measured again = {.report = NULL};
    struct figure *waits = &measured->figures.counter[JUDGE_SYNCHRONISATIONS];
    const struct judge_case *problem = timed->problem;
    if (lab->shared || problem->script || problem->processes > 1 || works_in_place(lab, problem))
        return true;
    two.two = true;
    measure_options(lab, &two, false, budget);
    bool done = measure(lab, &lab->link, &two, reference, &again, finding);
    const struct simgpu_calls calls = done ? again.report->calls : (struct simgpu_calls){0};
    double most = (double)calls.synchronisations;
    measure_forget(lab, &again);
    bool has_kernels = measured->report->calls.launches > 0; /* else a bar says so */
    if (done && has_kernels &&
        !was_called_twice(&calls, lab->judge->work(problem).launches, finding))
        return false;
    if (most > RUNNER_OWN_SYNCHRONISATIONS)
        *waits = figure_number(fmax(waits->value, most - RUNNER_OWN_SYNCHRONISATIONS));
    return done && host_makes_few(&calls, finding);
}

/* Later calls cannot be judged here, but what the bars refuse in the first call is still
 * refused. */
static bool is_slow_anyway(const struct lab *lab, const struct bars_call *call,
                           struct finding *finding)
{
    struct finding of_first = {.verdict = VERDICT_PASS};
    if (finding->verdict != VERDICT_NOT_SIMULATED)
        return false;
    json_t *list = json_array(), *remarks = json_array();
    bars_hold(lab->judge, call, list, remarks, &of_first);
    json_decref(list);
    json_decref(remarks);
    if (of_first.verdict != VERDICT_SLOW)
        return false;
    *finding = (struct finding){.verdict = VERDICT_PASS};
    return true;
}

/* What is said about the kernel of the call that was too slow in a regime, with the case. */
static void add_regime_kernel(const struct measured *slow, json_t *outcome)
{
    const json_t *regimes = json_object_get(outcome, "regimes");
    const json_t *last = json_array_get(regimes, json_array_size(regimes) - 1);
    json_t *kernel = facts_of_kernel(slow->report);
    json_object_set(kernel, "case", json_object_get(last, "case"));
    json_object_set_new(outcome, "regime_kernel", kernel);
}

/* Where a regime is too slow, the line to blame comes from its call. */
static void judge_regimes(struct lab *lab, const struct timed *timed, double speed,
                          const json_t *kept, json_t *outcome, struct finding *finding)
{
    struct measured slow = {.report = NULL};
    regimes_are_fast(lab, timed, speed, kept, outcome, &slow, finding);
    if (slow.report) {
        add_regime_kernel(&slow, outcome);
        name_line(lab, &slow, JUDGE_COUNTER_NONE, outcome);
    }
    measure_forget(lab, &slow);
}

/* Under this part of the bar it is the timed case that is slow, on any device: that is said of it,
 * and not what other calls take. */
static const double CLEARLY_SLOW = 0.5;

/* The submission is right and fast in the timed case, which takes time_ns. Is it also in cases that
 * were not named? */
static void judge_others(struct lab *lab, struct timed *timed, const json_t *kept,
                         const struct figures_reference *reference, uint64_t budget, double time_ns,
                         json_t *outcome, struct finding *finding)
{
    if (timed->sampled || !lab->judge->small_too)
        nearby_is_alike(lab, timed, reference, budget, time_ns, finding);
    bool is_turned = regimes_are_whole(lab) ? !timed->sampled : timed->sampled && !timed->all;
    double speed = reference->modelled_ns / time_ns;
    bool is_slow_here = speed < CLEARLY_SLOW * lab->judge->utilization_bar;
    if (finding->verdict == VERDICT_PASS && is_turned && !is_slow_here)
        judge_regimes(lab, timed, speed, kept, outcome, finding);
    if (finding->verdict == VERDICT_SLOW && finding->broken_rule == JUDGE_COUNTER_NONE)
        json_object_set_new(outcome, "in_another_case", json_true());
}

/* Judge one timed case; outcome gets what its launch showed. */
static void judge_case(struct lab *lab, struct timed *timed, const json_t *kept,
                       const struct figures_reference *reference, json_t *outcome,
                       struct finding *finding)
{
    struct measured measured = {.report = NULL};
    uint64_t budget = measure_patience(reference);
    lab_progress("counting");
    bool is_measured = measure_checked(lab, timed, true, reference, budget, &measured, finding);
    bool is_counted = is_measured && !lab->for_page &&
                      (!timed->sampled || timed->all ||
                       look_elsewhere(lab, timed, reference, budget, &measured, finding));
    const struct bars_call call = {timed->problem, &measured.figures, measured.report,
                                   reference->modelled_ns, timed->all};
    if (is_counted && (look_for_waits(lab, timed, reference, budget, &measured, finding) ||
                       is_slow_anyway(lab, &call, finding))) {
        json_t *list = json_array(), *remarks = json_array();
        struct bars_refused refused = bars_hold(lab->judge, &call, list, remarks, finding);
        json_object_set_new(outcome, "figures", list);
        json_object_set_new(outcome, "remarks", remarks);
        if (refused.counter != JUDGE_COUNTER_NONE)
            json_object_set_new(outcome, refused.is_rule ? "broken_rule" : "refused",
                                json_string(counter_name(refused.counter)));
        json_object_set_new(outcome, "all", counters_json(measured.figures.counter));
        if (measured.figures.sums.modelled_ns > 0) /* observed.h: where there is work */
            json_object_set_new(outcome, "modelled",
                                modelled_json(lab, timed->problem, &measured, reference));
        json_object_set_new(outcome, "kernel", facts_of_kernel(measured.report));
        json_object_set_new(outcome, "time_line", time_line_json(&measured.time_line));
        name_line(lab, &measured, refused.counter, outcome);
        bool is_own_time = !lab->judge->libraries && !lab->shared; /* shared: the runner copies */
        if (finding->verdict == VERDICT_PASS && is_own_time)
            host_is_quick(lab, timed, reference,
                          measured.report->calls.host_ns + measured.report->calls.host_function_ns,
                          finding);
        if (finding->verdict == VERDICT_PASS)
            judge_others(lab, timed, kept, reference, budget, measured.figures.sums.modelled_ns,
                         outcome, finding);
    }
    measure_forget(lab, &measured);
}

static json_t *count_case(struct lab *lab, struct timed *timed, const json_t *kept,
                          struct finding *finding)
{
    struct figures_reference reference;
    const char *name = timed->problem->name;
    json_t *outcome = json_pack("{s:s}", "case", name);
    if (reference_of(kept, timed, &reference, finding))
        judge_case(lab, timed, kept, &reference, outcome, finding);
    json_object_set_new(outcome, "verdict", json_string(verdict_name(finding->verdict)));
    return outcome;
}

struct gate {
    struct lab *lab;
    const json_t *kept;
    json_t *list;         /* outcomes of cases */
    struct finding first; /* of the first case that has one; shown is its number */
    size_t shown;
};

/* The record and the report say that this is a smaller case than a GPU's, and why. */
static void note_unsampled(json_t *outcome, const char *why)
{
    json_t *modelled = json_object_get(outcome, "modelled");
    if (modelled)
        json_object_set_new(modelled, "unsampled", json_string(why));
}

/* Its time is shown, and judged in a larger case. */
static void note_shown_only(json_t *outcome)
{
    json_t *modelled = json_object_get(outcome, "modelled");
    if (modelled)
        json_object_set_new(modelled, "shown_only", json_true());
}

/* Count a case, and add its outcome unless it cannot be sampled. unsampled: why a larger one could
 * not be sampled, or empty. False when nothing more may be launched. */
static bool add_case(struct gate *gate, struct timed *timed, const char *unsampled)
{
    struct finding finding = {.verdict = VERDICT_PASS};
    json_t *outcome = count_case(gate->lab, timed, gate->kept, &finding);
    if (timed->unsampled[0]) {
        json_decref(outcome);
        return true;
    }
    if (*unsampled)
        note_unsampled(outcome, unsampled);
    json_array_append_new(gate->list, outcome);
    if (gate->first.verdict == VERDICT_PASS && finding.verdict != VERDICT_PASS) {
        gate->first = finding;
        gate->shown = json_array_size(gate->list) - 1;
    }
    return finding.verdict == VERDICT_PASS || finding.verdict == VERDICT_SLOW;
}

/* Blocks that communicate (persistent blocks that share a counter, a sum by the last block) do not
 * represent others. So all of them run, if that takes only a few seconds. */
static bool add_all_blocks(struct gate *gate, const struct timed *some, bool *is_judged)
{
    struct timed all = {.problem = some->problem, .seed = some->seed, .sampled = true, .all = true};
    bool go_on = add_case(gate, &all, "");
    *is_judged = !all.unsampled[0];
    json_t *outcome = json_array_get(gate->list, json_array_size(gate->list) - 1);
    if (*is_judged && json_object_get(outcome, "modelled"))
        json_object_set_new(json_object_get(outcome, "modelled"), "whole",
                            json_string(some->unsampled));
    return go_on;
}

/* At the size of a GPU's case, if some blocks can represent all, or all can run; otherwise, or also
 * if the lesson wants both, at the smaller one. */
static bool add_launcher(struct gate *gate, const struct judge_case *small, uint64_t seed)
{
    struct judge_case cases[MOST_TIMED_CASES];
    struct timed whole = {.problem = small, .seed = seed};
    struct timed some = {
        .problem = measure_real_size(gate->lab, small, cases), .seed = seed, .sampled = true};
    bool small_too = gate->lab->judge->small_too;
    size_t first = json_array_size(gate->list);
    if (small_too && !add_case(gate, &whole, ""))
        return false;
    if (some.problem && !add_case(gate, &some, ""))
        return false;
    bool is_judged = some.problem && !some.unsampled[0];
    /* If blocks took too long, only a few would be timed, and late ones may be slower. */
    if (some.problem && !is_judged && !some.reference_is_whole && !some.too_long &&
        !add_all_blocks(gate, &some, &is_judged))
        return false;
    if (small_too && gate->lab->judge->small_is_shown && is_judged)
        note_shown_only(json_array_get(gate->list, first));
    if (small_too && some.unsampled[0] && !is_judged)
        note_unsampled(json_array_get(gate->list, json_array_size(gate->list) - 1), some.unsampled);
    if (some.problem && !is_judged && !some.reference_is_whole && !gate->lab->unjudged) {
        gate->lab->unjudged = some.problem;
        snprintf(gate->lab->why_unjudged, sizeof gate->lab->why_unjudged, "%s", some.unsampled);
    }
    if (is_judged || small_too)
        return true;
    size_t at = json_array_size(gate->list);
    bool go_on = add_case(gate, &whole, some.unsampled);
    if (go_on && some.reference_is_timed)
        modelled_at_real_size(gate->lab, gate->kept, &some, json_array_get(gate->list, at));
    return go_on;
}

/* The gate's finding is that of the first case that has one; "shown" says which case that is. */
json_t *counters_stage(struct lab *lab, const json_t *kept)
{
    struct judge_case cases[MOST_TIMED_CASES];
    struct gate gate = {
        .lab = lab, .kept = kept, .list = json_array(), .first = {.verdict = VERDICT_PASS}};
    size_t count = judged_cases(lab, cases, MOST_TIMED_CASES);
    if (count == 0)
        finding_set(&gate.first, VERDICT_INTERNAL, "the lesson has no timed case");
    for (size_t i = 0; i < count; i++)
        if (!add_launcher(&gate, &cases[i], data_seed(lab->seed, lab->judge->case_count + i)))
            break;
    json_t *said = json_object();
    if (gate.first.broken_rule != JUDGE_COUNTER_NONE)
        calls_say_broken(&gate.first, said); /* a small case that breaks it, too, says it better */
    else if (gate.first.verdict != VERDICT_PASS)
        json_object_set_new(said, "of_cases", json_true());
    else if (!lab->for_page)
        calls_hold(lab, said, &gate.first);
    if (lab->unjudged && gate.first.verdict == VERDICT_PASS)
        lab_say_unjudged(lab, &gate.first);
    json_t *result = finding_json(&gate.first);
    json_object_set_new(result, "cases", gate.list);
    json_object_set_new(result, "shown", json_integer((json_int_t)gate.shown));
    static const char *const OF_CASE[] = {"broken_rule", "in_another_case"};
    for (size_t i = 0; i < sizeof OF_CASE / sizeof *OF_CASE; i++) {
        json_t *of_case = json_object_get(json_array_get(gate.list, gate.shown), OF_CASE[i]);
        if (of_case)
            json_object_set(result, OF_CASE[i], of_case);
    }
    json_object_update_new(result, said);
    return result;
}
