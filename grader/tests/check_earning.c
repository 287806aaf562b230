/* check_earning.c - what records earn. */
#include "quest/earning.h"

#include "tests/check_main.h"

#include <string.h>

enum { LESSONS = 2 };

static struct earning earning;

static void start(void)
{
    ck_assert(earning_start(&earning, LESSONS));
}
static void finish(void)
{
    earning_free(&earning);
}

static void add(size_t lesson, json_t *record)
{
    ck_assert_ptr_nonnull(record);
    earning_add(&earning, lesson, record);
    json_decref(record);
}

/* A check with those verdicts; one timed case with one figure, and a modelled time. */
static json_t *check_of(const char *verdict, bool gold, const char *numerics, const char *counter,
                        double value, double gain, double time_ns, double ratio)
{
    return json_pack("{s:s, s:b, s:[{s:s, s:s, s:i}, {s:s, s:s, s:i}, {s:s, s:s, s:[{s:s, "
                     "s:[{s:s, s:f, s:b, s:f}], s:{s:f}}]}, {s:s, s:s, s:f, s:b}]}",
                     "verdict", verdict, "gold", gold, "gates", "gate", "safety", "verdict", "PASS",
                     "cases", 80, "gate", "numerics", "verdict", numerics, "cases", 102, "gate",
                     "counters", "verdict", "PASS", "cases", "case", "n = 1", "figures", "name",
                     counter, "value", value, "ok", gain <= 0, "gain", gain, "modelled", "time_ns",
                     time_ns, "gate", "utilization", "verdict", "PASS", "ratio", ratio, "measured",
                     false);
}

static json_t *passing(double ratio)
{
    return check_of("PASS", false, "PASS", "none", 1, 0, 100, ratio);
}

static void expect(enum achievement which, const char *figure)
{
    ck_assert_str_eq(earning.figures[which], figure);
}

START_TEST(nothing_is_the_first_level)
{
    ck_assert_int_eq(earning_experience(&earning), 0);
    ck_assert_int_eq(earning_level(0), 1);
    ck_assert_int_eq(earning_level(1000000), earning_levels());
    for (int level = 2; level <= earning_levels(); level++) {
        ck_assert_int_eq(earning_level(earning_level_at(level)), level);
        ck_assert_int_eq(earning_level(earning_level_at(level) - 1), level - 1);
    }
}
END_TEST

START_TEST(bands_are_right_fast_and_close_to_the_ceiling)
{
    add(0, check_of("WRONG", false, "WRONG", "none", 1, 0, 100, 0.5));
    ck_assert_int_eq(earning.lessons[0].band, EARNING_none);
    add(0, check_of("SLOW", false, "PASS", "none", 1, 0, 100, 0.5));
    ck_assert_int_eq(earning.lessons[0].band, EARNING_bronze);
    add(0, passing(0.8));
    ck_assert_int_eq(earning.lessons[0].band, EARNING_silver);
    add(0, check_of("PASS", true, "PASS", "none", 1, 0, 100, 0.9));
    ck_assert_int_eq(earning.lessons[0].band, EARNING_gold);
}
END_TEST

START_TEST(a_worse_check_takes_nothing_away)
{
    add(0, passing(0.8));
    int experience = earning_experience(&earning);
    add(0, check_of("WRONG", false, "WRONG", "none", 1, 0, 100, 0.1));
    ck_assert_int_eq(earning.lessons[0].band, EARNING_silver);
    ck_assert_double_eq(earning.lessons[0].best_ratio, 0.8);
    ck_assert_int_eq(earning_experience(&earning), experience);
}
END_TEST

START_TEST(a_counter_is_to_rise_within_one_lesson)
{
    add(0, check_of("SLOW", false, "PASS", "load efficiency", 0.125, 0, 100, 0.5));
    add(1, check_of("PASS", false, "PASS", "load efficiency", 1, 0, 100, 0.8));
    expect(ACHIEVEMENT_LOADS, "");
    add(0, check_of("SLOW", false, "PASS", "load efficiency", 0.94, 0, 100, 0.5));
    expect(ACHIEVEMENT_LOADS, "");
    add(0, check_of("PASS", false, "PASS", "load efficiency", 0.95, 0, 100, 0.8));
    expect(ACHIEVEMENT_LOADS, "load efficiency 0.125, now 0.95");
}
END_TEST

START_TEST(or_to_fall)
{
    add(0, check_of("SLOW", false, "PASS", "kernel launches", 1, 0, 100, 0.5));
    add(0, check_of("SLOW", false, "PASS", "kernel launches", 3, 0, 100, 0.5));
    expect(ACHIEVEMENT_FUSED, "");
    add(0, check_of("PASS", false, "PASS", "kernel launches", 1, 0, 100, 0.8));
    expect(ACHIEVEMENT_FUSED, "kernel launches 3, now 1");
}
END_TEST

START_TEST(a_race_is_to_be_mended)
{
    add(0, passing(0.8));
    expect(ACHIEVEMENT_RACE, "");
    add(0, json_pack("{s:s, s:[{s:s, s:s}]}", "verdict", "RACE", "gates", "gate", "safety",
                     "verdict", "RACE"));
    expect(ACHIEVEMENT_RACE, "");
    add(0, passing(0.8));
    expect(ACHIEVEMENT_RACE, "a race, now no fault in 80 cases");
}
END_TEST

START_TEST(wrong_elements_are_to_be_mended)
{
    add(0, json_pack("{s:s, s:[{s:s, s:s, s:{s:i}}]}", "verdict", "WRONG", "gates", "gate",
                     "numerics", "verdict", "WRONG", "wrong", "wrong", 35));
    expect(ACHIEVEMENT_WRONG, "");
    add(0, passing(0.8));
    expect(ACHIEVEMENT_WRONG, "35 elements wrong, now 102 cases right");
}
END_TEST

START_TEST(speed_is_the_references_or_ten_times_ones_own)
{
    add(0, passing(0.099));
    add(0, passing(0.98));
    expect(ACHIEVEMENT_TENFOLD, "");
    expect(ACHIEVEMENT_LEVEL_WITH, "");
    add(0, passing(1));
    expect(ACHIEVEMENT_TENFOLD, "0.099 of the reference's speed, now 1 (modelled)");
    expect(ACHIEVEMENT_LEVEL_WITH, "1 of the reference's speed (modelled)");
}
END_TEST

/* 80 % of the time was told: what is saved may be 72 to 88 %. */
static void saves(double time_ns, bool earns)
{
    add(0, check_of("SLOW", false, "PASS", "load efficiency", 0.5, 0.8, 100, 0.5));
    add(0, check_of("PASS", false, "PASS", "load efficiency", 1, 0, time_ns, 0.8));
    ck_assert_int_eq(*earning.figures[ACHIEVEMENT_AS_TOLD] != '\0', earns);
}

START_TEST(a_gain_is_to_be_as_told)
{
    saves(29, false);
    saves(11, false);
    saves(27, true);
    expect(ACHIEVEMENT_AS_TOLD, "80 % of the time told, 73 % saved (modelled)");
}
END_TEST

START_TEST(all_lessons_are_to_be_silver)
{
    add(0, passing(0.8));
    expect(ACHIEVEMENT_ALL_SILVER, "");
    add(1, passing(0.8));
    expect(ACHIEVEMENT_ALL_SILVER, "silver in all 2 lessons");
    ck_assert_int_eq(earning_experience(&earning), 2 * 100 + ACHIEVEMENT_EXPERIENCE);
}
END_TEST

START_TEST(what_is_asked_fits_half_a_row)
{
    for (int i = 0; i < ACHIEVEMENTS; i++)
        ck_assert_uint_le(strlen(achievement_asks(i)), 35);
}
END_TEST

START_TEST(an_empty_record_earns_nothing)
{
    add(0, json_object());
    ck_assert_int_eq(earning_experience(&earning), 0);
}
END_TEST

TESTS_WITH(start, finish, "earning", nothing_is_the_first_level,
           bands_are_right_fast_and_close_to_the_ceiling, a_worse_check_takes_nothing_away,
           a_counter_is_to_rise_within_one_lesson, or_to_fall, a_race_is_to_be_mended,
           wrong_elements_are_to_be_mended, speed_is_the_references_or_ten_times_ones_own,
           a_gain_is_to_be_as_told, all_lessons_are_to_be_silver, what_is_asked_fits_half_a_row,
           an_empty_record_earns_nothing)
