/* check_starved.c - tells a process that the kernel killed for want of memory from one that killed
 * itself. */
#include "runner/starved.h"
#include "tests/check_main.h"

#include <check.h>

static const int64_t SECOND_NS = 1000000000;
static const uint64_t SMALL_BYTES = UINT64_C(100) << 20, LARGE_BYTES = UINT64_C(3) << 30;

/* The count is 9 from the start, and what it is at second 10. */
static struct starved seen(uint64_t later, uint64_t bytes)
{
    struct starved starved = {0};
    starved_look(&starved, true, 9, 0);
    starved_note_bytes(&starved, bytes);
    starved_note_bytes(&starved, 0);
    starved_look(&starved, true, later, 10 * SECOND_NS);
    return starved;
}

START_TEST(a_small_process_that_dies_with_the_kernels_kill_is_starved)
{
    struct starved starved = seen(10, SMALL_BYTES);
    ck_assert(starved_is_it(&starved, 10 * SECOND_NS));
    ck_assert(starved_is_it(&starved, 11 * SECOND_NS));
}
END_TEST

START_TEST(one_that_kills_itself_is_not)
{
    struct starved starved = seen(9, SMALL_BYTES);
    ck_assert(!starved_is_it(&starved, 10 * SECOND_NS));
}
END_TEST

START_TEST(nor_one_that_has_taken_the_memory)
{
    struct starved starved = seen(10, LARGE_BYTES);
    ck_assert(!starved_is_it(&starved, 10 * SECOND_NS));
}
END_TEST

START_TEST(nor_one_that_dies_long_after_or_when_the_kill_was_before_it_began)
{
    struct starved starved = seen(10, SMALL_BYTES), begun = {0};
    ck_assert(!starved_is_it(&starved, 13 * SECOND_NS));
    starved_look(&begun, true, 10, 10 * SECOND_NS);
    ck_assert(!starved_is_it(&begun, 10 * SECOND_NS));
}
END_TEST

START_TEST(without_a_count_nothing_is_proved)
{
    struct starved starved = {0};
    starved_look(&starved, false, 0, 0);
    starved_look(&starved, true, 10, SECOND_NS);
    ck_assert(!starved_is_it(&starved, SECOND_NS));
}
END_TEST

START_TEST(the_count_is_found_by_its_whole_name)
{
    uint64_t kills = 0;
    ck_assert(starved_count_in("nr_free_pages 5\noom_kill 12\nnuma_hit 3\n", &kills));
    ck_assert_uint_eq(kills, 12);
    ck_assert(!starved_count_in("nr_free_pages 5\nroom_kill 12\noom_killer 3\n", &kills));
    ck_assert(!starved_count_in("", &kills));
}
END_TEST

TESTS("starved", a_small_process_that_dies_with_the_kernels_kill_is_starved,
      one_that_kills_itself_is_not, nor_one_that_has_taken_the_memory,
      nor_one_that_dies_long_after_or_when_the_kill_was_before_it_began,
      without_a_count_nothing_is_proved, the_count_is_found_by_its_whole_name)
