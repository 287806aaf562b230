/* check_variables.c - a kernel that writes to a variable of its module is told, if asked. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
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

static enum sim_fault_kind run(unsigned checks, const char *access)
{
    char ptx[1024];
    snprintf(ptx, sizeof ptx,
             ".version 7.0\n.target sm_80\n.address_size 64\n"
             ".global .align 4 .u32 tickets;\n"
             ".visible .entry test(.param .u64 p0) {\n"
             ".reg .b32 %%r<4>; .reg .b64 %%rd<4>;\n"
             "ld.param.u64 %%rd1, [p0];\nmov.u64 %%rd2, tickets;\n%s\nret;\n}\n",
             access);
    bench_load(&bench, ptx);
    bench_buffer(&bench, 128);
    bench.config.checks = checks;
    return bench_run(&bench, "test");
}

START_TEST(a_write_to_a_variable_is_a_fault_that_names_it)
{
    ck_assert_int_eq(run(SIM_CHECK_VARIABLES, "atom.global.add.u32 %r1, [%rd2], 1;"),
                     SIM_FAULT_SHARED_VARIABLE);
    ck_assert_ptr_nonnull(
        strstr(sim_launch_fault(bench.launch)->message, "device variable tickets"));
}
END_TEST

START_TEST(a_store_to_one_is_as_well)
{
    ck_assert_int_eq(run(SIM_CHECK_VARIABLES, "st.global.u32 [%rd2], 1;"),
                     SIM_FAULT_SHARED_VARIABLE);
}
END_TEST

START_TEST(reads_and_writes_elsewhere_are_none)
{
    ck_assert_int_eq(run(SIM_CHECK_VARIABLES, "ld.global.u32 %r1, [%rd2];"
                                              "st.global.u32 [%rd1], %r1;"),
                     SIM_FAULT_NONE);
}
END_TEST

START_TEST(nor_is_a_write_that_nobody_asks_about)
{
    ck_assert_int_eq(run(SIM_CHECK_ALL, "atom.global.add.u32 %r1, [%rd2], 1;"), SIM_FAULT_NONE);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "variables", a_write_to_a_variable_is_a_fault_that_names_it,
           a_store_to_one_is_as_well, reads_and_writes_elsewhere_are_none,
           nor_is_a_write_that_nobody_asks_about)
