/* check_parts.c - launchers are named as learners type them. */
#include "check/parts.h"

#include "tests/check_main.h"

START_TEST(a_launcher_goes_by_its_short_name_and_by_its_full_one)
{
    char reason[200];
    json_t *judge = json_pack("{s:[s, s]}", "parts", "lesson2_transpose", "lesson2_sgemm");
    struct lesson lesson = {.number = 2, .judge = judge};
    ck_assert_str_eq(parts_named(&lesson, "sgemm", reason, sizeof reason), "lesson2_sgemm");
    ck_assert_str_eq(parts_named(&lesson, "lesson2_transpose", reason, sizeof reason),
                     "lesson2_transpose");
    ck_assert_str_eq(parts_short("lesson3_row_sumsq"), "row_sumsq");
    ck_assert_ptr_null(parts_named(&lesson, "gemm", reason, sizeof reason));
    ck_assert_str_eq(reason, "ONLY=gemm: lesson 2 has no such launcher; it has transpose, sgemm");
    char small[24];
    ck_assert_ptr_null(parts_named(&lesson, "gemm", small, sizeof small));
    json_decref(judge);
}
END_TEST

TESTS("parts", a_launcher_goes_by_its_short_name_and_by_its_full_one)
