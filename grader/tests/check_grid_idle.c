/* check_grid_idle.c - a kernel that waits for the host, on a machine that lets the host wait. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <string.h>

enum { TURN_STEPS = 4096 * 32, TURNS_ALLOWED = 100, LOOKS_BEFORE_IT_WRITES = 4 };

static struct bench bench;
static volatile uint32_t *flag; /* in pinned memory */
static unsigned looks;

/* A kernel waits for flag, with a budget of so many turns of waiting. */
static void open_bench(void)
{
    struct sim_error error;
    bench_open(&bench);
    bench_body(&bench, "ld.param.u64 %rd1, [p0];\n"
                       "WAIT: ld.volatile.global.u32 %r1, [%rd1];\n"
                       "setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;");
    uint64_t address = sim_allocate(bench.context, 4, SIM_MEMORY_HOST, NULL, &error);
    bench_integer(&bench, address);
    flag = (volatile uint32_t *)sim_host_pointer(bench.context, address, 4, true, &error);
    *flag = 0;
    looks = 0;
    bench.config.step_budget = (uint64_t)TURNS_ALLOWED * TURN_STEPS;
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* The host gets no processor for longer than the budget is, and then writes. */
static uint64_t stands(void *of)
{
    (void)of;
    *flag = ++looks > LOOKS_BEFORE_IT_WRITES;
    return 1;
}

static uint64_t goes_on(void *of)
{
    return *(uint64_t *)of += 10000000;
}

START_TEST(a_host_without_a_processor_is_waited_for)
{
    bench.config.host_clock_ns = stands;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_uint_gt(looks, LOOKS_BEFORE_IT_WRITES);
}
END_TEST

START_TEST(a_host_that_could_write_and_does_not_ends_it)
{
    uint64_t now = 0;
    bench.config.host_clock_ns = goes_on;
    bench.config.host_clock_of = &now;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_STEP_BUDGET);
}
END_TEST

START_TEST(without_a_clock_turns_end_it)
{
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_STEP_BUDGET);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "grid_idle", a_host_without_a_processor_is_waited_for,
           a_host_that_could_write_and_does_not_ends_it, without_a_clock_turns_end_it)
