/* modelled.c - see modelled.h. */
#include "check/examine/modelled.h"

#include "check/examine/observed.h"
#include "check/examine/reference.h"
#include "check/examine/stages.h"
#include "check/record.h"

#include <math.h>

/* Were blocks stopped, since they take too long? Such a launch has no time. */
static bool is_cut(const struct simgpu_launch *launch)
{
    return launch->blocks_cut > 0 || (launch->blocks_run > 0 && !(launch->modelled_ns > 0));
}

/* The launch that takes longest: the first one that was cut short, if there is one, since how long
 * that takes cannot be told. NULL without launches. */
static const struct simgpu_launch *longest_of(const struct simgpu_report *report)
{
    const struct simgpu_launch *longest = NULL;
    for (size_t i = 0; i < report->launch_count; i++) {
        const struct simgpu_launch *launch = &report->launches[i];
        if (is_cut(launch))
            return launch;
        if (!longest || launch->modelled_ns > longest->modelled_ns)
            longest = launch;
    }
    return longest;
}

/* Share of the multiprocessors that get a block of the longest launch. */
static double share_at_work(const struct simgpu_report *report)
{
    const struct simgpu_launch *launch = longest_of(report);
    return launch ? fmin((double)launch->blocks / report->multiprocessors, 1) : 1;
}

json_t *modelled_json(const struct lab *lab, const struct judge_case *problem,
                      const struct measured *measured, const struct figures_reference *reference)
{
    struct judge_work work = lab->judge->work(problem);
    const struct simgpu_report *report = measured->report;
    const struct figures_reference *sums = &measured->figures.sums;
    uint64_t blocks = 0, run = 0;
    for (size_t i = 0; i < report->launch_count; i++) {
        blocks += report->launches[i].blocks;
        run += report->launches[i].blocks_run;
    }
    json_t *modelled = json_pack(
        "{s:s, s:s, s:f, s:f, s:f, s:s, s:I, s:I, s:i, s:i, s:f, s:f}", "case", problem->name,
        "launcher", lab->judge->launchers[problem->launcher], "time_ns", sums->modelled_ns,
        "reference_ns", reference->modelled_ns, "ratio", reference->modelled_ns / sums->modelled_ns,
        "bound", measured->figures.bound, "blocks", (json_int_t)blocks, "blocks_run",
        (json_int_t)run, "multiprocessors", (int)report->multiprocessors, "whole_multiprocessors",
        (int)report->whole_multiprocessors, "share_at_work", share_at_work(report),
        "warp_instructions", sums->warp_instructions);
    json_t *its_work = json_pack("{s:f, s:f, s:f}", "bytes", work.bytes, "flop", work.flop,
                                 "tensor_flop", work.tensor_flop);
    json_object_update_new(modelled, its_work);
    return modelled;
}

/* --- At the real size ------------------------------------------------------------------------- */

/* A launcher that does nothing at this size would be fast, and its results are not looked at. A
 * larger case has less around its sums, but not this much less. */
static const double LEAST_WORK = 0.6;

/* Do the launches store what the outputs have, and execute about as many instructions for each
 * operation of the problem as in the smaller case? */
static bool does_its_work(const struct lab *lab, const struct timed *real,
                          const struct measured *measured, const json_t *smaller)
{
    struct judge_work work = lab->judge->work(real->problem);
    double executed = measured->figures.sums.warp_instructions / work.flop;
    double there = record_real(smaller, "warp_instructions") / record_real(smaller, "flop");
    return executed >= LEAST_WORK * there &&
           observed_stand_for_all(lab, real->problem, measured->report);
}

/* Blocks of the GPU's case take too long to be timed. If a smaller share of its multiprocessors has
 * one of them than in the smaller case, the time is longer in that proportion. */
static void stretch(json_t *modelled, double share)
{
    double times = record_real(modelled, "share_at_work") / share;
    if (!(times > 1))
        return;
    json_object_set_new(modelled, "time_ns", json_real(times * record_real(modelled, "time_ns")));
    json_object_set_new(modelled, "ratio", json_real(record_real(modelled, "ratio") / times));
    json_object_set_new(modelled, "share_of_real", json_real(share));
}

void modelled_at_real_size(struct lab *lab, const json_t *kept, struct timed *real, json_t *outcome)
{
    json_t *smaller = json_object_get(outcome, "modelled");
    struct figures_reference reference;
    struct measured measured = {.report = NULL};
    const struct simgpu_launch *longest = NULL;
    struct finding unused = {.verdict = VERDICT_PASS}; /* without figures nothing is timed */
    if (!smaller)
        return;
    reference_of(kept, real, &reference, &unused);
    measure_alone(lab, real, measure_patience(&reference), &reference, &measured);
    if (measured.report)
        longest = longest_of(measured.report);
    if (real->timed_alone && does_its_work(lab, real, &measured, smaller)) {
        json_t *modelled = modelled_json(lab, real->problem, &measured, &reference);
        json_object_set(modelled, "verified", json_object_get(smaller, "case"));
        json_object_set_new(outcome, "modelled", modelled);
    } else if (longest && is_cut(longest)) {
        stretch(smaller, share_at_work(measured.report));
    }
    measure_forget(lab, &measured);
}
