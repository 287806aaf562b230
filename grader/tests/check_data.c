/* check_data.c - inputs are what the case asks for, and the same for the same seed. */
#include "check/examine/data.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

enum { COUNT = 1 << 16 };
static const struct judge PLAIN;
static float values[COUNT], others[COUNT];

static void fill(uint32_t data, uint64_t seed, float *to)
{
    struct judge_case problem = {.data = data};
    struct judge_buffer buffer = {.type = JUDGE_F32, .count = COUNT};
    data_fill(&PLAIN, &problem, 0, &buffer, to, seed);
}

START_TEST(uniform_data_has_mean_zero_and_stays_in_bounds)
{
    double sum = 0, squares = 0;
    fill(JUDGE_DATA_UNIFORM, 1, values);
    for (int i = 0; i < COUNT; i++) {
        ck_assert(values[i] >= -1 && values[i] <= 1);
        sum += values[i];
        squares += (double)values[i] * values[i];
    }
    ck_assert_double_eq_tol(sum / COUNT, 0, 0.02);
    ck_assert_double_eq_tol(squares / COUNT, 1.0 / 3, 0.02);
}
END_TEST

START_TEST(tiny_data_have_subnormal_products_and_subnormal_data_are)
{
    int tiny = 0, subnormal = 0;
    fill(JUDGE_DATA_TINY, 1, values);
    fill(JUDGE_DATA_SUBNORMAL, 1, others);
    for (int i = 0; i < COUNT; i++) {
        ck_assert(fabsf(values[i]) <= 0x1p-64f && fabsf(others[i]) <= 0x1p-126f);
        tiny += fpclassify(values[i]) == FP_NORMAL &&
                fpclassify(values[i] * values[(i + 1) % COUNT]) == FP_SUBNORMAL;
        subnormal += fpclassify(others[i]) == FP_SUBNORMAL;
    }
    ck_assert_int_gt(tiny, COUNT - COUNT / 100);
    ck_assert_int_gt(subnormal, COUNT - COUNT / 100);
}
END_TEST

/* Numbers past 2, and past any other bound that an answer may have, are in such data. */
START_TEST(wide_and_scaled_data_are_of_any_size)
{
    int wide = 0, plain = 0, scales[2] = {0};
    fill(JUDGE_DATA_SPARSE_WIDE, 1, values);
    for (int i = 0; i < COUNT; i++) {
        wide += isfinite(values[i]) && fabsf(values[i]) > 2;
        plain += isfinite(values[i]) && fabsf(values[i]) <= 1 && fabsf(values[i]) > 0x1p-10f;
    }
    ck_assert_int_gt(wide, COUNT / 12);
    ck_assert_int_gt(plain, COUNT / 2);
    fill(JUDGE_DATA_SPARSE_WIDE, 2, others);
    int subnormal = 0;
    for (int i = 0; i < COUNT; i++)
        subnormal += fpclassify(values[i]) == FP_SUBNORMAL && fpclassify(others[i]) == FP_SUBNORMAL;
    ck_assert_int_gt(subnormal, COUNT / 100);
    for (uint64_t seed = 1; seed < 50; seed++) {
        float most = 0;
        fill(JUDGE_DATA_SCALED, seed, values);
        for (int i = 0; i < 1000; i++)
            most = fmaxf(most, fabsf(values[i]));
        ck_assert(most <= 0x1p50f && most > 0x1p-52f);
        scales[0] += most < 0x1p-10f;
        scales[1] += most > 0x1p10f;
    }
    ck_assert_int_gt(scales[0], 10);
    ck_assert_int_gt(scales[1], 10);
    struct judge_case problem = {.data = JUDGE_DATA_SCALED};
    struct judge_buffer rows = {.type = JUDGE_F32, .count = 100 * 10, .columns = 10};
    for (size_t index = 0; index < 2; index++) {
        int large = 0;
        data_fill(&PLAIN, &problem, index, &rows, values, 1);
        for (int row = 0; row < 100; row++)
            large += fabsf(values[10 * row] / values[10 * ((row + 1) % 100)]) > 1024;
        ck_assert(index ? large < 5 : large > 20); /* rows of the first have sizes of their own */
    }
}
END_TEST

START_TEST(faint_data_are_rounded_as_a_multiplication_rounds)
{
    fill(JUDGE_DATA_FAINT_FIRST, 3, values);
    fill(JUDGE_DATA_FAINT_SECOND, 3, others);
    for (int i = 0; i < COUNT; i++) {
        float product = 0x1p-130f * others[i];
        ck_assert(memcmp(&values[i], &product, sizeof product) == 0);
    }
}
END_TEST

START_TEST(any_bits_are_nans_of_any_payload_and_subnormals_among_the_rest)
{
    int nans = 0, subnormal = 0, negative = 0, signalling = 0;
    uint32_t payloads = 0;
    fill(JUDGE_DATA_BITS, 1, values);
    for (int i = 0; i < COUNT; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        nans += isnan(values[i]);
        payloads |= isnan(values[i]) ? bits : 0;
        negative += isnan(values[i]) && bits >> 31;
        subnormal += fpclassify(values[i]) == FP_SUBNORMAL;
        signalling += isnan(values[i]) && !(bits >> 22 & 1);
    }
    ck_assert_int_gt(nans, COUNT / 10);
    ck_assert_int_gt(negative, COUNT / 20);
    ck_assert_int_gt(signalling, COUNT / 20);
    ck_assert_int_lt(signalling, COUNT / 12);
    ck_assert_int_gt(subnormal, COUNT / 10);
    ck_assert_uint_eq(payloads, 0xFFFFFFFF);
}
END_TEST

/* The sum of 800 products is one of the sum's kind; and in a matrix few sums of 5000 have a NaN. */
START_TEST(faint_data_have_subnormal_sums_of_products)
{
    struct judge_buffer matrix = {.type = JUDGE_F32, .count = COUNT, .columns = 256};
    static const struct judge nothing = {.lesson = "none"};
    for (uint32_t data = JUDGE_DATA_FAINT_FIRST; data <= JUDGE_DATA_FAINT_SECOND; data++) {
        const struct judge_case problem = {.data = data};
        int special = 0;
        double magnitude = 0;
        data_fill(&nothing, &problem, 0, &matrix, values, 1);
        data_fill(&nothing, &problem, 1, &matrix, others, 1);
        for (int i = 0; i < COUNT; i++) {
            const float *faint = data == JUDGE_DATA_FAINT_FIRST ? values : others;
            bool is_special = !isfinite(values[i]) || !isfinite(others[i]);
            special += is_special;
            ck_assert(is_special || fabsf(faint[i]) <= 0x1p-130f);
            magnitude += is_special ? 0 : pow((double)values[i] * others[i], 2);
        }
        ck_assert_int_gt(special, 0);
        ck_assert_int_lt(special, COUNT / 4096);
        ck_assert_double_lt(sqrt(magnitude / COUNT * 800), 0x1p-126);
    }
}
END_TEST

static uint32_t bits_of(uint32_t high, uint32_t low)
{
    float value = data_any_bits((uint64_t)high << 32 | low);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Not even where chance draws them. */
START_TEST(any_bits_are_never_those_that_say_unwritten)
{
    for (uint32_t low = 0; low < 8; low++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t bits = bits_of(byte * 0x01010101, low);
            ck_assert_uint_ne(bits, (bits & 0xFF) * 0x01010101);
            ck_assert((bits & 0x7F800000) != 0x7F800000 || bits & 0x7FFFFF);
        }
    ck_assert_uint_ne(bits_of(0xFFFFFFFE, 0), UINT32_MAX);
}
END_TEST

START_TEST(special_data_has_every_kind_of_special)
{
    int nans = 0, infinities[2] = {0}, denormals = 0, negative_zeros = 0, plain = 0;
    fill(JUDGE_DATA_SPECIALS, 1, values);
    for (int i = 0; i < COUNT; i++) {
        nans += isnan(values[i]);
        infinities[signbit(values[i]) != 0] += isinf(values[i]) != 0;
        denormals += fpclassify(values[i]) == FP_SUBNORMAL;
        negative_zeros += values[i] == 0 && signbit(values[i]);
        plain += fabsf(values[i]) > 0.01f && fabsf(values[i]) <= 1;
    }
    ck_assert(nans && infinities[0] && infinities[1] && denormals && negative_zeros);
    ck_assert_int_gt(plain, COUNT / 2);
}
END_TEST

static unsigned kind_of(float value)
{
    bool minus = signbit(value);
    switch (fpclassify(value)) {
    case FP_NAN: return 0;
    case FP_INFINITE: return 1 + minus;
    case FP_ZERO: return 3 + minus;
    case FP_SUBNORMAL: return 5 + minus;
    default: return fabsf(value) > 1 ? 7 : 8;
    }
}

/* A bit for each kind in rows of columns, of which only the last rows and columns count. */
static unsigned kinds_in(const float *matrix, int rows, int columns, int last_rows,
                         int last_columns)
{
    unsigned kinds = 0;
    for (int i = 0; i < rows * columns; i++)
        if (i / columns >= rows - last_rows && i % columns >= columns - last_columns)
            kinds |= 1u << kind_of(matrix[i]);
    return kinds;
}

enum { ALL_KINDS = 0xFF, ROWS = 40, COLUMNS = 9 };

static void fill_matrix(uint32_t data, uint64_t seed, size_t index)
{
    struct judge_case problem = {.data = data};
    struct judge_buffer buffer = {.type = JUDGE_F32, .count = ROWS * COLUMNS, .columns = COLUMNS};
    data_fill(&PLAIN, &problem, index, &buffer, values, seed);
}

START_TEST(each_special_is_there_whatever_the_seed_and_in_the_last_row_and_column)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        fill_matrix(JUDGE_DATA_SPECIALS, seed, seed % 3);
        ck_assert_uint_eq(kinds_in(values, ROWS, COLUMNS, ROWS, COLUMNS) & ALL_KINDS, ALL_KINDS);
        ck_assert_uint_eq(kinds_in(values, ROWS, COLUMNS, 1, COLUMNS) & ALL_KINDS, ALL_KINDS);
        ck_assert_uint_eq(kinds_in(values, ROWS, COLUMNS, ROWS, 1) & ALL_KINDS, ALL_KINDS);
        ck_assert_uint_ne(kind_of(values[ROWS * COLUMNS - 1]), 8);
    }
}
END_TEST

/* A zero meets a NaN, an infinity meets an infinity: nothing of this is left to chance. */
START_TEST(specials_of_two_rows_meet_whatever_the_seed)
{
    enum { SHORT = 128, LONGER = 196, INPUTS = 4 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct judge_case problem = {.data = JUDGE_DATA_SPECIALS};
        struct judge_buffer row = {.type = JUDGE_F32, .count = seed % 2 ? SHORT : LONGER};
        size_t first = seed % INPUTS, second = (first + 1 + seed / INPUTS % 3) % INPUTS;
        uint64_t met = 0;
        row.columns = seed % 3 ? row.count : 0;
        data_fill(&PLAIN, &problem, first, &row, values, seed);
        data_fill(&PLAIN, &problem, second, &row, others, seed);
        for (uint64_t i = 0; i < row.count; i++)
            if (kind_of(values[i]) < 8 && kind_of(others[i]) < 8)
                met |= UINT64_C(1) << (kind_of(values[i]) * 8 + kind_of(others[i]));
        ck_assert_uint_eq(met, UINT64_MAX);
    }
}
END_TEST

START_TEST(few_specials_are_one_of_each_kind_and_leave_most_rows_finite)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        int finite = 0;
        fill_matrix(JUDGE_DATA_FEW_SPECIALS, seed, seed % 2);
        ck_assert_uint_eq(kinds_in(values, ROWS, COLUMNS, ROWS, COLUMNS) & ALL_KINDS, 0x7F);
        ck_assert(!isfinite(values[ROWS * COLUMNS - 1]));
        for (int i = 0; i < ROWS * COLUMNS; i++)
            finite += isfinite(values[i]);
        ck_assert_int_ge(finite, ROWS * COLUMNS - 4);
    }
}
END_TEST

START_TEST(a_matrix_of_other_data_has_none)
{
    for (uint32_t data = 0; data <= JUDGE_DATA_FEW_SPECIALS; data++) {
        fill_matrix(data, 3, 1);
        if (data == JUDGE_DATA_UNIFORM || data == JUDGE_DATA_INTEGERS)
            for (int i = 0; i < ROWS * COLUMNS; i++)
                ck_assert(fabsf(values[i]) <= 8);
    }
}
END_TEST

/* Elements of a matrix of ZERO_ROWS x ZERO_COLUMNS that are zero, and those that are not finite. */
static void count_in_zeros(uint32_t data, size_t index, int *zeros, int *not_finite)
{
    enum { ZERO_ROWS = 200, ZERO_COLUMNS = 150 };
    struct judge_case problem = {.data = data};
    struct judge_buffer buffer = {
        .type = JUDGE_F32, .count = ZERO_ROWS * ZERO_COLUMNS, .columns = ZERO_COLUMNS};
    *zeros = *not_finite = 0;
    data_fill(&PLAIN, &problem, index, &buffer, values, 5);
    for (int i = 0; i < ZERO_ROWS * ZERO_COLUMNS; i++) {
        bool in_tile = i / ZERO_COLUMNS < JUDGE_ZERO_SIDE || i % ZERO_COLUMNS < JUDGE_ZERO_SIDE;
        ck_assert(index != data - JUDGE_DATA_ZEROS_IN_FIRST || in_tile == (values[i] == 0));
        *zeros += values[i] == 0;
        *not_finite += !isfinite(values[i]);
    }
}

START_TEST(zeros_fill_whole_tiles_of_one_matrix_opposite_specials_of_the_other)
{
    for (size_t index = 0; index < 2; index++) {
        int zeros, not_finite;
        count_in_zeros(JUDGE_DATA_ZEROS_IN_FIRST + (uint32_t)index, index, &zeros, &not_finite);
        ck_assert_int_eq(zeros, 200 * 150 - (200 - 128) * (150 - 128));
        ck_assert_int_eq(not_finite, 0);
        count_in_zeros(JUDGE_DATA_ZEROS_IN_FIRST + (uint32_t)index, 1 - index, &zeros, &not_finite);
        ck_assert_int_le(zeros, 1);
        ck_assert(not_finite > 200 * 150 / 512 && not_finite < 200 * 150 / 128);
    }
}
END_TEST

START_TEST(zeros_of_an_array_have_either_sign_and_end)
{
    fill(JUDGE_DATA_ZEROS_IN_FIRST, 1, values);
    ck_assert(values[0] == 0 && signbit(values[0]) && signbit(values[JUDGE_ZEROS / 2 - 1]));
    ck_assert(!signbit(values[JUDGE_ZEROS / 2]) && values[JUDGE_ZEROS - 1] == 0);
    ck_assert(values[JUDGE_ZEROS] != 0 && fabsf(values[JUDGE_ZEROS]) <= 1);
}
END_TEST

/* The place before the end of a sum, the one before that, and so on: each has one. */
START_TEST(each_row_of_a_matrix_has_its_infinity_a_place_before_the_last_rows)
{
    enum { ROW = 7, COLUMN = 5 };
    struct judge_buffer buffer = {.type = JUDGE_F32, .count = ROW * COLUMN, .columns = COLUMN};
    for (uint32_t index = 0; index < 2; index++)
        for (uint32_t second = 0; second < 2; second++) {
            struct judge_case problem = {.data = JUDGE_DATA_INFINITE_FIRST + second};
            data_fill(&PLAIN, &problem, index, &buffer, values, 5);
            for (int i = 0; i < ROW * COLUMN; i++) {
                int row = i / COLUMN, column = i % COLUMN;
                bool is_there =
                    second ? row == ROW - 1 - column : column == COLUMN - 1 - row % COLUMN;
                ck_assert_int_eq(isinf(values[i]) != 0, is_there && index == second);
            }
        }
}
END_TEST

START_TEST(positive_data_are_mostly_faint)
{
    int large = 0;
    fill(JUDGE_DATA_POSITIVE, 1, values);
    for (int i = 0; i < COUNT; i++) {
        ck_assert(values[i] > 0 && values[i] <= 1);
        large += values[i] > 0x1p-40f;
    }
    ck_assert(large > COUNT / 128 && large < COUNT / 32);
}
END_TEST

START_TEST(integers_are_small_and_whole)
{
    fill(JUDGE_DATA_INTEGERS, 1, values);
    for (int i = 0; i < COUNT; i++)
        ck_assert(values[i] == rintf(values[i]) && fabsf(values[i]) <= 8 && values[i] != 0);
}
END_TEST

START_TEST(a_nan_comes_after_infinities)
{
    enum { ROWS = 40, LENGTH = 301 };
    static float values[ROWS * LENGTH];
    struct judge_case problem = {.data = JUDGE_DATA_LATE_NAN};
    struct judge_buffer buffer = {.type = JUDGE_F32, .count = ROWS * LENGTH, .columns = LENGTH};
    data_fill(&PLAIN, &problem, 0, &buffer, values, 3);
    for (int row = 0; row < ROWS; row++) {
        int nans = 0;
        for (int i = 0; i < LENGTH; i++) {
            float value = values[row * LENGTH + i];
            nans += isnan(value) != 0;
            ck_assert(isnan(value) ? i >= LENGTH / 2 : isinf(value));
        }
        ck_assert_int_eq(nans, row % 2 == 0);
    }
}
END_TEST

/* The product of the two matrices: far away half way, and back at the end. */
START_TEST(sums_go_away_and_come_back)
{
    enum { ROWS = 130, LENGTH = 601, COLUMNS = 7 };
    static float first[ROWS * LENGTH], second[LENGTH * COLUMNS];
    struct judge_case problem = {.data = JUDGE_DATA_COMES_BACK};
    struct judge_buffer left = {.type = JUDGE_F32, .count = ROWS * LENGTH, .columns = LENGTH};
    struct judge_buffer right = {.type = JUDGE_F32, .count = LENGTH * COLUMNS, .columns = COLUMNS};
    data_fill(&PLAIN, &problem, 0, &left, first, 3);
    data_fill(&PLAIN, &problem, 1, &right, second, 3);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            double sum = 0, farthest = 0;
            for (int i = 0; i < LENGTH; i++) {
                double a = first[row * LENGTH + i], b = second[i * COLUMNS + column];
                ck_assert(a == rint(a) && b == rint(b) && fabs(a) <= 9 && fabs(b) <= 8);
                sum += a * b;
                farthest = fmax(farthest, row / JUDGE_ROWS_ALIKE % 2 ? sum : -sum);
            }
            ck_assert(farthest > 5000 && fabs(sum) < 150);
        }
}
END_TEST

/* Row 2 of the first input has its 1 in one place; so has column 2 of the second. */
START_TEST(a_single_one_picks_an_element_of_the_other_factor)
{
    enum { SIDE = 9, LENGTH = 700 };
    static float values[SIDE * LENGTH];
    for (size_t index = 0; index < 2; index++) {
        struct judge_case problem = {.data = JUDGE_DATA_PICKS_FIRST + (uint32_t)index};
        struct judge_buffer buffer = {
            .type = JUDGE_F32, .count = SIDE * LENGTH, .columns = index ? SIDE : LENGTH};
        data_fill(&PLAIN, &problem, index, &buffer, values, 3);
        for (int line = 0; line < SIDE; line++) {
            int ones = 0;
            for (int i = 0; i < LENGTH; i++) {
                float value = values[index ? i * SIDE + line : line * LENGTH + i];
                ck_assert(value == 0 || value == 1);
                ones += value == 1;
            }
            ck_assert_int_eq(ones, 1);
        }
        data_fill(&PLAIN, &problem, 1 - index, &buffer, values, 3);
        ck_assert(values[0] != 0 && values[0] != 1);
    }
}
END_TEST

START_TEST(sixteenths_are_whole_sixteenths_of_either_sign)
{
    double sum = 0;
    fill(JUDGE_DATA_SIXTEENTHS, 1, values);
    for (int i = 0; i < COUNT; i++) {
        ck_assert(16 * values[i] == rintf(16 * values[i]) && fabsf(values[i]) <= 1);
        sum += values[i];
    }
    ck_assert(fabs(sum) < 4 * sqrt(COUNT));
}
END_TEST

START_TEST(a_seed_gives_the_same_data_again_and_another_one_other_data)
{
    fill(JUDGE_DATA_UNIFORM, 7, values);
    fill(JUDGE_DATA_UNIFORM, 7, others);
    ck_assert_mem_eq(values, others, sizeof values);
    fill(JUDGE_DATA_UNIFORM, 8, others);
    int same = 0;
    for (int i = 0; i < COUNT; i++)
        same += values[i] == others[i];
    ck_assert_int_lt(same, 10);
}
END_TEST

START_TEST(narrow_types_hold_the_rounded_values)
{
    struct judge_case problem = {.data = JUDGE_DATA_INTEGERS};
    uint16_t narrow[64];
    struct judge_buffer buffer = {.type = JUDGE_F16, .count = 64};
    data_fill(&PLAIN, &problem, 0, &buffer, narrow, 3);
    for (uint64_t i = 0; i < 64; i++)
        ck_assert(fabs(judge_element(narrow, JUDGE_F16, i)) <= 8);
    buffer.type = JUDGE_BF16;
    data_fill(&PLAIN, &problem, 0, &buffer, narrow, 3);
    for (uint64_t i = 0; i < 64; i++)
        ck_assert(fabs(judge_element(narrow, JUDGE_BF16, i)) <= 8);
}
END_TEST

START_TEST(bytes_that_do_not_fill_a_word_are_filled_to_the_last)
{
    struct judge_case problem = {.data = JUDGE_DATA_UNIFORM};
    struct judge_buffer buffer = {.type = JUDGE_U8, .count = 13};
    unsigned char bytes[16];
    memset(bytes, 0xAA, sizeof bytes);
    data_fill(&PLAIN, &problem, 0, &buffer, bytes, 3);
    ck_assert_uint_eq(bytes[13], 0xAA);
    ck_assert_uint_eq(bytes[14], 0xAA);
}
END_TEST

START_TEST(ends_are_all_that_is_not_zero_in_each_row)
{
    struct judge_case problem = {.data = JUDGE_DATA_ENDS};
    struct judge_buffer matrix = {.type = JUDGE_F32, .count = 400, .columns = 100};
    data_fill(&PLAIN, &problem, 0, &matrix, values, 1);
    for (int i = 0; i < 400; i++)
        ck_assert((values[i] != 0) == (i % 100 < JUDGE_ENDS || i % 100 >= 100 - JUDGE_ENDS));
}
END_TEST

TESTS("data", ends_are_all_that_is_not_zero_in_each_row,
      uniform_data_has_mean_zero_and_stays_in_bounds,
      tiny_data_have_subnormal_products_and_subnormal_data_are,
      wide_and_scaled_data_are_of_any_size, faint_data_have_subnormal_sums_of_products,
      faint_data_are_rounded_as_a_multiplication_rounds,
      any_bits_are_nans_of_any_payload_and_subnormals_among_the_rest,
      any_bits_are_never_those_that_say_unwritten, special_data_has_every_kind_of_special,
      each_special_is_there_whatever_the_seed_and_in_the_last_row_and_column,
      specials_of_two_rows_meet_whatever_the_seed,
      few_specials_are_one_of_each_kind_and_leave_most_rows_finite, a_matrix_of_other_data_has_none,
      zeros_fill_whole_tiles_of_one_matrix_opposite_specials_of_the_other,
      each_row_of_a_matrix_has_its_infinity_a_place_before_the_last_rows,
      zeros_of_an_array_have_either_sign_and_end, positive_data_are_mostly_faint,
      integers_are_small_and_whole, sums_go_away_and_come_back, a_nan_comes_after_infinities,
      a_single_one_picks_an_element_of_the_other_factor,
      sixteenths_are_whole_sixteenths_of_either_sign,
      a_seed_gives_the_same_data_again_and_another_one_other_data,
      narrow_types_hold_the_rounded_values, bytes_that_do_not_fill_a_word_are_filled_to_the_last)
