/* check_report.c - whatever a record holds, its report ends in a line that programs can read. */
#include "check/report.h"

#include "check/conclude.h"
#include "check/record.h"
#include "lib/units.h"
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

/* Where a text is broken is not asked for. */
static void join_lines(void)
{
    char *to = text;
    for (const char *at = text; *at; at++)
        if (!strchr(" \n", *at) || (to > text && to[-1] != ' '))
            *to++ = *at == '\n' ? ' ' : *at;
    *to = '\0';
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

/* clang-format off */
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

START_TEST(why_a_gate_was_not_measured_is_said_once)
{
    static const char GATES[] =
        "[" PASSED("build") ", {\"gate\": \"safety\", \"verdict\": \"NOT_SIMULATED\", "
        "\"reason\": \"x is not known\"}," PASSED("numerics") ", {\"gate\": \"counters\", "
        "\"verdict\": \"NOT_SIMULATED\", \"reason\": \"x is not known\"}]";
    print(record_with(GATES));
    ck_assert_ptr_nonnull(strstr(text, "  safety      --   x is not known\n"));
    ck_assert_ptr_nonnull(strstr(text, "  numerics    ok "));
    ck_assert_ptr_nonnull(strstr(text, "  counters    --   not measured, for the same reason\n"));
    ck_assert_int_eq(strncmp(last_line(), "NOT YET lesson 7 [NOT_SIMULATED]", 32), 0);
}
END_TEST

START_TEST(what_was_not_judged_is_said)
{
    print(record_with("[{\"gate\": \"numerics\", \"verdict\": \"PASS\", \"cases\": 3, \"done\": 2,"
                      " \"large\": [{\"case\": \"n = 2^31\", \"unjudged\": \"it copies\"}]}]"));
    ck_assert_ptr_nonnull(strstr(text, "2 of 3 cases"));
    ck_assert_ptr_nonnull(strstr(text, "not judged here: n = 2^31 (it copies)"));
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

#define COUNTED(verdict, cases)                                                                \
    "[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") ","                        \
    "{\"gate\": \"counters\", \"verdict\": \"" verdict "\", \"shown\": 0, \"cases\": " cases "}]"

START_TEST(a_refused_figure_never_reads_as_its_bar)
{
    print(record_with(COUNTED("SLOW",
        "[{\"figures\": [{\"name\": \"a\", \"ok\": false, \"value\": 1.3037, \"at_most\": 1.3},"
        " {\"name\": \"b\", \"ok\": false, \"value\": 0.94999, \"at_least\": 0.95},"
        " {\"name\": \"c\", \"ok\": true, \"value\": 1.2999, \"at_most\": 1.3},"
        " {\"name\": \"d\", \"ok\": false, \"value\": 12345, \"at_most\": 1}]}]")));
    ck_assert_ptr_nonnull(strstr(text, " 1.304   at most 1.3\n"));
    ck_assert_ptr_nonnull(strstr(text, " 0.94999   at least 0.95\n"));
    ck_assert_ptr_nonnull(strstr(text, "   1.3   at most 1.3\n"));
    ck_assert_ptr_nonnull(strstr(text, " 12345   at most 1\n"));
    print(record_with("[{\"gate\": \"utilization\", \"verdict\": \"SLOW\", \"ratio\": 0.84996,"
                      " \"bar\": 0.85, \"shown\": 0, \"cases\": []}]"));
    ck_assert_ptr_nonnull(strstr(text, "84.996 % of the reference's speed   at least 85 %"));
}
END_TEST

START_TEST(passed_figures_are_the_worst_of_all_cases)
{
    print(record_with(COUNTED("PASS",
        "[{\"figures\": [{\"name\": \"lanes\", \"ok\": true, \"value\": 32, \"at_least\": 29},"
        " {\"name\": \"wavefronts\", \"ok\": true, \"at_most\": 1.1},"
        " {\"name\": \"copies\", \"ok\": true, \"value\": 0, \"at_most\": 0}]},"
        " {\"figures\": [{\"name\": \"lanes\", \"ok\": true, \"value\": 31.3, \"at_least\": 29},"
        " {\"name\": \"wavefronts\", \"ok\": true, \"value\": 1.05, \"at_most\": 1.1}]}]")));
    ck_assert_ptr_nonnull(strstr(text, "lanes 31.3, wavefronts 1.05; of 2 cases the worst\n"));
    print(record_with(COUNTED("PASS",
        "[{\"figures\": [{\"name\": \"lanes\", \"ok\": true, \"value\": 32, \"at_least\": 29},"
        " {\"name\": \"bytes\", \"ok\": true, \"value\": 1.01, \"at_most\": 1.1}]},"
        " {\"figures\": [{\"name\": \"lanes\", \"ok\": true, \"value\": 31.3,"
        " \"at_least\": 29}]}]")));
    ck_assert_ptr_nonnull(strstr(text, "lanes 31.3, bytes 1.01 (asked for in 1 case); of 2 cases "
                                       "the worst\n"));
}
END_TEST

START_TEST(gold_is_spoken_of_where_it_can_be_earned)
{
    static const char GATES[] =
        "[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") "," PASSED("counters") ","
        "{\"gate\": \"utilization\", \"verdict\": \"PASS\", \"ratio\": 0.9, \"bar\": 0.85,"
        " \"gold_bar\": 0.92, \"gold\": %s, \"shown\": 0, \"cases\": [{\"case\": \"n\","
        " \"ratio\": 0.9, \"of_ceiling\": %s, \"ceiling\": \"copy rate\","
        " \"rate\": 850e9, \"rate_unit\": \"B/s\"}]}]";
    char gates[1000];
    snprintf(gates, sizeof gates, GATES, "false", "0.85");
    print(record_with(gates));
    ck_assert_ptr_nonnull(strstr(text, "100 points (gold: at least 920 GB/s, 92 % of the copy "
                                       "rate).   next"));
    snprintf(gates, sizeof gates, GATES, "false", "0.5");
    print(record_with(gates));
    ck_assert_ptr_null(strstr(text, "gold"));
    snprintf(gates, sizeof gates, GATES, "true", "0.93");
    print(record_with(gates));
    ck_assert_ptr_nonnull(strstr(text, "100 points, gold.   next"));
}
END_TEST

/* Results and time may be those of two cases, and a smaller case's time may be stretched. */
START_TEST(what_a_modelled_time_is_of_is_told)
{
    static const char GATES[] =
        "[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") "," PASSED("counters") ","
        "{\"gate\": \"utilization\", \"verdict\": \"PASS\", \"ratio\": 1.0, \"bar\": 0.75,"
        " \"shown\": 0, \"measured\": false, \"cases\": [{\"case\": \"4096 x 4\", \"ratio\": 1.0,"
        " \"time_ns\": 1000, %s}]}]";
    char gates[1000];
    snprintf(gates, sizeof gates, GATES,
             "\"blocks\": 100, \"blocks_run\": 7, \"verified\": \"64 x 4\"");
    print(record_with(gates));
    join_lines();
    ck_assert_ptr_nonnull(strstr(text, "(7 of 100 blocks ran) (its results: in 64 x 4)"));
    snprintf(gates, sizeof gates, GATES, "\"share_of_real\": 0.12");
    print(record_with(gates));
    join_lines();
    ck_assert_ptr_nonnull(strstr(text, "(as long as where 12 % of the multiprocessors have a "
                                       "block, as in the GPU's case)"));
}
END_TEST

START_TEST(the_step_that_is_reached_is_told_with_the_ladder)
{
    json_t *record = record_with(
        "[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") "," PASSED("counters") ","
        "{\"gate\": \"utilization\", \"verdict\": \"PASS\", \"ratio\": 1.0, \"bar\": 0.4,"
        " \"gold_of_ladder\": 0.9, \"cases\": [{\"case\": \"n\", \"launcher\": \"lesson7_add\","
        " \"ladder\": {\"steps\": [0.1, 1, null, 5], \"reached\": 2, \"name\": \"add_2\","
        " \"top\": 5.0}}]}]");
    print(record);
    join_lines();
    ck_assert_ptr_nonnull(strstr(text, "ladder add: step 2 of 4, add_2; the steps' 0.10 1.00 -- "
                                       "5.00 times the reference's speed, gold from 4.50"));
    ck_assert_ptr_nonnull(strstr(text, "(gold: 90 % of the ladder's top)"));
}
END_TEST

START_TEST(a_gate_after_the_one_that_fails_is_asked_for_later)
{
    print(record_with("[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") ","
                      "{\"gate\": \"counters\", \"verdict\": \"SLOW\", \"reason\": \"r\"},"
                      "{\"gate\": \"utilization\", \"verdict\": \"SLOW\", \"ratio\": 0.2,"
                      " \"bar\": 0.85, \"cases\": []}]"));
    ck_assert_ptr_nonnull(strstr(text, "  counters    NO "));
    ck_assert_ptr_nonnull(strstr(text, "  utilization next 20.0 %"));
    ck_assert_ptr_nonnull(strstr(text, "at least 85 %, once what is above holds"));
}
END_TEST

/* A report on one timed case of 2 TB/s, which is that part of the copy rate. */
static void print_share(double of_ceiling)
{
    char gates[900];
    snprintf(gates, sizeof gates,
             "[" PASSED("build") "," PASSED("safety") "," PASSED("numerics") "," PASSED("counters")
             ", {\"gate\": \"utilization\", \"verdict\": \"PASS\","
             " \"ratio\": 0.9, \"bar\": 0.85, \"shown\": 0, \"cases\": [{\"case\": \"n\","
             " \"time_ns\": 1e5, \"rate\": 2e12, \"rate_unit\": \"B/s\","
             " \"of_ceiling\": %g, \"ceiling\": \"copy rate\"}]}]", of_ceiling);
    print(record_with(gates));
}

START_TEST(a_share_stands_beside_one_hundred_percent_alone)
{
    print_share(0.5);
    ck_assert_ptr_nonnull(strstr(text, "n: 100 us modelled, 2.00 TB/s of 4.00 TB/s, the copy "
                                       "rate"));
}
END_TEST

START_TEST(a_rate_above_its_ceiling_is_no_part_of_it)
{
    print_share(1.1);
    join_lines();
    ck_assert_ptr_nonnull(strstr(text, "2.00 TB/s, where lesson 0 found 1.82 TB/s, the copy rate"));
    print_share(1);
    ck_assert_ptr_nonnull(strstr(text, "2.00 TB/s of 2.00 TB/s"));
}
END_TEST

START_TEST(a_slow_call_always_has_a_line_on_its_kernel)
{
    print(record_with(COUNTED("SLOW", "[]")));
    ck_assert_ptr_nonnull(strstr(text, "  kernel      how it fills the device is not known"));
    json_t *record = record_with(COUNTED("SLOW", "[]"));
    json_object_set_new(record, "kernel",
                        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:f, s:f}", "blocks",
                                  66, "block_threads", 256, "multiprocessors", 132, "warps", 8,
                                  "most_warps", 64, "registers", 40, "limit", "grid",
                                  "spilled_words", 5000, "under_way_bytes", 132 * 2048.0,
                                  "needed_bytes", 132 * 10240.0));
    print(record);
    join_lines();
    ck_assert_ptr_nonnull(strstr(text, "66 blocks of 256 threads on 132 multiprocessors, 66 of"));
    ck_assert_ptr_nonnull(strstr(text, "8 of 64 warps resident (limited by the grid)"));
    ck_assert_ptr_nonnull(strstr(text, "40 registers a thread, "));
    ck_assert_ptr_nonnull(strstr(text, "spills: 5e+03 words"));
    ck_assert_ptr_nonnull(strstr(text, "Little's law"));
}
END_TEST

START_TEST(streams_are_told_with_what_is_possible_and_the_longest_gap)
{
    print(record_with(COUNTED("PASS",
        "[{\"time_line\": {\"copies_ns\": 129000.0, \"kernels_ns\": 321000.0,"
        " \"both_ns\": 10900.0, \"gap\": \"78.7 us in which none works: cudaMemcpy\"}}]")));
    join_lines();
    ck_assert_ptr_nonnull(strstr(text, "streams copies run for 129 us, kernels for 321 us; both at "
                                       "the same time for 10.9 us, of at most 129 us"));
    ck_assert_ptr_nonnull(strstr(text, "longest gap: 78.7 us in which none works: "
                                       "cudaMemcpy"));
    print(record_with(COUNTED("PASS", "[{}]")));
    ck_assert_ptr_null(strstr(text, "streams"));
}
END_TEST

START_TEST(a_kernel_of_another_case_is_told_with_it)
{
    json_t *record = record_with(COUNTED("SLOW", "[]"));
    json_object_set_new(record, "kernel",
                        json_pack("{s:s, s:i, s:i, s:i}", "case", "all one off", "blocks", 66,
                                  "block_threads", 256, "multiprocessors", 132));
    print(record);
    ck_assert_ptr_nonnull(strstr(text, "in the case all one off: 66 blocks of 256 threads"));
}
END_TEST

START_TEST(of_two_launchers_both_are_told)
{
    json_t *record = record_with("[" PASSED("build") ", {\"gate\": \"safety\", \"verdict\": "
                                 "\"RACE\", \"reason\": \"two threads\", \"case\": \"turn\"}]");
    json_object_set_new(
        record, "others",
        json_pack("[{s:s, s:s, s:[{s:s, s:s, s:i}]}, {s:s, s:s, s:s, s:s, s:{s:i, s:s}, s:[]}]",
                  "launcher", "lesson7_add", "verdict", "PASS", "gates", "gate", "numerics",
                  "verdict", "PASS", "done", 12, "launcher", "lesson7_sub", "verdict", "WRONG",
                  "reason", "1 is wrong", "failed_gate", "numerics", "line", "number", 8, "text",
                  "x = y;", "gates"));
    print(record);
    ck_assert_ptr_nonnull(strstr(text, "  add         ok   right in 12 cases\n"));
    ck_assert_ptr_nonnull(strstr(text, "  sub         NO   [WRONG] 1 is wrong\n  line 8"));
}
END_TEST

START_TEST(one_launcher_alone_is_no_pass)
{
    json_t *record = record_with("[" PASSED("build") "," PASSED("safety") "," PASSED("numerics")
                                 "," PASSED("counters") "," PASSED("utilization") "]");
    json_object_set_new(record, "only", json_string("lesson7_add"));
    json_object_set_new(record, "verdict", json_string("PART"));
    print(record);
    ck_assert_ptr_nonnull(strstr(text, "  only        add: no pass of the lesson"));
    ck_assert_str_eq(last_line(), "PART of lesson 7: add alone is as it should be; all of it:   "
                                  "make check-lesson7");
}
END_TEST

START_TEST(messages_of_the_compiler_leave_room_for_the_rest)
{
    char messages[4000] = "";
    for (int i = 0; i < 60; i++)
        strcat(messages, "a line of the compiler\n");
    json_t *record = record_with("[" PASSED("build") ", {\"gate\": \"safety\", \"verdict\": "
                                 "\"RACE\", \"reason\": \"two threads\", \"case\": \"n = 1\"}]");
    json_object_set_new(record_gate(record, "build"), "messages", json_string(messages));
    print(record);
    int lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    ck_assert_int_eq(lines, 24);
    ck_assert_int_eq(strncmp(last_line(), "NOT YET lesson 7 [RACE]", 23), 0);
}
END_TEST

START_TEST(a_long_line_of_source_is_cut)
{
    char source[200] = "";
    memset(source, 'x', sizeof source - 1);
    json_t *record = record_with("[{\"gate\": \"safety\", \"verdict\": \"RACE\"}]");
    json_object_set_new(record, "line", json_pack("{s:i, s:s}", "number", 9, "text", source));
    print(record);
    const char *line = strstr(text, "  line 9 ");
    ck_assert_ptr_nonnull(line);
    ck_assert_uint_eq(strcspn(line, "\n"), 100);
    ck_assert_int_eq(strncmp(line + 97, "...\n", 4), 0);
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
    ck_assert_ptr_nonnull(strstr(second, "no   c"));
    ck_assert_ptr_null(strstr(second, "ok  b"));
}
END_TEST
/* clang-format on */

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

START_TEST(who_was_not_judged_everywhere_is_not_called_correct)
{
    print(record_with("[{\"gate\": \"numerics\", \"verdict\": \"PASS\", \"large\": [{\"case\": "
                      "\"n = 2^32\", \"unjudged\": \"it takes too long\"}]},"
                      "{\"gate\": \"counters\", \"verdict\": \"SLOW\", \"reason\": \"r\"}]"));
    const char *line = last_line();
    ck_assert_ptr_null(strstr(line, "correct"));
    ck_assert_ptr_nonnull(strstr(line, "right where it was judged, but too slow"));
    ck_assert_uint_le(strlen(line), 100);
}
END_TEST

START_TEST(a_command_is_printed_whole)
{
    static const char PATH[] = "handed-in/a/folder/with/a/long/name/answer.cu";
    json_t *record = record_with("[{\"gate\": \"safety\", \"verdict\": \"RACE\"}]");
    json_object_set_new(record, "submission",
                        json_pack("{s:s, s:b}", "path", PATH, "is_own", false));
    print(record);
    const char *line = last_line();
    ck_assert_ptr_nonnull(strstr(line, "make hint-lesson7 SUBMISSION="));
    ck_assert_ptr_nonnull(strstr(line, PATH));
    ck_assert_uint_le(strlen(line), 100);
}
END_TEST

/* Of a student's file the folder is the instructor's, who alone could type the command. */
START_TEST(who_was_graded_is_told_no_command_with_a_path)
{
    json_t *record = record_with("[{\"gate\": \"safety\", \"verdict\": \"RACE\"}]");
    json_object_set_new(record, "submission",
                        json_pack("{s:s, s:b, s:b}", "path", "submissions/answer.cu", "is_own",
                                  false, "is_graded", true));
    print(record);
    const char *line = last_line();
    ck_assert_ptr_null(strstr(line, "make"));
    ck_assert_ptr_null(strstr(line, "answer.cu"));
}
END_TEST

TESTS("report", a_passed_check_ends_in_pass,
      a_failed_check_ends_in_not_yet_with_verdict_and_next_step,
      what_says_nothing_about_the_kernel_is_no_failure, why_a_gate_was_not_measured_is_said_once,
      an_empty_record_still_has_its_last_line, what_was_not_judged_is_said,
      who_was_not_judged_everywhere_is_not_called_correct, a_command_is_printed_whole,
      who_was_graded_is_told_no_command_with_a_path,
      what_a_submission_prints_has_its_number_of_lines_above_it,
      what_a_submission_prints_cannot_pass_for_a_verdict, figures_stand_beside_what_they_should_be,
      a_refused_figure_never_reads_as_its_bar, passed_figures_are_the_worst_of_all_cases,
      gold_is_spoken_of_where_it_can_be_earned, the_step_that_is_reached_is_told_with_the_ladder,
      what_a_modelled_time_is_of_is_told, a_gate_after_the_one_that_fails_is_asked_for_later,
      a_share_stands_beside_one_hundred_percent_alone, a_rate_above_its_ceiling_is_no_part_of_it,
      a_slow_call_always_has_a_line_on_its_kernel,
      streams_are_told_with_what_is_possible_and_the_longest_gap,
      a_kernel_of_another_case_is_told_with_it, of_two_launchers_both_are_told,
      one_launcher_alone_is_no_pass, messages_of_the_compiler_leave_room_for_the_rest,
      a_long_line_of_source_is_cut, figures_of_several_cases_stand_under_their_names,
      numbers_carry_three_digits_and_a_unit)
