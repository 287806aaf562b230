/* check_utilization.c - times against the bar and the ceilings. */
#include "check/utilization.h"

#include "check/record.h"
#include "tests/check_main.h"

#include <math.h>
#include <string.h>

static json_t *judge, *ceilings, *outcome;

/* One case: 1000 bytes and flop operations in time_ns, against a reference of reference_ns. On this
 * device 1000 bytes take 10 ns at least, 1000 operations 1 ns. */
static void judge_case(double time_ns, double reference_ns, double flop, bool measured)
{
    struct lesson lesson = {0};
    judge = json_pack("{s:f, s:f, s:s}", "utilization_bar", 0.8, "gold_bar", 0.9, "ceiling",
                      "copy rate");
    ceilings = json_pack("{s:f, s:f}", "copy_rate", 1e11, "fma_rate", 1e12);
    json_t *timed = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "case", "n", "verdict", "PASS",
                              "time_ns", time_ns, "reference_ns", reference_ns, "ratio",
                              reference_ns / time_ns, "bytes", 1000.0, "flop", flop);
    json_t *stage = measured ? json_pack("{s:[o]}", "cases", timed)
                             : json_pack("{s:[{s:o}]}", "cases", "modelled", timed);
    lesson.judge = judge;
    outcome = utilization_outcome(&lesson, stage, measured, ceilings);
    json_decref(stage);
    json_decref(judge);
    json_decref(ceilings);
}

static double of_ceiling(void)
{
    return record_real(json_array_get(json_object_get(outcome, "cases"), 0), "of_ceiling");
}

START_TEST(a_modelled_ratio_is_held_to_the_bar)
{
    judge_case(20, 16.001, 0, false);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_PASS);
    ck_assert(isnan(record_real(outcome, "tolerated")));
    json_decref(outcome);
    judge_case(20, 14.399, 0, false);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_SLOW);
    ck_assert_str_eq(record_text(outcome, "reason"),
                     "it reaches 72.0 % of the reference's speed (modelled)");
    ck_assert(isnan(record_real(outcome, "tolerated")));
    json_decref(outcome);
}
END_TEST

/* Where the model is known to err the other way, a judge says so. */
START_TEST(a_judge_may_have_a_bar_for_modelled_ratios)
{
    for (int below = 0; below < 2; below++) {
        json_t *timed = json_pack("{s:s, s:f, s:f, s:f}", "case", "n", "time_ns", 20.0, "bytes",
                                  1000.0, "ratio", below ? 0.779 : 0.781);
        json_t *stage = json_pack("{s:[{s:o}]}", "cases", "modelled", timed);
        struct lesson lesson = {
            .judge = json_pack("{s:f, s:f}", "utilization_bar", 0.8, "modelled_bar", 0.78)};
        outcome = utilization_outcome(&lesson, stage, false, NULL);
        ck_assert_int_eq(record_verdict(outcome), below ? VERDICT_SLOW : VERDICT_PASS);
        ck_assert_double_eq(record_real(outcome, "least"), 0.78);
        json_decref(stage);
        json_decref(lesson.judge);
        json_decref(outcome);
    }
}
END_TEST

/* Ten per cent of the bar of 0.8, for the model's error; what is measured has a tolerance of its
 * own, of which the outcome is given. */
START_TEST(a_modelled_ratio_just_below_the_bar_is_tolerated)
{
    judge_case(20, 15.999, 0, false);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_PASS);
    ck_assert_double_eq_tol(record_real(outcome, "tolerated"), 0.1, 1e-12);
    json_decref(outcome);
    judge_case(20, 14.401, 0, false);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_PASS);
    json_decref(outcome);
    judge_case(20, 14.401, 0, true);
    ck_assert(isnan(record_real(outcome, "tolerated")));
    json_decref(outcome);
}
END_TEST

START_TEST(the_ceiling_that_binds_is_the_one_that_counts)
{
    judge_case(20, 20, 0, false);
    ck_assert_double_eq_tol(of_ceiling(), 0.5, 1e-12);
    json_decref(outcome);
    judge_case(40, 40, 20000, false); /* 20 ns of arithmetic hide 10 ns of traffic */
    ck_assert_double_eq_tol(of_ceiling(), 0.5, 1e-12);
    ck_assert_str_eq(record_text(json_array_get(json_object_get(outcome, "cases"), 0), "ceiling"),
                     "FMA rate");
    json_decref(outcome);
}
END_TEST

/* An empty kernel's time is the device's, whatever the noise makes of two of them. */
static void judge_launch_alone(bool measured)
{
    struct lesson lesson = {0};
    judge = json_pack("{s:f, s:s}", "utilization_bar", 0.8, "ceiling", "copy rate");
    json_t *empty = json_pack("{s:s, s:f, s:f, s:f, s:f, s:f}", "case", "empty", "time_ns", 4e3,
                              "reference_ns", 3e3, "ratio", 0.75, "bytes", 0.0, "flop", 0.0);
    json_t *twice = json_pack("{s:s, s:f, s:f, s:f, s:f, s:f}", "case", "n", "time_ns", 20.0,
                              "reference_ns", 18.0, "ratio", 0.9, "bytes", 1000.0, "flop", 0.0);
    if (measured) {
        json_object_set_new(empty, "verdict", json_string("PASS"));
        json_object_set_new(twice, "verdict", json_string("PASS"));
    }
    json_t *stage =
        measured ? json_pack("{s:[oo]}", "cases", empty, twice)
                 : json_pack("{s:[{s:o}, {s:o}]}", "cases", "modelled", empty, "modelled", twice);
    lesson.judge = judge;
    outcome = utilization_outcome(&lesson, stage, measured, NULL);
    json_decref(stage);
    json_decref(judge);
}

START_TEST(a_launch_alone_is_shown_and_not_judged)
{
    judge_launch_alone(false);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_PASS);
    ck_assert_double_eq(record_real(outcome, "ratio"), 0.9);
    json_decref(outcome);
    judge_launch_alone(true);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_PASS);
    ck_assert_double_eq(record_real(outcome, "ratio"), 0.9);
    json_t *empty = json_array_get(json_object_get(outcome, "cases"), 0);
    ck_assert(isnan(record_real(empty, "ratio")));
    ck_assert_double_eq(record_real(empty, "time_ns"), 4e3);
    json_decref(outcome);
}
END_TEST

/* Without ceilings the judge names one, or each case's own work does. */
static const char *shown_ceiling(const char *named, double flop)
{
    struct lesson lesson = {0};
    judge = json_pack("{s:f, s:s?}", "utilization_bar", 0.8, "ceiling", named);
    json_t *stage = json_pack("{s:[{s:{s:s, s:f, s:f, s:f, s:f}}]}", "cases", "modelled", "case",
                              "n", "time_ns", 20.0, "ratio", 1.0, "bytes", 1000.0, "flop", flop);
    lesson.judge = judge;
    outcome = utilization_outcome(&lesson, stage, false, NULL);
    const char *ceiling =
        record_text(json_array_get(json_object_get(outcome, "cases"), 0), "ceiling");
    bool by_flop = strcmp(ceiling, "FMA rate") == 0;
    json_decref(stage);
    json_decref(judge);
    json_decref(outcome);
    return by_flop ? "FMA rate" : "copy rate";
}

START_TEST(without_ceilings_the_work_tells_which_rate_is_shown)
{
    ck_assert_str_eq(shown_ceiling("FMA rate", 500), "FMA rate");
    ck_assert_str_eq(shown_ceiling("copy rate", 64000), "copy rate");
    ck_assert_str_eq(shown_ceiling(NULL, 500), "copy rate");
    ck_assert_str_eq(shown_ceiling(NULL, 64000), "FMA rate");
}
END_TEST

START_TEST(gold_is_for_the_devices_ceiling)
{
    judge_case(11, 11, 0, false);
    ck_assert(json_is_true(json_object_get(outcome, "gold")));
    json_decref(outcome);
    judge_case(12, 24, 0, false);
    ck_assert(!json_is_true(json_object_get(outcome, "gold")));
    json_decref(outcome);
}
END_TEST

/* A lesson with a ladder of two steps, in a folder of its own. */
static void judge_step(double ratio)
{
    char folder[] = "/tmp/ladder-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    struct path table = path_of("%s/ladder.csv", folder);
    static const char ROWS[] = "launcher,step,modelled,measured\nf,one,1.000,1.000\n"
                               "f,two,4.000,2.000\n";
    ck_assert(file_write(table.text, ROWS, sizeof ROWS - 1));
    struct lesson lesson = {
        .solution = path_of("%s/x.cu", folder),
        .judge = json_pack("{s:f, s:f}", "utilization_bar", 0.8, "gold_of_ladder", 0.9)};
    json_t *stage = json_pack("{s:[{s:{s:s, s:f, s:f, s:f}}]}", "cases", "modelled", "launcher",
                              "f", "time_ns", 10.0, "bytes", 100.0, "ratio", ratio);
    outcome = utilization_outcome(&lesson, stage, false, NULL);
    folder_remove(folder);
    json_decref(stage);
    json_decref(lesson.judge);
}

START_TEST(gold_may_be_for_the_top_of_the_ladder)
{
    judge_step(3.7);
    ck_assert(json_is_true(json_object_get(outcome, "gold")));
    json_t *place = json_object_get(json_array_get(json_object_get(outcome, "cases"), 0), "ladder");
    ck_assert_int_eq(record_integer(place, "reached"), 1);
    json_decref(outcome);
    judge_step(3.5);
    ck_assert(!json_is_true(json_object_get(outcome, "gold")));
    json_decref(outcome);
}
END_TEST

START_TEST(a_rate_beyond_the_ceiling_is_impossible)
{
    for (int measured = 0; measured < 2; measured++) {
        judge_case(8, 8, 0, measured);
        ck_assert_int_eq(record_verdict(outcome), VERDICT_IMPOSSIBLE);
        json_decref(outcome);
        judge_case(9.5, 9.5, 0, measured);
        ck_assert_int_eq(record_verdict(outcome), VERDICT_PASS);
        json_decref(outcome);
    }
}
END_TEST

START_TEST(the_slowest_case_is_the_headline)
{
    struct lesson lesson = {.judge = json_pack("{s:f}", "utilization_bar", 0.8)};
    json_t *stage = json_pack("{s:[{s:{s:f, s:f, s:f}}, {s:{s:f, s:f, s:f}}]}", "cases", "modelled",
                              "time_ns", 20.0, "bytes", 1000.0, "ratio", 0.78, "modelled",
                              "time_ns", 20.0, "bytes", 1000.0, "ratio", 0.39);
    outcome = utilization_outcome(&lesson, stage, false, NULL);
    ck_assert_int_eq(record_integer(outcome, "shown"), 1);
    ck_assert_double_eq(record_real(outcome, "ratio"), 0.39);
    json_decref(stage);
    json_decref(lesson.judge);
    json_decref(outcome);
}
END_TEST

/* A lesson's own small case beside the GPU's, whose counters are judged (judge.small_is_shown). */
START_TEST(a_case_that_is_only_shown_is_not_judged)
{
    struct lesson lesson = {.judge = json_pack("{s:f}", "utilization_bar", 0.8)};
    json_t *stage =
        json_pack("{s:[{s:{s:f, s:f, s:f, s:b}}, {s:{s:f, s:f, s:f}}]}", "cases", "modelled",
                  "time_ns", 20.0, "bytes", 1000.0, "ratio", 0.39, "shown_only", true, "modelled",
                  "time_ns", 20.0, "bytes", 1000.0, "ratio", 0.9);
    outcome = utilization_outcome(&lesson, stage, false, NULL);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_PASS);
    ck_assert_int_eq(record_integer(outcome, "shown"), 1);
    ck_assert_double_eq(record_real(outcome, "ratio"), 0.9);
    json_decref(stage);
    json_decref(lesson.judge);
    json_decref(outcome);
}
END_TEST

START_TEST(without_a_ratio_nothing_passes)
{
    struct lesson lesson = {0};
    judge = json_pack("{s:f}", "utilization_bar", 0.8);
    json_t *stage = json_pack("{s:[{s:{s:s, s:f, s:f}}]}", "cases", "modelled", "case", "n",
                              "time_ns", 20.0, "bytes", 1000.0);
    lesson.judge = judge;
    outcome = utilization_outcome(&lesson, stage, false, NULL);
    ck_assert_int_eq(record_verdict(outcome), VERDICT_IMPOSSIBLE);
    json_decref(stage);
    json_decref(judge);
    json_decref(outcome);
}
END_TEST

START_TEST(nothing_timed_is_no_outcome)
{
    struct lesson lesson = {0};
    json_t *stage = json_pack("{s:[]}", "cases");
    ck_assert_ptr_null(utilization_outcome(&lesson, stage, true, NULL));
    ck_assert_ptr_null(utilization_outcome(&lesson, NULL, true, NULL));
    json_decref(stage);
}
END_TEST

TESTS("utilization", a_modelled_ratio_is_held_to_the_bar,
      a_modelled_ratio_just_below_the_bar_is_tolerated, a_judge_may_have_a_bar_for_modelled_ratios,
      the_ceiling_that_binds_is_the_one_that_counts, gold_is_for_the_devices_ceiling,
      gold_may_be_for_the_top_of_the_ladder, a_launch_alone_is_shown_and_not_judged,
      without_ceilings_the_work_tells_which_rate_is_shown, a_rate_beyond_the_ceiling_is_impossible,
      without_a_ratio_nothing_passes, the_slowest_case_is_the_headline,
      a_case_that_is_only_shown_is_not_judged, nothing_timed_is_no_outcome)
