/* check_sectors.c - sectors of atomics: which lanes the hardware serves in one turn (sectors.c). */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* Lanes 0, 1 and 2 add to the words of those numbers, all others stay away; returns the sectors. */
static uint64_t sectors_of(unsigned first, unsigned second, unsigned third)
{
    char text[512];
    struct bench bench;
    bench_open(&bench);
    bench_buffer(&bench, 4096);
    snprintf(text, sizeof text,
             "mov.u32 %%r1, %%tid.x; ld.param.u64 %%rd1, [p0]; setp.gt.u32 %%p1, %%r1, 2;\n"
             "@%%p1 bra there; mov.u32 %%r2, %u; setp.eq.u32 %%p2, %%r1, 1; "
             "@%%p2 mov.u32 %%r2, %u;\nsetp.eq.u32 %%p3, %%r1, 2; @%%p3 mov.u32 %%r2, %u;\n"
             "mad.wide.u32 %%rd2, %%r2, 4, %%rd1; red.global.add.u32 [%%rd2], 1;\nthere: ret;",
             first, second, third);
    bench_body(&bench, text);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    uint64_t sectors = bench_result(&bench)->totals.global_reduction.sectors;
    bench_close(&bench);
    return sectors;
}

START_TEST(lanes_in_one_sector_count_once)
{
    ck_assert_uint_eq(sectors_of(0, 1, 7), 1);
    ck_assert_uint_eq(sectors_of(0, 1, 8), 2);
}
END_TEST

START_TEST(lanes_on_one_word_count_each)
{
    ck_assert_uint_eq(sectors_of(5, 5, 5), 3);
    ck_assert_uint_eq(sectors_of(5, 6, 5), 2);
}
END_TEST

/* Lines 0 and 5 share a bank: lane 1 is left when lane 2 comes to the same place of its line. */
START_TEST(a_lane_waits_for_an_earlier_one_at_its_place_in_a_line_of_the_same_bank)
{
    ck_assert_uint_eq(sectors_of(164, 0, 160), 3);
    ck_assert_uint_eq(sectors_of(0, 160, 161), 2); /* line 5 is not served until word 0 is done */
    ck_assert_uint_eq(sectors_of(132, 0, 128), 2); /* line 4 is in another bank */
}
END_TEST

TESTS("sectors", lanes_in_one_sector_count_once, lanes_on_one_word_count_each,
      a_lane_waits_for_an_earlier_one_at_its_place_in_a_line_of_the_same_bank)
