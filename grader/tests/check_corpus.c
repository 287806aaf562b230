/* check_corpus.c - expectations are parsed strictly and compared with the record. */
#include "check/corpus.h"

#include "tests/check_main.h"

#include <string.h>

static struct expectation expectation;
static char reason[300];

static bool parse(const char *words)
{
    return expectation_parse(words, &expectation, reason, sizeof reason);
}

static bool met(const char *record_text)
{
    json_t *record = json_loads(record_text, 0, NULL);
    ck_assert_ptr_nonnull(record);
    bool is_met = expectation_met(&expectation, record, reason, sizeof reason);
    json_decref(record);
    return is_met;
}

START_TEST(all_words_are_understood)
{
    ck_assert(parse("SLOW counters line 23 mistake chunk_per_thread"));
    ck_assert_int_eq(expectation.verdict, VERDICT_SLOW);
    ck_assert_str_eq(expectation.gate, "counters");
    ck_assert_int_eq(expectation.line, 23);
    ck_assert_str_eq(expectation.mistake, "chunk_per_thread");
    ck_assert(parse("PASS"));
    ck_assert_str_eq(expectation.gate, "");
}
END_TEST

START_TEST(what_is_not_understood_is_refused)
{
    ck_assert(!parse(""));
    ck_assert(!parse("FAST"));
    ck_assert(!parse("SLOW sometimes"));
    ck_assert(!parse("SLOW line"));
    ck_assert(!parse("SLOW line twelve"));
    ck_assert(!parse("SLOW mistake"));
}
END_TEST

START_TEST(a_file_says_it_in_its_first_line)
{
    ck_assert(
        expectation_of_source("// expect: RACE safety\ncode", &expectation, reason, sizeof reason));
    ck_assert_int_eq(expectation.verdict, VERDICT_RACE);
    ck_assert(!expectation_of_source("\n// expect: RACE\n", &expectation, reason, sizeof reason));
    ck_assert(!expectation_of_source("// expects: RACE\n", &expectation, reason, sizeof reason));
}
END_TEST

START_TEST(each_part_of_an_expectation_is_asked_for)
{
    static const char RECORD[] =
        "{\"verdict\": \"SLOW\", \"failed_gate\": \"counters\", \"line\": {\"number\": 5},"
        " \"mistake\": {\"name\": \"a\"}, \"reason\": \"r\"}";
    ck_assert(parse("SLOW counters line 5 mistake a") && met(RECORD));
    ck_assert(parse("SLOW") && met(RECORD));
    ck_assert(parse("WRONG") && !met(RECORD));
    ck_assert(parse("SLOW utilization") && !met(RECORD));
    ck_assert(parse("SLOW line 6") && !met(RECORD));
    ck_assert(parse("SLOW mistake b") && !met(RECORD));
    ck_assert_str_eq(reason, "mistake recognised: a");
}
END_TEST

TESTS("corpus", all_words_are_understood, what_is_not_understood_is_refused,
      a_file_says_it_in_its_first_line, each_part_of_an_expectation_is_asked_for)
