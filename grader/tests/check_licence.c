/* check_licence.c - what a real device may do and ours would not do by itself: discard lines,
 * suspend a warp in a wait, begin kernels early, and place blocks and warps anywhere.
 *
 * %rd1 is a buffer of 4 KiB, %rd2 of the thread's own line of it, %r1 the thread's number.
 */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER_BYTES = 4096, OWN_BYTES = 128 };

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

static uint32_t *load(const char *body)
{
    char text[4096];
    snprintf(text, sizeof text,
             ".shared .align 8 .b8 s_full[8];\n"
             "ld.param.u64 %%rd1, [p0]; mov.u32 %%r1, %%tid.x;\n"
             "mul.wide.u32 %%rd2, %%r1, 128; add.u64 %%rd2, %%rd1, %%rd2;\n"
             "setp.eq.u32 %%p1, %%r1, 0;\n%s",
             body);
    bench_body(&bench, text);
    return bench_buffer(&bench, BUFFER_BYTES);
}

static double modelled_ns(const char *body)
{
    load(body);
    bench.config.count = true;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return bench_result(&bench)->modelled_ns;
}

/* --- discard.L2 ------------------------------------------------------------------------------- */

START_TEST(a_discarded_line_holds_anything)
{
    uint32_t *buffer = load("st.global.u32 [%rd2], 7; discard.global.L2 [%rd2], 128;\n");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (size_t i = 0; i < BUFFER_BYTES / sizeof *buffer; i += OWN_BYTES / sizeof *buffer)
        ck_assert_uint_ne(buffer[i], 7);
}
END_TEST

START_TEST(what_is_written_after_a_discard_stays)
{
    uint32_t *buffer = load("discard.global.L2 [%rd2], 128; st.global.u32 [%rd2], 7;\n");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_uint_eq(buffer[0], 7);
    ck_assert_uint_ne(buffer[1], 0);
}
END_TEST

START_TEST(a_discard_is_a_write)
{
    load("add.u64 %rd3, %rd1, 4096; discard.global.L2 [%rd3], 128;\n");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_OUT_OF_BOUNDS);
}
END_TEST

START_TEST(a_discard_needs_a_whole_line)
{
    load("add.u64 %rd3, %rd1, 64; discard.global.L2 [%rd3], 128;\n");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_MISALIGNED);
}
END_TEST

START_TEST(a_discard_races_with_other_threads)
{
    load("mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3;\n"
         "@%p1 discard.global.L2 [%rd1], 128; ld.global.u32 %r2, [%rd1+64];\n"
         "st.global.u32 [%rd3+2048], %r2;\n");
    bench.config.block[0] = 64;
    bench.config.checks = SIM_CHECK_RACES;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_GLOBAL_RACE);
}
END_TEST

/* --- try_wait --------------------------------------------------------------------------------- */

#define MAKE "@%p1 mbarrier.init.shared.b64 [s_full], 1; bar.sync 0;\n"

START_TEST(a_wait_in_vain_takes_as_long_as_it_says)
{
    double without = modelled_ns(MAKE);
    bench_close(&bench);
    bench_open(&bench);
    double with =
        modelled_ns(MAKE "mbarrier.try_wait.parity.shared.b64 %p2, [s_full], 0, 200000;\n");
    ck_assert_double_gt(with, without + 190e3);
    ck_assert_double_lt(with, without + 250e3);
}
END_TEST

START_TEST(a_wait_that_is_over_takes_no_such_time)
{
    double ns = modelled_ns(MAKE "mbarrier.try_wait.parity.shared.b64 %p2, [s_full], 1, 200000;\n");
    ck_assert_double_lt(ns, 50e3);
}
END_TEST

START_TEST(a_test_is_no_wait)
{
    double ns = modelled_ns(MAKE "mbarrier.test_wait.parity.shared.b64 %p2, [s_full], 0;\n");
    ck_assert_double_lt(ns, 50e3);
}
END_TEST

/* --- Launches that may begin early ------------------------------------------------------------ */

static enum sim_fault_kind run_early(const char *body)
{
    load(body);
    bench.config.block[0] = 64;
    bench.config.may_begin_early = true;
    bench.config.checks = SIM_CHECK_RACES;
    return bench_run(&bench, "test");
}

START_TEST(who_may_begin_early_waits_before_it_reads)
{
    ck_assert_int_eq(run_early("ld.global.u32 %r2, [%rd1];\n"), SIM_FAULT_GLOBAL_RACE);
    ck_assert_ptr_nonnull(strstr(sim_launch_fault(bench.launch)->message, "griddepcontrol.wait"));
}
END_TEST

START_TEST(who_waits_may_read)
{
    ck_assert_int_eq(run_early("griddepcontrol.wait; ld.global.u32 %r2, [%rd1];\n"),
                     SIM_FAULT_NONE);
}
END_TEST

START_TEST(who_meets_one_that_waited_may_read)
{
    ck_assert_int_eq(run_early("@%p1 griddepcontrol.wait; bar.sync 0;\n"
                               "ld.global.u32 %r2, [%rd1];\n"),
                     SIM_FAULT_NONE);
}
END_TEST

START_TEST(other_warps_do_not_wait_for_one)
{
    ck_assert_int_eq(run_early("@%p1 griddepcontrol.wait; ld.global.u32 %r2, [%rd1];\n"),
                     SIM_FAULT_GLOBAL_RACE);
}
END_TEST

/* --- Where blocks are ------------------------------------------------------------------------- */

enum { BLOCKS = 264 };

/* %smid and %warpid of the first thread of each block. */
static uint32_t *places(uint64_t seed)
{
    uint32_t *buffer = load("mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd3, %r2, 8;\n"
                            "add.u64 %rd3, %rd1, %rd3; mov.u32 %r3, %smid; mov.u32 %r4, %warpid;\n"
                            "@%p1 st.global.v2.u32 [%rd3], {%r3, %r4};\n");
    bench.config.grid[0] = BLOCKS;
    bench.config.seed = seed;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return buffer;
}

START_TEST(with_a_seed_blocks_are_anywhere)
{
    const uint32_t count = sim_machine_profile(bench.machine)->multiprocessors;
    const uint32_t *at = places(20260101);
    uint32_t in_turn = 0, first_slots = 0, had[BLOCKS] = {0};
    for (uint32_t i = 0; i < count && i < BLOCKS; i++) {
        ck_assert_uint_lt(at[2 * i], count);
        in_turn += at[2 * i] == i;
        first_slots += at[2 * i + 1] == 0;
        ck_assert_uint_eq(had[at[2 * i]]++, 0); /* each has one */
        if (i + count < BLOCKS)
            ck_assert_uint_eq(at[2 * i], at[2 * (i + count)]);
    }
    ck_assert_uint_lt(in_turn, count / 2);
    ck_assert_uint_lt(first_slots, count);
}
END_TEST

START_TEST(in_plain_order_they_are_dealt_out_in_turn)
{
    const uint32_t count = sim_machine_profile(bench.machine)->multiprocessors;
    const uint32_t *at = places(0);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        ck_assert_uint_eq(at[2 * i], i % count);
        ck_assert_uint_eq(at[2 * i + 1], 0);
    }
}
END_TEST

/* Whoever reads a clock meets one that has long been running, and that goes on from launch to
 * launch; the number of a launch rises, too. */
START_TEST(clocks_have_run_for_days)
{
    const uint64_t DAY_NS = UINT64_C(86400000000000), NOW_NS = UINT64_C(1800000000000000000);
    uint64_t *seen = (uint64_t *)load("mov.u64 %rd4, %clock64; mov.u64 %rd5, %gridid;\n"
                                      "@%p1 st.global.v2.u64 [%rd1], {%rd4, %rd5};\n");
    bench.config.start_ns = NOW_NS;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    uint64_t clock = seen[0], number = seen[1];
    ck_assert_uint_gt(clock, DAY_NS);
    bench.config.start_ns = NOW_NS + 1000;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_uint_ge(seen[0] - clock, 1000);
    ck_assert_uint_lt(seen[0] - clock, 1000000);
    ck_assert_uint_gt(seen[1], number);
}
END_TEST

START_TEST(with_a_seed_no_launch_is_every_second_one)
{
    enum { BLOCKS = 32 };
    uint32_t *seen = load("mov.u64 %rd4, %gridid; cvt.u32.u64 %r2, %rd4; mov.u32 %r3, %ctaid.x;\n"
                          "mul.wide.u32 %rd3, %r3, 4; add.u64 %rd3, %rd1, %rd3;\n"
                          "@%p1 st.global.u32 [%rd3], %r2;\n");
    bench.config.seed = 7;
    bench.config.grid[0] = BLOCKS;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    int odd = 0;
    for (int i = 0; i < BLOCKS; i++)
        odd += seen[i] % 2;
    ck_assert_int_gt(odd, BLOCKS / 4);
    ck_assert_int_lt(odd, BLOCKS * 3 / 4);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "licence", a_discarded_line_holds_anything,
           what_is_written_after_a_discard_stays, a_discard_is_a_write,
           a_discard_needs_a_whole_line, a_discard_races_with_other_threads,
           a_wait_in_vain_takes_as_long_as_it_says, a_wait_that_is_over_takes_no_such_time,
           a_test_is_no_wait, who_may_begin_early_waits_before_it_reads, who_waits_may_read,
           who_meets_one_that_waited_may_read, other_warps_do_not_wait_for_one,
           with_a_seed_blocks_are_anywhere, in_plain_order_they_are_dealt_out_in_turn,
           clocks_have_run_for_days, with_a_seed_no_launch_is_every_second_one)
