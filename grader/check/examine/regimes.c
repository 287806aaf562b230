/* regimes.c - see regimes.h. */
#include "check/examine/regimes.h"

#include "check/examine/data.h"
#include "check/examine/every_case.h"
#include "check/examine/nearby.h"
#include "check/examine/reference.h"
#include "check/examine/spread.h"
#include "check/examine/stages.h"
#include "lib/units.h"

#include <math.h>

/* Of the speed that the timed case has itself. */
static const double OWN_SHARE = 0.5;
static const char ADVICE[] = "let such a call be computed by a launch such as the timed one's";
static const uint64_t REGIME_PURPOSE = 0x726567696D65; /* a stream no case's index can be */

bool regimes_case(const struct lab *lab, const struct judge_regime *regime,
                  const struct judge_case *problem, struct judge_case *its)
{
    if (!problem || !judge_has_work(lab->judge->work(problem)) ||
        (regime->launchers && !(regime->launchers >> problem->launcher & 1)))
        return false;
    *its = *problem;
    regime->turn(its);
    return spread_bytes(lab, its) <= lab->device.memory_bytes;
}

struct judge_case regimes_draw(const struct lab *lab, const struct judge_regime *regime,
                               const struct judge_case *problem)
{
    struct judge_case its = *problem;
    uint64_t number = (uint64_t)(regime - lab->judge->regimes->rows);
    if (lab->judge->nearby)
        lab->judge->nearby(data_seed(lab->seed, REGIME_PURPOSE + 1 + number), &its);
    regime->turn(&its);
    return its;
}

struct timed regimes_timed(const struct lab *lab, const struct judge_case *its)
{
    return (struct timed){.problem = its,
                          .sampled = true,
                          .brief = true,
                          .seed = data_seed(lab->seed, REGIME_PURPOSE)};
}

static bool say_slow(const struct judge_regime *regime, const struct judge_case *its,
                     double time_ns, double reference_ns, double least, struct finding *finding)
{
    char own[32], other[32];
    units_time(time_ns, own, sizeof own);
    units_time(reference_ns, other, sizeof other);
    finding_set(finding, VERDICT_SLOW,
                "%s: the case %s takes %s, and the reference %s (both modelled); at least %.0f %% "
                "of the reference's speed is asked for there",
                regime->says, its->name, own, other, 100 * least);
    snprintf(finding->advice, sizeof finding->advice, "%s", regime->look_at);
    return false;
}

/* What is the same for all regimes of a timed case. */
struct hold {
    struct lab *lab;
    const json_t *kept;
    double speed;
    json_t *list; /* of what was found */
};

/* One call of the case, right in all that holds for every call. */
static bool measure_call(const struct hold *hold, struct timed *timed,
                         const struct figures_reference *reference, struct measured *measured,
                         struct finding *finding)
{
    struct lab *lab = hold->lab;
    measure_options(lab, timed, false, measure_patience(reference));
    return lab_ensure(lab, finding) &&
           measure(lab, &lab->link, timed, reference, measured, finding) &&
           every_case_holds_in(lab, timed->problem, measured->report, finding);
}

/* No blocks stand for all. False with a finding if that is a reason to refuse the submission. */
static bool note_unsampled(const struct hold *hold, const struct judge_regime *regime,
                           const struct timed *timed, struct finding *finding)
{
    json_array_append_new(hold->list,
                          json_pack("{s:s, s:s, s:s}", "regime", regime->key, "case",
                                    timed->problem->name, "unsampled", timed->unsampled));
    return !regime->same_shape || timed->reference_is_whole ||
           measure_say_unsampled(timed, ADVICE, finding);
}

static void note(const struct hold *hold, const struct judge_regime *regime,
                 const struct judge_case *its, double time_ns, double reference_ns, double least)
{
    json_array_append_new(hold->list,
                          json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "regime", regime->key, "case",
                                    its->name, "time_ns", time_ns, "reference_ns", reference_ns,
                                    "share", reference_ns / time_ns, "least", least));
}

/* listed: the case that the reference was counted in, whose time is taken to shrink with the
 * work. */
static bool is_fast(const struct hold *hold, const struct judge_regime *regime,
                    const struct judge_case *problem, const struct judge_case *listed,
                    struct measured *slow, struct finding *finding)
{
    struct figures_reference reference;
    struct measured measured = {.report = NULL};
    const struct judge_case drawn = regimes_draw(hold->lab, regime, problem), *its = &drawn;
    struct timed timed = regimes_timed(hold->lab, listed);
    bool known = reference_of(hold->kept, &timed, &reference, finding);
    timed.problem = its;
    reference.modelled_ns *= nearby_share(hold->lab, its, listed);
    bool right = known && measure_call(hold, &timed, &reference, &measured, finding);
    if (!right) { /* what the contract forbids shows in a few blocks, too */
        bool lawful =
            finding->verdict == VERDICT_PASS &&
            (!measured.report || every_case_holds_in(hold->lab, its, measured.report, finding));
        measure_forget(hold->lab, &measured);
        return lawful && note_unsampled(hold, regime, &timed, finding);
    }
    double time_ns = measured.figures.sums.modelled_ns;
    double share = regime->share > 0 ? regime->share : JUDGE_REGIME_SHARE;
    double least = fmin(share, hold->speed * OWN_SHARE);
    note(hold, regime, its, time_ns, reference.modelled_ns, least);
    if (time_ns * least > reference.modelled_ns) {
        *slow = measured;
        return say_slow(regime, its, time_ns, reference.modelled_ns, least, finding);
    }
    measure_forget(hold->lab, &measured);
    return true;
}

bool regimes_are_fast(struct lab *lab, const struct timed *timed, double speed, const json_t *kept,
                      json_t *outcome, struct measured *slow, struct finding *finding)
{
    const struct hold hold = {lab, kept, speed, json_array()};
    const struct judge_regimes *regimes = lab->judge->regimes;
    bool fast = true;
    for (size_t i = 0; regimes && i < regimes->count && fast; i++) {
        const struct judge_regime *regime = &regimes->rows[i];
        struct judge_case its;
        fast = !regimes_case(lab, regime, timed->problem, &its) ||
               is_fast(&hold, regime, timed->problem, &its, slow, finding);
    }
    json_object_set_new(outcome, "regimes", hold.list);
    return fast;
}
