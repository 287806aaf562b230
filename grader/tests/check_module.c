/* check_module.c - an instruction that the device does not know matters only to threads that come
 * to it. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
#define PLAIN ".visible .entry plain() { ret; }\n"

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* The device refuses to launch a kernel with this sentence. */
static void expect_refused(const char *kernel, const char *sentence)
{
    struct sim_error error;
    const struct function *function = sim_module_kernel(bench.module, kernel);
    ck_assert_ptr_nonnull(function);
    ck_assert(!sim_launch_check(bench.context, function, &bench.config, &error));
    ck_assert_int_eq(error.code, SIM_UNSUPPORTED);
    ck_assert_str_eq(error.message, sentence);
}

/* The launch of kernel exotic fails so; text stands before its body. */
static void expect_no_cluster(const char *directives, const char *sentence)
{
    char text[600];
    struct sim_error error;
    snprintf(text, sizeof text, "%s.visible .entry exotic()\n%s\n{ ret; }\n", HEAD, directives);
    bench_load(&bench, text);
    ck_assert(!sim_launch_check(bench.context, sim_module_kernel(bench.module, "exotic"),
                                &bench.config, &error));
    ck_assert_int_eq(error.code, SIM_BAD_CLUSTER);
    ck_assert_str_eq(error.message, sentence);
}

START_TEST(a_launch_says_why_its_clusters_cannot_be)
{
    bench.config.grid[0] = 8;
    expect_no_cluster(".explicitcluster\n.reqnctapercluster 3, 1, 1",
                      "a grid of 8 x 1 x 1 blocks is not a multiple of its clusters of 3 x 1 x 1");
    expect_no_cluster(".explicitcluster",
                      "the kernel runs in clusters only, and the launch does not say of how many "
                      "blocks: cudaLaunchAttributeClusterDimension");
    bench.config.cluster[0] = 4;
    expect_no_cluster(".maxclusterrank 2", "a cluster of 4 x 1 x 1 blocks is more than the 2 "
                                           "allowed");
    expect_no_cluster(".reqnctapercluster 2",
                      "clusters of 4 x 1 x 1 blocks are asked for, and the kernel was compiled for "
                      "2 x 1 x 1");
}
END_TEST

START_TEST(a_bound_on_clusters_asks_for_none)
{
    bench_load(&bench, HEAD ".visible .entry plain()\n.maxntid 128, 1, 1\n.maxclusterrank 2\n"
                            "{ ret; }\n");
    ck_assert_int_eq(bench_run(&bench, "plain"), SIM_FAULT_NONE);
}
END_TEST

/* A function that the device can run as far as its condition allows. */
#define BULK                                                                                  \
    ".func bulk(.param .b32 much)\n{\n.reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .pred %p<2>;\n" \
    "ld.param.u32 %r1, [much]; setp.eq.u32 %p1, %r1, 0; @%p1 bra DONE;\n"                     \
    ".loc 2 35 5\nwgmma.fence.sync.aligned;\nDONE: ret;\n}\n"
#define CALLER                                                                         \
    ".visible .entry _Z6callerj(.param .u32 much)\n{\n.reg .b32 %r<2>;\n"              \
    ".loc 1 9 3\nld.param.u32 %r1, [much];\n{ .param .b32 p; st.param.b32 [p], %r1;\n" \
    "call.uni bulk, (p); }\nret;\n}\n.file 1 \"caller.cu\"\n.file 2 \"bulk.h\"\n"

START_TEST(code_that_no_thread_comes_to_stops_nobody)
{
    bench_load(&bench, HEAD BULK CALLER);
    bench_integer(&bench, 0);
    ck_assert_int_eq(bench_run(&bench, "_Z6callerj"), SIM_FAULT_NONE);
}
END_TEST

START_TEST(an_unknown_instruction_stops_whoever_comes_to_it)
{
    bench_load(&bench, HEAD BULK CALLER);
    bench_integer(&bench, 1);
    ck_assert_int_eq(bench_run(&bench, "_Z6callerj"), SIM_FAULT_UNSUPPORTED);
    const struct sim_fault *fault = sim_launch_fault(bench.launch);
    ck_assert_str_eq(fault->message, "warp 0 of block (0,0,0) comes to an instruction it cannot "
                                     "run: 'wgmma.fence.sync.aligned' is not supported by the "
                                     "simulated device");
    ck_assert_str_eq(fault->line.file, "caller.cu"); /* the kernel's own, which made the call */
    ck_assert_uint_eq(fault->line.line, 9);
    ck_assert_int_eq(sim_fault_cuda_error(fault->kind), 801);
}
END_TEST

START_TEST(a_kernel_that_is_certain_to_call_it_is_refused_by_name)
{
    bench_load(&bench, HEAD ".func bulk()\n{\n.loc 2 35 5\nwgmma.fence.sync.aligned;\nret;\n}\n"
                            ".visible .entry _Z6callerv()\n{\ncall.uni bulk;\nret;\n}\n" PLAIN
                            ".file 2 \"bulk.h\"\n");
    expect_refused("_Z6callerv", "bulk.h:35: 'wgmma.fence.sync.aligned' is not supported by the "
                                 "simulated device (PTX line 7, in bulk, called by kernel caller)");
    ck_assert_int_eq(bench_run(&bench, "plain"), SIM_FAULT_NONE);
}
END_TEST

static unsigned static_shared(const char *kernel)
{
    struct sim_kernel_info info;
    sim_kernel_info(bench.context, sim_module_kernel(bench.module, kernel), &info);
    return info.static_shared_bytes;
}

/* nvcc writes the arrays of inlined device functions outside of all kernels. */
START_TEST(a_kernel_has_room_for_the_shared_variables_that_it_uses)
{
    bench_load(&bench, HEAD ".shared .align 16 .b8 a[30000];\n.shared .align 16 .b8 b[20000];\n"
                            ".shared .align 16 .b8 c[8];\n"
                            ".func callee() { .reg .b32 %r<2>; ld.shared.u32 %r1, [c]; ret; }\n"
                            ".visible .entry of_a() { .reg .b32 %r<2>;\n"
                            "ld.shared.u32 %r1, [a+4]; ret; }\n"
                            ".visible .entry of_b() { .reg .b64 %rd<2>;\n"
                            ".shared .align 4 .b8 own[100];\n"
                            "mov.u64 %rd1, b; mov.u64 %rd1, own; ret; }\n"
                            ".visible .entry of_both() { .reg .b64 %rd<2>;\n"
                            "mov.u64 %rd1, a; mov.u64 %rd1, b; ret; }\n"
                            ".visible .entry caller() { .reg .b32 %r<2>;\n"
                            "ld.shared.u32 %r1, [a]; call.uni callee; ret; }\n" PLAIN);
    ck_assert_uint_eq(static_shared("plain"), 0);
    ck_assert_uint_eq(static_shared("of_a"), 30000);
    ck_assert_uint_eq(static_shared("of_both"), 50000);
    ck_assert_uint_eq(static_shared("of_b"), 50100); /* b lies after a: both are used together */
    ck_assert_uint_eq(static_shared("caller"), 30008);
}
END_TEST

/* As nvcc writes an array of a function that is not inlined. */
START_TEST(shared_variables_of_a_called_function_are_not_its_callers)
{
    bench_load(&bench,
               HEAD ".func callee() { .reg .b32 %r<2>; .shared .align 4 .b8 its[400];\n"
                    "mov.u32 %r1, 7; st.shared.u32 [its], %r1; ret; }\n"
                    ".func other() { .reg .b32 %r<2>; .shared .align 4 .b8 more[800];\n"
                    "ld.shared.u32 %r1, [more]; call.uni callee; ret; }\n"
                    ".visible .entry caller(.param .u64 p0) { .reg .b64 %rd<2>;\n"
                    ".reg .b32 %r<2>; .shared .align 4 .b8 own[100];\n"
                    "mov.u32 %r1, 5; st.shared.u32 [own], %r1; call.uni callee;\n"
                    "ld.shared.u32 %r1, [own]; ld.param.u64 %rd1, [p0];\n"
                    "st.global.u32 [%rd1], %r1; ret; }\n"
                    ".visible .entry of_both() { call.uni other; ret; }\n"
                    ".visible .entry by_pointer() { .reg .b64 %rd<2>; mov.u64 %rd1, other;\n"
                    "P: .callprototype _ ();\ncall %rd1, P; ret; }\n" PLAIN);
    const uint32_t *out = bench_buffer(&bench, 4);
    ck_assert_uint_eq(static_shared("plain"), 0);
    ck_assert_uint_eq(static_shared("caller"), 500);
    ck_assert_uint_eq(static_shared("of_both"), 1200);
    ck_assert_uint_eq(static_shared("by_pointer"), 1200);
    ck_assert_int_eq(bench_run(&bench, "caller"), SIM_FAULT_NONE);
    ck_assert_uint_eq(*out, 5);
}
END_TEST

/* A constant address is the same in all kernels; no kernel uses both. */
START_TEST(shared_variables_of_two_kernels_lie_in_one_place)
{
    bench_load(&bench, HEAD ".shared .align 16 .b8 a[30000];\n.shared .align 16 .b8 b[20000];\n"
                            ".visible .entry of_a() { .reg .b64 %rd<2>; mov.u64 %rd1, a; ret; }\n"
                            ".visible .entry of_b() { .reg .b64 %rd<2>; mov.u64 %rd1, b; ret; }\n");
    ck_assert_uint_eq(static_shared("of_a"), 30000);
    ck_assert_uint_eq(static_shared("of_b"), 20000);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "module", a_launch_says_why_its_clusters_cannot_be,
           a_bound_on_clusters_asks_for_none, code_that_no_thread_comes_to_stops_nobody,
           an_unknown_instruction_stops_whoever_comes_to_it,
           a_kernel_that_is_certain_to_call_it_is_refused_by_name,
           a_kernel_has_room_for_the_shared_variables_that_it_uses,
           shared_variables_of_a_called_function_are_not_its_callers,
           shared_variables_of_two_kernels_lie_in_one_place)
