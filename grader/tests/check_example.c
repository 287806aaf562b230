/* check_example.c - the request of each op that is kept to be shown. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
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

/* The counters of the first op that accesses memory in that way. */
static const struct sim_op_counters *op_with(enum sim_access_class access,
                                             enum sim_access_class shared_access)
{
    const struct sim_launch_result *result = bench_result(&bench);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].access == access && result->ops[i].shared_access == shared_access)
            return &result->ops[i];
    ck_abort_msg("no such op ran");
    return NULL;
}

enum { BLOCKS = 6, BLOCK_BYTES = 32 * 4 << (BLOCKS - 1) };

/* Thread t stores at element t << shift of its block's part, and the shift grows with the block. */
static void store_ever_farther_apart(uint32_t workers)
{
    bench_buffer(&bench, BLOCKS * BLOCK_BYTES);
    bench_body(&bench, "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r1, %r2;\n"
                       "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r2, 4096, %rd1;\n"
                       "mad.wide.u32 %rd2, %r3, 4, %rd2; st.global.u32 [%rd2], %r1;");
    bench.config.grid[0] = BLOCKS;
    bench.config.workers = workers;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
}

START_TEST(the_first_request_that_is_farthest_from_ideal_is_kept)
{
    store_ever_farther_apart(1 + (uint32_t)_i);
    const struct sim_op_counters *op = op_with(SIM_ACCESS_STORE, SIM_ACCESS_NONE);
    const struct sim_request *request = op->memory_example;
    ck_assert_ptr_nonnull(request);
    ck_assert_uint_eq(request->block[0], 3); /* 32 bytes apart: 32 sectors, as in blocks 4 and 5 */
    ck_assert_uint_eq(request->active, UINT32_MAX);
    ck_assert_uint_eq(request->bytes, 4);
    ck_assert_uint_eq(request->address[31] - request->address[0], 31 * 32);
    ck_assert_uint_eq(request->address[0], request->allocation + 3 * BLOCK_BYTES);
    ck_assert_ptr_null(op->shared_example);
}
END_TEST

START_TEST(lanes_that_are_apart_differently_each_time_have_no_distance)
{
    store_ever_farther_apart(1 + (uint32_t)_i);
    ck_assert_int_eq(op_with(SIM_ACCESS_STORE, SIM_ACCESS_NONE)->memory.neighbour_bytes, 0);
}
END_TEST

START_TEST(three_of_four_neighbours_decide_how_far_lanes_are_apart)
{
    bench_body(&bench, ".shared .align 4 .b8 tile[8192];\n"
                       "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 15; shr.u32 %r3, %r1, 4;\n"
                       "mad.lo.u32 %r4, %r2, 128, %r3; mul.lo.u32 %r4, %r4, 4;\n"
                       "mov.u32 %r5, tile; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r1;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    const struct sim_op_counters *op = op_with(SIM_ACCESS_NONE, SIM_ACCESS_STORE);
    ck_assert_int_eq(op->shared.neighbour_bytes, 512);
    ck_assert_uint_eq(op->shared_example->address[16], op->shared_example->address[0] + 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("example");
    TCase *tcase = tcase_create("requests");
    tcase_add_checked_fixture(tcase, open_bench, close_bench);
    tcase_add_loop_test(tcase, the_first_request_that_is_farthest_from_ideal_is_kept, 0, 3);
    tcase_add_loop_test(tcase, lanes_that_are_apart_differently_each_time_have_no_distance, 0, 3);
    tcase_add_test(tcase, three_of_four_neighbours_decide_how_far_lanes_are_apart);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
