/* nearby.c - more calls of a timed case, and of one close to it, on the simulated device. */
#include "check/examine/nearby.h"

#include "check/examine/data.h"
#include "check/examine/every_case.h"
#include "check/examine/stages.h"
#include "lib/units.h"

#include <math.h>
#include <stdio.h>

/* Sizes differ by a few percent, and so does the fill of the last wave of blocks. */
static const double ALIKE = 1.25, ALIKE_IN_BRIEF = 1.15;
enum { MOST_CALLS = 3 };
static const uint64_t NEARBY_PURPOSE = 0x6E6561726279; /* a stream that no case's index is */

bool nearby_case(const struct lab *lab, const struct judge_case *problem, struct judge_case *near)
{
    if (!lab->judge->nearby || !judge_has_work(lab->judge->work(problem)))
        return false;
    *near = *problem;
    lab->judge->nearby(data_seed(lab->seed, NEARBY_PURPOSE), near);
    snprintf(near->name, sizeof near->name, "%.39s, nearby", problem->name);
    return true;
}

/* Bytes and operations grow about equally with the size. */
double nearby_share(const struct lab *lab, const struct judge_case *near,
                    const struct judge_case *problem)
{
    struct judge_work of = lab->judge->work(near), all = lab->judge->work(problem);
    double bytes = all.bytes > 0 ? of.bytes / all.bytes : 0;
    double flop = all.flop > 0 ? of.flop / all.flop : 0;
    return fmax(bytes, flop);
}

static bool say_unlike(const struct judge_case *near, double time_ns, double expected_ns,
                       struct finding *finding)
{
    char own[32], expected[32];
    units_time(time_ns, own, sizeof own);
    units_time(expected_ns, expected, sizeof expected);
    finding_set(finding, VERDICT_SLOW,
                "case %s: it takes %s (modelled), where %s would be as fast as the timed case",
                near->name, own, expected);
    snprintf(finding->advice, sizeof finding->advice,
             "look for a condition on a size, or on how often the launcher was called: all sizes "
             "near the timed one must be as fast, in every call");
    return false;
}

/* One more call. time_ns is NAN if its blocks cannot be sampled. False with a finding. */
static bool measure_other(struct lab *lab, struct timed *other, bool brief, uint64_t budget,
                          const struct figures_reference *reference, double *time_ns,
                          struct finding *finding)
{
    struct measured again = {.report = NULL};
    other->brief = brief;
    other->unsampled[0] = '\0';
    measure_options(lab, other, false, budget);
    bool right =
        lab_ensure(lab, finding) && measure(lab, &lab->link, other, reference, &again, finding);
    bool is_seen = right || finding->verdict == VERDICT_PASS;
    *time_ns = right ? again.figures.sums.modelled_ns : NAN;
    if (is_seen && again.report)
        is_seen = every_case_holds_in(lab, other->problem, again.report, finding);
    measure_forget(lab, &again);
    return is_seen;
}

/* What a call of that case takes on the whole device, by some blocks of each launch whose results
 * prove nothing (modelled.h); NAN if they cannot be timed one by one. */
static double time_alone(struct lab *lab, const struct judge_case *problem, uint64_t budget,
                         const struct figures_reference *reference)
{
    struct measured measured = {.report = NULL};
    struct timed timed = {.problem = problem, .seed = lab->seed, .sampled = true};
    measure_alone(lab, &timed, budget, reference, &measured);
    double time_ns = timed.timed_alone ? measured.figures.sums.modelled_ns : NAN;
    measure_forget(lab, &measured);
    return time_ns;
}

/* Where all blocks of a smaller case run, on a slice of the device, a launcher that shares its work
 * out for the whole device may fill the slice well at one size and badly at the next. At the GPU's
 * sizes, is the case nearby as fast as the timed one? */
static bool is_alike_at_real_size(struct lab *lab, const struct timed *timed, uint64_t budget,
                                  const struct figures_reference *reference)
{
    struct judge_case cases[MOST_TIMED_CASES], near;
    const struct judge_case *real =
        timed->sampled ? NULL : measure_real_size(lab, timed->problem, cases);
    if (!real || !nearby_case(lab, real, &near))
        return false;
    double work = lab->judge->work(real).flop / lab->judge->work(timed->problem).flop;
    uint64_t patience = (uint64_t)(work * (double)budget);
    double time_ns = time_alone(lab, real, patience, reference);
    double near_ns = time_alone(lab, &near, patience, reference);
    return near_ns <= ALIKE * time_ns * nearby_share(lab, &near, real);
}

/* What a call of the same case or of the one nearby takes, by just enough blocks to show what most
 * of them take; and by as many as the timed case has, if those show that the call may be unlike, or
 * may not represent all blocks. False with a finding. */
static bool time_other(struct lab *lab, struct timed *other, uint64_t budget,
                       const struct figures_reference *reference, double expected_ns,
                       double *time_ns, struct finding *finding)
{
    *time_ns = NAN;
    if (other->sampled && !other->all &&
        !measure_other(lab, other, true, budget, reference, time_ns, finding))
        return false;
    if (*time_ns <= ALIKE_IN_BRIEF * expected_ns)
        return true;
    if (!measure_other(lab, other, false, budget, reference, time_ns, finding))
        return false;
    return !isnan(*time_ns) ||
           measure_say_unsampled(
               other, "compute sizes near the timed one in the same way as that one", finding);
}

bool nearby_is_alike(struct lab *lab, const struct timed *timed,
                     const struct figures_reference *reference, uint64_t budget, double time_ns,
                     struct finding *finding)
{
    struct judge_case near;
    if (!nearby_case(lab, timed->problem, &near) || time_ns <= 0)
        return true;
    uint64_t seed = data_seed(lab->seed, NEARBY_PURPOSE + 1);
    int64_t most = measure_is_long(lab, timed->problem) ? 1 : MOST_CALLS;
    int64_t calls = judge_draw(&seed, 1, most);
    for (int64_t call = 0; call < calls; call++) {
        struct timed other = *timed;
        bool is_last = call + 1 == calls;
        other.problem = is_last || judge_draw(&seed, 0, 1) ? &near : timed->problem;
        other.seed = data_seed(seed, 1);
        double expected_ns = time_ns * nearby_share(lab, other.problem, timed->problem), took_ns;
        if (!time_other(lab, &other, budget, reference, expected_ns, &took_ns, finding))
            return false;
        bool is_alike =
            took_ns <= ALIKE * expected_ns ||
            (other.problem == &near && is_alike_at_real_size(lab, timed, budget, reference));
        if (!is_alike)
            return say_unlike(other.problem, took_ns, expected_ns, finding);
    }
    return true;
}
