/* bars.h - holds the counters of a timed case to the judge's bars, by what they cost.
 *
 * A bar on a call of the host (launches, copies, allocations, waits, handles, queries) is a rule of
 * the contract: a figure past it refuses. Any other bar is evidence of time lost. It refuses where
 * mending it would gain JUDGE_LEAST_GAIN of the case's modelled time, unless the call is as fast as
 * the reference all the same; otherwise the miss is a remark. All of that comes from the simulated
 * device, so a GPU's check decides the same.
 */
#ifndef EXAMINE_BARS_H
#define EXAMINE_BARS_H

#include "check/examine/figures.h"
#include "check/examine/lab.h"

/* One call in a timed case. */
struct bars_call {
    const struct judge_case *problem;
    const struct figures *figures;
    const struct simgpu_report *report;
    double reference_ns;               /* the reference's modelled time in the same case */
};

/* What the first bar that refuses is about; counter is JUDGE_COUNTER_NONE when none does. */
struct bars_refused {
    enum judge_counter counter;
    bool is_rule;
};

bool bars_applies(const struct judge_bar *bar, const struct judge_case *problem);
/* What simgpu_options.fewer must ask for, so that the bars of the case know what mending gains. */
unsigned bars_fewer(const struct judge *judge, const struct judge_case *problem);
/* What was not observed meets none; what there was nothing of, any. */
bool bars_meets(const struct judge_bar *bar, const struct figure *figure);

/* The figures of a launch of the case, without what the runner itself did. */
void bars_read(const struct lab *lab, const struct judge_case *problem,
               const struct simgpu_report *report, const struct figures_reference *reference,
               struct figures *figures);

/* Is a bar on it a rule of the contract? */
bool bars_is_rule(enum judge_counter counter);

/* The part of the call's modelled time that mending the miss of a bar would gain, where value is
 * the counter's; 0 for nothing. */
double bars_gain(const struct bars_call *call, const struct judge_bar *bar, double value);

/* Adds to figures {"name", "value", "at_least" or "at_most", "ok", "rule" of a rule, and of one
 * that is missed "refuses" and, but for a rule, "gain"} for each bar of the call's launcher, and to
 * remarks a sentence for each that is missed and does not refuse. The first that refuses makes the
 * finding: rules before others. */
struct bars_refused bars_hold(const struct judge *judge, const struct bars_call *call,
                              json_t *figures, json_t *remarks, struct finding *finding);

#endif
