/* check_strata.c - numbers drawn one from each part of a range, in an order without preference. */
#include "simgpu/machine/run/sample.h"
#include "simgpu/machine/run/strata.h"
#include "tests/check_main.h"

#include <stdlib.h>

enum { MOST = 100 };

/* For each count of parts: each part is met once before any is met again. */
START_TEST(each_part_is_met_once)
{
    for (uint64_t parts = 1; parts <= MOST; parts++) {
        uint64_t range = parts * (parts % 8 + 1) + parts / 2, random = parts + MOST;
        struct strata strata = strata_of(range, parts, &random);
        bool met[MOST] = {false};
        for (uint64_t i = 0; i < parts; i++) {
            uint64_t number = strata_draw(&strata, &random), part = 0;
            ck_assert_uint_lt(number, range);
            while ((part + 1) * range / parts <= number)
                part++;
            ck_assert_msg(!met[part], "part %d of %d", (int)part, (int)parts);
            met[part] = true;
        }
    }
}
END_TEST

/* Of any number of draws, about half are from the first half. */
START_TEST(each_beginning_is_of_the_whole_range)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t random = seed, range = UINT64_C(1) << 40;
        struct strata strata = strata_of(range, 64, &random);
        int low = 0;
        for (int i = 1; i <= 64; i++) {
            low += strata_draw(&strata, &random) < range / 2;
            ck_assert_int_le(abs(2 * low - i), 4);
        }
    }
}
END_TEST

/* Chance alone decides which number of a part it is, and which part comes first. */
START_TEST(no_number_has_preference)
{
    enum { RANGE = 12, SEEDS = 12000 };
    int drawn[RANGE] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t random = seed;
        struct strata strata = strata_of(RANGE, 4, &random);
        drawn[strata_draw(&strata, &random)]++;
    }
    for (int i = 0; i < RANGE; i++)
        ck_assert_int_lt(abs(drawn[i] - SEEDS / RANGE), 5 * 32); /* standard error: 30 */
}
END_TEST

START_TEST(there_are_no_more_parts_than_numbers)
{
    uint64_t random = 1;
    struct strata strata = strata_of(3, 8, &random);
    ck_assert_uint_eq(strata.parts, 3);
    strata = strata_of(0, 0, &random);
    ck_assert_uint_eq(strata_draw(&strata, &random), 0);
}
END_TEST

TESTS("strata", each_part_is_met_once, each_beginning_is_of_the_whole_range,
      no_number_has_preference, there_are_no_more_parts_than_numbers)
