/* check_queue.c - the blocks of a sampled launch draw their tiles from a counter: queue.h. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <stdio.h>

enum { THREADS = 64, BLOCKS = 200, TILES = 1000, WORDS = THREADS * TILES };

static struct bench bench;
static uint32_t pattern[1009];
static uint64_t output;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

static void vast_buffer(void)
{
    struct sim_error error;
    output = sim_allocate(bench.context, UINT64_C(4) * WORDS, SIM_MEMORY_DEVICE, NULL, &error);
    ck_assert(output &&
              sim_repeat(bench.context, output, pattern, sizeof pattern, 0, true, &error));
    bench_integer(&bench, output);
}

#define ONE "atom.global.add.u32 %r2, [next], 1;"
#define WRAPS "atom.global.inc.u32 %r2, [next], 1199;" /* TILES + BLOCKS - 1 */
/* The block that adds the last one to done sets both back. */
#define SET_BACK                                                      \
    "@%p1 bra END; atom.global.add.u32 %r6, [done], 1;\n"             \
    "setp.ne.u32 %p3, %r6, 199; @%p3 bra END; st.global.u32 [next], " \
    "0; st.global.u32 [done], 0;\n"

/* Thread 0 of a block draws a tile, %r2, and all store its number to their words of it. after: once
 * there is no tile left. Each tile takes so many turns of a loop. */
static void load_long(const char *draw, const char *after, uint32_t turns)
{
    char text[4096];
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_80\n.address_size 64\n"
             ".global .u32 next; .global .u32 done;\n"
             ".visible .entry test(.param .u64 p0)\n{\n"
             ".reg .b32 %%r<16>; .reg .b64 %%rd<16>; .reg .pred %%p<8>; .shared .u32 tile;\n"
             "mov.u32 %%r1, %%tid.x; mov.u32 %%r9, %%ctaid.x; ld.param.u64 %%rd1, [p0];\n"
             "setp.ne.u32 %%p1, %%r1, 0;\n"
             "TILE:\nbar.sync 0; @%%p1 bra DRAWN;\n%s\nst.shared.u32 [tile], %%r2;\n"
             "DRAWN:\nbar.sync 0; ld.shared.u32 %%r3, [tile];\n"
             "setp.ge.u32 %%p2, %%r3, %d; @%%p2 bra DONE;\n"
             "mad.lo.u32 %%r4, %%r3, %d, %%r1; mul.wide.u32 %%rd3, %%r4, 4;\n"
             "add.u64 %%rd4, %%rd1, %%rd3; mov.u32 %%r10, 0;\n"
             "TERM: add.u32 %%r10, %%r10, 1; setp.lt.u32 %%p4, %%r10, %u; @%%p4 bra TERM;\n"
             "st.global.u32 [%%rd4], %%r3; bra TILE;\n"
             "DONE:\n%s\nEND: ret;\n}\n",
             draw, TILES, THREADS, turns, after);
    bench_load(&bench, text);
    bench.config.grid[0] = BLOCKS;
    bench.config.block[0] = THREADS;
    bench.config.count = true;
    bench.config.step_budget = UINT64_C(1) << 40;
    bench.config.sampling =
        (struct sim_sampling){.blocks = 16, .steps = 1 << 22, .most_steps = 1 << 28, .seed = 5};
    vast_buffer();
}

static void load(const char *draw, const char *after)
{
    load_long(draw, after, 1);
}

static const char *launch(void)
{
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return sim_unsampled(bench.machine);
}

/* The tiles that were stored; each holds its number. */
static uint32_t tiles_stored(void)
{
    struct sim_error error;
    uint32_t count = 0;
    for (uint32_t tile = 0; tile < TILES; tile++) {
        uint32_t value;
        const unsigned char *at =
            sim_host_pointer(bench.context, output + 4 * THREADS * tile, 4, false, &error);
        ck_assert_ptr_nonnull(at);
        memcpy(&value, at, sizeof value);
        count += value == tile;
    }
    return count;
}

static double stored_bytes(const struct sim_sampled *sampled)
{
    double bytes = 0;
    for (size_t i = 0; i < sampled->stretch_count; i++)
        if (sampled->stretches[i].address == output)
            bytes += (double)sampled->stretches[i].bytes * sampled->stretches[i].weight;
    return bytes;
}

START_TEST(a_block_draws_as_if_all_others_did)
{
    load(ONE, SET_BACK);
    ck_assert_str_eq(launch(), "");
    const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
    ck_assert_uint_gt(sampled->ran, 8);
    ck_assert_uint_lt(sampled->ran, BLOCKS);
    ck_assert_double_eq(stored_bytes(sampled), 4.0 * WORDS);
    ck_assert_uint_eq(tiles_stored(), sampled->ran * TILES / BLOCKS);
}
END_TEST

START_TEST(a_counter_is_left_as_the_last_block_sets_it)
{
    load(ONE, SET_BACK);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(launch(), "");
}
END_TEST

START_TEST(a_counter_that_wraps_at_the_last_draw_is_left_as_it_was)
{
    load(WRAPS, "");
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(launch(), "");
}
END_TEST

START_TEST(how_a_counter_is_left_is_not_always_known)
{
    static const char *const DRAWS[] = {ONE, "atom.global.inc.u32 %r2, [next], 3000;"};
    for (size_t i = 0; i < sizeof DRAWS / sizeof *DRAWS; i++) {
        close_bench();
        open_bench();
        load(DRAWS[i], "");
        ck_assert_str_eq(launch(), "");
        bench_run(&bench, "test");
        ck_assert_str_eq(sim_unsampled(bench.machine), "a launch reads what another one wrote");
    }
}
END_TEST

START_TEST(another_use_of_a_counter_is_noted)
{
    static const char *const USES[][2] = {
        {"add.u32 %r7, %r9, 1; atom.global.add.u32 %r2, [next], %r7;", ""}, /* by other amounts */
        {ONE " ld.global.u32 %r8, [next];", ""},
        {ONE, "st.global.u32 [next], 0;"}, /* by any block */
        {ONE, "@%p1 bra END; atom.global.exch.b32 %r8, [next], 0;"},
        {ONE, "@%p1 bra END; red.global.add.u32 [next], 1;"},
        {ONE, "atom.global.add.u32 %r8, [done], 1;"}, /* by all lanes */
        {ONE, "and.b32 %r7, %r9, 3; setp.eq.u32 %p4, %r7, 3; @%p4 bra END; @%p1 bra END;\n"
              "atom.global.add.u32 %r8, [done], 1;"}, /* by some of the blocks */
        {"atom.global.add.u32 %r2, [next], 1; and.b32 %r7, %r9, 3; setp.eq.u32 %p4, %r7, 3;\n"
         "@%p4 mov.u32 %r2, 5000;",
         ""}, /* not equally often */
    };
    for (size_t i = 0; i < sizeof USES / sizeof *USES; i++) {
        close_bench();
        open_bench();
        load(USES[i][0], USES[i][1]);
        bench_run(&bench, "test");
        ck_assert_msg(strcmp(sim_unsampled(bench.machine),
                             "its blocks use atomics on memory they share") == 0,
                      "use %zu: %s", i, sim_unsampled(bench.machine));
    }
}
END_TEST

/* Neither the block that comes last, nor the last draw, is ever come to. */
START_TEST(a_block_that_draws_is_cut_off_between_its_tiles)
{
    static const char *const WAYS[][2] = {{ONE, SET_BACK}, {WRAPS, ""}};
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        close_bench();
        open_bench();
        load_long(WAYS[i][0], WAYS[i][1], 1 << 18);
        ck_assert_str_eq(launch(), "");
        const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
        ck_assert_uint_gt(sampled->cut_off, 0);
        ck_assert_double_eq_tol(stored_bytes(sampled), 4.0 * WORDS, 0.05 * 4 * WORDS);
        ck_assert_str_eq(launch(), "");
    }
}
END_TEST

TESTS_WITH(open_bench, close_bench, "queue", a_block_draws_as_if_all_others_did,
           a_counter_is_left_as_the_last_block_sets_it,
           a_counter_that_wraps_at_the_last_draw_is_left_as_it_was,
           how_a_counter_is_left_is_not_always_known, another_use_of_a_counter_is_noted,
           a_block_that_draws_is_cut_off_between_its_tiles)
