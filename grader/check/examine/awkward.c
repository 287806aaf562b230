/* awkward.c - see awkward.h. */
#include "check/examine/awkward.h"

#include "check/examine/data.h"
#include "check/examine/every_case.h"
#include "check/examine/reference.h"
#include "check/examine/stages.h"
#include "lib/units.h"

#include <math.h>

/* Of the speed that the timed case has itself. */
static const double OWN_SHARE = 0.5;
static const char ADVICE[] = "let odd sides be computed by a launch such as the timed one's";
static const uint64_t AWKWARD_PURPOSE = 0x61776B77617264; /* a stream no case's index can be */

bool awkward_case(const struct lab *lab, const struct judge_case *problem,
                  struct judge_case *awkward)
{
    if (!problem || !lab->judge->awkward || !judge_has_work(lab->judge->work(problem)))
        return false;
    *awkward = *problem;
    lab->judge->awkward(awkward);
    return true;
}

static bool say_slow(const struct judge_case *awkward, double time_ns, double reference_ns,
                     double least, struct finding *finding)
{
    char own[32], other[32];
    units_time(time_ns, own, sizeof own);
    units_time(reference_ns, other, sizeof other);
    finding_set(finding, VERDICT_SLOW,
                "case %s: it takes %s and the reference %s (both modelled); at least %.0f %% of "
                "the reference's speed is asked for there",
                awkward->name, own, other, 100 * least);
    snprintf(finding->advice, sizeof finding->advice,
             "look at what takes odd sides and addresses that no vector fits: there too "
             "neighbouring lanes should work on neighbouring elements");
    return false;
}

/* One call of the case, right in all that holds for every call. */
static bool measure_call(struct lab *lab, struct timed *other,
                         const struct figures_reference *reference, uint64_t budget,
                         struct measured *measured, struct finding *finding)
{
    measure_options(lab, other, false, budget);
    return lab_ensure(lab, finding) &&
           (measure(lab, &lab->link, other, reference, measured, finding) ||
            (finding->verdict == VERDICT_PASS && measure_say_unsampled(other, ADVICE, finding))) &&
           every_case_holds_in(lab, other->problem, measured->report, finding);
}

bool awkward_is_fast(struct lab *lab, const struct timed *timed, double speed, const json_t *kept,
                     uint64_t budget, json_t *outcome, struct measured *slow,
                     struct finding *finding)
{
    struct judge_case awkward;
    struct figures_reference reference;
    struct measured measured = {.report = NULL};
    if (!awkward_case(lab, timed->problem, &awkward))
        return true;
    struct timed other = {
        .problem = &awkward, .sampled = true, .seed = data_seed(lab->seed, AWKWARD_PURPOSE)};
    if (!reference_of(kept, &other, &reference, finding))
        return finding->verdict == VERDICT_PASS; /* no blocks of the reference's stand for all */
    bool right = measure_call(lab, &other, &reference, budget, &measured, finding);
    double time_ns = right ? measured.figures.sums.modelled_ns : 0;
    if (right)
        json_object_set_new(outcome, "awkward",
                            json_pack("{s:s, s:f, s:f}", "case", awkward.name, "time_ns", time_ns,
                                      "reference_ns", reference.modelled_ns));
    double least = fmin(JUDGE_AWKWARD_SHARE, speed * OWN_SHARE);
    if (time_ns * least > reference.modelled_ns) {
        *slow = measured;
        return say_slow(&awkward, time_ns, reference.modelled_ns, least, finding);
    }
    measure_forget(lab, &measured);
    return right;
}
