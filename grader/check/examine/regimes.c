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

/* Share of the speed that the timed case itself reaches. */
static const double OWN_SHARE = 0.5;
/* A submission that is several times as fast as the reference in the timed case must reach more in
 * a regime of the same shape, but never as much as the reference. */
static const double OWN_LEAST = JUDGE_REGIME_SHARE, MOST_ASKED = 0.8;
static const char ADVICE[] = "compute such a call by a launch like the timed one's";
static const uint64_t REGIME_PURPOSE = 0x726567696D65; /* a stream no case's index can be */

bool regimes_are_whole(const struct lab *lab)
{
    return lab->judge->slice > 0;
}

static void turn(const struct judge_regime *regime, struct judge_case *its)
{
    for (int i = 0; i < JUDGE_SIZES; i++)
        its->size[i] -= regime->less[i];
    for (int i = 0; i < JUDGE_MOST_BUFFERS; i++)
        its->offset_bytes[i] += regime->off[i] * (uint32_t)sizeof(float);
    regime->turn(its);
}

bool regimes_case(const struct lab *lab, const struct judge_regime *regime,
                  const struct judge_case *problem, struct judge_case *its)
{
    if (!problem || !judge_has_work(lab->judge->work(problem)) ||
        (regime->launchers && !(regime->launchers >> problem->launcher & 1)))
        return false;
    *its = *problem;
    turn(regime, its);
    return spread_bytes(lab, its) <= lab->device.memory_bytes;
}

struct judge_case regimes_draw(const struct lab *lab, const struct judge_regime *regime,
                               const struct judge_case *problem)
{
    struct judge_case its = *problem;
    uint64_t number = (uint64_t)(regime - lab->judge->regimes->rows);
    if (lab->judge->nearby)
        lab->judge->nearby(data_seed(lab->seed, REGIME_PURPOSE + 1 + number), &its);
    turn(regime, &its);
    return its;
}

struct timed regimes_timed(const struct lab *lab, const struct judge_regime *regime,
                           const struct judge_case *its)
{
    bool whole = regimes_are_whole(lab);
    return (struct timed){.problem = its,
                          .sampled = !whole,
                          .brief = !whole,
                          .whole_device = regime->whole_device,
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
                "of the reference's speed is required there",
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

/* One call of the case, which must be right and keep all rules for every call. */
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

/* The required share of the reference's speed. speed: the share that the timed case reaches. */
static double least_share(const struct judge_regime *regime, double speed)
{
    double share = regime->share > 0 ? regime->share : JUDGE_REGIME_SHARE;
    double least = fmin(share, speed * fmax(share, OWN_SHARE));
    return regime->same_shape ? fmax(least, fmin(speed * OWN_LEAST, MOST_ASKED)) : least;
}

/* With few blocks and, if these do not represent all, with as many as the timed case has. */
static bool measure_enough(const struct hold *hold, const struct judge_regime *regime,
                           struct timed *timed, const struct figures_reference *reference,
                           struct measured *measured, struct finding *finding)
{
    if (measure_call(hold, timed, reference, measured, finding))
        return true;
    if (!regime->same_shape || !timed->brief || finding->verdict != VERDICT_PASS ||
        (measured->report &&
         !every_case_holds_in(hold->lab, timed->problem, measured->report, finding)))
        return false;
    measure_forget(hold->lab, measured);
    *measured = (struct measured){.report = NULL};
    timed->brief = false;
    timed->unsampled[0] = '\0';
    return measure_call(hold, timed, reference, measured, finding);
}

/* No sample of blocks represents all. False with a finding if that is a reason to refuse the
 * submission. */
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

/* listed: the case in which the reference was counted; its time is assumed to shrink with the
 * work. */
static bool is_fast(const struct hold *hold, const struct judge_regime *regime,
                    const struct judge_case *problem, const struct judge_case *listed,
                    struct measured *slow, struct finding *finding)
{
    struct figures_reference reference;
    struct measured measured = {.report = NULL};
    const struct judge_case drawn = regimes_draw(hold->lab, regime, problem), *its = &drawn;
    struct timed timed = regimes_timed(hold->lab, regime, listed);
    bool known = reference_of(hold->kept, &timed, &reference, finding);
    timed.problem = its;
    reference.modelled_ns *= nearby_share(hold->lab, its, listed);
    bool right = known && measure_enough(hold, regime, &timed, &reference, &measured, finding);
    if (!right) { /* what the contract forbids shows in a few blocks, too */
        bool lawful =
            finding->verdict == VERDICT_PASS &&
            (!measured.report || every_case_holds_in(hold->lab, its, measured.report, finding));
        measure_forget(hold->lab, &measured);
        return lawful && note_unsampled(hold, regime, &timed, finding);
    }
    double time_ns = measured.figures.sums.modelled_ns;
    double least = least_share(regime, hold->speed);
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
