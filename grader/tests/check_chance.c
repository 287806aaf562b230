/* check_chance.c - bounds of a share are those of tables, and hold where a share is small. */
#include "check/examine/chance.h"

#include "tests/check_main.h"

#include <math.h>

START_TEST(where_none_was_found_the_bound_is_a_power)
{
    ck_assert_double_eq_tol(chance_most_share(24, 0), 1 - pow(CHANCE_RARE, 1.0 / 24), 1e-9);
    ck_assert_double_eq_tol(chance_least_share(24, 24), pow(CHANCE_RARE, 1.0 / 24), 1e-9);
    ck_assert_double_eq(chance_most_share(24, 24), 1);
    ck_assert_double_eq(chance_least_share(24, 0), 0);
    ck_assert_double_eq(chance_most_share(0, 0), 1);
}
END_TEST

/* Two of 2048 are no rarity where one of 256 is right; none of them is. */
START_TEST(a_few_of_many_prove_little)
{
    ck_assert_double_gt(chance_most_share(2048, 2), 1.0 / 256);
    ck_assert_double_lt(chance_most_share(2048, 2), 4.0 / 256);
    ck_assert_double_gt(chance_most_share(2048, 0), 1.0 / 256);
    ck_assert_double_lt(chance_most_share(2048, 0), 2.0 / 256);
}
END_TEST

/* In the middle they are those of the normal distribution. */
START_TEST(half_of_many_is_known_well)
{
    double error = sqrt(0.25 / 2048);
    ck_assert_double_eq_tol(chance_most_share(2048, 1024), 0.5 + 4 * error, 0.1 * error);
    ck_assert_double_eq_tol(chance_least_share(2048, 1024), 0.5 - 4 * error, 0.1 * error);
}
END_TEST

TESTS("chance", where_none_was_found_the_bound_is_a_power, a_few_of_many_prove_little,
      half_of_many_is_known_well)
