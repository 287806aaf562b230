/* check_fetched.c - which requests wait for DRAM: a sample of touches, and what is concluded from
 * it. */
#include "bench_machine.h"
#include "tests/check_main.h"
#include "timing/fetched.h"
#include "touches.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

enum { THREADS = 64, FIRST_OPS = 4 }; /* ops before the body */

/* %r2 is the thread's number in the grid, %r3 the block's, %rd1 the buffer. */
static const struct launch *run(const char *body, uint32_t blocks, uint32_t workers)
{
    static const char HEAD[] = "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x;\n"
                               "mad.lo.u32 %r2, %r3, 64, %r1; ld.param.u64 %rd1, [p0];\n";
    char text[4096];
    bench.parameter_count = 0;
    bench_buffer(&bench, 64 << 20);
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    bench_body(&bench, text);
    bench.config.grid[0] = blocks;
    bench.config.block[0] = THREADS;
    bench.config.workers = workers;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    fetched_find(bench.launch);
    ck_assert_ptr_nonnull(bench.launch->fetched);
    return bench.launch;
}

#define AT(number, stride) "mad.wide.u32 %rd2, " number ", " #stride ", %rd1;\n"

START_TEST(what_each_thread_reads_alone_comes_from_dram)
{
    const struct launch *launch = run(AT("%r2", 4) "ld.global.u32 %r4, [%rd2];", 512, 1);
    const float *late = launch->fetched->late[FIRST_OPS + 1];
    ck_assert_float_eq_tol(late[FETCHED_FIRST_WAVE], 1, 0.01f);
    ck_assert_double_eq(launch->fetched->again_bytes[FIRST_OPS + 1], 0);
}
END_TEST

START_TEST(blocks_in_step_all_wait_and_later_waves_do_not)
{
    enum { WAVES = 3, WAVE = 132 * 32 };
    const struct launch *launch = run("ld.global.u32 %r4, [%rd1];", WAVES * WAVE, 1);
    const float *late = launch->fetched->late[FIRST_OPS];
    ck_assert_float_eq_tol(late[FETCHED_FIRST_WAVE], 0.5f, 0.02f);
    ck_assert_float_eq_tol(late[FETCHED_LATER], 0, 0.01f);
}
END_TEST

/* A piece of each line of 64 MiB, twice, by blocks that are all there at once: no L2 of 60 MB has
 * it still. */
START_TEST(what_is_read_again_after_too_much_else_is_lost)
{
    enum { BLOCKS = 4096, PIECES = 2 * BLOCKS * THREADS };
    const struct launch *launch =
        run(AT("%r2", 256) "ld.global.u32 %r4, [%rd2]; ld.global.u32 %r4, [%rd2+128];\n"
                           "mov.u32 %r5, 0; LOOP: add.u32 %r5, %r5, 1;\n"
                           "setp.lt.u32 %p1, %r5, 200; @%p1 bra LOOP;\n"
                           "ld.global.u32 %r4, [%rd2]; ld.global.u32 %r4, [%rd2+128];",
            BLOCKS, 2);
    double again = 0;
    for (uint32_t i = 0; i < launch->function->op_count; i++)
        again += launch->fetched->again_bytes[i];
    ck_assert_double_eq_tol(again / ((double)PIECES * TOUCH_PIECE_BYTES), 1, 0.1);
}
END_TEST

START_TEST(the_sample_is_the_same_for_any_number_of_workers)
{
    const char *body = AT("%r2", 16) "ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd2+4], %r4;";
    struct touch_sample one = touches_collect(run(body, 4096, 1));
    bench_close(&bench);
    bench_open(&bench);
    struct touch_sample several = touches_collect(run(body, 4096, 3));
    ck_assert_uint_gt(one.count, 1000);
    ck_assert_uint_eq(one.count, several.count);
    ck_assert_double_eq(one.share, several.share);
    for (size_t i = 0; i < one.count; i++) {
        ck_assert_uint_eq(one.touches[i].wave_steps, several.touches[i].wave_steps);
        ck_assert_uint_eq(one.touches[i].op, several.touches[i].op);
        ck_assert_int_eq(one.touches[i].again, several.touches[i].again);
    }
    free(one.touches);
    free(several.touches);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fetched");
    TCase *tests = tcase_create("fetched");
    tcase_add_checked_fixture(tests, open_bench, close_bench);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, what_each_thread_reads_alone_comes_from_dram);
    tcase_add_test(tests, blocks_in_step_all_wait_and_later_waves_do_not);
    tcase_add_test(tests, what_is_read_again_after_too_much_else_is_lost);
    tcase_add_test(tests, the_sample_is_the_same_for_any_number_of_workers);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
