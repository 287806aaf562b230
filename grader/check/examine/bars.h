/* bars.h - compares the counters of a timed case with the judge's bars, by what they cost.
 *
 * A bar on a call of the host (launches, copies, allocations, waits, handles, queries) is a rule of
 * the contract: a figure past it refuses. Any other bar is evidence of time lost. It refuses if
 * mending the miss would gain JUDGE_LEAST_GAIN of the case's modelled time, or what the judge says
 * in its place, unless the call is still as fast as the reference; otherwise the miss is a remark.
 * All of this comes from the simulated device, so a check with a GPU decides the same.
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
    double reference_ns; /* the reference's modelled time in the same case */
    bool whole;          /* every block was counted, and a few were timed: no gain tells of all */
};

/* The first bar that refuses; counter is JUDGE_COUNTER_NONE when none does. */
struct bars_refused {
    enum judge_counter counter;
    bool is_rule;
};

bool bars_applies(const struct judge_bar *bar, const struct judge_case *problem);
/* What simgpu_options.fewer must request, so that the bars of the case know what mending gains. */
unsigned bars_fewer(const struct judge *judge, const struct judge_case *problem);
/* A bar on each call, converted to one on all calls of that case together. */
struct judge_bar bars_of_calls(const struct judge_bar *bar, const struct judge_case *problem);
/* A figure that was not observed meets no bar; a figure with nothing to count meets any. */
bool bars_meets(const struct judge_bar *bar, const struct figure *figure);

/* The figures of a launch of the case, without the runner's own work. span_ns: the length of its
 * timeline (time_line.h), 0 where its time is not needed. */
void bars_read(const struct lab *lab, const struct judge_case *problem,
               const struct simgpu_report *report, const struct figures_reference *reference,
               double span_ns, struct figures *figures);

/* Is a bar on it a rule of the contract? */
bool bars_is_rule(enum judge_counter counter);

/* The part of the call's modelled time that mending the miss of a bar would gain, where value is
 * the counter's; 0 for nothing. */
double bars_gain(const struct bars_call *call, const struct judge_bar *bar, double value);

/* For each bar of the call's launcher, adds to figures {"name", "value", "at_least" or "at_most",
 * "ok", "rule" if it is one, and if it is missed "refuses" and, unless it is a rule, "gain" and
 * "least_gain"}. Adds to remarks a sentence for each that is missed but does not refuse. The first
 * that refuses makes the finding, rules before others. */
struct bars_refused bars_hold(const struct judge *judge, const struct bars_call *call,
                              json_t *figures, json_t *remarks, struct finding *finding);

#endif
