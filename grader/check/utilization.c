/* utilization.c - compares times with the lesson's bar and with the device's ceilings.
 *
 * Utilization is required work / (time x ceiling): the work the problem needs, not what a kernel
 * did, so busywork lowers it. The ceiling that counts is, as in a roofline, the one under which the
 * required work takes longest.
 *
 * On a GPU the verdict on the ratio to the reference comes from the statistics of pairs
 * (examine/timing.c). A modelled ratio does not vary, but the model errs: one that misses the bar
 * by no more than MODEL_TOLERANCE passes, and the report says so, unless the judge has a bar of its
 * own for modelled ratios. If there is no number, or a rate that the device cannot reach, work was
 * done elsewhere, and that does not pass.
 */
#include "check/utilization.h"

#include "check/ceilings.h"
#include "check/ladder.h"
#include "check/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far a rate may exceed the ceiling and still be believed: ceilings are measured too, at
 * another clock and temperature; and modelled ones by other kernels. */
#define MOST_OF_CEILING 1.15

/* In the learner's favour. Of submissions never seen before, half had a modelled ratio within 6 %
 * of the one measured on an H200, and nine in ten within 20 %: a ratio so little below the bar is
 * no evidence. */
#define MODEL_TOLERANCE 0.10

/* If the device's ceilings are unknown: at this many operations per byte, a current GPU takes about
 * as long for them as for the byte. */
#define BALANCE 12

static void set_real(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, json_string(text));
}

static bool is_arithmetic(const json_t *judge, double bytes, double flop)
{
    const char *named = record_text(judge, "ceiling");
    return *named ? strcmp(named, "FMA rate") == 0 : flop > BALANCE * bytes;
}

/* The share of the device's ceilings that a slice of the simulated device has; 1 on the whole. */
static double part_of_device(const json_t *outcome)
{
    double part = record_real(outcome, "multiprocessors"),
           whole = record_real(outcome, "whole_multiprocessors");
    return part > 0 && whole > 0 ? part / whole : 1;
}

/* Rate, and share of the binding ceiling; without ceilings, only the rate that the lesson names. */
static void add_rate(json_t *outcome, const json_t *judge, const json_t *ceilings)
{
    double seconds = record_real(outcome, "time_ns") * 1e-9;
    double bytes = record_real(outcome, "bytes"), flop = record_real(outcome, "flop");
    double copy_rate = part_of_device(outcome) * ceilings_value(ceilings, "copy rate");
    double fma_rate = part_of_device(outcome) * ceilings_value(ceilings, "FMA rate");
    double bytes_take = copy_rate > 0 ? bytes / copy_rate : 0;
    double flop_take = fma_rate > 0 ? flop / fma_rate : 0;
    double least = fmax(bytes_take, flop_take);
    bool by_flop = least > 0 ? flop_take > bytes_take : is_arithmetic(judge, bytes, flop);
    set_real(outcome, "rate", (by_flop ? flop : bytes) / seconds);
    set_text(outcome, "rate_unit", by_flop ? "FLOP/s" : "B/s");
    set_text(outcome, "ceiling", by_flop ? "FMA rate" : "copy rate");
    if (least > 0) {
        set_real(outcome, "ceiling_rate", by_flop ? fma_rate : copy_rate);
        set_real(outcome, "of_ceiling", least / seconds);
    }
}

static void say(json_t *outcome, enum verdict verdict, const char *reason)
{
    set_text(outcome, "verdict", verdict_name(verdict));
    set_text(outcome, "reason", reason);
}

/* Nothing to move and nothing to calculate: what the device takes for a launch, shown only. */
static bool is_launch_alone(const json_t *outcome)
{
    return json_is_number(json_object_get(outcome, "bytes")) && /* else it was not timed */
           record_real(outcome, "bytes") == 0 && !(record_real(outcome, "flop") > 0) &&
           !(record_real(outcome, "tensor_flop") > 0);
}

/* Its counters are judged, and its time in a larger case. */
static bool is_shown_only(const json_t *outcome)
{
    return json_is_true(json_object_get(outcome, "shown_only"));
}

/* For a time that says PASS, or nothing yet. False if it cannot be believed. */
static bool is_possible(json_t *outcome, double ratio, double share)
{
    char reason[200];
    if (!isfinite(ratio)) {
        say(outcome, VERDICT_IMPOSSIBLE,
            "no time was measured that could be compared with the "
            "reference's");
        return false;
    }
    if (!(share > MOST_OF_CEILING))
        return true;
    snprintf(reason, sizeof reason, "it would be at %.0f %% of the %s measured here", 100 * share,
             record_text(outcome, "ceiling"));
    say(outcome, VERDICT_IMPOSSIBLE, reason);
    return false;
}

/* The least modelled ratio that passes. */
static double least_modelled(const json_t *judge)
{
    double own = record_real(judge, "modelled_bar");
    return own > 0 ? own : record_real(judge, "utilization_bar") * (1 - MODEL_TOLERANCE);
}

static void decide(json_t *outcome, const json_t *judge, bool measured)
{
    double bar = record_real(judge, "utilization_bar"), least = least_modelled(judge);
    char reason[200] = "";
    double ratio = record_real(outcome, "ratio"), share = record_real(outcome, "of_ceiling");
    if (is_shown_only(outcome)) {
        say(outcome, VERDICT_PASS, "");
    } else if (is_launch_alone(outcome)) {
        json_object_del(outcome, "ratio");
        if (!measured)
            say(outcome, VERDICT_PASS, "");
    } else if (measured) {
        if (record_verdict(outcome) == VERDICT_PASS)
            is_possible(outcome, ratio, share);
    } else if (is_possible(outcome, ratio, share)) {
        bool fast = ratio >= least;
        if (!fast)
            snprintf(reason, sizeof reason,
                     "it reaches %.1f %% of the reference's speed (modelled)", 100 * ratio);
        else if (ratio < bar)
            set_real(outcome, "tolerated", 1 - least / bar);
        say(outcome, fast ? VERDICT_PASS : VERDICT_SLOW, reason);
    }
}

static json_t *case_outcome(const struct lesson *lesson, const json_t *timed, bool measured,
                            const json_t *ceilings)
{
    json_t *outcome = json_deep_copy(timed);
    if (isfinite(record_real(outcome, "time_ns")))
        add_rate(outcome, lesson->judge, ceilings);
    decide(outcome, lesson->judge, measured);
    ladder_note(lesson, outcome, measured);
    return outcome;
}

/* The case that represents the gate: of those that are not passed, or else of all that are judged,
 * the one with the lowest ratio. One that cannot be believed or judged comes before a slow one. */
static size_t shown_case(const json_t *cases)
{
    size_t i, shown = 0;
    json_t *one;
    const json_t *best = NULL;
    json_array_foreach (cases, i, one) {
        if (is_shown_only(one))
            continue;
        enum verdict verdict = record_verdict(one), before = record_verdict(best);
        double ratio = record_real(one, "ratio"), lowest = record_real(best, "ratio");
        bool lower = ratio < lowest || (isnan(lowest) && !isnan(ratio));
        bool worse = before == VERDICT_PASS || (before == VERDICT_SLOW && verdict != VERDICT_SLOW);
        if (!best || (verdict == before ? lower : verdict != VERDICT_PASS && worse)) {
            shown = i;
            best = one;
        }
    }
    return shown;
}

/* Gold is for the device's ceiling, or for the top of the solution's ladder, not for the reference:
 * every judged case has to reach it. */
static bool is_gold(const json_t *cases, double gold_bar, double of_ladder)
{
    size_t i;
    json_t *one;
    json_array_foreach (cases, i, one) {
        if (is_shown_only(one))
            continue;
        double of_top = record_real(json_object_get(one, "ladder"), "of_top");
        if (of_ladder > 0 ? !(of_top >= of_ladder) : !(record_real(one, "of_ceiling") >= gold_bar))
            return false;
    }
    return of_ladder > 0 || gold_bar > 0;
}

json_t *utilization_outcome(const struct lesson *lesson, const json_t *stage, bool measured,
                            const json_t *ceilings)
{
    size_t i;
    json_t *one, *cases = json_array();
    double gold_bar = record_real(lesson->judge, "gold_bar");
    double of_ladder = record_real(lesson->judge, "gold_of_ladder");
    json_array_foreach (json_object_get(stage, "cases"), i, one) {
        const json_t *timed = measured ? one : json_object_get(one, "modelled");
        if (timed)
            json_array_append_new(cases, case_outcome(lesson, timed, measured, ceilings));
    }
    size_t shown = shown_case(cases);
    const json_t *stands_for = json_array_get(cases, shown);
    if (!stands_for) {
        json_decref(cases);
        return NULL;
    }
    json_t *outcome = record_outcome(record_verdict(stands_for), record_text(stands_for, "reason"));
    set_text(outcome, "advice", record_text(stands_for, "advice"));
    json_object_set_new(outcome, "measured", json_boolean(measured));
    json_object_set_new(outcome, "shown", json_integer((json_int_t)shown));
    set_real(outcome, "ratio", record_real(stands_for, "ratio"));
    set_real(outcome, "tolerated", record_real(stands_for, "tolerated"));
    double bar = record_real(stands_for, "bar"); /* of a class, on its GPU: settings.h */
    set_real(outcome, "bar", isfinite(bar) ? bar : record_real(lesson->judge, "utilization_bar"));
    if (!measured)
        set_real(outcome, "least", least_modelled(lesson->judge));
    set_real(outcome, "gold_bar", gold_bar);
    set_real(outcome, "gold_of_ladder", of_ladder);
    json_object_set_new(outcome, "gold", json_boolean(is_gold(cases, gold_bar, of_ladder)));
    json_object_set_new(outcome, "cases", cases);
    return outcome;
}
