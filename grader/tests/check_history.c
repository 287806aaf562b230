/* check_history.c - the inputs of a later call differ in a few elements, and surely in those. */
#include "check/examine/history.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

enum { COUNT = 1 << 16 };

START_TEST(a_few_are_one_in_16_to_one_in_1024_and_at_least_one)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct history_few few = history_few(seed, COUNT), of_three = history_few(seed, 3);
        uint64_t chosen = 0, of_so_few = 0;
        for (uint64_t i = 0; i < COUNT; i++)
            chosen += history_is_one(&few, i);
        for (uint64_t i = 0; i < 3; i++)
            of_so_few += history_is_one(&of_three, i);
        ck_assert_uint_ge(chosen, COUNT / 1024 / 2);
        ck_assert_uint_le(chosen, COUNT / 16 * 2);
        ck_assert_uint_ge(of_so_few, 1);
    }
}
END_TEST

START_TEST(a_spoilt_element_has_other_bits_and_its_neighbours_the_same)
{
    static const enum judge_type TYPES[] = {JUDGE_F32, JUDGE_F16, JUDGE_BF16,
                                            JUDGE_U32, JUDGE_U64, JUDGE_U8};
    for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++)
        for (uint64_t word = 0; word < 3; word++) {
            unsigned char before[24], after[24];
            size_t bytes = judge_type_bytes(TYPES[t]);
            memset(before, 0x3C, sizeof before);
            memcpy(after, before, sizeof after);
            history_spoil_element(after + bytes, TYPES[t], word);
            ck_assert_mem_ne(after + bytes, before + bytes, bytes);
            memcpy(after + bytes, before + bytes, bytes);
            ck_assert_mem_eq(after, before, sizeof after);
        }
}
END_TEST

static size_t one_output(const struct judge_case *problem, struct judge_buffer *list)
{
    (void)problem;
    list[0] = (struct judge_buffer){.name = "x", JUDGE_IN, JUDGE_F32, COUNT};
    list[1] = (struct judge_buffer){.name = "y", JUDGE_OUT, JUDGE_F32, COUNT};
    return 2;
}

/* Twice the input. */
static void twice(const struct judge_case *problem, struct judge_host *host)
{
    (void)problem;
    for (uint64_t i = 0; i < host[1].count; i++)
        host[1].expected[i] = 2 * judge_element(host[0].input, JUDGE_F32, i);
}

static const struct judge TWICE = {.buffers = one_output, .truth = twice};
static const struct judge_case PROBLEM = {.name = "twice"};
static struct lab lab = {.judge = &TWICE};

START_TEST(a_changed_call_has_most_of_its_inputs_its_own_truth_and_the_outputs_that_were_left)
{
    struct prepared from, changed;
    struct finding finding = {.verdict = VERDICT_PASS};
    ck_assert(prepare(&lab, &PROBLEM, 1, &from, &finding));
    const struct image_part *x = &from.image.part[0], *y = &from.image.part[1];
    image_poison(&from.image, IMAGE_POISON_LARGE, 1);
    ck_assert(history_change(&lab, &from, 7, &changed, &finding));
    history_keep(&changed, from.image.bytes);
    uint64_t others = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        double was = judge_element(from.image.bytes + x->offset, JUDGE_F32, i);
        double is = judge_element(changed.image.bytes + x->offset, JUDGE_F32, i);
        ck_assert_double_eq(changed.hosts[1].expected[i], 2 * is);
        others += was != is;
    }
    ck_assert_uint_gt(others, 0);
    ck_assert_uint_lt(others, COUNT / 8);
    ck_assert_mem_eq(changed.image.bytes + y->offset, from.image.bytes + y->offset, y->size_bytes);
    prepared_free(&from);
    prepared_free(&changed);
}
END_TEST

/* One element of another row's scale would be most of its sum. */
START_TEST(where_rows_have_a_scale_a_changed_input_keeps_it)
{
    const struct judge_case scaled = {.name = "scaled", .data = JUDGE_DATA_SCALED};
    struct prepared from, changed;
    struct finding finding = {.verdict = VERDICT_PASS};
    uint64_t others = 0;
    ck_assert(prepare(&lab, &scaled, 1, &from, &finding));
    ck_assert(history_change(&lab, &from, 7, &changed, &finding));
    size_t x = from.image.part[0].offset;
    for (uint64_t i = 0; i < COUNT; i++) {
        double was = judge_element(from.image.bytes + x, JUDGE_F32, i);
        double is = judge_element(changed.image.bytes + x, JUDGE_F32, i);
        ck_assert_double_eq(fabs(is), fabs(was));
        others += was != is;
    }
    ck_assert_uint_gt(others, 0);
    prepared_free(&from);
    prepared_free(&changed);
}
END_TEST

START_TEST(only_calls_whose_inputs_are_not_outputs_are_repeated)
{
    struct image image;
    struct judge_case in_place = {.alias = 1}, refused = {.refused_with = 1};
    struct judge_case of_two = {.processes = 2}, script = {.script = 1};
    image_layout(&TWICE, &PROBLEM, IMAGE_ALIGNMENT, &image);
    ck_assert(history_applies(&PROBLEM, &image));
    ck_assert(!history_applies(&refused, &image));
    ck_assert(!history_applies(&of_two, &image));
    ck_assert(!history_applies(&script, &image));
    image_layout(&TWICE, &in_place, IMAGE_ALIGNMENT, &image);
    ck_assert(!history_applies(&in_place, &image));
}
END_TEST

TESTS("history", a_few_are_one_in_16_to_one_in_1024_and_at_least_one,
      a_spoilt_element_has_other_bits_and_its_neighbours_the_same,
      a_changed_call_has_most_of_its_inputs_its_own_truth_and_the_outputs_that_were_left,
      where_rows_have_a_scale_a_changed_input_keeps_it,
      only_calls_whose_inputs_are_not_outputs_are_repeated)
