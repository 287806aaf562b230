/* check_banks.c - wavefronts of shared memory, and the fewest that a request can take (banks.c). */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>

/* A load of four words by all lanes, which lie bytes_apart. */
static struct sim_access_counters counted(unsigned bytes_apart)
{
    char text[512];
    struct bench bench;
    bench_open(&bench);
    snprintf(text, sizeof text,
             ".shared .align 16 .b8 words[8192]; mov.u32 %%r5, words; mov.u32 %%r1, %%tid.x;\n"
             "mad.lo.u32 %%r3, %%r1, %u, %%r5; ld.shared.v4.u32 {%%r6, %%r7, %%r8, %%r9}, [%%r3];\n"
             "ret;",
             bytes_apart);
    bench_body(&bench, text);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    struct sim_access_counters counters = bench_result(&bench)->totals.shared_load;
    bench_close(&bench);
    return counters;
}

START_TEST(lanes_that_read_one_place_wait_for_no_other)
{
    struct sim_access_counters counters = counted(0);
    ck_assert_uint_eq(counters.wavefronts, 2); /* as on an H200 */
    ck_assert_uint_eq(counters.ideal_wavefronts, 2);
}
END_TEST

START_TEST(lanes_that_meet_in_a_bank_wait)
{
    struct sim_access_counters neighbours = counted(16), apart = counted(128);
    ck_assert_uint_eq(neighbours.wavefronts, 4);
    ck_assert_uint_eq(neighbours.ideal_wavefronts, 4);
    ck_assert_uint_eq(apart.wavefronts, 32);
    ck_assert_uint_eq(apart.ideal_wavefronts, 4);
}
END_TEST

TESTS("banks", lanes_that_read_one_place_wait_for_no_other, lanes_that_meet_in_a_bank_wait)
