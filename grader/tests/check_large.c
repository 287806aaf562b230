/* check_large.c - when all blocks of a call are too much, as far as some of them tell. */
#include "check/examine/large.h"
#include "tests/check_main.h"

enum { MOST = 64 };
static struct simgpu_launch launches[MOST];

static bool is_too_much(size_t count, uint64_t each, bool across)
{
    for (size_t i = 0; i < count; i++)
        launches[i] = (struct simgpu_launch){.thread_instructions = each};
    struct simgpu_report report = {.launches = launches, .launch_count = count, .across = across};
    return large_is_too_much(&report);
}

START_TEST(many_long_launches_are_too_much)
{
    ck_assert(is_too_much(64, UINT64_C(1) << 28, true));
    ck_assert(!is_too_much(64, UINT64_C(1) << 24, true));
}
END_TEST

/* Blocks that draw their work do that of those that did not run. */
START_TEST(of_a_few_launches_blocks_may_tell_too_much)
{
    ck_assert(!is_too_much(3, UINT64_C(1) << 40, true));
}
END_TEST

START_TEST(blocks_that_wait_for_each_other_tell_nothing_of_the_others)
{
    ck_assert(!is_too_much(64, UINT64_C(1) << 28, false));
}
END_TEST

TESTS("large", many_long_launches_are_too_much, of_a_few_launches_blocks_may_tell_too_much,
      blocks_that_wait_for_each_other_tell_nothing_of_the_others)
