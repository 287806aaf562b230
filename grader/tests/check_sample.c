/* check_sample.c - some blocks stand for all: memory is made where it is touched, and counters are
 * scaled up. */
#include "bench_machine.h"
#include "simgpu/machine/drawn_pattern.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
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

/* Thread i writes word i + 1 of p0 to word i of p1, p2 words. */
static const char COPY[] =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
    "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];\n"
    "cvt.u64.u32 %rd4, %r1; mad.wide.u32 %rd5, %r2, %r3, %rd4;\n"
    "setp.ge.u64 %p1, %rd5, %rd3; @%p1 ret;\n"
    "shl.b64 %rd6, %rd5, 2; add.u64 %rd7, %rd1, %rd6; add.u64 %rd8, %rd2, %rd6;\n"
    "ld.global.u32 %r4, [%rd7+4]; st.global.u32 [%rd8], %r4;";

enum { THREADS = 256, PATTERN = 1009 };
static uint32_t pattern[PATTERN];

static uint64_t vast_buffer(uint64_t size_bytes)
{
    struct sim_error error;
    uint64_t address = sim_allocate(bench.context, size_bytes, SIM_MEMORY_DEVICE, NULL, &error);
    ck_assert(address != 0);
    ck_assert(sim_repeat(bench.context, address, pattern, sizeof pattern, 0, false, &error));
    bench_integer(&bench, address);
    return address;
}

static uint32_t word_at(uint64_t address, uint64_t word)
{
    struct sim_error error;
    const unsigned char *at = sim_host_pointer(bench.context, address + 4 * word, 4, false, &error);
    uint32_t value;
    ck_assert_ptr_nonnull(at);
    memcpy(&value, at, sizeof value);
    return value;
}

static void prepare(uint64_t words)
{
    for (uint32_t i = 0; i < PATTERN; i++)
        pattern[i] = 7 * i + 1;
    bench.parameter_count = 0;
    bench_body(&bench, COPY);
    bench.config.grid[0] = (uint32_t)((words + THREADS - 1) / THREADS);
    bench.config.block[0] = THREADS;
    bench.config.sampling =
        (struct sim_sampling){.blocks = 16, .steps = 1 << 22, .most_steps = 1 << 28, .seed = 5};
}

static const struct sim_sampled *copy(uint64_t words, uint64_t *from, uint64_t *to)
{
    prepare(words);
    *from = vast_buffer(4 * words + 4);
    *to = vast_buffer(4 * words);
    bench_integer(&bench, words);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return sim_launch_sampled(bench.launch);
}

START_TEST(memory_that_repeats_a_pattern_costs_nothing_until_it_is_touched)
{
    uint64_t words = UINT64_C(1) << 33, offset = 0, bytes, address = vast_buffer(4 * words);
    ck_assert(!sim_touched(bench.context, address, &offset, &bytes));
    ck_assert_uint_eq(word_at(address, words - 1), pattern[(words - 1) % PATTERN]);
    ck_assert_uint_eq(word_at(address, 12345), pattern[12345 % PATTERN]);
    ck_assert(sim_touched(bench.context, address, &offset, &bytes));
    ck_assert_uint_eq(offset, 12345 * 4 / 512 * 512);
    ck_assert_uint_eq(bytes, 512);
    offset += bytes;
    ck_assert(sim_touched(bench.context, address, &offset, &bytes));
    ck_assert_uint_eq(offset + bytes, 4 * words);
}
END_TEST

/* Which pieces of 512 bytes are made is looked up by groups of 16 MB. */
START_TEST(what_was_touched_may_lie_in_two_groups)
{
    enum { GROUP = 16 << 20 };
    uint64_t offset = 0, bytes, address = vast_buffer(UINT64_C(1) << 33);
    word_at(address, GROUP / 4 - 1);
    word_at(address, GROUP / 4);
    word_at(address, UINT64_C(7) * GROUP / 4);
    ck_assert(sim_touched(bench.context, address, &offset, &bytes));
    ck_assert_uint_eq(offset, GROUP - 512);
    ck_assert_uint_eq(bytes, 1024);
    offset += bytes;
    ck_assert(sim_touched(bench.context, address, &offset, &bytes));
    ck_assert_uint_eq(offset, UINT64_C(7) * GROUP);
    offset += bytes;
    ck_assert(!sim_touched(bench.context, address, &offset, &bytes));
}
END_TEST

/* Lines of it in an order that a seed draws: the same bytes, and no period. */
START_TEST(a_pattern_may_come_in_an_order_that_is_drawn)
{
    struct sim_error error;
    uint64_t words = UINT64_C(1) << 24, address = vast_buffer(4 * words), repeats = 0;
    for (uint32_t i = 0; i < PATTERN; i++)
        pattern[i] = 7 * i + 1;
    ck_assert(sim_repeat(bench.context, address, pattern, sizeof pattern, 9, false, &error));
    for (uint64_t word = 0; word < 4000; word++) {
        uint64_t from = sim_drawn_from(9, 4 * word, sizeof pattern);
        ck_assert_uint_eq(from % SIM_DRAWN_BYTES, 4 * word % SIM_DRAWN_BYTES);
        ck_assert_uint_eq(word_at(address, word), pattern[from / 4]);
        repeats += word_at(address, word) == word_at(address, word + PATTERN);
    }
    ck_assert_uint_lt(repeats, 100);
}
END_TEST

START_TEST(blocks_that_run_read_the_pattern_and_write_what_they_must)
{
    uint64_t from, to, words = 3 * (UINT64_C(1) << 31) + 77;
    const struct sim_sampled *sampled = copy(words, &from, &to);
    ck_assert_ptr_nonnull(sampled);
    ck_assert_uint_lt(sampled->ran, 200);
    ck_assert_uint_eq(sampled->of, (words + THREADS - 1) / THREADS);
    bool saw_last = false;
    for (size_t i = 0; i < sampled->stretch_count; i++) {
        const struct sim_stretch *stretch = &sampled->stretches[i];
        ck_assert_uint_eq(stretch->address, to);
        ck_assert_uint_eq(stretch->low, stretch->block * THREADS * 4);
        ck_assert_uint_eq(stretch->bytes, stretch->high - stretch->low);
        saw_last |= stretch->high == 4 * words;
        for (uint64_t word = stretch->low / 4; word < stretch->high / 4; word++)
            ck_assert_uint_eq(word_at(to, word), pattern[(word + 1) % PATTERN]);
    }
    ck_assert(saw_last);
    ck_assert(sim_was_stored_to(bench.context, to));
    ck_assert(!sim_was_stored_to(bench.context, from));
}
END_TEST

static uint64_t plain_buffer(uint64_t size_bytes)
{
    struct sim_error error;
    uint64_t address = sim_allocate(bench.context, size_bytes, SIM_MEMORY_DEVICE, NULL, &error);
    unsigned char *host = sim_host_pointer(bench.context, address, size_bytes, true, &error);
    ck_assert_ptr_nonnull(host);
    memset(host, 1, size_bytes);
    return address;
}

/* Every word that is stored is there already. */
START_TEST(a_store_is_known_whatever_it_stores)
{
    struct sim_error error;
    uint64_t words = 1000, from = plain_buffer(4 * words + 4), to = plain_buffer(4 * words);
    ck_assert(sim_was_stored_to(bench.context, to));
    ck_assert(sim_forget_stores(bench.context, to) && sim_forget_stores(bench.context, from));
    ck_assert(!sim_was_stored_to(bench.context, to));
    prepare(words);
    bench.config.sampling.blocks = 0;
    bench_integer(&bench, from);
    bench_integer(&bench, to);
    bench_integer(&bench, words);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert(sim_was_stored_to(bench.context, to));
    ck_assert(!sim_was_stored_to(bench.context, from));
    ck_assert(sim_forget_stores(bench.context, to));
    ck_assert(sim_copy(bench.context, to, from, 4, &error));
    ck_assert(sim_was_stored_to(bench.context, to + 8));
    ck_assert(!sim_was_stored_to(bench.context, from));
    ck_assert(!sim_forget_stores(bench.context, 4096));
}
END_TEST

/* The last block has 77 of 256 threads on: a group of its own, so even it is counted exactly. */
START_TEST(counters_of_blocks_that_are_alike_are_those_of_all_blocks)
{
    uint64_t from, to, words = 16 * 132 * THREADS + 77;
    struct sim_launch_result sampled, whole;
    ck_assert_ptr_nonnull(copy(words, &from, &to));
    sampled = *bench_result(&bench);
    bench.config.sampling.blocks = 0;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_ptr_null(sim_launch_sampled(bench.launch));
    whole = *bench_result(&bench);
    ck_assert_mem_eq(&sampled.totals, &whole.totals, sizeof whole.totals);
    ck_assert_double_eq_tol(sampled.dram_read_bytes, whole.dram_read_bytes,
                            0.01 * whole.dram_read_bytes);
    ck_assert_double_eq_tol(sampled.modelled_ns, whole.modelled_ns, 0.03 * whole.modelled_ns);
}
END_TEST

/* Two blocks of 1024 threads for each of 132 multiprocessors; the last 32 of them do three quarters
 * of the work of the others. */
static const char UNEVEN[] =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 1024, %r1;\n"
    "ld.param.u64 %rd1, [p0]; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;\n"
    "setp.lt.u32 %p1, %r2, 232; selp.u32 %r4, 512, 384, %p1; mov.f32 %f1, 0f3F800000;\n"
    "LOOP: fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;\n"
    "fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;\n"
    "sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra LOOP;\n"
    "st.global.f32 [%rd3], %f1;";

static double uneven_ns(uint64_t seed)
{
    enum { BLOCKS = 264, OF_BLOCK = 1024 };
    prepare(BLOCKS);
    bench_body(&bench, UNEVEN);
    bench.config.grid[0] = BLOCKS;
    bench.config.block[0] = OF_BLOCK;
    bench.config.sampling.seed = seed;
    bench.parameter_count = 0;
    vast_buffer(4 * BLOCKS * OF_BLOCK);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return bench_result(&bench)->modelled_ns;
}

/* A multiprocessor with little to do may be drawn, but the launch ends with the busiest one: that
 * has 8/7 of the work, where it was taken to have less. */
START_TEST(which_multiprocessor_is_drawn_says_little_about_the_time)
{
    double least = uneven_ns(1), most = least;
    for (uint64_t seed = 2; seed <= 12; seed++) {
        double ns = uneven_ns(seed);
        least = ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
    ck_assert_double_lt(most / least, 8.0 / 7 + 0.01);
}
END_TEST

/* Thread i puts word i of p0 into p1, and hands its cluster's peer what that has put there. */
static const char BY_PEER[] =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
    "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];\n"
    "mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd5, %rd1, %rd4;\n"
    "add.u64 %rd6, %rd2, %rd4; ld.global.u32 %r5, [%rd5]; st.global.u32 [%rd6], %r5;\n"
    "barrier.cluster.arrive; barrier.cluster.wait;\n"
    "xor.b32 %r6, %r4, 256; mul.wide.u32 %rd7, %r6, 4; add.u64 %rd8, %rd2, %rd7;\n"
    "add.u64 %rd9, %rd3, %rd4; ld.global.u32 %r7, [%rd8]; st.global.u32 [%rd9], %r7;";

START_TEST(a_block_brings_its_whole_cluster)
{
    uint64_t words = UINT64_C(1) << 28;
    prepare(words);
    bench_body(&bench, BY_PEER);
    bench.config.cluster[0] = 2;
    vast_buffer(4 * words);
    vast_buffer(4 * words);
    uint64_t out = vast_buffer(4 * words);
    sim_forget_unsampled(bench.machine);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
    ck_assert_ptr_nonnull(sampled);
    ck_assert_str_eq(sim_unsampled(bench.machine), "");
    ck_assert_uint_eq(sampled->of, words / THREADS);
    ck_assert_uint_eq(sampled->ran % 2, 0);
    ck_assert_uint_lt(sampled->ran, 200);
    for (size_t i = 0; i < sampled->stretch_count; i++) {
        const struct sim_stretch *stretch = &sampled->stretches[i];
        ck_assert_uint_eq(stretch->low, stretch->block * THREADS * 4);
        ck_assert_uint_eq(stretch->bytes, THREADS * 4);
        uint64_t word = stretch->low / 4;
        ck_assert_uint_eq(word_at(out, word), pattern[(word ^ THREADS) % PATTERN]);
    }
    ck_assert_uint_eq(bench_result(&bench)->totals.global_store.requests, 2 * words / 32);
}
END_TEST

START_TEST(a_launch_whose_time_is_not_asked_is_counted_all_the_same)
{
    uint64_t words = UINT64_C(1) << 26;
    prepare(words);
    bench.config.sampling.untimed = true;
    vast_buffer(4 * words + 4);
    vast_buffer(4 * words);
    bench_integer(&bench, words);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    const struct sim_launch_result *result = bench_result(&bench);
    ck_assert_ptr_nonnull(result);
    ck_assert_double_eq(result->modelled_ns, 0);
    ck_assert_double_eq_tol((double)result->totals.global_store.bytes, 4.0 * (double)words, 1);
}
END_TEST

/* Where steps allow few blocks, chance has others begin; and those that are traced lie anywhere. */
START_TEST(chance_chooses_among_all_blocks_where_that_is_asked)
{
    uint64_t words = UINT64_C(1) << 26, blocks = words / THREADS;
    for (int anywhere = 0; anywhere < 2; anywhere++) {
        prepare(words);
        bench.config.sampling.anywhere = anywhere;
        bench.config.sampling.steps = 1;
        vast_buffer(4 * words + 4);
        vast_buffer(4 * words);
        bench_integer(&bench, words);
        ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
        const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
        size_t late = 0;
        for (size_t i = 0; i < sampled->stretch_count; i++)
            late += sampled->stretches[i].block > blocks / 2 && sampled->stretches[i].drawn;
        ck_assert_uint_eq(sampled->left, 0);
        ck_assert(anywhere ? sampled->ran >= 64 && late >= 16 : sampled->ran < 16 && late < 3);
        ck_assert_double_eq_tol((double)bench_result(&bench)->totals.global_store.bytes,
                                4.0 * (double)words, 1);
    }
}
END_TEST

/* Blocks of the first half go through a long loop before they store; the others return. */
START_TEST(a_block_that_stores_nothing_for_long_is_left)
{
    prepare(1 << 20);
    bench_body(&bench, "mov.u32 %r1, %ctaid.x; setp.gt.u32 %p1, %r1, 2047; @%p1 ret;\n"
                       "mov.u32 %r2, 0; again: add.u32 %r2, %r2, 1;\n"
                       "setp.lt.u32 %p1, %r2, 100000; @%p1 bra again;\n"
                       "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r1, 4, %rd1;\n"
                       "st.global.u32 [%rd1], %r2;");
    bench.config.sampling.anywhere = true;
    bench.config.sampling.steps = 1;
    bench.config.sampling.most_steps = UINT64_C(1) << 40;
    vast_buffer(1 << 20);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
    ck_assert_uint_gt(sampled->left, 4);
    ck_assert_uint_gt(sampled->ran, sampled->stretch_count);
}
END_TEST

/* Of blocks that store their number or return: by a hash of it, or, so that all of a multiprocessor
 * do alike, by whether it is even: then only blocks of the whole grid tell. */
static const char *const SORTS[] = {"mul.lo.u32 %r2, %r1, 0x9E3779B1;\n",
                                    "shl.b32 %r2, %r1, 31;\n"};

/* A few blocks of the grid's middle may all be of one sort, so more of them run than the budget has
 * room for. */
START_TEST(where_blocks_are_of_two_sorts_more_of_them_run)
{
    enum { BLOCKS = 1 << 14 };
    double stand_for = 0;
    prepare(BLOCKS * (uint64_t)THREADS);
    char body[400];
    snprintf(body, sizeof body,
             "mov.u32 %%r1, %%ctaid.x; %ssetp.lt.s32 %%p1, %%r2, 0; @%%p1 ret;\n"
             "ld.param.u64 %%rd1, [p0]; mad.wide.u32 %%rd1, %%r1, 4, %%rd1;\n"
             "st.global.u32 [%%rd1], %%r1;",
             SORTS[_i / 8]);
    bench_body(&bench, body);
    bench.config.sampling.anywhere = _i % 2 || _i >= 8;
    bench.config.sampling.seed = (uint64_t)_i;
    bench.config.sampling.blocks = 64;
    bench.config.sampling.steps = 1 << 14;
    vast_buffer(4 * BLOCKS);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
    for (size_t i = 0; i < sampled->stretch_count; i++)
        stand_for += sampled->stretches[i].weight;
    ck_assert_double_eq_tol(stand_for, BLOCKS / 2, BLOCKS / 4);
    ck_assert_double_eq_tol((double)bench_result(&bench)->totals.global_store.requests,
                            BLOCKS / 2 * THREADS / 32, BLOCKS / 4 * THREADS / 32);
}
END_TEST

enum { X = 33, Y = 9 };

/* A grid of X x Y blocks so long that a few take more than the budget; each stores a word. */
static void prepare_long(void)
{
    prepare(1 << 20);
    bench_body(&bench, "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x;\n"
                       "mad.lo.u32 %r1, %r2, %r3, %r1; mov.u32 %r2, 0;\n"
                       "again: add.u32 %r2, %r2, 1;\n"
                       "setp.lt.u32 %p1, %r2, 1000; @%p1 bra again;\n"
                       "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r1, 4, %rd1;\n"
                       "st.global.u32 [%rd1], %r2;");
    bench.config.grid[0] = X;
    bench.config.grid[1] = Y;
    bench.config.sampling.steps = 1;
    vast_buffer(1 << 20);
}

/* Some blocks of the edges may run, but one of the middle has to, and stands for those that had no
 * turn. Of the edges none counts as drawn: they are few, and other than most. */
START_TEST(the_largest_group_has_a_turn_where_blocks_are_long)
{
    double stand_for = 0;
    bool is_middle = false;
    prepare_long();
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
    for (size_t i = 0; i < sampled->stretch_count; i++) {
        uint64_t x = sampled->stretches[i].block % X, y = sampled->stretches[i].block / X;
        bool is_inside = x > 0 && x < X - 1 && y > 0 && y < Y - 1;
        is_middle |= is_inside;
        ck_assert(is_inside || !sampled->stretches[i].drawn);
        stand_for += sampled->stretches[i].weight;
    }
    ck_assert_uint_lt(sampled->ran, 8);
    ck_assert(is_middle);
    ck_assert_double_eq_tol(stand_for, X * Y, 1e-9);
}
END_TEST

/* Where indices are the largest: past the last of the places that are asked for. */
START_TEST(of_long_blocks_one_runs_past_the_last_place)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        bool is_far = false;
        prepare_long();
        bench.config.sampling.untimed = true;
        bench.config.sampling.around[1] = 0.7;
        bench.config.sampling.around[2] = 1.4; /* past the grid: nothing */
        bench.config.sampling.seed = seed;
        ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
        const struct sim_sampled *sampled = sim_launch_sampled(bench.launch);
        for (size_t i = 0; i < sampled->stretch_count; i++)
            is_far |= sampled->stretches[i].block > 0.7 * X * Y && !sampled->stretches[i].drawn;
        ck_assert(is_far);
        ck_assert_uint_lt(sampled->ran, 8);
    }
}
END_TEST

/* It is sampled all the same: what is right then has shown it. One that is not executed says
 * nothing. */
START_TEST(an_atomic_that_is_executed_is_noted)
{
    for (int executed = 0; executed < 2; executed++) {
        prepare(1 << 20);
        bench_body(&bench, executed ? "ld.param.u64 %rd1, [p0]; red.global.add.u32 [%rd1], 1;"
                                    : "mov.u32 %r1, %ntid.x; setp.eq.u32 %p1, %r1, 0;"
                                      "ld.param.u64 %rd1, [p0];"
                                      "@!%p1 bra done; red.global.add.u32 [%rd1], 1; done:");
        vast_buffer(4096);
        ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
        ck_assert_str_eq(sim_unsampled(bench.machine),
                         executed ? "its blocks use atomics on memory they share" : "");
        ck_assert(sim_is_timed(bench.machine) == !executed);
    }
}
END_TEST

START_TEST(a_launch_that_reads_what_a_sampled_one_wrote_is_noted)
{
    uint64_t from, to, words = 1 << 20;
    copy(words, &from, &to);
    ck_assert_str_eq(sim_unsampled(bench.machine), "");
    bench_run(&bench, "test");
    ck_assert_str_eq(sim_unsampled(bench.machine), "");
    bench.parameter_count = 0;
    bench_integer(&bench, to);
    bench_integer(&bench, from);
    bench_integer(&bench, words - 1);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_str_eq(sim_unsampled(bench.machine), "a launch reads what another one wrote");
    ck_assert(sim_was_across(bench.machine) && !sim_was_cut_short(bench.machine));
    ck_assert(sim_is_timed(bench.machine));
}
END_TEST

/* p0: an output; p1: an input that is written, too; p2: memory of nobody's arguments. Each thread
 * has a word of its own, at %rd5 to %rd7. */
#define OWN_WORD                                                                         \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"                \
    "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];\n"       \
    "cvt.u64.u32 %rd4, %r1; mad.wide.u32 %rd8, %r2, %r3, %rd4; shl.b64 %rd8, %rd8, 2;\n" \
    "add.u64 %rd5, %rd1, %rd8; add.u64 %rd6, %rd2, %rd8; add.u64 %rd7, %rd3, %rd8;\n"

START_TEST(a_block_that_reads_what_others_may_write_is_noted)
{
    static const struct {
        const char *body;
        bool hears;
    } KERNELS[] = {
        {"st.global.u32 [%rd5], 7; ld.global.u32 %r4, [%rd5];", false},
        {"ld.global.u32 %r4, [%rd5]; st.global.u32 [%rd5], 7;", true},
        {"ld.global.u32 %r4, [%rd6]; st.global.u32 [%rd6], %r4;", false},
        {"ld.global.u32 %r4, [%rd6]; st.global.u32 [%rd6+4], %r4;", true},
        {"ld.global.u32 %r4, [%rd6]; ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd6], %r4;", true},
        {"st.global.u32 [%rd7], 7; ld.global.u32 %r4, [%rd7];", false},
        {"ld.global.u32 %r4, [%rd7]; st.global.u32 [%rd5], %r4;", false},
        {"ld.global.u32 %r4, [%rd7]; st.global.u32 [%rd7], %r4;", true},
        {"ld.global.u32 %r4, [%rd3]; add.u32 %r4, %r4, 1; st.global.u32 [%rd3], %r4;", true}};
    enum { BYTES = 4 << 20 };
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        char body[1024];
        struct sim_error error;
        prepare(BYTES / 4);
        snprintf(body, sizeof body, "%s%s", OWN_WORD, KERNELS[i].body);
        bench_body(&bench, body);
        uint64_t output = vast_buffer(BYTES + 4);
        ck_assert(sim_repeat(bench.context, output, pattern, sizeof pattern, 0, true, &error));
        vast_buffer(BYTES + 4);
        bench_integer(&bench, plain_buffer(BYTES + 4));
        sim_forget_unsampled(bench.machine);
        ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
        ck_assert_msg(sim_was_hearsay(bench.machine) == KERNELS[i].hears, "%s", KERNELS[i].body);
    }
}
END_TEST

/* As cooperative_groups.h has it, by the first thread: %p2 of the first block, %p3 of others. */
#define GRID_SYNC(n)                                                                             \
    "mov.b32 %r10, %envreg2; mov.b32 %r11, %envreg1; mov.b64 %rd10, {%r10, %r11};\n"             \
    "bar.sync 0; @!%p1 bra met" n "; mov.u32 %r12, %nctaid.x; sub.u32 %r12, 0x80000001, %r12;\n" \
    "selp.u32 %r12, %r12, 1, %p2;\n"                                                             \
    "atom.add.release.gpu.u32 %r13, [%rd10+4], %r12;\n"                                          \
    "look" n ": ld.acquire.gpu.u32 %r14, [%rd10+4]; xor.b32 %r14, %r14, %r13;\n"                 \
    "setp.ge.s32 %p3, %r14, 0; @%p3 bra look" n ";\n"                                            \
    "met" n ": bar.sync 0;\n"
#define FIRST_OF_BLOCK                                                      \
    "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, %ctaid.x; " \
    "setp.eq.u32 %p2, %r2, 0;\n"

/* Blocks that do not run have come to it. What they have left in memory, no block may ask. */
START_TEST(a_grid_wide_barrier_is_met_by_blocks_that_do_not_run)
{
    static const char UNEVEN[] = "its blocks do not all come to a grid-wide barrier equally often";
    static const struct {
        const char *body, *unsampled;
    } KERNELS[] = {{OWN_WORD FIRST_OF_BLOCK "ld.global.u32 %r4, [%rd6];" GRID_SYNC(
                        "1") "st.global.u32 [%rd5], %r4;" GRID_SYNC("2") GRID_SYNC("3"),
                    ""},
                   {OWN_WORD FIRST_OF_BLOCK
                    "st.global.u32 [%rd7], 7;" GRID_SYNC("1") "ld.global.u32 %r4, [%rd3];",
                    "its blocks read memory that the launch writes to, or may write to"},
                   {OWN_WORD FIRST_OF_BLOCK GRID_SYNC(
                        "1") "setp.gt.u32 %p4, %r2, 500; @%p4 ret;" GRID_SYNC("2"),
                    UNEVEN},
                   {OWN_WORD FIRST_OF_BLOCK "setp.eq.u32 %p2, %r2, %r2;" GRID_SYNC("1"),
                    "its blocks use atomics on memory they share"},
                   {OWN_WORD FIRST_OF_BLOCK GRID_SYNC("1") "@%p1 red.global.add.u32 [%rd10+8], 1;",
                    "its blocks use atomics on memory they share"}};
    enum { BYTES = 1000 * THREADS * 4 };
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        struct sim_error error;
        prepare(BYTES / 4);
        bench_body(&bench, KERNELS[i].body);
        bench.config.cooperative = true;
        bench.config.sampling.blocks = 64;
        uint64_t output = vast_buffer(BYTES + 4);
        ck_assert(sim_repeat(bench.context, output, pattern, sizeof pattern, 0, true, &error));
        vast_buffer(BYTES + 4);
        bench_integer(&bench, plain_buffer(BYTES + 4));
        sim_forget_unsampled(bench.machine);
        ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
        ck_assert_ptr_nonnull(sim_launch_sampled(bench.launch));
        ck_assert_msg(strcmp(sim_unsampled(bench.machine), KERNELS[i].unsampled) == 0,
                      "kernel %zu: %s", i, sim_unsampled(bench.machine));
    }
}
END_TEST

/* Nothing that is only read tells a block when to go on. */
START_TEST(a_strong_load_of_an_input_waits_for_nobody)
{
    static const struct {
        const char *load, *unsampled;
    } LOADS[] = {{"[%rd6]", ""}, {"[%rd3]", "its blocks may wait for each other"}};
    for (size_t i = 0; i < sizeof LOADS / sizeof *LOADS; i++) {
        char body[1024];
        prepare(1 << 20);
        snprintf(body, sizeof body,
                 "%sld.volatile.global.u32 %%r4, %s; st.global.u32 [%%rd5], %%r4;", OWN_WORD,
                 LOADS[i].load);
        bench_body(&bench, body);
        vast_buffer(4 << 20);
        vast_buffer(4 << 20);
        bench_integer(&bench, plain_buffer(4 << 20));
        sim_forget_unsampled(bench.machine);
        ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
        ck_assert_str_eq(sim_unsampled(bench.machine), LOADS[i].unsampled);
    }
}
END_TEST

START_TEST(blocks_that_take_too_long_are_given_up)
{
    uint64_t words = 1 << 20;
    prepare(words);
    bench.config.sampling.blocks = 900;
    bench.config.sampling.most_steps = 1 << 10;
    vast_buffer(4 * words + 4);
    vast_buffer(4 * words);
    bench_integer(&bench, words);
    bench_run(&bench, "test");
    ck_assert_str_eq(sim_unsampled(bench.machine), "its blocks take too long");
    ck_assert(!sim_is_timed(bench.machine));
}
END_TEST

/* Where all blocks run, because some cannot stand for all, that may cost too much as well. */
START_TEST(a_launch_that_runs_whole_is_given_up_where_it_takes_too_long)
{
    for (int dear = 0; dear < 2; dear++) {
        uint64_t words = 1 << 20;
        prepare(words);
        bench.config.sampling =
            (struct sim_sampling){.most_steps = UINT64_C(1) << (dear ? 20 : 32)};
        vast_buffer(4 * words + 4);
        vast_buffer(4 * words);
        bench_integer(&bench, words);
        sim_forget_unsampled(bench.machine);
        ck_assert_int_eq(bench_run(&bench, "test"), dear ? SIM_FAULT_STEP_BUDGET : SIM_FAULT_NONE);
        ck_assert_ptr_null(sim_launch_sampled(bench.launch));
        ck_assert_str_eq(sim_unsampled(bench.machine), dear ? "its blocks take too long" : "");
    }
}
END_TEST

/* Each block walks through words of its own, 4 KiB apart: few instructions, and much memory. */
START_TEST(blocks_that_touch_too_much_memory_are_given_up)
{
    static const char WALK[] =
        "mov.u32 %r1, %ctaid.x; ld.param.u64 %rd1, [p0]; mul.wide.u32 %rd2, %r1, 16777216;\n"
        "add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, 0;\n"
        "again: ld.global.u32 %r3, [%rd1]; add.u64 %rd1, %rd1, 4096; add.u32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p1, %r2, 4096; @%p1 bra again;";
    for (int dear = 0; dear < 2; dear++) {
        prepare(1 << 20);
        bench_body(&bench, WALK);
        bench.config.grid[0] = 64;
        bench.config.block[0] = 32;
        bench.config.sampling.most_steps = dear ? UINT64_C(1) << 26 : UINT64_C(1) << 31;
        vast_buffer(UINT64_C(64) * 16777216);
        sim_forget_unsampled(bench.machine);
        ck_assert_int_eq(bench_run(&bench, "test"), dear ? SIM_FAULT_STEP_BUDGET : SIM_FAULT_NONE);
        ck_assert_str_eq(sim_unsampled(bench.machine), dear ? "its blocks take too long" : "");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sample");
    TCase *tests = tcase_create("sample");
    tcase_add_checked_fixture(tests, open_bench, close_bench);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, memory_that_repeats_a_pattern_costs_nothing_until_it_is_touched);
    tcase_add_test(tests, what_was_touched_may_lie_in_two_groups);
    tcase_add_test(tests, a_pattern_may_come_in_an_order_that_is_drawn);
    tcase_add_test(tests, blocks_that_run_read_the_pattern_and_write_what_they_must);
    tcase_add_test(tests, a_store_is_known_whatever_it_stores);
    tcase_add_test(tests, counters_of_blocks_that_are_alike_are_those_of_all_blocks);
    tcase_add_test(tests, a_block_brings_its_whole_cluster);
    tcase_add_test(tests, a_launch_whose_time_is_not_asked_is_counted_all_the_same);
    tcase_add_test(tests, chance_chooses_among_all_blocks_where_that_is_asked);
    tcase_add_test(tests, the_largest_group_has_a_turn_where_blocks_are_long);
    tcase_add_test(tests, of_long_blocks_one_runs_past_the_last_place);
    tcase_add_test(tests, a_block_that_stores_nothing_for_long_is_left);
    tcase_add_loop_test(tests, where_blocks_are_of_two_sorts_more_of_them_run, 0, 16);
    tcase_add_test(tests, an_atomic_that_is_executed_is_noted);
    tcase_add_test(tests, a_launch_that_reads_what_a_sampled_one_wrote_is_noted);
    tcase_add_test(tests, a_block_that_reads_what_others_may_write_is_noted);
    tcase_add_test(tests, a_grid_wide_barrier_is_met_by_blocks_that_do_not_run);
    tcase_add_test(tests, a_strong_load_of_an_input_waits_for_nobody);
    tcase_add_test(tests, blocks_that_take_too_long_are_given_up);
    tcase_add_test(tests, which_multiprocessor_is_drawn_says_little_about_the_time);
    tcase_add_test(tests, a_launch_that_runs_whole_is_given_up_where_it_takes_too_long);
    tcase_add_test(tests, blocks_that_touch_too_much_memory_are_given_up);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
