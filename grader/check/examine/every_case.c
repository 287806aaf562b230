/* every_case.c - tests small cases against the bars that apply to every case. */
#include "check/examine/every_case.h"

#include "check/examine/bars.h"

#include <stdio.h>

static const struct judge_bar *first_missed(const struct lab *lab, const struct judge_case *problem,
                                            const struct simgpu_report *report)
{
    const struct figures_reference unknown = {.known = false};
    const struct judge *judge = lab->judge;
    struct figures figures;
    bars_read(lab, problem, report, &unknown, 0, &figures);
    for (size_t i = 0; i < judge->bar_count; i++) {
        const struct judge_bar *bar = &judge->bars[i];
        const struct judge_bar of_calls = bars_of_calls(bar, problem);
        if ((bar->every_case || bar->when_prepared || bar->when_tampered) &&
            bars_applies(bar, problem) && !bars_meets(&of_calls, &figures.counter[bar->counter]))
            return bar;
    }
    return NULL;
}

void every_case_note(struct lab *lab, const struct judge_case *problem)
{
    struct simgpu_report *report = NULL;
    if (lab->missed_bar || !lab->simgpu || lab->shared) /* shared: the runner itself allocates */
        return;
    if (lab->simgpu->report(&report) != SIMGPU_OK)
        return;
    lab->missed_bar = first_missed(lab, problem, report);
    lab->missed_in = lab->missed_bar ? problem : NULL;
    lab->simgpu->report_free(report);
}

void every_case_note_two(struct lab *lab, const struct judge_case *problem)
{
    struct simgpu_report *report = NULL;
    if (lab->missed_bar || lab->simgpu->report(&report) != SIMGPU_OK)
        return;
    for (size_t i = 0; i < lab->judge->bar_count && !lab->missed_bar; i++) {
        const struct judge_bar *bar = &lab->judge->bars[i];
        if (bar->counter == JUDGE_SYNCHRONISATIONS && bar->every_case &&
            bars_applies(bar, problem) &&
            report->calls.synchronisations > RUNNER_OWN_SYNCHRONISATIONS)
            lab->missed_bar = bar;
    }
    lab->missed_in = lab->missed_bar ? problem : NULL;
    lab->simgpu->report_free(report);
}

static bool say_missed(const struct judge_bar *bar, const struct judge_case *problem,
                       struct finding *finding)
{
    finding_set(finding, VERDICT_SLOW, "%s in the case %s", bar->message, problem->name);
    snprintf(finding->advice, sizeof finding->advice,
             "this rule of the contract holds for every call, not only for the timed one: %s",
             bar->look_at);
    finding->broken_rule = bar->counter;
    snprintf(finding->broken_in, sizeof finding->broken_in, "%s", problem->name);
    return false;
}

bool every_case_holds(const struct lab *lab, struct finding *finding)
{
    return !lab->missed_bar || say_missed(lab->missed_bar, lab->missed_in, finding);
}

bool every_case_holds_in(const struct lab *lab, const struct judge_case *problem,
                         const struct simgpu_report *report, struct finding *finding)
{
    const struct judge_bar *missed = lab->shared ? NULL : first_missed(lab, problem, report);
    return !missed || say_missed(missed, problem, finding);
}
