/* bars.c - which bars are missed, and what fixing each miss would gain. */
#include "check/examine/bars.h"

#include "check/examine/stages.h"
#include "simgpu/machine/machine.h"

#include <math.h>
#include <stdio.h>

bool bars_is_rule(enum judge_counter counter)
{
    switch (counter) {
    case JUDGE_LAUNCHES:
    case JUDGE_DIRECT_LAUNCHES:
    case JUDGE_GRAPHS_MADE:
    case JUDGE_OBJECTS_MADE:
    case JUDGE_COPIES:
    case JUDGE_PAGEABLE_COPIES:
    case JUDGE_ALLOCATIONS:
    case JUDGE_SYNCHRONISATIONS:
    case JUDGE_QUERIES:
    case JUDGE_REPEATED_CHECKS:
    case JUDGE_HANDLES:
    case JUDGE_HANDED_BYTES: return true;
    default: return false;
    }
}

/* --- What mending gains ----------------------------------------------------------------------- */

/* The model's mend for a counter's miss; SIM_MENDS for none. Loads and stores are mended together:
 * if both are scattered, either one alone hides what the other costs. */
static enum sim_mend mend_of(enum judge_counter counter)
{
    switch (counter) {
    case JUDGE_LOAD_EFFICIENCY:
    case JUDGE_SECTORS_PER_LOAD:
    case JUDGE_STORE_EFFICIENCY:
    case JUDGE_SECTORS_PER_STORE: return SIM_MEND_SECTORS;
    case JUDGE_WAVEFRONT_RATIO: return SIM_MEND_WAVEFRONTS;
    case JUDGE_LANES_ON: return SIM_MEND_LANES;
    case JUDGE_LOCAL_REQUESTS: return SIM_MEND_SPILLS;
    default: return SIM_MENDS;
    }
}

/* What the kernel should use less of, if a figure is a ratio; SIMGPU_FEWER for none. */
static unsigned fewer_of(enum judge_counter counter)
{
    switch (counter) {
    case JUDGE_WARP_INSTRUCTIONS: return SIMGPU_FEWER_INSTRUCTIONS;
    case JUDGE_LOAD_BYTES_RATIO: return SIMGPU_FEWER_LOADED;
    case JUDGE_BYTES_RATIO:
    case JUDGE_ALL_BYTES_RATIO: return SIMGPU_FEWER_MOVED;
    default: return SIMGPU_FEWER;
    }
}

/* The model cannot mend these misses: they are judged by the time that the reference takes without
 * them. */
static bool is_by_reference(enum judge_counter counter)
{
    return counter == JUDGE_FP64_INSTRUCTIONS || counter == JUDGE_TENSOR_INSTRUCTIONS ||
           counter == JUDGE_LOCAL_REQUESTS;
}

double bars_gain(const struct bars_call *call, const struct judge_bar *bar, double value)
{
    double time_ns = call->figures->sums.modelled_ns, gain_ns = 0;
    enum sim_mend mend = mend_of(bar->counter);
    unsigned fewer = fewer_of(bar->counter);
    if (!(time_ns > 0))
        return 0;
    for (size_t i = 0; i < call->report->launch_count; i++) {
        const struct simgpu_launch *launch = &call->report->launches[i];
        if (mend != SIM_MENDS)
            gain_ns += launch->gain_ns[mend];
        if (fewer != SIMGPU_FEWER)
            gain_ns += simgpu_gain_at_share(launch->fewer_gain_ns[fewer], bar->at_most / value);
    }
    if (is_by_reference(bar->counter))
        gain_ns = fmax(gain_ns, time_ns - call->reference_ns);
    return fmin(1, fmax(0, gain_ns / time_ns));
}

void bars_read(const struct lab *lab, const struct judge_case *problem,
               const struct simgpu_report *report, const struct figures_reference *reference,
               double span_ns, struct figures *figures)
{
    struct judge_work work = lab->judge->work(problem);
    const struct figures_own own = {.synchronisations = RUNNER_OWN_SYNCHRONISATIONS,
                                    .copies = problem->own_copies + (lab->shared ? 2 : 0),
                                    .is_shared = lab->shared != NULL,
                                    .by_time_line = lab->judge->by_time_line,
                                    .span_ns = span_ns,
                                    .handed_bytes = problem->processes > 1
                                                        ? figure_number((double)lab->handed_bytes)
                                                        : figure_none("the case has one process")};
    figures_of(report, &work, &own, reference, figures);
}

/* --- Holding ---------------------------------------------------------------------------------- */

bool bars_applies(const struct judge_bar *bar, const struct judge_case *problem)
{
    return (bar->launchers == 0 || (bar->launchers >> problem->launcher & 1)) &&
           (!bar->when_prepared || (problem->prepares && !problem->tampers)) &&
           (!bar->when_tampered || problem->tampers);
}

struct judge_bar bars_of_calls(const struct judge_bar *bar, const struct judge_case *problem)
{
    struct judge_bar of_calls = *bar;
    if (bar->every_case && problem->calls) {
        of_calls.at_least *= problem->calls;
        of_calls.at_most *= problem->calls;
    }
    return of_calls;
}

unsigned bars_fewer(const struct judge *judge, const struct judge_case *problem)
{
    unsigned kinds = 0;
    for (size_t i = 0; i < judge->bar_count; i++) {
        unsigned fewer = fewer_of(judge->bars[i].counter);
        if (fewer != SIMGPU_FEWER && bars_applies(&judge->bars[i], problem))
            kinds |= 1u << fewer;
    }
    return kinds;
}

bool bars_meets(const struct judge_bar *bar, const struct figure *figure)
{
    if (!figure_is_number(figure))
        return figure->kind == FIGURE_NONE;
    return bar->at_least ? figure->value >= bar->at_least : figure->value <= bar->at_most;
}

static json_t *figure_json(const struct judge_bar *bar, const struct figure *value)
{
    json_t *figure =
        json_pack("{s:s, s:b}", "name", counter_name(bar->counter), "ok", bars_meets(bar, value));
    json_object_set_new(figure, "value",
                        figure_is_number(value) ? json_real(value->value) : json_null());
    if (!figure_is_number(value))
        json_object_set_new(figure, "why", json_string(value->why));
    json_object_set_new(figure, bar->at_least ? "at_least" : "at_most",
                        json_real(bar->at_least ? bar->at_least : bar->at_most));
    return figure;
}

/* The gain is in the call's own time, if nothing else becomes the limit. It is more than the
 * reference saves if the reference has another limit. */
static void add_remark(json_t *remarks, const struct judge_bar *bar, double gain, double behind)
{
    char text[256];
    if (gain < 0.005)
        snprintf(text, sizeof text, "%s; mending it would gain nothing (modelled)", bar->message);
    else if (behind < 0.005)
        snprintf(text, sizeof text,
                 "%s; mending it would gain up to %.0f %% of its time "
                 "(modelled), and the reference is no faster",
                 bar->message, 100 * gain);
    else if (gain > behind + 0.005)
        snprintf(text, sizeof text,
                 "%s; mending it would gain up to %.0f %% of its time "
                 "(modelled), and the reference takes %.0f %% less",
                 bar->message, 100 * gain, 100 * behind);
    else
        snprintf(text, sizeof text, "%s; mending it would gain %.0f %% of its time (modelled)",
                 bar->message, 100 * gain);
    json_array_append_new(remarks, json_string(text));
}

static void refuse(const struct judge_bar *bar, bool is_rule, struct bars_refused *refused,
                   struct finding *finding)
{
    if (refused->counter != JUDGE_COUNTER_NONE && (refused->is_rule || !is_rule))
        return;
    *refused = (struct bars_refused){bar->counter, is_rule};
    *finding = (struct finding){.verdict = VERDICT_PASS};
    finding_set(finding, VERDICT_SLOW, "%s", bar->message);
    snprintf(finding->advice, sizeof finding->advice, "%s", bar->look_at);
}

/* A bar without a figure: the call did not do what the lesson is about. */
static void refuse_unknown(const struct judge_bar *bar, const struct figure *value,
                           struct bars_refused *refused, struct finding *finding)
{
    if (refused->counter != JUDGE_COUNTER_NONE)
        return;
    refuse(bar, false, refused, finding);
    finding_set(finding, VERDICT_IMPOSSIBLE, "nothing is known about its %s: %s",
                counter_name(bar->counter), value->why);
}

static double least_gain(const struct judge *judge)
{
    return judge->least_gain > 0 ? judge->least_gain : JUDGE_LEAST_GAIN;
}

/* A bar that is missed. */
static void weigh(const struct bars_call *call, const struct judge_bar *bar, double least,
                  const struct figure *value, json_t *figure, json_t *remarks,
                  struct bars_refused *refused, struct finding *finding)
{
    bool is_rule = bars_is_rule(bar->counter), is_number = figure_is_number(value);
    double gain = is_rule || !is_number ? 0 : bars_gain(call, bar, value->value);
    double behind = 1 - call->reference_ns / call->figures->sums.modelled_ns;
    bool is_far = is_number && bar->far_above > 0 && value->value > bar->far_above;
    bool in_any_case = is_rule || !is_number || call->whole || is_far;
    bool refuses = in_any_case || (gain >= least && behind >= JUDGE_LEAST_BEHIND);
    json_object_set_new(figure, "refuses", json_boolean(refuses));
    if (!in_any_case) {
        json_object_set_new(figure, "gain", json_real(gain));
        json_object_set_new(figure, "least_gain", json_real(least));
    }
    if (!is_number)
        refuse_unknown(bar, value, refused, finding);
    else if (refuses)
        refuse(bar, is_rule, refused, finding);
    else
        add_remark(remarks, bar, gain, behind);
}

struct bars_refused bars_hold(const struct judge *judge, const struct bars_call *call,
                              json_t *figures, json_t *remarks, struct finding *finding)
{
    struct bars_refused refused = {JUDGE_COUNTER_NONE, false};
    for (size_t i = 0; i < judge->bar_count; i++) {
        const struct judge_bar of_calls = bars_of_calls(&judge->bars[i], call->problem);
        const struct judge_bar *bar = &of_calls;
        const struct figure *value = &call->figures->counter[bar->counter];
        if (!bars_applies(bar, call->problem))
            continue;
        json_t *figure = figure_json(bar, value);
        json_array_append_new(figures, figure);
        if (bars_is_rule(bar->counter))
            json_object_set_new(figure, "rule", json_true());
        if (!bars_meets(bar, value))
            weigh(call, bar, least_gain(judge), value, figure, remarks, &refused, finding);
    }
    return refused;
}
