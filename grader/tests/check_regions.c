/* check_regions.c - outside the marked regions nothing may differ. */
#include "check/regions.h"

#include "tests/check_main.h"

#include <string.h>

static char reason[200];

static bool agree(const char *exercise, const char *solution)
{
    *reason = '\0';
    return regions_agree(exercise, solution, reason, sizeof reason);
}

START_TEST(regions_of_any_length_may_differ)
{
    ck_assert(agree("a\n// quest: begin\nslow\n// quest: end\nb\n",
                    "a\n// quest: begin\nfast\nand long\n// quest: end\nb\n"));
    ck_assert(
        agree("  // quest: begin\n  // quest: end\nb", "  // quest: begin\nx\n  // quest: end\nb"));
}
END_TEST

START_TEST(a_difference_outside_is_found_with_both_lines)
{
    ck_assert(!agree("a\n// quest: begin\nx\n// quest: end\nb\n",
                     "a\n// quest: begin\nx\ny\n// quest: end\nc\n"));
    ck_assert_str_eq(reason, "line 5 of the exercise and line 6 of the solution differ outside "
                             "the regions");
    ck_assert(
        !agree("// quest: begin\n// quest: end\nb\n", "// quest: begin\n// quest: end\nb\nmore\n"));
}
END_TEST

START_TEST(a_region_without_an_end_is_refused)
{
    ck_assert(!agree("a\n// quest: begin\nx\n", "a\n// quest: begin\nx\n// quest: end\n"));
    ck_assert_str_eq(reason, "a region of the exercise has no \"// quest: end\"");
}
END_TEST

START_TEST(texts_without_a_region_are_refused)
{
    ck_assert(!agree("a\n", "a\n"));
    ck_assert(!agree("", ""));
    ck_assert(!agree("// quest: beginning\n", "// quest: beginning\n"));
}
END_TEST

TESTS("regions", regions_of_any_length_may_differ, a_difference_outside_is_found_with_both_lines,
      a_region_without_an_end_is_refused, texts_without_a_region_are_refused)
