/* every_case.c - holds small cases to the bars that are for every case. */
#include "check/examine/every_case.h"

#include "check/examine/bars.h"

#include <stdio.h>

static const struct judge_bar *first_missed(const struct judge *judge,
                                            const struct judge_case *problem,
                                            const struct figures *figures)
{
    for (size_t i = 0; i < judge->bar_count; i++) {
        const struct judge_bar *bar = &judge->bars[i];
        if (bar->every_case && bars_applies(bar, problem) &&
            !bars_meets(bar, &figures->counter[bar->counter]))
            return bar;
    }
    return NULL;
}

void every_case_note(struct lab *lab, const struct judge_case *problem)
{
    const struct figures_reference unknown = {.known = false};
    struct simgpu_report *report = NULL;
    struct figures figures;
    if (lab->missed_bar || !lab->simgpu || lab->shared) /* shared: the runner itself allocates */
        return;
    if (lab->simgpu->report(&report) != SIMGPU_OK)
        return;
    bars_read(lab, problem, report, &unknown, &figures);
    lab->missed_bar = first_missed(lab->judge, problem, &figures);
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

bool every_case_holds(const struct lab *lab, struct finding *finding)
{
    if (!lab->missed_bar)
        return true;
    finding_set(finding, VERDICT_SLOW, "%s in the case %s", lab->missed_bar->message,
                lab->missed_in->name);
    snprintf(finding->advice, sizeof finding->advice,
             "the contract says so of every call, and not only of the timed one: %s",
             lab->missed_bar->look_at);
    return false;
}
