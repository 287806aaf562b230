/* check_module.c - what one kernel needs and the device does not have is no matter of the others. */
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

START_TEST(a_kernel_in_clusters_is_refused_and_the_one_beside_it_runs)
{
    bench_load(&bench, HEAD ".visible .entry _Z6exoticv()\n"
                            ".explicitcluster\n.reqnctapercluster 2, 1, 1\n"
                            "{\n.loc 1 7 1\nret;\n}\n" PLAIN ".file 1 \"x8.cu\"\n");
    expect_refused("_Z6exoticv", "x8.cu:7: kernel exotic asks for thread block clusters, which are "
                                 "not simulated (.reqnctapercluster, PTX line 6)");
    ck_assert_int_eq(bench_run(&bench, "plain"), SIM_FAULT_NONE);
}
END_TEST

START_TEST(a_bound_on_clusters_asks_for_none)
{
    bench_load(&bench, HEAD ".visible .entry plain()\n.maxntid 128, 1, 1\n.maxclusterrank 2\n"
                            "{ ret; }\n");
    ck_assert_int_eq(bench_run(&bench, "plain"), SIM_FAULT_NONE);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "module",
           a_kernel_in_clusters_is_refused_and_the_one_beside_it_runs,
           a_bound_on_clusters_asks_for_none)
