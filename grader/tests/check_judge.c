/* check_judge.c - judges are found by name and number; tolerances are what their comments say. */
#include "check/judge.h"

#include "lib/processors.h"

#include "tests/course/tiny_judge.h"

#include "tests/check_main.h"

#include <float.h>
#include <math.h>

TINY_JUDGE("07_twice", "PASS");

START_TEST(a_judge_is_found_by_key_and_by_number)
{
    ck_assert_ptr_eq(judge_named("07_twice"), &TINY);
    ck_assert_ptr_eq(judge_named("7"), &TINY);
    ck_assert_ptr_eq(judge_named("07"), &TINY);
    ck_assert_ptr_null(judge_named("70"));
    ck_assert_ptr_null(judge_named("twice"));
    ck_assert_ptr_null(judge_named(""));
}
END_TEST

START_TEST(elements_of_every_type_are_read_exactly)
{
    float single = 0x1.234568p-3f;
    _Float16 half = (_Float16)-1.5f;
    uint16_t bf16 = 0x4049; /* 3.140625 */
    uint64_t wide = UINT64_C(1) << 52;
    ck_assert_double_eq(judge_element(&single, JUDGE_F32, 0), single);
    ck_assert_double_eq(judge_element(&half, JUDGE_F16, 0), -1.5);
    ck_assert_double_eq(judge_element(&bf16, JUDGE_BF16, 0), 3.140625);
    ck_assert_double_eq(judge_element(&wide, JUDGE_U64, 0), 0x1p52);
}
END_TEST

START_TEST(any_float_is_drawn_and_its_limits_often)
{
    uint64_t seed = 5;
    int nan = 0, infinite = 0, zero = 0, one = 0, largest = 0, subnormal = 0, other = 0;
    for (int i = 0; i < 1000; i++) {
        float value = fabsf(judge_draw_any_float(&seed));
        nan += isnan(value);
        infinite += isinf(value);
        zero += value == 0;
        one += value == 1;
        largest += value == FLT_MAX;
        subnormal += value > 0 && value < FLT_MIN;
        other += isnormal(value) && value != 1 && value != FLT_MAX;
    }
    ck_assert(nan > 40 && infinite > 40 && zero > 40 && one > 40 && largest > 40);
    ck_assert(subnormal > 100 && other > 300);
}
END_TEST

START_TEST(what_an_elementwise_result_may_be_off_grows_with_what_cancels)
{
    ck_assert_double_eq(judge_elementwise_allowed(0, 0), 0x1p-147);
    ck_assert_double_eq(judge_elementwise_allowed(-8, 1), 0x1p-18);
    ck_assert_double_eq(judge_elementwise_allowed(1, -16), 0x1p-17);
    ck_assert_double_eq(judge_elementwise_allowed(0x1p-26, -0x1p-80), 0x1p-47);
    ck_assert_double_eq(judge_elementwise_allowed(INFINITY, 1), 0);
}
END_TEST

/* What it lets pass and what it does not: check_tolerances.c. */
START_TEST(what_a_sum_may_be_off_follows_its_terms_and_itself)
{
    ck_assert_double_eq(judge_product_allowed(0, 1, 100), 12 * 0x1p-24);
    ck_assert_double_eq(judge_product_allowed(-2, 2, 100), (24 + 80) * 0x1p-24);
    ck_assert(isfinite(judge_product_allowed(INFINITY, 1, 2)));
    const struct judge_case any = {0}, picks = {.data = JUDGE_DATA_PICKS_SECOND};
    ck_assert_double_eq(judge_sum_allowed(&any, -2, 2, 100), judge_product_allowed(-2, 2, 100));
    ck_assert_double_eq(judge_sum_allowed(&picks, -2, 2, 4100), 0);
    ck_assert_double_eq(judge_sum_allowed(&picks, -2, 4, 4100), 24 * 0x1p-24);
}
END_TEST

static void count_parts(void *context, uint64_t first, uint64_t end)
{
    unsigned char *times = context;
    for (uint64_t i = first; i < end; i++)
        times[i]++;
}

enum { ROWS = 5, COLS = 70, DEPTH = 130 }; /* more than judge_product_row takes at a time */

/* Element i of a row-major matrix of integers with so many rows and columns, or of the same stored
 * turned. */
static float integer_at(uint64_t i, uint64_t rows, uint64_t cols, bool turned, uint64_t salt)
{
    uint64_t row = turned ? i % rows : i / cols, col = turned ? i / rows : i % cols;
    return (float)(judge_word(salt, row * cols + col) % 19) - 9;
}

static void hold_row(const struct judge_inputs *inputs, const struct judge_product *product,
                     uint64_t row)
{
    double sum[COLS] = {0}, magnitude[COLS] = {0};
    judge_product_row(inputs, product, row, 1, COLS - 1, sum, magnitude);
    for (uint64_t col = 1; col < COLS; col++) {
        double want = 0, size = 0;
        for (uint64_t i = 0; i < DEPTH; i++) {
            double term = (double)integer_at(row * DEPTH + i, ROWS, DEPTH, false, 1) *
                          integer_at(i * COLS + col, DEPTH, COLS, false, 2);
            want += term;
            size += fabs(term);
        }
        ck_assert_double_eq(sum[col - 1], want);
        ck_assert_double_eq(magnitude[col - 1], size);
    }
}

static void hold_rows(bool a_turned, bool b_turned, struct judge_parts *parts)
{
    static float a[ROWS * DEPTH], b[DEPTH * COLS];
    const struct judge_product product = {0, 1, COLS, DEPTH, a_turned, b_turned, ROWS};
    struct judge_inputs inputs = {.of = {{(unsigned char *)a, ROWS * DEPTH, JUDGE_F32},
                                         {(unsigned char *)b, DEPTH * COLS, JUDGE_F32}},
                                  .parts = parts};
    for (uint64_t i = 0; i < ROWS * DEPTH; i++)
        a[i] = integer_at(i, ROWS, DEPTH, product.a_turned, 1);
    for (uint64_t i = 0; i < DEPTH * COLS; i++)
        b[i] = integer_at(i, DEPTH, COLS, product.b_turned, 2);
    for (uint64_t row = 0; row < ROWS; row++)
        hold_row(&inputs, &product, row);
}

START_TEST(a_row_of_a_product_is_the_same_in_each_layout)
{
    for (int layout = 0; layout < 4; layout++)
        hold_rows(layout & 1, layout & 2, NULL);
}
END_TEST

START_TEST(parts_that_are_kept_for_other_rows_are_those_of_the_same_product)
{
    struct judge_parts *parts = judge_parts_new();
    ck_assert(parts);
    for (int layout = 0; layout < 4; layout++)
        hold_rows(layout & 1, layout & 2, parts);
    judge_parts_free(parts);
}
END_TEST

START_TEST(each_part_is_done_once_by_several_processors)
{
    for (uint64_t count = 0; count < 10; count++) {
        unsigned char times[10] = {0};
        judge_side_by_side(count, count_parts, times);
        for (uint64_t i = 0; i < 10; i++)
            ck_assert_uint_eq(times[i], i < count);
    }
}
END_TEST

static void count_calls(void *context, uint64_t first, uint64_t end)
{
    unsigned *calls = context;
    if (first < end)
        __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
}

START_TEST(few_steps_are_not_worth_a_thread)
{
    unsigned few = 0, many = 0;
    judge_rows_side_by_side(10, 100, count_calls, &few);
    judge_rows_side_by_side(10, 1e6, count_calls, &many);
    ck_assert_uint_eq(few, 1);
    ck_assert_uint_gt(many, processors_allowed() > 1);
}
END_TEST

TESTS("judge", a_judge_is_found_by_key_and_by_number, elements_of_every_type_are_read_exactly,
      any_float_is_drawn_and_its_limits_often,
      what_an_elementwise_result_may_be_off_grows_with_what_cancels,
      what_a_sum_may_be_off_follows_its_terms_and_itself,
      a_row_of_a_product_is_the_same_in_each_layout,
      parts_that_are_kept_for_other_rows_are_those_of_the_same_product,
      each_part_is_done_once_by_several_processors, few_steps_are_not_worth_a_thread)
