/* check_compare.c - equality has to be proved, and the pattern of wrong elements is recognised. */
#include "check/examine/compare.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

enum { COUNT = 100 };
static float output[COUNT];
static double expected[COUNT], allowed[COUNT];
static struct comparison result;
static float poison[COUNT];

static void compare(void)
{
    struct judge_host host = {.expected = expected, .allowed = allowed, .count = COUNT};
    memset(poison, 0xFF, sizeof poison);
    compare_output(output, JUDGE_F32, &host, poison, &result);
}

static void make_right(void)
{
    for (int i = 0; i < COUNT; i++) {
        expected[i] = output[i] = (float)i + 0.5f;
        allowed[i] = 0.25;
    }
}

START_TEST(a_nan_passes_only_where_one_is_expected)
{
    ck_assert(!compare_equal(NAN, 1, 1e300));
    ck_assert(!compare_equal(1, NAN, 1e300));
    ck_assert(compare_equal(NAN, NAN, 0));
}
END_TEST

START_TEST(an_infinity_passes_only_for_one_of_its_sign)
{
    ck_assert(compare_equal(INFINITY, INFINITY, 0));
    ck_assert(!compare_equal(-INFINITY, INFINITY, 1e300));
    ck_assert(!compare_equal(INFINITY, 1e308, 1e308));
    ck_assert(!compare_equal(1e308, INFINITY, INFINITY));
}
END_TEST

START_TEST(the_edge_of_what_is_allowed_passes_and_beyond_does_not)
{
    ck_assert(compare_equal(1.25, 1, 0.25));
    ck_assert(!compare_equal(nextafter(1.25, 2), 1, 0.25));
    ck_assert(compare_equal(-0.0, 0.0, 0));
    ck_assert(!compare_equal(0x1p-149, 0, 0));
}
END_TEST

START_TEST(a_zero_has_its_sign_where_that_counts)
{
    ck_assert(compare_equal(0.0, 0.0, JUDGE_WITH_SIGN));
    ck_assert(compare_equal(-0.0, -0.0, JUDGE_WITH_SIGN));
    ck_assert(!compare_equal(-0.0, 0.0, JUDGE_WITH_SIGN));
    ck_assert(!compare_equal(0.0, -0.0, JUDGE_WITH_SIGN));
    ck_assert(!compare_equal(1, nextafter(1, 2), JUDGE_WITH_SIGN));
    ck_assert(compare_equal(-INFINITY, -INFINITY, JUDGE_WITH_SIGN));
    ck_assert(compare_equal(NAN, -NAN, JUDGE_WITH_SIGN));
    ck_assert(!compare_equal(__builtin_nanf("0x25A5A5"), NAN, JUDGE_SAME_BITS));
    ck_assert(
        compare_equal(__builtin_nanf("0x25A5A5"), __builtin_nanf("0x25A5A5"), JUDGE_SAME_BITS));
    ck_assert(!compare_equal(-0.0, 0.0, JUDGE_SAME_BITS));
    ck_assert(compare_equal(-INFINITY, -INFINITY, JUDGE_SAME_BITS));
}
END_TEST

START_TEST(a_signalling_nan_is_not_the_quiet_one)
{
    static const uint32_t BITS[] = {0x7F812345, 0x7FC12345, 0xFF812345, 0x7FFFFFFF, 0x7F800001};
    enum { KINDS = sizeof BITS / sizeof *BITS };
    for (int i = 0; i < KINDS * KINDS; i++) {
        double got = judge_element(BITS, JUDGE_F32, (uint64_t)(i / KINDS));
        double expected = judge_element(BITS, JUDGE_F32, (uint64_t)(i % KINDS));
        ck_assert_int_eq(compare_equal(got, expected, JUDGE_SAME_BITS), i / KINDS == i % KINDS);
        ck_assert(compare_equal(got, expected, 0));
    }
}
END_TEST

START_TEST(where_bits_count_so_do_those_of_a_zero_and_of_a_nan)
{
    struct judge_host host = {.expected = expected, .allowed = allowed, .count = COUNT};
    make_right();
    memset(allowed, 0, sizeof allowed);
    expected[3] = 0.0, output[3] = -0.0f;
    expected[5] = __builtin_nanf("0x25A5A5"), output[5] = NAN;
    expected[6] = output[6] = __builtin_nanf("0x25A5A5");
    compare_output(output, JUDGE_F32, &host, poison, &result);
    ck_assert_uint_eq(result.wrong, 0);
    host.same_bits = true;
    compare_output(output, JUDGE_F32, &host, poison, &result);
    ck_assert_uint_eq(result.wrong, 2);
    ck_assert_uint_eq(result.first_wrong, 3);
    ck_assert_uint_eq(result.last_wrong, 5);
}
END_TEST

START_TEST(a_right_output_reports_its_worst_share)
{
    make_right();
    output[7] += 0.125f;
    compare();
    ck_assert_uint_eq(result.wrong, 0);
    ck_assert_double_eq(result.worst_share, 0.5);
    ck_assert_uint_eq(result.worst_at, 7);
}
END_TEST

START_TEST(a_lost_tail_is_a_tail_of_unwritten_elements)
{
    make_right();
    memset(output + 96, 0xFF, 4 * sizeof *output);
    compare();
    ck_assert_uint_eq(result.wrong, 4);
    ck_assert_uint_eq(result.unwritten, 4);
    ck_assert_uint_eq(result.first_wrong, 96);
    ck_assert_int_eq(result.pattern, COMPARE_TAIL);
    ck_assert_double_eq(result.want, 96.5);
}
END_TEST

START_TEST(the_largest_error_of_the_wrong_ones_is_known_wherever_it_is)
{
    make_right();
    output[3] += 8;
    output[90] -= 32;
    compare();
    ck_assert_uint_eq(result.wrong, 2);
    ck_assert_double_eq(result.largest_error, 32);
    output[50] = NAN;
    compare();
    ck_assert(isinf(result.largest_error));
}
END_TEST

START_TEST(every_other_element_is_a_stride_of_two)
{
    make_right();
    for (int i = 1; i < COUNT - 10; i += 2)
        output[i] = 0;
    compare();
    ck_assert_int_eq(result.pattern, COMPARE_STRIDED);
    ck_assert_uint_eq(result.stride, 2);
    ck_assert_uint_eq(result.zeros, result.wrong);
}
END_TEST

START_TEST(all_head_and_scattered_are_told_apart)
{
    make_right();
    memset(output, 0, sizeof output);
    compare();
    ck_assert_int_eq(result.pattern, COMPARE_ALL);
    make_right();
    output[0] = output[1] = -7;
    compare();
    ck_assert_int_eq(result.pattern, COMPARE_HEAD);
    make_right();
    output[3] = output[4] = output[50] = -7;
    compare();
    ck_assert_int_eq(result.pattern, COMPARE_SCATTERED);
}
END_TEST

/* Of a large output a part is looked at, in any order. */
START_TEST(what_was_not_looked_at_is_no_exception)
{
    memset(&result, 0, sizeof result);
    result.total = 1000;
    static const uint64_t PLACES[] = {700, 900, 20, 800, 500};
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        compare_note(&result, PLACES[i], PLACES[i] < 700 ? 1 : 2, 1, 0.5, false);
    ck_assert_uint_eq(result.looked_at, 5);
    ck_assert_uint_eq(result.wrong, 3);
    ck_assert_uint_eq(result.first_wrong, 700);
    ck_assert_uint_eq(result.last_wrong, 900);
    ck_assert_int_eq(compare_pattern_of(&result), COMPARE_TAIL);
    compare_note(&result, 999, 1, 1, 0.5, false);
    ck_assert_int_eq(compare_pattern_of(&result), COMPARE_SCATTERED);
}
END_TEST

TESTS("compare", what_was_not_looked_at_is_no_exception, a_nan_passes_only_where_one_is_expected,
      an_infinity_passes_only_for_one_of_its_sign,
      the_edge_of_what_is_allowed_passes_and_beyond_does_not, a_zero_has_its_sign_where_that_counts,
      where_bits_count_so_do_those_of_a_zero_and_of_a_nan, a_signalling_nan_is_not_the_quiet_one,
      a_right_output_reports_its_worst_share, a_lost_tail_is_a_tail_of_unwritten_elements,
      the_largest_error_of_the_wrong_ones_is_known_wherever_it_is,
      every_other_element_is_a_stride_of_two, all_head_and_scattered_are_told_apart)
