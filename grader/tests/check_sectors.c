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

/* Each lane loads 32 words one after the other, from bytes_apart its own on; returns the sectors,
 * and whether all words were the buffer's. */
static uint64_t sectors_along(unsigned bytes_apart, bool *is_right)
{
    static const uint32_t PATTERN[2] = {3, 3};
    char text[640];
    struct bench bench;
    struct sim_error error;
    bench_open(&bench);
    uint64_t from = sim_allocate(bench.context, 1 << 20, SIM_MEMORY_DEVICE, NULL, &error);
    ck_assert(sim_repeat(bench.context, from, PATTERN, sizeof PATTERN, 0, false, &error));
    bench_integer(&bench, from);
    const uint32_t *sum = bench_buffer(&bench, 256);
    snprintf(text, sizeof text,
             "mov.u32 %%r1, %%tid.x; ld.param.u64 %%rd1, [p0]; ld.param.u64 %%rd4, [p1];\n"
             "mad.wide.u32 %%rd2, %%r1, %u, %%rd1; mov.u32 %%r2, 0; mov.u32 %%r3, 0;\n"
             "again: ld.global.u32 %%r4, [%%rd2]; add.u32 %%r3, %%r3, %%r4;\n"
             "add.u64 %%rd2, %%rd2, 36; add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p1, %%r2, 32;\n"
             "@%%p1 bra again; mad.wide.u32 %%rd4, %%r1, 4, %%rd4; st.global.u32 [%%rd4], %%r3;\n"
             "ret;",
             bytes_apart);
    bench_body(&bench, text);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    uint64_t sectors = bench_result(&bench)->totals.global_load.sectors;
    *is_right = true;
    for (int i = 0; i < 32; i++)
        *is_right &= sum[i] == 32 * 3;
    bench_close(&bench);
    return sectors;
}

/* From piece to piece of memory that is made when it is first touched. */
START_TEST(lanes_that_go_along_rows_are_counted_at_each_word)
{
    bool is_right;
    ck_assert_uint_eq(sectors_along(8192, &is_right), 32 * 32);
    ck_assert(is_right);
    ck_assert_uint_eq(sectors_along(8192 + 128, &is_right), 32 * 32);
    ck_assert(is_right);
    /* Two lanes share a sector where the first one is in the lower half of one. */
    ck_assert_uint_eq(sectors_along(16, &is_right), 16 * 16 + 16 * 17);
    ck_assert(is_right);
}
END_TEST

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

TESTS("sectors", lanes_that_go_along_rows_are_counted_at_each_word, lanes_in_one_sector_count_once,
      lanes_on_one_word_count_each,
      a_lane_waits_for_an_earlier_one_at_its_place_in_a_line_of_the_same_bank)
