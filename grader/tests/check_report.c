/* check_report.c - whatever a record holds, its report ends in a line that programs can read. */
#include "check/report.h"

#include "check/conclude.h"
#include "check/record.h"
#include "check/units.h"
#include "tests/check_main.h"

#include <string.h>

static char *text;

static void print(json_t *record)
{
    size_t bytes;
    free(text);
    struct terminal terminal = {.out = open_memstream(&text, &bytes), .columns = 100};
    report_print(record, &terminal);
    fclose(terminal.out);
    json_decref(record);
}

static const char *last_line(void)
{
    size_t length = strlen(text);
    ck_assert_uint_gt(length, 0);
    ck_assert_int_eq(text[length - 1], '\n');
    text[length - 1] = '\0';
    const char *start = strrchr(text, '\n');
    return start ? start + 1 : text;
}

static json_t *record_with(const char *gates)
{
    json_t *list = json_loads(gates, 0, NULL);
    ck_assert_ptr_nonnull(list);
    json_t *record = json_pack("{s:s, s:s, s:i, s:o}", "lesson", "07_x", "title", "t", "number", 7,
                               "gates", list);
    conclude_verdict(record, false);
    return record;
}

#define PASSED(gate) "{\"gate\": \"" gate "\", \"verdict\": \"PASS\"}"

START_TEST(a_passed_check_ends_in_pass)
{
    print(record_with("[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") ","
                      PASSED("counters") "," PASSED("utilization") "]"));
    ck_assert_int_eq(strncmp(last_line(), "PASS lesson 7: 100 points", 25), 0);
}
END_TEST

START_TEST(a_failed_check_ends_in_not_yet_with_verdict_and_next_step)
{
    print(record_with("[" PASSED("build") ", {\"gate\": \"safety\", \"verdict\": \"RACE\", "
                      "\"reason\": \"two threads\", \"advice\": \"a barrier\"}]"));
    const char *line = last_line();
    ck_assert_int_eq(strncmp(line, "NOT YET lesson 7 [RACE] ", 24), 0);
    ck_assert_ptr_nonnull(strstr(line, "make hint-lesson7"));
    ck_assert_ptr_nonnull(strstr(text, "two threads"));
    ck_assert_ptr_nonnull(strstr(text, "a barrier"));
}
END_TEST

START_TEST(what_says_nothing_about_the_kernel_is_no_failure)
{
    print(record_with("[{\"gate\": \"build\", \"verdict\": \"DEVICE\", \"reason\": \"r\"}]"));
    ck_assert_int_eq(strncmp(last_line(), "NO VERDICT lesson 7 [DEVICE]", 28), 0);
    print(record_with("[{\"gate\": \"utilization\", \"verdict\": \"INCONCLUSIVE\"}]"));
    ck_assert_int_eq(strncmp(last_line(), "INCONCLUSIVE lesson 7", 21), 0);
}
END_TEST

START_TEST(an_empty_record_still_has_its_last_line)
{
    print(json_object());
    ck_assert_int_eq(strncmp(last_line(), "NO VERDICT [INTERNAL]", 21), 0);
}
END_TEST

START_TEST(what_a_submission_prints_has_its_number_of_lines_above_it)
{
    json_t *record = record_with("[" PASSED("build") "]");
    json_object_set_new(record, "log", json_string("free(): double free\n"));
    print(record);
    ck_assert_ptr_nonnull(strstr(text, "it printed       1 line:\n"));
    record = record_with("[" PASSED("build") "]");
    json_object_set_new(record, "log", json_string("\none\ntwo"));
    print(record);
    ck_assert_ptr_nonnull(strstr(text, "it printed       3 lines:\n"));
}
END_TEST

START_TEST(what_a_submission_prints_cannot_pass_for_a_verdict)
{
    json_t *record = record_with("[{\"gate\": \"build\", \"verdict\": \"BUILD\", \"messages\": "
                                 "\"x\\u001b[2J\\rPASS lesson 7\"}]");
    json_object_set_new(record, "log", json_string("PASS lesson 7: 100 points\n\rPASS"));
    print(record);
    ck_assert_int_eq(strncmp(last_line(), "NOT YET", 7), 0);
    ck_assert_ptr_null(strchr(text, '\033'));
    ck_assert_ptr_null(strchr(text, '\r'));
    ck_assert_ptr_null(strstr(text, "\nPASS"));
}
END_TEST

START_TEST(figures_stand_beside_what_they_should_be)
{
    print(record_with(
        "[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") ","
        "{\"gate\": \"counters\", \"verdict\": \"SLOW\", \"reason\": \"too many\", \"shown\": 0,"
        " \"cases\": [{\"figures\": [{\"name\": \"load efficiency\", \"ok\": false,"
        " \"value\": 0.125, \"at_least\": 0.95}]}]}]"));
    const char *line = strstr(text, "load efficiency");
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_nonnull(strstr(line, "0.125   at least 0.95"));
}
END_TEST

START_TEST(figures_of_several_cases_stand_under_their_names)
{
    print(record_with(
        "[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") ","
        "{\"gate\": \"counters\", \"verdict\": \"SLOW\", \"reason\": \"too many\", \"shown\": 0,"
        " \"cases\": [{\"case\": \"first\", \"figures\": [{\"name\": \"a\", \"ok\": false,"
        " \"value\": 2, \"at_most\": 1}]}, {\"case\": \"second\", \"figures\": ["
        "{\"name\": \"b\", \"ok\": true, \"value\": 1, \"at_most\": 1},"
        "{\"name\": \"c\", \"ok\": false, \"value\": 3, \"at_most\": 1}]}]}]"));
    const char *first = strstr(text, "first:\n"), *second = strstr(text, "second:\n");
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(second);
    ck_assert_ptr_nonnull(strstr(second, "NO  c"));
    ck_assert_ptr_null(strstr(second, "ok  b"));
}
END_TEST

START_TEST(numbers_carry_three_digits_and_a_unit)
{
    char number[32];
    units_rate(4.2149e12, "B/s", number, sizeof number);
    ck_assert_str_eq(number, "4.21 TB/s");
    units_rate(51.3e12, "FLOP/s", number, sizeof number);
    ck_assert_str_eq(number, "51.3 TFLOP/s");
    units_time(188800, number, sizeof number);
    ck_assert_str_eq(number, "189 us");
    units_time(2.5e9, number, sizeof number);
    ck_assert_str_eq(number, "2.50 s");
}
END_TEST

TESTS("report", a_passed_check_ends_in_pass,
      a_failed_check_ends_in_not_yet_with_verdict_and_next_step,
      what_says_nothing_about_the_kernel_is_no_failure, an_empty_record_still_has_its_last_line,
      what_a_submission_prints_has_its_number_of_lines_above_it,
      what_a_submission_prints_cannot_pass_for_a_verdict, figures_stand_beside_what_they_should_be,
      figures_of_several_cases_stand_under_their_names, numbers_carry_three_digits_and_a_unit)
