/* check_phrase.c - a sentence has this submission's numbers, or is not said. */
#include "check/examine/phrase.h"

#include "tests/check_main.h"

#include <math.h>

static const struct judge_evidence WRONG = {.wrong = 3,
                                            .total = 1027,
                                            .first_wrong = 1024,
                                            .got = NAN,
                                            .want = 0.125,
                                            .launch = {.count = 1, .blocks = 4, .threads = 256}};

static void says(const char *text, const char *filled)
{
    char got[200];
    ck_assert(phrase_fill(text, &WRONG, got, sizeof got));
    ck_assert_str_eq(got, filled);
}

START_TEST(names_in_braces_become_numbers)
{
    says("{wrong} of {total}, from {first} on", "3 of 1027, from 1024 on");
    says("thread {first_in_block} of block {first_block}", "thread 0 of block 4");
    says("{want} is wanted", "0.125 is wanted");
    says("{all_threads} threads", "1024 threads");
}
END_TEST

START_TEST(what_is_not_known_is_not_said)
{
    char got[200];
    ck_assert(!phrase_fill("it got {got}", &WRONG, got, sizeof got));
    ck_assert(!phrase_fill("at line {line}", &WRONG, got, sizeof got));
    ck_assert(!phrase_fill("thread {thread}", &WRONG, got, sizeof got));
    ck_assert(!phrase_fill("a name that is {none}", &WRONG, got, sizeof got));
    ck_assert(!phrase_fill("{value} times", &WRONG, got, sizeof got));
}
END_TEST

START_TEST(a_sentence_that_is_too_long_is_not_cut)
{
    char got[8];
    ck_assert(!phrase_fill("much too long", &WRONG, got, sizeof got));
    ck_assert(!phrase_fill("1234567{total}", &WRONG, got, sizeof got));
    ck_assert(phrase_fill("1234567", &WRONG, got, sizeof got));
}
END_TEST

TESTS("phrase", names_in_braces_become_numbers, what_is_not_known_is_not_said,
      a_sentence_that_is_too_long_is_not_cut)
