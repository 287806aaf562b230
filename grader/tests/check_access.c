/* check_access.c - accesses that are like the previous one of their op, and those that differ
 * slightly.
 *
 * A load or store in a loop mostly takes the fast path (access.h). Each case here takes it a few
 * times and then differs in one thing, which must be noticed: where it ends, how it is aligned,
 * which lanes take part, where they lie relative to each other, which buffer they fall into.
 */
#include "bench_machine.h"
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

enum { LANES = 32, WORDS = 256, ROUNDS = 8 };

/* %r1 is the lane, %rd1 and %rd2 are buffers of 256 words, %rd3 that of the result, %r5 shared
 * memory of 256 words; word i of each is i, but of the second buffer i + 1000. */
static const char HEAD[] =
    ".shared .align 16 .b8 words[1024]; mov.u32 %r5, words; mov.u32 %r1, %tid.x;\n"
    "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];\n"
    "mov.u32 %r2, 0; mov.u32 %r10, 0; mad.lo.u32 %r3, %r1, 4, %r5; mov.u32 %r4, %r1;\n"
    "FILL: st.shared.u32 [%r3], %r4; add.u32 %r3, %r3, 128; add.u32 %r4, %r4, 32;\n"
    "setp.lt.u32 %p1, %r4, 256; @%p1 bra FILL; bar.warp.sync -1;\n";

static const char TAIL[] = "mad.wide.u32 %rd9, %r1, 4, %rd3; st.global.u32 [%rd9], %r10;";

static const uint32_t *sums; /* by lane: what it has added up in %r10 */

/* Runs "LOOP: body" for %r2 = 0 ... 7. */
static enum sim_fault_kind run(const char *before, const char *body)
{
    char text[4096];
    bench.parameter_count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t *words = bench_buffer(&bench, WORDS * 4);
        for (uint32_t j = 0; j < WORDS; j++)
            words[j] = j + 1000 * i;
    }
    sums = bench_buffer(&bench, LANES * 4);
    snprintf(text, sizeof text,
             "%s%s\nLOOP: %s\n"
             "add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p1, %%r2, 8; @%%p1 bra LOOP;\n%s",
             HEAD, before, body, TAIL);
    bench_body(&bench, text);
    bench.config.checks = SIM_CHECK_ALL;
    return bench_run(&bench, "test");
}

static const struct {
    const char *what, *before, *body;
    enum sim_fault_kind fault;
} FAULTS[] = {
    {"shared memory, past its end", "mad.lo.u32 %r3, %r1, 4, %r5; add.u32 %r3, %r3, 512;",
     "ld.shared.u32 %r4, [%r3]; add.u32 %r3, %r3, 128;", SIM_FAULT_OUT_OF_BOUNDS},
    {"shared memory, before its start", "mad.lo.u32 %r3, %r1, 4, %r5; add.u32 %r3, %r3, 512;",
     "ld.shared.u32 %r4, [%r3]; sub.u32 %r3, %r3, 128;", SIM_FAULT_OUT_OF_BOUNDS},
    {"shared memory, one lane too far", "mad.lo.u32 %r3, %r1, 4, %r5; add.u32 %r3, %r3, 872;",
     "st.shared.u32 [%r3], %r1; bar.warp.sync -1; add.u32 %r3, %r3, 4;", SIM_FAULT_OUT_OF_BOUNDS},
    {"shared memory, half a word on", "mad.lo.u32 %r3, %r1, 4, %r5;",
     "ld.shared.u32 %r4, [%r3]; shr.u32 %r6, %r2, 2; mad.lo.u32 %r3, %r6, 2, %r3;",
     SIM_FAULT_MISALIGNED},
    {"global memory, past its end", "mad.wide.u32 %rd4, %r1, 4, %rd1; add.u64 %rd4, %rd4, 512;",
     "ld.global.u32 %r4, [%rd4]; add.u64 %rd4, %rd4, 128;", SIM_FAULT_OUT_OF_BOUNDS},
    {"global memory, before its start", "mad.wide.u32 %rd4, %r1, 4, %rd1;",
     "st.global.u32 [%rd4+256], %r1; sub.u64 %rd4, %rd4, 128;", SIM_FAULT_OUT_OF_BOUNDS},
    {"global memory, a byte on", "mad.wide.u32 %rd4, %r1, 4, %rd1;",
     "ld.global.u32 %r4, [%rd4]; shr.u32 %r6, %r2, 2; mad.wide.u32 %rd4, %r6, 1, %rd4;",
     SIM_FAULT_MISALIGNED},
    {"global memory, far away", "mad.wide.u32 %rd4, %r1, 4, %rd1;",
     "ld.global.u32 %r4, [%rd4]; shr.u32 %r6, %r2, 2; mad.wide.u32 %rd4, %r6, 1048576, %rd4;",
     SIM_FAULT_OUT_OF_BOUNDS},
    {"shared memory, two lanes at one word", "mad.lo.u32 %r3, %r1, 4, %r5;",
     "st.shared.u32 [%r3], %r1; bar.warp.sync -1;\n"
     "setp.eq.u32 %p2, %r2, 3; setp.eq.u32 %p3, %r1, 9;\n"
     "and.pred %p2, %p2, %p3; @%p2 add.u32 %r3, %r3, 4;",
     SIM_FAULT_RACE},
};

START_TEST(what_differs_from_the_last_access_is_seen)
{
    enum sim_fault_kind is = run(FAULTS[_i].before, FAULTS[_i].body);
    ck_assert_msg(is == FAULTS[_i].fault, "%s: %s", FAULTS[_i].what, sim_fault_title(is));
}
END_TEST

/* clang-format off */
/* What a lane adds in one round. */
static uint32_t row(uint32_t lane, uint32_t round) { return 32 * round + lane; }
static uint32_t crossed(uint32_t lane, uint32_t round) { return lane ^ round; }
static uint32_t one_word(uint32_t lane, uint32_t round) { return lane * 0 + 4 * round; }
static uint32_t far_end(uint32_t lane, uint32_t round) { return 8 * lane - round * lane / 32; }
static uint32_t some(uint32_t lane, uint32_t round) { return lane > round ? lane : 0; }
static uint32_t either(uint32_t lane, uint32_t round) { return lane + round % 2 * 1000; }
static uint32_t both(uint32_t lane, uint32_t round)
{
    return lane + ((lane + round / 4) % 2) * 1000;
}
static uint32_t half(uint32_t lane, uint32_t round) { return lane / 2 + 16 * round; }
/* clang-format on */

#define SHARED(number) \
    number "mad.lo.u32 %r3, %r4, 4, %r5; ld.shared.u32 %r6, [%r3]; add.u32 %r10, %r10, %r6;"
#define GLOBAL(number) \
    number "mad.wide.u32 %rd4, %r4, 4, %rd1; ld.global.u32 %r6, [%rd4]; add.u32 %r10, %r10, %r6;"

static const struct {
    const char *what, *body;
    uint32_t (*adds)(uint32_t lane, uint32_t round);
} SUMS[] = {
    {"rows of shared memory", SHARED("mad.lo.u32 %r4, %r2, 32, %r1;"), row},
    {"rows of global memory", GLOBAL("mad.lo.u32 %r4, %r2, 32, %r1;"), row},
    {"lanes in another order each round", SHARED("xor.b32 %r4, %r1, %r2;"), crossed},
    {"the same of global memory", GLOBAL("xor.b32 %r4, %r1, %r2;"), crossed},
    {"one word for all", SHARED("mul.lo.u32 %r4, %r2, 4;"), one_word},
    {"lanes further apart than 32 words",
     SHARED("mul.lo.u32 %r7, %r2, %r1; shr.u32 %r7, %r7, 5; mad.lo.u32 %r4, %r1, 8, 0;\n"
            "sub.u32 %r4, %r4, %r7;"),
     far_end},
    {"half-rows of pairs", SHARED("shr.u32 %r7, %r1, 1; mad.lo.u32 %r4, %r2, 16, %r7;"), half},
    {"fewer lanes each round",
     "setp.gt.u32 %p2, %r1, %r2; mad.lo.u32 %r3, %r1, 4, %r5; mov.u32 %r6, 0;\n"
     "@%p2 ld.shared.u32 %r6, [%r3]; add.u32 %r10, %r10, %r6;",
     some},
    {"one buffer after the other",
     "and.b32 %r7, %r2, 1; setp.eq.u32 %p2, %r7, 1; selp.b64 %rd5, %rd2, %rd1, %p2;\n"
     "mad.wide.u32 %rd4, %r1, 4, %rd5; ld.global.u32 %r6, [%rd4]; add.u32 %r10, %r10, %r6;",
     either},
    {"two buffers at once, exchanged half-way",
     "shr.u32 %r7, %r2, 2; add.u32 %r7, %r7, %r1; and.b32 %r7, %r7, 1; setp.eq.u32 %p2, %r7, 1;\n"
     "selp.b64 %rd5, %rd2, %rd1, %p2; mad.wide.u32 %rd4, %r1, 4, %rd5;\n"
     "ld.global.u32 %r6, [%rd4]; add.u32 %r10, %r10, %r6;",
     both},
};

START_TEST(each_lane_reads_its_own_word)
{
    ck_assert_int_eq(run("", SUMS[_i].body), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t must = 0;
        for (uint32_t round = 0; round < ROUNDS; round++)
            must += SUMS[_i].adds(lane, round);
        ck_assert_msg(sums[lane] == must, "%s: lane %u has %u, not %u", SUMS[_i].what, lane,
                      sums[lane], must);
    }
}
END_TEST

START_TEST(requests_that_repeat_are_counted_like_the_first)
{
    run("", GLOBAL("mad.lo.u32 %r4, %r2, 28, %r1;"));
    const struct sim_totals *totals = &bench_result(&bench)->totals;
    ck_assert_uint_eq(totals->global_load.requests, ROUNDS);
    /* 28 words are three sectors and a half: every second row begins within a sector */
    ck_assert_uint_eq(totals->global_load.sectors, 4 * 5 + 4 * 4);
    ck_assert_uint_eq(totals->shared_store.requests, WORDS / LANES);
    ck_assert_uint_eq(totals->shared_store.wavefronts, WORDS / LANES);
}
END_TEST

/* Two warps read a row; then the second writes it. */
static enum sim_fault_kind write_after(const char *between)
{
    char text[1024];
    snprintf(text, sizeof text,
             ".shared .align 16 .b8 words[1024]; mov.u32 %%r5, words; mov.u32 %%r1, %%tid.x;\n"
             "mad.lo.u32 %%r3, %%r1, 4, %%r5; st.shared.u32 [%%r3], %%r1; bar.sync 0;\n"
             "and.b32 %%r2, %%r1, 31; mad.lo.u32 %%r3, %%r2, 4, %%r5; ld.shared.u32 %%r4, [%%r3];\n"
             "%s setp.ge.u32 %%p1, %%r1, 32; @%%p1 st.shared.u32 [%%r3], %%r1;",
             between);
    bench_body(&bench, text);
    bench.config.checks = SIM_CHECK_ALL;
    bench.config.block[0] = 64;
    return bench_run(&bench, "test");
}

START_TEST(who_writes_is_told_of_reads_since_the_last_barrier_only)
{
    ck_assert_int_eq(write_after(""), SIM_FAULT_RACE);
    ck_assert_int_eq(write_after("bar.sync 0;"), SIM_FAULT_NONE);
    ck_assert_int_eq(write_after("bar.sync 0; ld.shared.u32 %r4, [%r3];"), SIM_FAULT_RACE);
    ck_assert_int_eq(write_after("st.shared.u32 [%r5+512], 1;"), SIM_FAULT_RACE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("access");
    TCase *tests = tcase_create("access");
    tcase_add_checked_fixture(tests, open_bench, close_bench);
    tcase_add_loop_test(tests, what_differs_from_the_last_access_is_seen, 0,
                        (int)(sizeof FAULTS / sizeof *FAULTS));
    tcase_add_loop_test(tests, each_lane_reads_its_own_word, 0, (int)(sizeof SUMS / sizeof *SUMS));
    tcase_add_test(tests, who_writes_is_told_of_reads_since_the_last_barrier_only);
    tcase_add_test(tests, requests_that_repeat_are_counted_like_the_first);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
