/* check_philox.c - the generator by which lesson 5 is judged, and how counters may be made. */
#include "check/judge_philox.h"
#include "tests/check_main.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* philox4x32-10 of Random123's kat_vectors: counter, key, words. */
static const struct known_answer {
    uint32_t counter[PHILOX_WORDS], key[PHILOX_KEYS], word[PHILOX_WORDS];
} KNOWN[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}},
    {{0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF},
     {0xFFFFFFFF, 0xFFFFFFFF},
     {0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}},
    {{0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344},
     {0xA4093822, 0x299F31D0},
     {0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}},
};

START_TEST(the_known_answers_of_random123_come_out)
{
    uint32_t word[PHILOX_WORDS];
    for (int i = 0; i < PHILOX_WORDS; i++)
        word[i] = KNOWN[_i].counter[i];
    philox4x32_10(word, KNOWN[_i].key);
    for (int i = 0; i < PHILOX_WORDS; i++)
        ck_assert_uint_eq(word[i], KNOWN[_i].word[i]);
}
END_TEST

/* Word i of seed 2026, layer 0, step 0: what the judge's cases about the threshold stand on. */
static uint32_t word_of_judge(uint32_t i)
{
    uint32_t word[PHILOX_WORDS] = {i / PHILOX_WORDS};
    const uint32_t key[PHILOX_KEYS] = {2026};
    philox4x32_10(word, key);
    return word[i % PHILOX_WORDS];
}

START_TEST(word_13_is_just_below_the_threshold_and_a_float_cannot_tell)
{
    uint32_t threshold = (uint32_t)((double)0x1.d7ac2cp-1f * 0x1p32);
    ck_assert_uint_eq(word_of_judge(13), threshold - 1);
    ck_assert((float)word_of_judge(13) * 0x1p-32f >= 0x1.d7ac2cp-1f);
}
END_TEST

START_TEST(word_51_is_the_threshold)
{
    ck_assert_uint_eq(word_of_judge(51), (uint32_t)((double)0x1.0035c4p-10f * 0x1p32));
}
END_TEST

START_TEST(a_tenth_of_the_words_falls_below_a_tenth)
{
    const double n = 1 << 20, p = 0.1f;
    unsigned below = 0;
    for (uint32_t i = 0; i < n; i++)
        below += word_of_judge(i) < (uint32_t)(p * 0x1p32);
    ck_assert_double_le(fabs(below - n * p), 5 * sqrt(n * p * (1 - p)));
}
END_TEST

/* The recipe that is told everywhere. */
static uint64_t mixed(uint64_t step, uint64_t layer, uint64_t offset)
{
    return (step << 32) ^ layer ^ offset;
}

START_TEST(mixed_by_xor_layer_1_is_layer_0_with_neighbours_exchanged)
{
    for (uint64_t offset = 0; offset < 1024; offset++)
        ck_assert_uint_eq(mixed(9, 1, offset), mixed(9, 0, offset ^ 1));
}
END_TEST

START_TEST(mixed_by_xor_a_far_element_is_taken_for_one_of_the_next_step)
{
    ck_assert_uint_eq(mixed(4, 0, (UINT64_C(1) << 32) | 7), mixed(5, 0, 7));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("philox");
    TCase *tcase = tcase_create("words and counters");
    tcase_add_loop_test(tcase, the_known_answers_of_random123_come_out, 0,
                        sizeof KNOWN / sizeof *KNOWN);
    tcase_add_test(tcase, word_13_is_just_below_the_threshold_and_a_float_cannot_tell);
    tcase_add_test(tcase, word_51_is_the_threshold);
    tcase_add_test(tcase, a_tenth_of_the_words_falls_below_a_tenth);
    tcase_add_test(tcase, mixed_by_xor_layer_1_is_layer_0_with_neighbours_exchanged);
    tcase_add_test(tcase, mixed_by_xor_a_far_element_is_taken_for_one_of_the_next_step);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
