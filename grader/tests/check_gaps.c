/* check_gaps.c - stores between the rows of a matrix are noted, whatever they store. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>

static struct bench bench;
static uint64_t matrix;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* Four rows of six words, after the third word of a buffer; two words lie between rows. */
enum { BEFORE = 3, ROWS = 4, USED = 6, COLUMNS = 8, WORDS = BEFORE + (ROWS - 1) * COLUMNS + USED };

static void set_gaps(void)
{
    const struct sim_gaps gaps = {
        .first = 4 * (BEFORE + USED), .bytes = 4 * (COLUMNS - USED), .every = 4 * COLUMNS};
    ck_assert(sim_set_gaps(bench.context, matrix, &gaps));
    ck_assert(sim_forget_stores(bench.context, matrix));
}

/* One thread has p0 of the matrix in %rd1. Is a store to a gap noted? */
static bool is_noted_with(unsigned checks, const char *access)
{
    char body[512];
    struct sim_error error;
    snprintf(body, sizeof body,
             "ld.param.u64 %%rd1, [p0]; mov.u32 %%r1, %%tid.x; setp.ne.u32 %%p1, %%r1, 0;\n"
             "@%%p1 ret;\nmov.u32 %%r2, 0; mov.f32 %%f1, 0f00000000;\n%s\n",
             access);
    bench_body(&bench, body);
    matrix = sim_allocate(bench.context, 4 * WORDS, SIM_MEMORY_DEVICE, NULL, &error);
    ck_assert_ptr_nonnull(sim_host_pointer(bench.context, matrix, 4 * WORDS, true, &error));
    bench_integer(&bench, matrix);
    bench.config.checks = checks;
    set_gaps();
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return sim_gaps_were_stored_to(bench.context, matrix);
}

static bool is_noted(const char *access)
{
    return is_noted_with(SIM_CHECK_ALL, access);
}

START_TEST(a_store_to_a_gap_is_noted)
{
    ck_assert(is_noted("st.global.u32 [%rd1 + 36], %r2;"));
}
END_TEST

START_TEST(so_is_one_of_a_launch_without_checks)
{
    ck_assert(is_noted_with(0, "st.global.u32 [%rd1 + 36], %r2;"));
    ck_assert(!is_noted_with(0, "st.global.u32 [%rd1 + 32], %r2;"));
}
END_TEST

START_TEST(so_is_one_to_the_end_of_a_later_gap)
{
    ck_assert(is_noted("st.global.u8 [%rd1 + 107], %r2;"));
}
END_TEST

START_TEST(so_is_one_of_what_is_there)
{
    ck_assert(is_noted("ld.global.u32 %r2, [%rd1 + 68]; st.global.u32 [%rd1 + 68], %r2;"));
}
END_TEST

START_TEST(so_is_one_that_begins_in_the_row)
{
    ck_assert(is_noted("st.global.v4.f32 [%rd1 + 32], {%f1, %f1, %f1, %f1};"));
}
END_TEST

START_TEST(so_is_an_atomic_update)
{
    ck_assert(is_noted("red.global.add.u32 [%rd1 + 72], 0;"));
}
END_TEST

START_TEST(stores_to_the_ends_of_rows_are_not)
{
    ck_assert(!is_noted("st.global.u32 [%rd1], %r2; st.global.u32 [%rd1 + 32], %r2;"
                        "st.global.u32 [%rd1 + 44], %r2; st.global.u32 [%rd1 + 96], %r2;"
                        "st.global.u32 [%rd1 + 108], %r2; st.global.u32 [%rd1 + 128], %r2;"));
}
END_TEST

START_TEST(nor_is_a_read_of_a_gap)
{
    ck_assert(!is_noted("ld.global.u32 %r2, [%rd1 + 36]; st.global.u32 [%rd1], %r2;"));
}
END_TEST

START_TEST(a_copy_is_a_store_and_is_forgotten)
{
    struct sim_error error;
    ck_assert(!is_noted(""));
    ck_assert(sim_copy(bench.context, matrix + 44, matrix, 24, &error));
    ck_assert(!sim_gaps_were_stored_to(bench.context, matrix));
    ck_assert(sim_copy(bench.context, matrix + 44, matrix, 28, &error));
    ck_assert(sim_gaps_were_stored_to(bench.context, matrix));
    ck_assert(sim_forget_stores(bench.context, matrix));
    ck_assert(!sim_gaps_were_stored_to(bench.context, matrix));
}
END_TEST

START_TEST(without_gaps_there_is_nothing_to_note)
{
    ck_assert(!is_noted(""));
    ck_assert(sim_set_gaps(bench.context, matrix, &(struct sim_gaps){0}));
    ck_assert_ptr_nonnull(
        sim_host_pointer(bench.context, matrix, 4 * WORDS, true, &(struct sim_error){0}));
    ck_assert(!sim_gaps_were_stored_to(bench.context, matrix));
    ck_assert(!sim_set_gaps(bench.context, 4096, &(struct sim_gaps){0}));
}
END_TEST

TESTS_WITH(open_bench, close_bench, "gaps", a_store_to_a_gap_is_noted,
           so_is_one_of_a_launch_without_checks, so_is_one_to_the_end_of_a_later_gap,
           so_is_one_of_what_is_there, so_is_one_that_begins_in_the_row, so_is_an_atomic_update,
           stores_to_the_ends_of_rows_are_not, nor_is_a_read_of_a_gap,
           a_copy_is_a_store_and_is_forgotten, without_gaps_there_is_nothing_to_note)
