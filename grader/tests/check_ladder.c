/* check_ladder.c - a ratio finds its place among the steps of a solution. */
#include "check/ladder.h"

#include "check/record.h"
#include "tests/check_main.h"

#include <math.h>

static const char TABLE[] = "launcher,step,modelled,measured\n"
                            "lesson2_sgemm,one,0.100,0.200\n"
                            "lesson2_turn,other,9.000,9.000\n"
                            "lesson2_sgemm,two,1.000,1.100\n"
                            "lesson2_sgemm,three,4.000,-\n";

static void reaches(double ratio, bool measured, int reached, const char *name, double top)
{
    json_t *place = ladder_place(TABLE, "lesson2_sgemm", ratio, measured);
    ck_assert_ptr_nonnull(place);
    ck_assert_uint_eq(json_array_size(json_object_get(place, "steps")), 3);
    ck_assert_int_eq(record_integer(place, "reached"), reached);
    ck_assert_str_eq(record_text(place, "name"), name);
    ck_assert(fabs(record_real(place, "top") - top) < 1e-9);
    ck_assert(fabs(record_real(place, "of_top") - ratio / top) < 1e-9);
    json_decref(place);
}

START_TEST(a_step_is_reached_at_its_speed_or_a_little_less)
{
    reaches(0.05, false, 0, "", 4);
    reaches(0.98, false, 2, "two", 4);
    reaches(0.96, false, 1, "one", 4);
    reaches(3.9, false, 3, "three", 4);
}
END_TEST

START_TEST(a_step_that_was_not_measured_is_nobodys)
{
    reaches(5, true, 2, "two", 1.1);
}
END_TEST

START_TEST(a_launcher_without_steps_has_no_place)
{
    ck_assert_ptr_null(ladder_place(TABLE, "lesson2_gemm", 1, false));
    ck_assert_ptr_null(ladder_place("", "lesson2_sgemm", 1, false));
}
END_TEST

TESTS("ladder", a_step_is_reached_at_its_speed_or_a_little_less,
      a_step_that_was_not_measured_is_nobodys, a_launcher_without_steps_has_no_place)
