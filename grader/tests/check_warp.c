/* check_warp.c - lanes that part and meet again, wait for each other, and share memory. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

START_TEST(lanes_that_part_meet_again_at_the_join)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 8; mov.u32 %r3, 0;\n"
                       "@%p1 bra THEN; mov.u32 %r3, 2; bra JOIN;\n"
                       "THEN: mov.u32 %r3, 1;\n"
                       "JOIN: activemask.b32 %r4; mul.lo.u32 %r5, %r1, 4; cvt.u64.u32 %rd2, %r5;\n"
                       "ld.param.u64 %rd1, [p0]; add.u64 %rd1, %rd1, %rd2; popc.b32 %r6, %r4;\n"
                       "mad.lo.u32 %r7, %r3, 100, %r6; st.global.u32 [%rd1], %r7;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_uint_eq(out[0], 132);
    ck_assert_uint_eq(out[31], 232);
    ck_assert_uint_eq(bench_result(&bench)->totals.divergent_branches, 1);
}
END_TEST

START_TEST(a_loop_that_lanes_leave_one_by_one_needs_no_stack)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, "mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
                       "LOOP: add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r1; @%p1 bra LOOP;\n"
                       "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                       "st.global.u32 [%rd2], %r2;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], lane + 1);
    ck_assert_uint_eq(bench_result(&bench)->totals.global_store.requests, 1);
}
END_TEST

START_TEST(the_two_sides_of_a_branch_can_exchange_values)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16;\n"
                       "@%p1 bra LOW; shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1; bra JOIN;\n"
                       "LOW: shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;\n"
                       "JOIN: ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                       "st.global.u32 [%rd2], %r3;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], lane ^ 16);
}
END_TEST

START_TEST(a_split_keeps_what_it_was_given_while_others_meet_again)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16; ld.param.u64 %rd1, [p0];\n"
                       "mad.wide.u32 %rd2, %r1, 4, %rd1; add.u32 %r8, %r1, 100;\n"
                       "@%p1 bra LOW; shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;\n"
                       "shfl.sync.bfly.b32 %r4, %r8, 1, 31, 0xffff0000; bra JOIN;\n"
                       "LOW: shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;\n"
                       "shfl.sync.bfly.b32 %r4, %r8, 1, 31, 0x0000ffff;\n"
                       "JOIN: st.global.u32 [%rd2], %r3;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], lane ^ 16);
}
END_TEST

START_TEST(a_lock_held_by_a_lane_of_the_same_warp_is_released)
{
    uint32_t *out = bench_buffer(&bench, 8);
    memset(out, 0, 8);
    bench_body(&bench, "ld.param.u64 %rd1, [p0];\n"
                       "SPIN: atom.global.cas.b32 %r1, [%rd1], 0, 1;\n"
                       "setp.ne.u32 %p1, %r1, 0; @%p1 bra SPIN;\n"
                       "ld.volatile.global.u32 %r2, [%rd1+4]; add.u32 %r2, %r2, 1;\n"
                       "st.volatile.global.u32 [%rd1+4], %r2; membar.gl;\n"
                       "atom.global.exch.b32 %r3, [%rd1], 0;");
    bench.config.block[0] = 4;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_uint_eq(out[1], 4);
}
END_TEST

START_TEST(a_lock_taken_by_a_function_goes_from_lane_to_lane_soon)
{
    uint32_t *out = bench_buffer(&bench, 8);
    memset(out, 0, 8);
    bench_load(&bench, ".version 9.0\n.target sm_80\n.address_size 64\n"
                       ".func (.param .b32 was) take(.param .b64 lock)\n{\n"
                       ".reg .b64 %rd<3>; .reg .b32 %r<3>;\nld.param.u64 %rd1, [lock];\n"
                       "atom.global.cas.b32 %r1, [%rd1], 0, 1; st.param.b32 [was], %r1; ret;\n}\n"
                       ".visible .entry test(.param .u64 p0)\n{\n"
                       ".reg .b64 %rd<3>; .reg .b32 %r<5>; .reg .pred %p<2>;\n"
                       "ld.param.u64 %rd1, [p0];\nSPIN:\n"
                       "{ .param .b64 lock; .param .b32 was; st.param.b64 [lock], %rd1;\n"
                       "call (was), take, (lock); ld.param.b32 %r1, [was]; }\n"
                       "setp.ne.u32 %p1, %r1, 0; @%p1 bra SPIN;\n"
                       "ld.volatile.global.u32 %r2, [%rd1+4]; add.u32 %r2, %r2, 1;\n"
                       "st.volatile.global.u32 [%rd1+4], %r2; membar.gl;\n"
                       "atom.global.exch.b32 %r3, [%rd1], 0; ret;\n}\n");
    bench.config.block[0] = 256;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_uint_eq(out[1], 256);
    ck_assert_uint_lt(bench_result(&bench)->totals.warp_inst, 256 * 8 * 1000);
}
END_TEST

START_TEST(a_missing_barrier_is_a_race_with_both_lines)
{
    bench_buffer(&bench, 256);
    bench_load(&bench, ".version 9.0\n.target sm_80\n.address_size 64\n"
                       ".visible .entry test()\n{\n.reg .b32 %r<9>; .shared .align 4 .b8 s[256];\n"
                       ".loc 1 10 0\nmov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s;\n"
                       "add.u32 %r4, %r3, %r2;\n.loc 1 11 0\nst.shared.u32 [%r4], %r1;\n"
                       ".loc 1 12 0\nxor.b32 %r5, %r4, 128;\nld.shared.u32 %r6, [%r5];\nret;\n}\n"
                       ".file 1 \"kernel.cu\"\n");
    bench.config.block[0] = 64;
    bench.config.checks = SIM_CHECK_RACES;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_RACE);
    const struct sim_fault *fault = sim_launch_fault(bench.launch);
    ck_assert_uint_eq(fault->line.line + fault->other.line, 23);
    ck_assert_str_eq(fault->line.file, "kernel.cu");
}
END_TEST

START_TEST(a_budget_ends_a_launch_of_many_short_blocks)
{
    bench_buffer(&bench, 4);
    bench_body(&bench, "ret;");
    bench.config.grid[0] = 0x7FFFFFFF;
    bench.config.step_budget = 10000000;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_STEP_BUDGET);
}
END_TEST

START_TEST(a_launch_whose_blocks_end_may_take_more_than_one_block_alone)
{
    bench_buffer(&bench, 4);
    bench_body(&bench, "ret;");
    bench.config.grid[0] = 1 << 19;
    bench.config.step_budget = 10000000;
    bench.config.most_steps = 100000000;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
}
END_TEST

START_TEST(a_block_that_does_not_end_is_stopped_by_the_lesser_budget)
{
    bench_buffer(&bench, 4);
    bench_body(&bench, "mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 9;\n"
                       "AGAIN:\n@%p1 bra AGAIN;\nret;");
    bench.config.grid[0] = 100;
    bench.config.step_budget = 10000000;
    bench.config.most_steps = UINT64_C(1) << 60;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_STEP_BUDGET);
}
END_TEST

START_TEST(a_stopped_kernel_without_an_instruction_has_its_name)
{
    struct sim_error error;
    bench_load(&bench, ".version 9.0\n.target sm_80\n.address_size 64\n"
                       ".visible .entry nothing()\n{\n}\n");
    bench.config.grid[0] = 0x7FFFFFFF;
    bench.launch = sim_launch_new(bench.context, sim_module_kernel(bench.module, "nothing"),
                                  &bench.config, bench.parameters, &error);
    ck_assert_ptr_nonnull(bench.launch);
    sim_launch_abort(bench.launch);
    sim_launch_work(bench.launch, 0);
    const struct sim_fault *fault = sim_launch_fault(bench.launch);
    ck_assert_ptr_nonnull(fault);
    ck_assert_int_eq(fault->kind, SIM_FAULT_ABORTED);
    ck_assert_str_eq(fault->kernel, "nothing");
    ck_assert_ptr_nonnull(strstr(fault->message, "was stopped"));
}
END_TEST

START_TEST(one_step_too_far_is_out_of_bounds)
{
    bench_buffer(&bench, 124);
    bench_body(&bench, "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p0];\n"
                       "mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r1;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_OUT_OF_BOUNDS);
    ck_assert_uint_eq(sim_launch_fault(bench.launch)->thread[0], 31);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "warp", lanes_that_part_meet_again_at_the_join,
           a_loop_that_lanes_leave_one_by_one_needs_no_stack,
           the_two_sides_of_a_branch_can_exchange_values,
           a_split_keeps_what_it_was_given_while_others_meet_again,
           a_lock_held_by_a_lane_of_the_same_warp_is_released,
           a_lock_taken_by_a_function_goes_from_lane_to_lane_soon,
           a_missing_barrier_is_a_race_with_both_lines, a_budget_ends_a_launch_of_many_short_blocks,
           a_launch_whose_blocks_end_may_take_more_than_one_block_alone,
           a_block_that_does_not_end_is_stopped_by_the_lesser_budget,
           a_stopped_kernel_without_an_instruction_has_its_name, one_step_too_far_is_out_of_bounds)
