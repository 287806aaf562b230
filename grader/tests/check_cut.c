/* check_cut.c - a block that goes from tile to tile is cut off after some of them: cut.h. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <stdio.h>

/* A tile takes about 2^23 thread instructions, and a block has 20 or 21 tiles. */
enum { THREADS = 256, BLOCKS = 40, TILES = 20 * BLOCKS + 3, WORDS = THREADS * TILES };
enum { TILE_BYTES = 4 * THREADS };

static struct bench bench;
static uint32_t pattern[1009];

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

static void vast_buffer(bool is_output)
{
    struct sim_error error;
    uint64_t address =
        sim_allocate(bench.context, UINT64_C(4) * WORDS, SIM_MEMORY_DEVICE, NULL, &error);
    ck_assert(address &&
              sim_repeat(bench.context, address, pattern, sizeof pattern, 0, is_output, &error));
    bench_integer(&bench, address);
}

/* Blocks go through all tiles, a grid's width at a time; in each, a thread adds up a word of p0
 * many times, and stores the sum to that of p1. Of a tile, %r2 is the number; its sums are %r7
 * long; before is done before it, and %p2 says whether it is stored. */
static const struct sim_sampled *run(const char *before, bool anywhere, enum sim_fault_kind fault)
{
    char text[4096];
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry test(.param .u64 p0, .param .u64 p1)\n{\n"
             ".reg .b32 %%r<16>; .reg .b64 %%rd<16>; .reg .pred %%p<8>;\n"
             "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%nctaid.x;\n"
             "ld.param.u64 %%rd1, [p0]; ld.param.u64 %%rd2, [p1];\n"
             "TILE:\n"
             "mov.u32 %%r7, 8192; setp.eq.u32 %%p2, %%r1, %%r1;\n"
             "mad.lo.u32 %%r4, %%r2, %d, %%r1; mul.wide.u32 %%rd3, %%r4, 4;\n"
             "add.u64 %%rd4, %%rd1, %%rd3; add.u64 %%rd5, %%rd2, %%rd3;\n"
             "ld.global.u32 %%r5, [%%rd4];\n%s\n"
             "mov.u32 %%r6, 0; mov.u32 %%r8, 0;\n"
             "TERM:\n"
             "add.u32 %%r6, %%r6, %%r5; add.u32 %%r8, %%r8, 1;\n"
             "setp.lt.u32 %%p3, %%r8, %%r7; @%%p3 bra TERM;\n"
             "@%%p2 st.global.u32 [%%rd5], %%r6;\n"
             "add.u32 %%r2, %%r2, %%r3; setp.lt.u32 %%p4, %%r2, %d; @%%p4 bra TILE;\n"
             "ret;\n}\n",
             THREADS, before, TILES);
    bench_load(&bench, text);
    bench.config.grid[0] = BLOCKS;
    bench.config.block[0] = THREADS;
    bench.config.count = true;
    bench.config.step_budget = UINT64_C(1) << 40;
    bench.config.sampling = (struct sim_sampling){.blocks = 16,
                                                  .steps = 1 << 22,
                                                  .most_steps = UINT64_C(1) << 28,
                                                  .seed = 5,
                                                  .anywhere = anywhere};
    for (uint32_t i = 0; i < sizeof pattern / sizeof *pattern; i++)
        pattern[i] = 1;
    vast_buffer(false);
    vast_buffer(true);
    ck_assert_int_eq(bench_run(&bench, "test"), fault);
    return sim_launch_sampled(bench.launch);
}

START_TEST(a_block_is_cut_off_between_its_tiles)
{
    const struct sim_sampled *sampled = run("", false, SIM_FAULT_NONE);
    ck_assert_uint_gt(sampled->ran, 0);
    ck_assert_uint_eq(sampled->cut_off, sampled->ran);
    for (size_t i = 0; i < sampled->stretch_count; i++) {
        ck_assert_uint_eq(sampled->stretches[i].bytes % TILE_BYTES, 0);
        ck_assert_uint_lt(sampled->stretches[i].bytes, 10 * TILE_BYTES);
    }
}
END_TEST

START_TEST(what_it_has_counted_is_scaled_up)
{
    const double each = 4 * 8192; /* instructions of a thread for a tile, and a few more */
    run("", false, SIM_FAULT_NONE);
    const struct sim_totals *totals = &bench_result(&bench)->totals;
    ck_assert_double_eq_tol((double)totals->global_store.bytes, 4.0 * WORDS, 0.07 * 4 * WORDS);
    ck_assert_double_eq_tol((double)totals->thread_inst, each * WORDS, 0.07 * each * WORDS);
}
END_TEST

/* Sixteen times as long, but for the load that each tile waits for. */
START_TEST(its_time_is_that_of_all_its_tiles)
{
    const struct sim_launch_result *result;
    double cut_ns;
    run("", false, SIM_FAULT_NONE);
    cut_ns = bench_result(&bench)->modelled_ns;
    bench_close(&bench);
    bench_open(&bench);
    bench.parameter_count = 0;
    run("mov.u32 %r7, 512;", false, SIM_FAULT_NONE); /* so short that none is cut off */
    ck_assert_uint_eq(sim_launch_sampled(bench.launch)->cut_off, 0);
    result = bench_result(&bench);
    ck_assert_double_eq_tol(cut_ns / result->modelled_ns, 15, 1);
}
END_TEST

/* From the fifth on, each takes half as long again: 28 in place of 20. */
START_TEST(late_tiles_that_take_longer_count)
{
    static const char LATE[] = "setp.ge.u32 %p5, %r2, 160; selp.u32 %r7, 12288, 8192, %p5;";
    double first_ns;
    run(LATE, false, SIM_FAULT_NONE);
    first_ns = bench_result(&bench)->modelled_ns;
    bench_close(&bench);
    bench_open(&bench);
    run(LATE, true, SIM_FAULT_NONE);
    ck_assert_double_eq_tol(bench_result(&bench)->modelled_ns / first_ns, 28 / 20.0, 0.1);
}
END_TEST

START_TEST(one_block_that_chance_chose_goes_on)
{
    const struct sim_sampled *sampled = run("", true, SIM_FAULT_NONE);
    uint64_t whole = 0;
    ck_assert_uint_eq(sampled->cut_off, sampled->ran - 1);
    for (size_t i = 0; i < sampled->stretch_count; i++)
        whole += sampled->stretches[i].bytes >= 20 * TILE_BYTES;
    ck_assert_uint_eq(whole, 1);
    ck_assert_uint_eq(sampled->written_count, 1);
    ck_assert_uint_eq(sampled->written->holes, 0);
    ck_assert_uint_eq(sampled->written->high, UINT64_C(4) * WORDS);
}
END_TEST

/* Even one that belongs to a block which does not run. */
START_TEST(a_late_tile_that_is_left_out_is_a_hole)
{
    const struct sim_sampled *sampled = run("setp.ne.u32 %p2, %r2, 787;", true, SIM_FAULT_NONE);
    ck_assert_uint_eq(sampled->written->holes, TILE_BYTES);
    ck_assert_uint_eq(sampled->written->first_hole, UINT64_C(787) * TILE_BYTES);
}
END_TEST

/* How long a sum is, data may decide, */
START_TEST(what_is_not_stored_may_depend_on_data)
{
    ck_assert_uint_gt(run("add.u32 %r7, %r5, 8191;", false, SIM_FAULT_NONE)->cut_off, 0);
}
END_TEST

/* but not which tiles there are, */
START_TEST(a_block_with_as_many_tiles_as_data_say_is_not_cut_off)
{
    ck_assert_uint_eq(run("setp.eq.u32 %p2, %r5, 1;", false, SIM_FAULT_STEP_BUDGET)->cut_off, 0);
}
END_TEST

/* nor what others have counted. */
START_TEST(a_block_that_uses_atomics_is_not_cut_off)
{
    ck_assert_uint_eq(
        run("@!%p2 red.global.add.u32 [%rd5], 1;", false, SIM_FAULT_STEP_BUDGET)->cut_off, 0);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "cut", a_block_is_cut_off_between_its_tiles,
           what_it_has_counted_is_scaled_up, its_time_is_that_of_all_its_tiles,
           late_tiles_that_take_longer_count, one_block_that_chance_chose_goes_on,
           a_late_tile_that_is_left_out_is_a_hole, what_is_not_stored_may_depend_on_data,
           a_block_with_as_many_tiles_as_data_say_is_not_cut_off,
           a_block_that_uses_atomics_is_not_cut_off)
