/* check_extent.c - which bytes of global memory a launch touches, and how. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

static struct bench bench;
static struct sim_extent extent;
static uint64_t buffer;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    sim_extent_free(&extent);
    bench_close(&bench);
}

enum { BLOCKS = 512, THREADS = 64, WORKERS = 4, BYTES = 1 << 20 };

/* %r2 is the thread's number in the grid, and what the kernel starts from %rd1. */
static void run(const char *body)
{
    static const char HEAD[] = "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x;\n"
                               "mad.lo.u32 %r2, %r3, 64, %r1; ld.param.u64 %rd1, [p0];\n";
    char text[4096];
    bench_buffer(&bench, BYTES);
    memcpy(&buffer, bench.parameters, sizeof buffer);
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    bench_body(&bench, text);
    bench.config.grid[0] = BLOCKS;
    bench.config.block[0] = THREADS;
    bench.config.workers = WORKERS;
    bench.config.extent = true;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert(sim_launch_extent(bench.launch, &extent));
}

/* The only range that was touched so, or none if bytes is 0. */
static void touches(enum sim_touch touch, uint64_t offset, uint64_t bytes)
{
    ck_assert_uint_eq(extent.count[touch], bytes != 0);
    if (bytes == 0)
        return;
    ck_assert_uint_eq(extent.ranges[touch][0].low, buffer + offset);
    ck_assert_uint_eq(extent.ranges[touch][0].high, buffer + offset + bytes);
}

#define AT(number, stride) "mad.wide.u32 %rd2, " number ", " #stride ", %rd1;\n"

START_TEST(what_all_workers_touch_is_one_range)
{
    run(AT("%r2", 4) "ld.global.u32 %r4, [%rd2+64]; st.global.u32 [%rd2+524288], %r4;");
    touches(SIM_TOUCH_READ, 64, 4 * BLOCKS * THREADS);
    touches(SIM_TOUCH_WRITE, 524288, 4 * BLOCKS * THREADS);
    touches(SIM_TOUCH_STRONG_READ, 0, 0);
    touches(SIM_TOUCH_STRONG_WRITE, 0, 0);
    ck_assert(!extent.has_fences);
}
END_TEST

START_TEST(every_other_byte_is_not_the_one_between)
{
    run(AT("%r2", 2) "st.global.u8 [%rd2+1], %r2;");
    ck_assert_uint_eq(extent.count[SIM_TOUCH_WRITE], BLOCKS * THREADS);
    for (uint64_t i = 0; i < BLOCKS * THREADS; i++) {
        ck_assert_uint_eq(extent.ranges[SIM_TOUCH_WRITE][i].low, buffer + 2 * i + 1);
        ck_assert_uint_eq(extent.ranges[SIM_TOUCH_WRITE][i].high, buffer + 2 * i + 2);
    }
}
END_TEST

START_TEST(lanes_in_any_order_touch_the_same)
{
    run("xor.b32 %r5, %r2, 37;\n" AT("%r5", 4) "st.global.u32 [%rd2], %r2;");
    touches(SIM_TOUCH_WRITE, 0, 4 * BLOCKS * THREADS);
}
END_TEST

START_TEST(atomics_and_volatile_accesses_are_strong)
{
    run("atom.global.add.u32 %r4, [%rd1+8], 1; st.volatile.global.u32 [%rd1+16], %r2;\n"
        "membar.gl;");
    touches(SIM_TOUCH_READ, 0, 0);
    touches(SIM_TOUCH_WRITE, 0, 0);
    touches(SIM_TOUCH_STRONG_READ, 8, 4);
    ck_assert_uint_eq(extent.count[SIM_TOUCH_STRONG_WRITE], 2);
    ck_assert(extent.has_fences);
}
END_TEST

START_TEST(instructions_say_where_they_were)
{
    run(AT("%r2", 4) "ld.global.u32 %r4, [%rd2+4]; st.global.u32 [%rd1+786432], %r2;");
    bool any_load = false, any_store = false;
    for (size_t i = 0; i < extent.toucher_count; i++) {
        const struct sim_toucher *it = &extent.touchers[i];
        any_store |= it->writes && it->within.low == buffer + 786432;
        any_load |= !it->writes && it->within.low >= buffer + 4;
        ck_assert(it->within.high > it->within.low);
    }
    ck_assert(any_load && any_store);
}
END_TEST

START_TEST(nobody_asks_and_nothing_is_noted)
{
    run("st.global.u32 [%rd1], %r2;");
    sim_extent_free(&extent);
    bench.config.extent = false;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert(!sim_launch_extent(bench.launch, &extent));
}
END_TEST

TESTS_WITH(open_bench, close_bench, "extent", what_all_workers_touch_is_one_range,
           every_other_byte_is_not_the_one_between, lanes_in_any_order_touch_the_same,
           atomics_and_volatile_accesses_are_strong, instructions_say_where_they_were,
           nobody_asks_and_nothing_is_noted)
