/* check_observer.c - what an observer is told (observer.h), and what it is not. The observers of
 * this file note a letter for each event. */
#include "bench_machine.h"
#include "machine_internal.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LETTERS = 256, THREADS = 64, NO_WARP = MOST_WARPS };

static struct bench bench;
static char letters[MOST_LETTERS];
static uint32_t count, most_steps, followed_warp;
static bool wanted, leaves_at_once;

static void open_bench(void)
{
    bench_open(&bench);
    bench.config.block[0] = THREADS;
    memset(letters, 0, sizeof letters);
    count = 0;
    most_steps = UINT32_MAX;
    followed_warp = NO_WARP;
    wanted = true;
    leaves_at_once = false;
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* --- The observer ----------------------------------------------------------------------------- */

static void note(char letter)
{
    ck_assert_uint_lt(count, MOST_LETTERS - 1);
    letters[count++] = letter;
}

static bool told_wants(const struct launch *launch)
{
    (void)launch;
    return wanted;
}

static bool told_launch_begin(struct launch *launch)
{
    note('L');
    ck_assert_ptr_null(launch->own[OBSERVER_told]);
    launch->own[OBSERVER_told] = calloc(1, sizeof(uint32_t)); /* steps */
    return launch->own[OBSERVER_told];
}

static void told_launch_end(struct launch *launch)
{
    (void)launch;
    note('l');
}

static void told_launch_free(struct launch *launch)
{
    free(launch->own[OBSERVER_told]);
}

static void told_block_begin(struct block *block)
{
    (void)block;
    note('B');
}

static void told_block_end(struct block *block)
{
    (void)block;
    note('b');
}

static uint32_t told_follows(const struct block *block)
{
    (void)block;
    return followed_warp == NO_WARP ? 0 : UINT32_C(1) << followed_warp;
}

static void told_entered(struct warp *warp, const struct basic_block *block)
{
    (void)block;
    ck_assert_uint_eq(warp->index, followed_warp);
    note('(');
    if (leaves_at_once)
        observer_leaves(warp, OBSERVER_told);
}

static void told_left(struct warp *warp, const struct basic_block *block)
{
    (void)warp, (void)block;
    note(')');
}

static void told_step(struct warp *warp, const struct step *step)
{
    uint32_t *steps = block_launch(warp)->own[OBSERVER_told];
    (void)step;
    note('s');
    if (++*steps == most_steps)
        observer_leaves(warp, OBSERVER_told);
}

static void told_access(const struct access *access, struct site *site)
{
    (void)site;
    note(access->kind == ACCESS_LOAD ? 'r' : 'w');
}

static void told_barrier(struct block *block, uint32_t id, const lane_mask *arrived, bool of_all)
{
    (void)block, (void)id;
    ck_assert(of_all && arrived[0] == ALL_LANES && arrived[1] == ALL_LANES);
    note('X');
}

static void told_passed(struct warp *warp, uint32_t id)
{
    (void)warp;
    ck_assert_uint_eq(id, 0);
    note('x');
}

static void told_fence(struct warp *warp, const struct op *op, lane_mask lanes)
{
    (void)warp, (void)op, (void)lanes;
    note('f');
}

const struct observer observer_told = {.name = "told",
                                       .wants = told_wants,
                                       .launch_begin = told_launch_begin,
                                       .launch_end = told_launch_end,
                                       .launch_free = told_launch_free,
                                       .block_begin = told_block_begin,
                                       .block_end = told_block_end,
                                       .follows = told_follows,
                                       .entered = told_entered,
                                       .left = told_left,
                                       .step = told_step,
                                       .access = told_access,
                                       .barrier = told_barrier,
                                       .passed = told_passed,
                                       .fence = told_fence};

/* Two that are told of some accesses only. */
static void told_of_atomics_access(const struct access *access, struct site *site)
{
    (void)access, (void)site;
    note('a');
}

static void told_of_orders_access(const struct access *access, struct site *site)
{
    (void)access, (void)site;
    note('o');
}

const struct observer observer_told_of_atomics = {.name = "told of atomics",
                                                  .spaces_of_atomics = 1 << SPACE_SHARED,
                                                  .access = told_of_atomics_access};
const struct observer observer_told_of_orders = {.name = "told of orders",
                                                 .spaces_of_orders = 1 << SPACE_SHARED,
                                                 .access = told_of_orders_access};

/* --- Tests ------------------------------------------------------------------------------------ */

/* A store, a barrier, a load and a fence: of two warps, each in basic blocks of its own. */
static void run(void)
{
    bench_body(&bench, ".shared .b32 words[64]; mov.u32 %r1, %tid.x; mov.u32 %r2, words;\n"
                       "mad.lo.u32 %r2, %r1, 4, %r2;\n"
                       "st.shared.u32 [%r2], %r1;\n"
                       "bar.sync 0;\n"
                       "ld.shared.u32 %r3, [%r2];\n"
                       "membar.gl;\n");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
}

START_TEST(without_a_warp_to_follow_it_is_told_of_launch_block_and_order)
{
    run();
    ck_assert_str_eq(letters, "LBXffbl");
}
END_TEST

START_TEST(of_a_warp_that_it_follows_it_is_told_step_by_step)
{
    followed_warp = 1;
    run();
    /* Warp 1 comes to the barrier last. It has waited there, if for no time, so that run of the
     * basic block was none; the next one goes on. */
    ck_assert_str_eq(letters, "LB(sssws(X)(xs(rsfssfbl");
}
END_TEST

START_TEST(accesses_are_told_of_followed_warps_only)
{
    followed_warp = 0;
    run();
    ck_assert_ptr_eq(strchr(letters, 'w'), strrchr(letters, 'w'));
    ck_assert_ptr_eq(strchr(letters, 'r'), strrchr(letters, 'r'));
}
END_TEST

START_TEST(of_atomics_and_of_what_orders_an_observer_may_be_told_alone)
{
    bench.config.block[0] = WARP_LANES;
    bench_body(&bench, ".shared .b32 word; mov.u32 %r2, word;\n"
                       "st.shared.u32 [%r2], 1;\n"
                       "ld.shared.u32 %r3, [%r2];\n"
                       "atom.shared.add.u32 %r3, [%r2], 1;\n"
                       "atom.acq_rel.cta.shared.add.u32 %r3, [%r2], 1;\n"
                       "ld.acquire.cta.shared.u32 %r3, [%r2];\n");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_str_eq(letters, "LBaaoobl");
}
END_TEST

START_TEST(one_that_leaves_a_warp_is_told_no_more_of_it)
{
    followed_warp = 1;
    most_steps = 2;
    run();
    ck_assert_str_eq(letters, "LB(ssXffbl");
}
END_TEST

START_TEST(one_may_leave_a_warp_as_a_basic_block_begins)
{
    followed_warp = 1;
    leaves_at_once = true;
    run();
    ck_assert_str_eq(letters, "LB(Xffbl");
}
END_TEST

START_TEST(one_that_does_not_want_a_launch_is_told_nothing)
{
    wanted = false;
    run();
    ck_assert_str_eq(letters, "");
}
END_TEST

START_TEST(one_more_observer_changes_no_counter)
{
    followed_warp = 1;
    bench.config.count = true;
    run();
    struct sim_totals with = bench_result(&bench)->totals;
    wanted = false;
    run();
    ck_assert_mem_eq(&with, &bench_result(&bench)->totals, sizeof with);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "observer",
           without_a_warp_to_follow_it_is_told_of_launch_block_and_order,
           of_a_warp_that_it_follows_it_is_told_step_by_step,
           accesses_are_told_of_followed_warps_only,
           of_atomics_and_of_what_orders_an_observer_may_be_told_alone,
           one_that_leaves_a_warp_is_told_no_more_of_it,
           one_may_leave_a_warp_as_a_basic_block_begins,
           one_that_does_not_want_a_launch_is_told_nothing, one_more_observer_changes_no_counter)
