/* check_conclude.c - the verdict is the first failed gate's, and only five passed gates pass. */
#include "check/conclude.h"

#include "check/record.h"
#include "tests/check_main.h"

#include <string.h>

static json_t *record;

static void add(const char *gate, enum verdict verdict)
{
    record_add_gate(record, gate, record_outcome(verdict, gate));
}

/* A record of the first count gates, all passed. */
static void start(int count)
{
    static const char *const GATES[] = {"build", "safety", "numerics", "counters", "utilization"};
    record = json_pack("{s:[]}", "gates");
    for (int i = 0; i < count; i++)
        add(GATES[i], VERDICT_PASS);
}

static enum verdict conclude(void)
{
    conclude_verdict(record, false);
    return record_verdict(record);
}

static int points(void)
{
    return record_integer(record, "points");
}

START_TEST(five_passed_gates_pass_with_all_points)
{
    start(5);
    ck_assert_int_eq(conclude(), VERDICT_PASS);
    ck_assert_int_eq(points(), 100);
    json_decref(record);
}
END_TEST

START_TEST(a_gate_that_was_not_run_cannot_pass)
{
    for (int count = 0; count < 5; count++) {
        start(count);
        ck_assert_int_eq(conclude(), VERDICT_INTERNAL);
        ck_assert(json_is_null(json_object_get(record, "points")));
        json_decref(record);
    }
}
END_TEST

START_TEST(the_first_failed_gate_gives_the_verdict)
{
    start(2);
    add("numerics", VERDICT_WRONG);
    add("counters", VERDICT_SLOW);
    add("utilization", VERDICT_PASS);
    ck_assert_int_eq(conclude(), VERDICT_WRONG);
    ck_assert_str_eq(record_text(record, "failed_gate"), "numerics");
    ck_assert_int_eq(points(), 0);
    json_decref(record);
}
END_TEST

START_TEST(slow_ones_keep_the_points_of_the_gates_they_passed)
{
    start(3);
    add("counters", VERDICT_SLOW);
    add("utilization", VERDICT_PASS);
    ck_assert_int_eq(conclude(), VERDICT_SLOW);
    ck_assert_int_eq(points(), POINTS_NUMERICS);
    json_decref(record);
    start(4);
    add("utilization", VERDICT_SLOW);
    ck_assert_int_eq(conclude(), VERDICT_SLOW);
    ck_assert_int_eq(points(), POINTS_NUMERICS + POINTS_COUNTERS);
    json_decref(record);
}
END_TEST

START_TEST(inconclusive_gives_no_points_either_way)
{
    start(4);
    add("utilization", VERDICT_INCONCLUSIVE);
    ck_assert_int_eq(conclude(), VERDICT_INCONCLUSIVE);
    ck_assert(json_is_null(json_object_get(record, "points")));
    json_decref(record);
}
END_TEST

/* A record of a check with a GPU, where the simulated device did not know something. */
static void start_unknown(bool simulated, enum verdict numerics, enum verdict utilization)
{
    start(1);
    json_object_set_new(record, "device", json_pack("{s:b}", "simulated", simulated));
    add("safety", VERDICT_NOT_SIMULATED);
    add("numerics", numerics);
    add("counters", VERDICT_NOT_SIMULATED);
    add("utilization", utilization);
}

/* Else a race would be worth an instruction that the simulated device does not know. */
START_TEST(what_is_not_simulated_earns_nothing_where_a_gpu_measured_the_rest)
{
    start_unknown(false, VERDICT_PASS, VERDICT_PASS);
    ck_assert_int_eq(conclude(), VERDICT_NOT_SIMULATED);
    ck_assert_int_eq(points(), 0);
    const json_t *missing = json_object_get(record, "missing_gates");
    ck_assert_uint_eq(json_array_size(missing), 2);
    ck_assert_str_eq(json_string_value(json_array_get(missing, 0)), "safety");
    ck_assert_str_eq(json_string_value(json_array_get(missing, 1)), "counters");
    ck_assert_str_eq(record_text(record, "reason"), "safety");
    json_decref(record);
    start_unknown(false, VERDICT_PASS, VERDICT_SLOW); /* a failure says more */
    ck_assert_int_eq(conclude(), VERDICT_SLOW);
    ck_assert_int_eq(points(), 0);
    json_decref(record);
}
END_TEST

START_TEST(gates_before_the_one_that_was_not_simulated_keep_their_points)
{
    start(3);
    add("counters", VERDICT_NOT_SIMULATED);
    add("utilization", VERDICT_PASS);
    ck_assert_int_eq(conclude(), VERDICT_NOT_SIMULATED);
    ck_assert_int_eq(points(), POINTS_NUMERICS);
    json_decref(record);
}
END_TEST

START_TEST(without_a_gpu_what_is_not_simulated_earns_nothing)
{
    start_unknown(true, VERDICT_NOT_SIMULATED, VERDICT_PASS);
    ck_assert_int_eq(conclude(), VERDICT_NOT_SIMULATED);
    ck_assert_int_eq(points(), 0);
    ck_assert_str_eq(record_text(record, "failed_gate"), "safety");
    json_decref(record);
    start_unknown(true, VERDICT_PASS, VERDICT_PASS); /* also if it was met in safety alone */
    ck_assert_int_eq(conclude(), VERDICT_NOT_SIMULATED);
    json_decref(record);
}
END_TEST

START_TEST(what_is_not_simulated_hides_no_failure)
{
    start_unknown(true, VERDICT_WRONG, VERDICT_PASS);
    ck_assert_int_eq(conclude(), VERDICT_WRONG);
    ck_assert_int_eq(points(), 0);
    json_decref(record);
    start_unknown(false, VERDICT_WRONG, VERDICT_PASS);
    ck_assert_int_eq(conclude(), VERDICT_WRONG);
    json_decref(record);
}
END_TEST

START_TEST(a_self_check_is_no_grade)
{
    start(5);
    json_object_set_new(record, "self_check", json_true());
    conclude_verdict(record, true);
    ck_assert_int_eq(record_verdict(record), VERDICT_DEVICE);
    json_decref(record);
    start(5);
    json_object_set_new(record, "self_check", json_true());
    ck_assert_int_eq(conclude(), VERDICT_PASS);
    json_decref(record);
}
END_TEST

START_TEST(the_line_named_has_its_text_and_lies_in_the_learners_file)
{
    struct source source = {.text = "one\n    two;\nthree", .bytes = 17};
    start(1);
    json_t *gate = record_outcome(VERDICT_RACE, "r");
    json_object_set_new(gate, "file", json_string("twice.cu"));
    json_object_set_new(gate, "line", json_integer(2));
    json_object_set_new(gate, "other_line", json_integer(3));
    json_object_set_new(gate, "time", json_string("60 % of it"));
    json_object_set_new(gate, "gain", json_string("0.17 of its time"));
    record_add_gate(record, "safety", gate);
    conclude();
    conclude_line(record, &source, "another");
    ck_assert_ptr_null(json_object_get(record, "line"));
    conclude_line(record, &source, "twice");
    const json_t *line = json_object_get(record, "line");
    ck_assert_int_eq(record_integer(line, "number"), 2);
    ck_assert_str_eq(record_text(line, "text"), "two;");
    ck_assert_str_eq(record_text(json_object_get(line, "other"), "text"), "three");
    ck_assert_str_eq(record_text(line, "time"), "60 % of it");
    ck_assert_str_eq(record_text(line, "gain"), "0.17 of its time");
    json_decref(record);
}
END_TEST

START_TEST(what_breaks_a_rule_in_a_small_case_is_on_no_line_of_the_timed_one)
{
    struct source source = {.text = "one\n    two;\nthree", .bytes = 17};
    for (int in_small = 0; in_small < 2; in_small++) {
        start(1);
        json_t *gate = record_outcome(VERDICT_SLOW, "the contract forbids a copy");
        json_object_set_new(
            gate, "cases",
            json_pack("[{s:{s:s, s:i}}]", "worst_line", "file", "twice.cu", "line", 2));
        json_object_set_new(gate, "shown", json_integer(0));
        json_object_set_new(gate, "broken_in_small", json_boolean(in_small));
        record_add_gate(record, "counters", gate);
        conclude();
        conclude_line(record, &source, "twice");
        ck_assert_int_eq(json_object_get(record, "line") == NULL, in_small);
        json_decref(record);
    }
}
END_TEST

/* Slow in another case; the kernel is that case's if its launch is known. */
static void conclude_elsewhere(bool is_known)
{
    struct source source = {.text = "one\ntwo\n", .bytes = 8};
    start(3);
    json_t *gate = record_outcome(VERDICT_SLOW, "too slow there");
    json_t *outcome = json_pack("{s:s, s:{s:s, s:i}, s:{s:f}}", "case", "timed", "worst_line",
                                "file", "twice.cu", "line", 2, "kernel", "blocks", 1024.0);
    if (is_known)
        json_object_set_new(outcome, "regime_kernel",
                            json_pack("{s:f, s:s}", "blocks", 4096.0, "case", "all one off"));
    json_object_set_new(gate, "cases", json_pack("[o]", outcome));
    json_object_set_new(gate, "shown", json_integer(0));
    json_object_set_new(gate, "in_another_case", json_true());
    record_add_gate(record, "counters", gate);
    conclude();
    conclude_line(record, &source, "twice");
}

START_TEST(what_is_slow_in_another_case_is_told_by_that_cases_kernel)
{
    conclude_elsewhere(true);
    const json_t *kernel = json_object_get(record, "kernel");
    ck_assert_double_eq(record_real(kernel, "blocks"), 4096);
    ck_assert_str_eq(record_text(kernel, "case"), "all one off");
    ck_assert_ptr_nonnull(json_object_get(record, "line"));
    json_decref(record);
}
END_TEST

START_TEST(where_it_is_not_known_no_line_is_blamed_and_the_kernel_has_its_case)
{
    conclude_elsewhere(false);
    ck_assert_str_eq(record_text(json_object_get(record, "kernel"), "case"), "timed");
    ck_assert_ptr_null(json_object_get(record, "line"));
    json_decref(record);
}
END_TEST

START_TEST(evidence_has_what_was_said_and_where)
{
    start(1);
    json_t *gate = record_outcome(VERDICT_RACE, "shared memory race");
    json_object_set_new(gate, "launch", json_pack("{s:i}", "threads", 256));
    record_add_gate(record, "safety", gate);
    conclude();
    json_object_set_new(record, "line",
                        json_pack("{s:i, s:{s:i}}", "number", 7, "other", "number", 9));
    json_t *evidence = conclude_evidence(record);
    ck_assert_str_eq(record_text(evidence, "said"), "shared memory race");
    ck_assert_int_eq(record_integer(evidence, "line"), 7);
    ck_assert_int_eq(record_integer(evidence, "other_line"), 9);
    ck_assert_int_eq(record_integer(json_object_get(evidence, "launch"), "threads"), 256);
    json_decref(evidence);
    json_decref(record);
}
END_TEST

START_TEST(of_the_compilers_messages_the_first_error_was_said)
{
    start(0);
    json_t *gate = record_outcome(VERDICT_BUILD, "the compiler refuses it");
    json_object_set_new(gate, "messages", json_string("a.cu(1): warning: w\na.cu(2): error: e\nx"));
    record_add_gate(record, "build", gate);
    conclude();
    json_t *evidence = conclude_evidence(record);
    ck_assert_str_eq(record_text(evidence, "said"), "a.cu(2): error: e");
    json_decref(evidence);
    json_decref(record);
}
END_TEST

START_TEST(a_line_behind_the_end_has_no_text)
{
    struct source source = {.text = "one\n", .bytes = 4};
    ck_assert_ptr_null(source_line(&source, 0));
    ck_assert_ptr_null(source_line(&source, 3));
}
END_TEST

TESTS("conclude", five_passed_gates_pass_with_all_points, a_gate_that_was_not_run_cannot_pass,
      the_first_failed_gate_gives_the_verdict, slow_ones_keep_the_points_of_the_gates_they_passed,
      inconclusive_gives_no_points_either_way,
      what_is_not_simulated_earns_nothing_where_a_gpu_measured_the_rest,
      gates_before_the_one_that_was_not_simulated_keep_their_points,
      without_a_gpu_what_is_not_simulated_earns_nothing, what_is_not_simulated_hides_no_failure,
      a_self_check_is_no_grade, the_line_named_has_its_text_and_lies_in_the_learners_file,
      what_breaks_a_rule_in_a_small_case_is_on_no_line_of_the_timed_one,
      what_is_slow_in_another_case_is_told_by_that_cases_kernel,
      where_it_is_not_known_no_line_is_blamed_and_the_kernel_has_its_case,
      evidence_has_what_was_said_and_where, of_the_compilers_messages_the_first_error_was_said,
      a_line_behind_the_end_has_no_text)
