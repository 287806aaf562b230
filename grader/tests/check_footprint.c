/* check_footprint.c - which parts of memory a launch touches, whichever worker ran the block. */
#include "bench_machine.h"
#include "observers.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

enum { BLOCKS = 512, THREADS = 64 };

/* %r2 is the thread's number in the grid, %r3 the block's, %rd1 the buffer. */
static struct footprint_bytes touched_by(const char *body, uint32_t workers, uint64_t bytes)
{
    static const char HEAD[] = "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x;\n"
                               "mad.lo.u32 %r2, %r3, 64, %r1; ld.param.u64 %rd1, [p0];\n";
    char text[4096];
    bench.parameter_count = 0;
    bench_buffer(&bench, bytes);
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    bench_body(&bench, text);
    bench.config.grid[0] = BLOCKS;
    bench.config.block[0] = THREADS;
    bench.config.workers = workers;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return footprint_sum(bench.launch);
}

#define AT(number, stride) "mad.wide.u32 %rd2, " number ", " #stride ", %rd1;\n"

static const struct {
    const char *what, *body;
    struct footprint_bytes bytes;
} CASES[] = {
    {"words side by side are read whole",
     AT("%r2", 4) "ld.global.u32 %r4, [%rd2];",
     {.read = 131072, .read_lines = 131072}},
    {"one word of each second line is read: its piece, its line",
     AT("%r2", 64) "and.b64 %rd2, %rd2, -256; ld.global.u32 %r4, [%rd2];",
     {.read = 8192 * 64, .read_lines = 8192 * 128}},
    {"sectors that are written whole need no filling",
     AT("%r2", 4) "st.global.u32 [%rd2], %r2;",
     {.written = 131072, .written_moved = 131072}},
    {"every second word: each sector is written in part, and filled",
     AT("%r2", 8) "st.global.u32 [%rd2], %r2;",
     {.written = 262144, .filled = 262144, .written_moved = 262144, .filled_moved = 262144}},
    {"every second sector moves with its neighbour",
     AT("%r2", 64) "st.global.v4.u32 [%rd2], {%r2, %r2, %r2, %r2};\n"
                   "st.global.v4.u32 [%rd2+16], {%r2, %r2, %r2, %r2};",
     {.written = 32768 * 32, .written_moved = 32768 * 64}},
    {"what is read need not be filled, nor its neighbour",
     AT("%r2", 64) "ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd2+32], %r2;",
     {.read = 32768 * 64,
      .read_lines = 32768 * 64,
      .written = 32768 * 32,
      .written_moved = 32768 * 64}},
    {"two blocks that write a half each make a whole",
     "and.b32 %r7, %r3, 1; shr.u32 %r8, %r3, 1; mad.lo.u32 %r9, %r8, 64, %r1;\n"
     "mad.lo.u32 %r9, %r9, 2, %r7;\n" AT("%r9", 4) "st.global.u32 [%rd2], %r2;",
     {.written = 131072, .written_moved = 131072}},
    {"a byte stands for its word",
     AT("%r2", 4) "st.global.u8 [%rd2+3], %r2;",
     {.written = 131072, .written_moved = 131072}},
    {"a run of words that begins and ends inside sectors",
     "setp.ne.u32 %p1, %r3, 0;\n" AT("%r2", 4) "@!%p1 st.global.u32 [%rd2+16], %r2;",
     {.written = 288, .filled = 64, .written_moved = 320, .filled_moved = 128}},
};

static void is_as_it_must(size_t i, uint32_t workers, uint64_t bytes)
{
    struct footprint_bytes must = CASES[i].bytes, is = touched_by(CASES[i].body, workers, bytes);
    ck_assert_msg(
        is.read == must.read && is.read_lines == must.read_lines && is.written == must.written &&
            is.filled == must.filled && is.written_moved == must.written_moved &&
            is.filled_moved == must.filled_moved,
        "%s: %u workers: read %lu lines %lu written %lu filled %lu moved %lu, %lu", CASES[i].what,
        workers, is.read, is.read_lines, is.written, is.filled, is.written_moved, is.filled_moved);
}

/* Not much of 4 MiB is read: the rest of the maps is not looked at. */
START_TEST(each_sector_counts_once_for_any_number_of_workers)
{
    for (uint32_t workers = 1; workers <= 3; workers++)
        is_as_it_must((size_t)_i, workers, 4 << 20);
}
END_TEST

/* The maps of so large a buffer are kept for the next launch. */
START_TEST(nothing_is_left_in_the_maps_of_another_launch)
{
    enum { BYTES = 48 << 20 };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        is_as_it_must(i, 1 + i % 2, BYTES);
}
END_TEST

/* Each time, and also where other lanes of the warp are in device memory. */
START_TEST(the_hosts_memory_counts_apart)
{
    static const char BODY[] =
        "ld.param.u64 %rd3, [p1];\n"
        "mad.wide.u32 %rd2, %r2, 4, %rd3; ld.global.u32 %r4, [%rd2]; ld.global.u32 %r4, [%rd2];\n"
        "mad.wide.u32 %rd4, %r2, 128, %rd3; st.global.u32 [%rd4], %r1;\n"
        "setp.eq.u32 %p1, %r1, 0; selp.b64 %rd5, %rd3, %rd1, %p1; ld.global.u32 %r4, [%rd5];";
    struct sim_error error;
    bench.parameter_count = 1;
    bench_integer(&bench, sim_allocate(bench.context, 4 << 20, SIM_MEMORY_HOST, NULL, &error));
    struct footprint_bytes bytes = touched_by(BODY, 2, 4096);
    ck_assert_uint_eq(bytes.host_read, 2 * BLOCKS * 8 + BLOCKS);
    ck_assert_uint_eq(bytes.host_read_lines, 2 * BLOCKS * 2 + BLOCKS);
    ck_assert_uint_eq(bytes.host_written, BLOCKS * THREADS);
    ck_assert_uint_eq(bytes.host_written_lines, BLOCKS * THREADS);
    ck_assert_uint_eq(bytes.read, 64);
    ck_assert_uint_eq(bytes.written, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("footprint");
    TCase *tests = tcase_create("footprint");
    tcase_add_checked_fixture(tests, open_bench, close_bench);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, each_sector_counts_once_for_any_number_of_workers, 0,
                        (int)(sizeof CASES / sizeof *CASES));
    tcase_add_test(tests, nothing_is_left_in_the_maps_of_another_launch);
    tcase_add_test(tests, the_hosts_memory_counts_apart);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
