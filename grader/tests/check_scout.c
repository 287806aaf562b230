/* check_scout.c - blocks that are unlike all others run in a sampled launch: scout.h. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <stdio.h>

enum { THREADS = 256, BLOCKS = 40000, WORDS = THREADS * BLOCKS - 77, ODD = 4321 };

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

static void vast_buffer(void)
{
    struct sim_error error;
    uint64_t address =
        sim_allocate(bench.context, UINT64_C(4) * WORDS, SIM_MEMORY_DEVICE, NULL, &error);
    ck_assert(address &&
              sim_repeat(bench.context, address, pattern, sizeof pattern, 0, false, &error));
    bench_integer(&bench, address);
}

/* Thread i writes word i of p0 to word i of p1, WORDS words. before and after say what it does
 * besides; %r2 is its block, %rd5 is i, %r4 the word. */
static const struct sim_sampled *run(const char *before, const char *after,
                                     enum sim_fault_kind fault)
{
    char text[4096];
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_80\n.address_size 64\n"
             ".const .align 4 .u32 odd_ones[2] = {0, 4321};\n"
             ".global .align 4 .u32 odd_one = 4321;\n"
             ".visible .entry test(.param .u64 p0, .param .u64 p1)\n{\n"
             ".reg .b32 %%r<16>; .reg .b64 %%rd<16>; .reg .pred %%p<8>; .reg .b16 %%h<2>;\n"
             "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x;\n"
             "ld.param.u64 %%rd1, [p0]; ld.param.u64 %%rd2, [p1];\n"
             "cvt.u64.u32 %%rd4, %%r1; mad.wide.u32 %%rd5, %%r2, %%r3, %%rd4;\n"
             "setp.ge.u64 %%p1, %%rd5, %d; @%%p1 ret;\n"
             "shl.b64 %%rd6, %%rd5, 2; add.u64 %%rd7, %%rd1, %%rd6; add.u64 %%rd8, %%rd2, %%rd6;\n"
             "%s ld.global.u32 %%r4, [%%rd7]; %s st.global.u32 [%%rd8], %%r4;\n"
             "ret;\n}\n",
             WORDS, before, after);
    bench_load(&bench, text);
    bench.config.grid[0] = BLOCKS;
    bench.config.block[0] = THREADS;
    bench.config.step_budget = UINT64_C(1) << 40;
    bench.config.sampling = (struct sim_sampling){.blocks = 16,
                                                  .steps = 1 << 22,
                                                  .most_steps = UINT64_C(1) << 32,
                                                  .seed = 5,
                                                  .anywhere = true};
    vast_buffer();
    vast_buffer();
    ck_assert_int_eq(bench_run(&bench, "test"), fault);
    return sim_launch_sampled(bench.launch);
}

static bool has_stored(const struct sim_sampled *sampled, uint64_t block)
{
    for (size_t i = 0; i < sampled->stretch_count; i++)
        if (sampled->stretches[i].block == block)
            return true;
    return false;
}

#define ODD_BLOCK "setp.eq.u32 %p2, %r2, 4321;"

START_TEST(a_block_that_stores_something_else_runs)
{
    ck_assert(has_stored(run("", ODD_BLOCK " @%p2 add.u32 %r4, %r4, 1;", SIM_FAULT_NONE), ODD));
}
END_TEST

START_TEST(a_block_that_does_nothing_runs)
{
    uint64_t ran = run("", "", SIM_FAULT_NONE)->ran;
    bench_close(&bench);
    bench_open(&bench);
    const struct sim_sampled *sampled = run(ODD_BLOCK " @%p2 ret;", "", SIM_FAULT_NONE);
    ck_assert_uint_eq(sampled->ran, ran + 1);
    ck_assert(!has_stored(sampled, ODD));
}
END_TEST

/* It is chosen by arithmetic of its own, after a store, in a loop. */
START_TEST(a_block_may_choose_itself_as_it_likes)
{
    ck_assert(has_stored(run("st.global.u32 [%rd8], 1; mov.u32 %r9, 0;\nAGAIN:\n"
                             "mul.lo.u32 %r7, %r2, 5; xor.b32 %r7, %r7, 21605;\n"
                             "add.u32 %r9, %r9, 1;\n"
                             "setp.lt.u32 %p3, %r9, 3; @%p3 bra AGAIN;\n"
                             "setp.eq.u32 %p2, %r7, 0;",
                             "@%p2 add.u32 %r4, %r4, 1;", SIM_FAULT_NONE),
                         ODD));
}
END_TEST

/* What only makes data is left out by scouts, unless something is decided by it. */
START_TEST(a_block_may_be_chosen_by_what_is_computed_from_data)
{
    ck_assert(has_stored(run(".reg .f32 %f<3>; .shared .align 4 .b32 tile[1];\n"
                             "st.shared.u32 [tile], 0; bar.sync 0; ld.shared.u32 %r7, [tile];\n"
                             "add.u32 %r7, %r7, %r2; cvt.rn.f32.u32 %f1, %r7;\n"
                             "fma.rn.f32 %f2, %f1, 0f3F800000, 0fC5870800;\n"
                             "setp.eq.f32 %p2, %f2, 0f00000000;",
                             "@%p2 add.u32 %r4, %r4, 1;", SIM_FAULT_NONE),
                         ODD));
}
END_TEST

START_TEST(a_block_that_goes_on_for_ever_is_found)
{
    run("AGAIN:\n" ODD_BLOCK " @%p2 bra AGAIN;", "", SIM_FAULT_STEP_BUDGET);
}
END_TEST

START_TEST(a_table_may_name_the_odd_blocks)
{
    ck_assert(has_stored(run("ld.const.u32 %r7, [odd_ones+4]; setp.eq.u32 %p2, %r2, %r7;",
                             "@%p2 add.u32 %r4, %r4, 1;", SIM_FAULT_NONE),
                         ODD));
}
END_TEST

START_TEST(a_variable_may_name_the_odd_blocks)
{
    ck_assert(has_stored(run("ld.global.u32 %r7, [odd_one]; setp.eq.u32 %p2, %r2, %r7;",
                             "@%p2 add.u32 %r4, %r4, 1;", SIM_FAULT_NONE),
                         ODD));
}
END_TEST

/* Half of the blocks, or the data alone: nobody is odd. */
START_TEST(what_many_blocks_do_is_not_odd)
{
    uint64_t ran = run("", "", SIM_FAULT_NONE)->ran;
    bench_close(&bench);
    bench_open(&bench);
    ck_assert_uint_eq(run("and.b32 %r7, %r2, 1; setp.eq.u32 %p2, %r7, 0;",
                          "@%p2 add.u32 %r4, %r4, 1; setp.eq.u32 %p3, %r4, 77;\n"
                          "@%p3 add.u32 %r4, %r4, 2;",
                          SIM_FAULT_NONE)
                          ->ran,
                      ran);
}
END_TEST

/* The last buffer, whose words all threads store to by what registers say. */
static const struct sim_written *written(const struct sim_sampled *sampled)
{
    ck_assert_uint_eq(sampled->written_count, 1);
    return sampled->written;
}

START_TEST(all_blocks_are_followed)
{
    const struct sim_written *all = written(run("", "", SIM_FAULT_NONE));
    ck_assert_uint_eq(all->low, 0);
    ck_assert_uint_eq(all->high, UINT64_C(4) * WORDS);
    ck_assert_uint_eq(all->holes, 0);
    ck_assert_uint_eq(all->first_hole, all->high);
}
END_TEST

START_TEST(a_piece_that_one_block_leaves_out_is_a_hole)
{
    const struct sim_written *all =
        written(run(ODD_BLOCK " setp.lt.and.u32 %p3, %r1, 5, %p2; @%p3 ret;", "", SIM_FAULT_NONE));
    ck_assert_uint_eq(all->high, UINT64_C(4) * WORDS);
    ck_assert_uint_eq(all->holes, 5 * 4);
    ck_assert_uint_eq(all->first_hole, UINT64_C(4) * THREADS * ODD);
}
END_TEST

START_TEST(half_a_word_is_a_hole)
{
    const struct sim_written *all =
        written(run("", ODD_BLOCK " @%p2 st.global.u16 [%rd8], %h1; @%p2 ret;", SIM_FAULT_NONE));
    ck_assert_uint_eq(all->holes, 2 * THREADS);
}
END_TEST

/* Nothing is said of any byte where one block adds by an atomic, */
START_TEST(what_an_atomic_stores_is_not_followed)
{
    ck_assert_uint_eq(
        run("", ODD_BLOCK " @%p2 red.global.add.u32 [%rd8], 1;", SIM_FAULT_NONE)->written_count, 0);
}
END_TEST

/* or takes longer than any may. */
START_TEST(a_long_warp_is_not_followed)
{
    ck_assert_uint_eq(run("setp.eq.u32 %p3, %r2, 4321; setp.lt.and.u32 %p2, %r1, 32, %p3;\n"
                          "mov.u32 %r9, 0;\nAGAIN:\nadd.u32 %r9, %r9, 1;\n"
                          "setp.lt.and.u32 %p3, %r9, 25000, %p2; @%p3 bra AGAIN;",
                          "", SIM_FAULT_NONE)
                          ->written_count,
                      0);
}
END_TEST

/* Lanes on one path load, while others keep what leads to their address: r4 shares a place with
 * what only the path before it in the text needs, and that path is gone through last. */
START_TEST(what_one_path_loads_leaves_another_one_alone)
{
    const struct sim_written *all =
        written(run("and.b32 %r9, %r1, 1; setp.eq.u32 %p2, %r9, 1; shl.b32 %r10, %r1, 2;\n"
                    "mul.lo.u32 %r11, %r2, 1024; @%p2 bra ODD; bra.uni EVEN;\nODD:\n"
                    "add.u32 %r11, %r11, %r10; cvt.u64.u32 %rd12, %r11;\n"
                    "add.u64 %rd12, %rd12, %rd2; st.global.u32 [%rd12], 1; ret;\nEVEN:\n",
                    "", SIM_FAULT_NONE));
    ck_assert_uint_eq(all->low, 0);
    ck_assert_uint_eq(all->high, UINT64_C(4) * WORDS);
    ck_assert_uint_eq(all->holes, 0);
}
END_TEST

/* --- Twins: twins.h --------------------------------------------------------------------------- */

/* Two blocks that ran, and stored to the same places. */
static uint32_t twins_that_ran(const struct sim_sampled *sampled)
{
    uint32_t count = 0;
    for (size_t i = 0; i < sampled->stretch_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct sim_stretch *a = &sampled->stretches[i], *b = &sampled->stretches[j];
            count += a->print == b->print && a->low == b->low && a->block != b->block;
        }
    return count;
}

static double share(uint32_t count, const struct sim_sampled *sampled)
{
    ck_assert_uint_gt(sampled->twins.drawn, 2000);
    return (double)count / sampled->twins.drawn;
}

START_TEST(blocks_with_pieces_of_their_own_have_no_twins)
{
    const struct sim_sampled *sampled = run("", "", SIM_FAULT_NONE);
    ck_assert_uint_eq(twins_that_ran(sampled), 0);
    ck_assert_uint_eq(sampled->twins.drawn, 0);
}
END_TEST

/* A quarter of the blocks store where another quarter does: 10240000 bytes further down, */
START_TEST(blocks_that_store_what_others_do_run_and_are_counted)
{
    const struct sim_sampled *sampled =
        run("setp.ge.u32 %p2, %r2, 30000; @%p2 sub.u64 %rd8, %rd8, 10240000;", "", SIM_FAULT_NONE);
    ck_assert_uint_ge(twins_that_ran(sampled), 2);
    ck_assert_double_eq_tol(share(sampled->twins.found, sampled), 0.5, 0.05);
    ck_assert_uint_eq(sampled->twins.idle, 0);
}
END_TEST

/* or where their number has lost a bit. */
START_TEST(an_index_cut_short_is_found_by_its_bits)
{
    const struct sim_sampled *sampled =
        run("and.b32 %r9, %r2, 32768; mul.wide.u32 %rd9, %r9, 1024; sub.u64 %rd8, %rd8, %rd9;", "",
            SIM_FAULT_NONE);
    double twins = 2.0 * (BLOCKS - 32768) / BLOCKS;
    ck_assert_uint_ge(twins_that_ran(sampled), 2);
    ck_assert_double_eq_tol(share(sampled->twins.found, sampled), twins, 0.05);
}
END_TEST

START_TEST(blocks_that_store_nothing_are_counted)
{
    const struct sim_sampled *sampled =
        run("setp.ge.u32 %p2, %r2, 39000; @%p2 ret;", "", SIM_FAULT_NONE);
    ck_assert_double_eq_tol(share(sampled->twins.idle, sampled), 0.025, 0.015);
    ck_assert_uint_eq(twins_that_ran(sampled), 0);
}
END_TEST

/* Their first threads alone do nothing. */
START_TEST(blocks_whose_other_threads_store_are_not_idle)
{
    const struct sim_sampled *sampled =
        run("setp.ge.u32 %p2, %r2, 39000; setp.lt.and.u32 %p3, %r1, 32, %p2; @%p3 ret;", "",
            SIM_FAULT_NONE);
    ck_assert_uint_eq(sampled->twins.idle, 0);
}
END_TEST

/* One of 512 blocks stores for all of them, most likely none that chance chose: one runs. */
START_TEST(of_few_blocks_that_store_one_runs)
{
    const struct sim_sampled *sampled =
        run("and.b32 %r9, %r2, 511; setp.ne.u32 %p2, %r9, 77; @%p2 ret;", "", SIM_FAULT_NONE);
    uint32_t stored = 0;
    for (size_t i = 0; i < sampled->stretch_count; i++)
        stored += sampled->stretches[i].block % 512 == 77;
    ck_assert_uint_ge(stored, 2);
    ck_assert_double_eq_tol(share(sampled->twins.idle, sampled), 511.0 / 512, 0.01);
}
END_TEST

/* Of what each thread does once: as often as there are threads. */
START_TEST(what_scouts_do_is_not_counted)
{
    bench.config.count = true;
    run(ODD_BLOCK, "@%p2 add.u32 %r4, %r4, 1;", SIM_FAULT_NONE);
    const struct sim_totals *totals = &bench_result(&bench)->totals;
    ck_assert_double_eq_tol((double)totals->global_load.bytes, 4.0 * WORDS, 0.002 * WORDS);
    ck_assert_double_eq_tol((double)totals->global_store.lanes, WORDS, 0.0005 * WORDS);
    ck_assert_uint_lt(totals->thread_inst, UINT64_C(20) * THREADS * BLOCKS);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "scout", a_block_that_stores_something_else_runs,
           a_block_that_does_nothing_runs, a_block_may_choose_itself_as_it_likes,
           a_block_may_be_chosen_by_what_is_computed_from_data,
           a_block_that_goes_on_for_ever_is_found, a_table_may_name_the_odd_blocks,
           a_variable_may_name_the_odd_blocks, what_many_blocks_do_is_not_odd,
           all_blocks_are_followed, a_piece_that_one_block_leaves_out_is_a_hole,
           half_a_word_is_a_hole, what_an_atomic_stores_is_not_followed,
           a_long_warp_is_not_followed, what_scouts_do_is_not_counted,
           what_one_path_loads_leaves_another_one_alone,
           blocks_with_pieces_of_their_own_have_no_twins,
           blocks_that_store_what_others_do_run_and_are_counted,
           an_index_cut_short_is_found_by_its_bits, blocks_that_store_nothing_are_counted,
           blocks_whose_other_threads_store_are_not_idle, of_few_blocks_that_store_one_runs)
