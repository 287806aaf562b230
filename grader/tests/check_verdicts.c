/* check_verdicts.c - two records are compared, and written into two tables. */
#include "check/verdicts.h"

#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

static struct entry entry = {.lesson = {.key = "05_dropout", .number = 5},
                             .name = "wrong/step_by_value",
                             .has_expectation = true,
                             .expectation = {.verdict = VERDICT_WRONG, .gate = "numerics"}};

static json_t *record(const char *verdict, const char *gate, const char *failed_case,
                      const char *reason)
{
    json_t *one = json_pack("{s:s, s:s, s:s, s:f, s:{s:f}, s:[{s:s, s:s, s:s}]}", "verdict",
                            verdict, "failed_gate", gate, "reason", reason, "seconds", 5.0, "parts",
                            "waiting for the GPU", 3.5, "gates", "gate", gate, "verdict", verdict,
                            "case", failed_case);
    ck_assert_ptr_nonnull(one);
    return one;
}

static bool agree(json_t *simulated, json_t *gpu)
{
    struct verdicts_row row = {.entry = &entry, .record = {simulated, gpu}};
    bool same = verdicts_agree(&row);
    json_decref(simulated);
    json_decref(gpu);
    return same;
}

START_TEST(verdict_gate_and_case_must_be_the_same)
{
    ck_assert(agree(record("WRONG", "numerics", "n = 3", "y[0]: got 1"),
                    record("WRONG", "numerics", "n = 3", "y[0]: got 2")));
    ck_assert(
        !agree(record("WRONG", "numerics", "n = 3", ""), record("WRONG", "numerics", "n = 5", "")));
    ck_assert(!agree(record("WRONG", "numerics", "n = 3", ""),
                     record("LAUNCH_ERROR", "numerics", "n = 3", "")));
    ck_assert(!agree(record("SLOW", "counters", "", "loads"),
                     record("SLOW", "utilization", "", "loads")));
}
END_TEST

START_TEST(what_the_simulated_device_says_must_be_the_same_in_words)
{
    ck_assert(
        !agree(record("SLOW", "counters", "", "loads"), record("SLOW", "counters", "", "stores")));
    ck_assert(agree(record("SLOW", "utilization", "", "it reaches 7 % (modelled)"),
                    record("SLOW", "utilization", "", "it reaches 9 %")));
    /* and each device draws the addresses of its memory */
    ck_assert(agree(record("MISALIGNED", "safety", "", "at 0x7e2f04, no multiple of 16"),
                    record("MISALIGNED", "safety", "", "at 0x7e1b5c4, no multiple of 16")));
    ck_assert(!agree(record("MISALIGNED", "safety", "", "at 0x7e2f04, no multiple of 16"),
                     record("MISALIGNED", "safety", "", "at 0x7e1b04, no multiple of 8")));
    ck_assert(!agree(record("MISALIGNED", "safety", "", "at 0x7e2f04"),
                     record("MISALIGNED", "safety", "", "at 0x7e1b04 and on")));
    /* which block was at work when the steps ran out is a matter of chance */
    ck_assert(agree(record("TIMEOUT", "safety", "n = 3", "too many steps: block (105,0,0)"),
                    record("TIMEOUT", "safety", "n = 3", "too many steps: block (109,0,0)")));
    /* so is the case in which two runs first differ */
    ck_assert(agree(record("NONDETERMINISTIC", "numerics", "n = 3", "out differs"),
                    record("NONDETERMINISTIC", "numerics", "n = 5", "out differs")));
}
END_TEST

START_TEST(one_side_alone_is_held_to_the_first_line)
{
    struct verdicts_row row = {.entry = &entry};
    row.record[VERDICTS_SIMULATED] = record("WRONG", "numerics", "n = 3", "");
    ck_assert(verdicts_agree(&row));
    ck_assert(verdicts_expected(&row));
    json_decref(row.record[VERDICTS_SIMULATED]);
    row.record[VERDICTS_SIMULATED] = record("PASS", "", "", "");
    ck_assert(!verdicts_expected(&row));
    json_decref(row.record[VERDICTS_SIMULATED]);
}
END_TEST

START_TEST(the_wait_for_a_turn_is_not_part_of_a_check)
{
    json_t *one = record("PASS", "", "", "");
    ck_assert_double_eq_tol(verdicts_seconds(one), 1.5, 1e-9);
    json_decref(one);
}
END_TEST

START_TEST(the_table_has_a_row_for_each_entry)
{
    char folder[] = "/tmp/check_verdicts-XXXXXX";
    struct verdicts_row row = {.entry = &entry};
    row.record[VERDICTS_SIMULATED] = record("WRONG", "numerics", "n = 3", "a, b");
    row.record[VERDICTS_GPU] = record("WRONG", "numerics", "n = 3", "a");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(verdicts_write(&row, 1, "a GPU", folder));
    char *text = file_read(path_of("%s/verdicts.csv", folder).text, 10000, NULL);
    ck_assert_ptr_nonnull(text);
    const char *second = strchr(text, '\n') + 1;
    ck_assert_ptr_nonnull(strstr(second, "05_dropout,wrong/step_by_value,same,yes,WRONG,numerics,"
                                         "n = 3,,\"a, b\",1.5,WRONG,numerics,n = 3,,a,1.5,"
                                         "a GPU,20"));
    free(text);
    folder_remove(folder);
    json_decref(row.record[VERDICTS_SIMULATED]);
    json_decref(row.record[VERDICTS_GPU]);
}
END_TEST

START_TEST(what_has_a_row_keeps_it)
{
#define KNOWN "05_dropout,wrong/step_by_value,same,yes,WRONG,\"a, b\",2026-01-02"
    static const char TABLE[] = "lesson,submission\n"
                                "05_dropout,wrong/step_by_value_too,same,yes\n" KNOWN "\n";
    char folder[] = "/tmp/check_verdicts-XXXXXX";
    struct verdicts_row row = {.entry = &entry, .known = verdicts_known_line(TABLE, &entry)};
    struct entry other = entry;
    strcpy(other.name, "wrong/step");
    ck_assert_str_eq(row.known, KNOWN);
    ck_assert_ptr_null(verdicts_known_line(TABLE, &other));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(verdicts_write(&row, 1, "a GPU", folder));
    char *text = file_read(path_of("%s/verdicts.csv", folder).text, 10000, NULL);
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(text, KNOWN));
    free(text);
    free(row.known);
    folder_remove(folder);
}
END_TEST

TESTS("verdicts", verdict_gate_and_case_must_be_the_same,
      what_the_simulated_device_says_must_be_the_same_in_words,
      one_side_alone_is_held_to_the_first_line, the_wait_for_a_turn_is_not_part_of_a_check,
      the_table_has_a_row_for_each_entry, what_has_a_row_keeps_it)
