/* check_narrow.c - vector loads of which ptxas keeps only some elements (narrow.c): what is
 * counted, what is checked, what arrives. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, VECTOR_WORDS = 4 };

/* Requests that an H200's machine code makes of a vector of four words, by the set of elements that
 * are used; and the sum of their bytes a lane. */
static const struct {
    unsigned requests, bytes;
} WORDS[1 << VECTOR_WORDS] = {
    [0x1] = {1, 4},  [0x2] = {1, 4},  [0x4] = {1, 4},  [0x8] = {1, 4},  [0x3] = {1, 8},
    [0xC] = {1, 8},  [0x5] = {2, 8},  [0x6] = {2, 8},  [0x9] = {2, 8},  [0xA] = {2, 8},
    [0x7] = {1, 16}, [0xB] = {1, 16}, [0xD] = {1, 16}, [0xE] = {1, 16}, [0xF] = {1, 16},
};

static struct bench bench;

/* The i-th lane loads its four words of p0, with that mnemonic, and stores those used to p1. */
static const struct sim_totals *load_words(const char *mnemonic, unsigned used)
{
    char text[1024];
    int at = snprintf(text, sizeof text,
                      "mov.u32 %%r1, %%tid.x; ld.param.u64 %%rd1, [p0]; ld.param.u64 %%rd2, [p1];\n"
                      "mad.wide.u32 %%rd3, %%r1, 16, %%rd1; mad.wide.u32 %%rd4, %%r1, 16, %%rd2;\n"
                      "%s.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%rd3];\n",
                      mnemonic);
    for (unsigned i = 0; i < VECTOR_WORDS; i++)
        if (used >> i & 1)
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "st.global.u32 [%%rd4+%u], %%r%u;\n", 4 * i, 10 + i);
    snprintf(text + at, sizeof text - (size_t)at, "ret;");
    bench_body(&bench, text);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return &bench_result(&bench)->totals;
}

START_TEST(what_is_loaded_depends_on_what_is_used)
{
    uint32_t *from, *to;
    bench_open(&bench);
    from = bench_buffer(&bench, LANES * VECTOR_WORDS * 4);
    to = bench_buffer(&bench, LANES * VECTOR_WORDS * 4);
    for (uint32_t i = 0; i < LANES * VECTOR_WORDS; i++)
        from[i] = 1000 + i;
    memset(to, 0, LANES * VECTOR_WORDS * 4);
    const struct sim_totals *totals = load_words("ld.global", (unsigned)_i);
    ck_assert_uint_eq(totals->global_load.requests, WORDS[_i].requests);
    ck_assert_uint_eq(totals->global_load.bytes, LANES * WORDS[_i].bytes);
    ck_assert_uint_eq(totals->global_load.sectors, 16 * WORDS[_i].requests);
    for (uint32_t i = 0; i < LANES * VECTOR_WORDS; i++)
        ck_assert_uint_eq(to[i], _i >> i % VECTOR_WORDS & 1 ? 1000 + i : 0);
    bench_close(&bench);
}
END_TEST

START_TEST(volatile_loads_stay_whole)
{
    bench_open(&bench);
    bench_buffer(&bench, LANES * VECTOR_WORDS * 4);
    bench_buffer(&bench, LANES * VECTOR_WORDS * 4);
    ck_assert_uint_eq(load_words("ld.volatile.global", 0x9)->global_load.bytes, LANES * 16);
    ck_assert_uint_eq(load_words("ld.global", 0x9)->global_load.bytes, LANES * 8);
    bench_close(&bench);
}
END_TEST

/* The rows of 36 words of float4_rows in the bank: its words 0 and 3 take four passes each. */
static uint64_t row_passes(const char *type, unsigned bytes, const char *load)
{
    bool is_half = strcmp(type, "u16") == 0;
    char text[1024];
    snprintf(text, sizeof text,
             ".shared .align 16 .b8 s_rows[4608];\nmov.u32 %%r1, %%tid.x; mov.u32 %%r2, s_rows;\n"
             "mad.lo.u32 %%r2, %%r1, %u, %%r2;\n%s.%s %s;\n"
             "cvt.u32.u16 %%r5, %%h1; cvt.u32.u16 %%r6, %%h4; add.u32 %%r5, %%r5, %%r6;\n"
             "add.u32 %%r3, %%r3, %%r4; add.u32 %%r3, %%r3, %%r5; ret;",
             bytes, load, type,
             is_half ? "{%h1, %h2, %h3, %h4}, [%r2]" : "{%r3, %r8, %r9, %r4}, [%r2]");
    bench_open(&bench);
    bench_body(&bench, text);
    bench_run(&bench, "test");
    const struct sim_access_counters *shared = &bench_result(&bench)->totals.shared_load;
    uint64_t both = shared->requests * 100 + shared->wavefronts;
    bench_close(&bench);
    return both;
}

START_TEST(two_words_apart_are_two_loads_and_two_halves_apart_are_one)
{
    ck_assert_uint_eq(row_passes("u32", 144, "ld.shared.v4"), 208);
    ck_assert_uint_eq(row_passes("u32", 144, "ld.volatile.shared.v4"), 104);
    ck_assert_uint_eq(row_passes("u16", 8, "ld.shared.v4"), 102);
}
END_TEST

/* The last lane's vector ends a word behind the allocation: in an element that is not used. */
START_TEST(an_unused_element_must_be_inside_all_the_same)
{
    bench_open(&bench);
    bench_buffer(&bench, LANES * VECTOR_WORDS * 4 - 4);
    bench_buffer(&bench, LANES * VECTOR_WORDS * 4);
    bench_body(&bench, "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];\n"
                       "mad.wide.u32 %rd3, %r1, 16, %rd1; mad.wide.u32 %rd4, %r1, 16, %rd2;\n"
                       "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd3];\n"
                       "st.global.u32 [%rd4], %r10; ret;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_OUT_OF_BOUNDS);
    bench_close(&bench);
}
END_TEST

START_TEST(a_vector_must_be_aligned_whatever_is_used_of_it)
{
    bench_open(&bench);
    bench_buffer(&bench, 4096);
    bench_body(&bench, "ld.param.u64 %rd1, [p0]; ld.global.v4.u32 {%r10, %r11, %r12, %r13}, "
                       "[%rd1+4];\nst.global.u32 [%rd1], %r10; ret;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_MISALIGNED);
    bench_close(&bench);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("narrow");
    TCase *tests = tcase_create("vector loads");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, what_is_loaded_depends_on_what_is_used, 1, 1 << VECTOR_WORDS);
    tcase_add_test(tests, volatile_loads_stay_whole);
    tcase_add_test(tests, two_words_apart_are_two_loads_and_two_halves_apart_are_one);
    tcase_add_test(tests, an_unused_element_must_be_inside_all_the_same);
    tcase_add_test(tests, a_vector_must_be_aligned_whatever_is_used_of_it);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
