/* check_memory_limits.c - how much of a machine's memory one check may take: memory_limits.c. */
#include "lib/memory_limits.h"
#include "tests/check_main.h"

#include <check.h>
#include <unistd.h>

static const uint64_t GIBIBYTE = UINT64_C(1) << 30;
/* The largest honest check in the device, and a runner: see memory_limits.h. */
static const uint64_t NEEDED_IN_DEVICE = 3300000000, NEEDED_IN_RUNNER = 100000000;

START_TEST(together_they_leave_some_of_a_machine)
{
    for (uint64_t bytes = 3 * GIBIBYTE; bytes < 4096 * GIBIBYTE; bytes += bytes / 3) {
        struct memory_limits limits = memory_limits_of(bytes);
        ck_assert_uint_le(limits.device + limits.shared + limits.runner, bytes * 11 / 16);
    }
}
END_TEST

START_TEST(with_eight_gibibytes_an_honest_check_has_room)
{
    struct memory_limits limits = memory_limits_of(8 * GIBIBYTE);
    ck_assert_uint_gt(limits.device, NEEDED_IN_DEVICE * 5 / 4);
    ck_assert_uint_gt(limits.runner, NEEDED_IN_RUNNER * 5);
}
END_TEST

START_TEST(more_memory_never_means_less_room)
{
    struct memory_limits before = memory_limits_of(0);
    for (uint64_t bytes = GIBIBYTE; bytes < 1024 * GIBIBYTE; bytes += GIBIBYTE / 2) {
        struct memory_limits limits = memory_limits_of(bytes);
        ck_assert_uint_ge(limits.device, before.device);
        ck_assert_uint_ge(limits.runner, before.runner);
        ck_assert_uint_ge(limits.shared, before.shared);
        ck_assert_uint_gt(limits.device_ends, limits.device);
        before = limits;
    }
}
END_TEST

START_TEST(this_machine_has_no_more_than_its_pages)
{
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    ck_assert_uint_gt(memory_of_machine(), 0);
    ck_assert_uint_le(memory_of_machine(), pages);
    ck_assert_uint_eq(memory_limits().device, memory_limits_of(memory_of_machine()).device);
}
END_TEST

TESTS("memory_limits", together_they_leave_some_of_a_machine,
      with_eight_gibibytes_an_honest_check_has_room, more_memory_never_means_less_room,
      this_machine_has_no_more_than_its_pages)
