/* check_watch.c - a warp watched step by step: masks, the reconvergence stack, the PTX itself. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 64 };

static struct bench bench;
static struct sim_step steps[MOST_STEPS];
static uint32_t count, most;

static void open_bench(void)
{
    bench_open(&bench);
    count = 0;
    most = MOST_STEPS;
}

static void close_bench(void)
{
    bench_close(&bench);
}

static bool note(void *context, const struct sim_step *step)
{
    ck_assert_ptr_eq(context, &bench);
    ck_assert_uint_lt(count, most);
    steps[count++] = *step;
    return count < most;
}

static void watch(uint32_t block, uint32_t warp)
{
    bench.config.watch = (struct sim_watch){note, &bench, {block, 0, 0}, warp};
}

static const char *ptx(uint32_t step)
{
    static char text[128];
    sim_kernel_ptx(sim_module_kernel(bench.module, "test"), steps[step].ptx_line, text,
                   sizeof text);
    return text;
}

static void run_divergent_kernel(void)
{
    bench_body(&bench, "mov.u32 %r1, %tid.x;\n"
                       "setp.lt.u32 %p1, %r1, 8;\n"
                       "@%p1 mov.u32\t%r2,\n\t5;\n"
                       "@%p1 bra THEN;\n"
                       "mov.u32 %r3, 2;\n"
                       "bra JOIN;\n"
                       "THEN:\n"
                       "mov.u32 %r3, 1;\n"
                       "JOIN:\n"
                       "bar.sync 0;\n");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
}

START_TEST(masks_and_stack_follow_lanes_that_part_and_meet)
{
    const struct {
        const char *ptx;
        uint32_t mask, active, depth;
    } expected[] = {
        {"mov.u32 %r1, %tid.x", ~0u, ~0u, 0},
        {"setp.lt.u32 %p1, %r1, 8", ~0u, ~0u, 0},
        {"@%p1 mov.u32 %r2, 5", ~0u, 0xFF, 0},
        {"@%p1 bra THEN", ~0u, 0xFF, 0},
    };
    watch(0, 0);
    run_divergent_kernel();
    ck_assert_uint_eq(count, 9);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(steps[i].number, i);
        ck_assert_str_eq(ptx(i), expected[i].ptx);
        ck_assert_uint_eq(steps[i].mask, expected[i].mask);
        ck_assert_uint_eq(steps[i].active, expected[i].active);
        ck_assert_uint_eq(steps[i].depth, expected[i].depth);
    }
    for (uint32_t i = 4; i < 7; i++) { /* one path after the other, in either order */
        bool then = strcmp(ptx(i), "mov.u32 %r3, 1") == 0;
        ck_assert_uint_eq(steps[i].mask, then ? 0xFF : ~0xFFu);
        ck_assert_uint_eq(steps[i].depth, 1);
    }
    ck_assert_str_eq(ptx(7), "bar.sync 0");
    ck_assert_uint_eq(steps[7].mask, ~0u);
    ck_assert_uint_eq(steps[7].depth, 0);
}
END_TEST

START_TEST(only_the_warp_that_was_asked_for_is_watched)
{
    bench.config.grid[0] = 3;
    bench.config.block[0] = 40;
    watch(2, 1);
    run_divergent_kernel();
    ck_assert_uint_eq(count, 8); /* no lane of it is below 8 */
    ck_assert_uint_eq(steps[0].live, 0xFF);
    ck_assert_uint_eq(steps[0].mask, 0xFF);
}
END_TEST

START_TEST(a_watcher_that_has_seen_enough_is_not_told_more)
{
    most = 3;
    watch(0, 0);
    run_divergent_kernel();
    ck_assert_uint_eq(count, 3);
}
END_TEST

START_TEST(counters_are_the_same_with_a_watcher)
{
    run_divergent_kernel();
    struct sim_totals without = bench_result(&bench)->totals;
    watch(0, 0);
    run_divergent_kernel();
    ck_assert_mem_eq(&without, &bench_result(&bench)->totals, sizeof without);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "watch", masks_and_stack_follow_lanes_that_part_and_meet,
           only_the_warp_that_was_asked_for_is_watched,
           a_watcher_that_has_seen_enough_is_not_told_more, counters_are_the_same_with_a_watcher)
