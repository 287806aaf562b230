/* check_halves.c - two examinations become the result that one would have given. */
#include "check/halves.h"

#include "check/record.h"
#include "tests/check_main.h"

#include <stdio.h>

#define RIGHT                                                                                    \
    "'safety': {'verdict': 'PASS'}, 'numerics': {'verdict': 'PASS', 'reason': '', 'cases': 12, " \
    "'done': 10, 'seconds': 2, 'worst_share': 0.2, 'worst_case': 'a'}"
#define BROKEN                                                                           \
    "'calls': {'verdict': 'SLOW', 'reason': 'two launches', 'broken_rule': 'launches', " \
    "'broken_in_small': true}"
#define KEPT "'calls': {'verdict': 'PASS', 'reason': ''}"
#define LARGE_RIGHT                                                                            \
    "'large': {'verdict': 'PASS', 'reason': '', 'done': 2, 'seconds': 1, 'worst_share': 0.1, " \
    "'large': [{'case': 'x'}, {'case': 'y'}]}"

/* Quotes are single ones. */
static json_t *parse(const char *text)
{
    char members[2000];
    json_error_t error;
    snprintf(members, sizeof members, "{%s}", text);
    for (char *at = members; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    json_t *object = json_loads(members, 0, &error);
    ck_assert_msg(object != NULL, "%s", error.text);
    return object;
}

static json_t *join(const char *small, const char *rest)
{
    json_t *joined = parse(small), *other = parse(rest);
    ck_assert(halves_go_on(joined));
    halves_join(joined, other);
    halves_end(joined);
    json_decref(other);
    ck_assert_ptr_null(json_object_get(joined, "calls"));
    return joined;
}

static void expect(json_t *joined, const char *gate, enum verdict verdict, const char *reason)
{
    json_t *outcome = json_object_get(joined, gate);
    ck_assert_ptr_nonnull(outcome);
    ck_assert_int_eq(record_verdict(outcome), verdict);
    ck_assert_str_eq(record_text(outcome, "reason"), reason);
}

START_TEST(what_is_wrong_in_a_small_case_ends_it)
{
    static const char *const ENDS[] = {"'safety': {'verdict': 'RACE'}",
                                       "'numerics': {'verdict': 'WRONG'}",
                                       "'numerics': {'verdict': 'NOT_SIMULATED'}"};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        json_t *small = parse(ENDS[i]);
        ck_assert_msg(!halves_go_on(small), "%s", ENDS[i]);
        json_decref(small);
    }
    ck_assert(!halves_go_on(NULL));
}
END_TEST

/* The same safety and numerics with other members; rank -1 for none. */
static json_t *half(const char *gate, int rank, const char *reason, double worst)
{
    json_t *small = parse(RIGHT "," KEPT), *outcome = json_object_get(small, gate);
    json_object_set_new(json_object_get(small, "numerics"), "worst_share", json_real(worst));
    if (rank >= 0) {
        json_object_set_new(outcome, "rank", json_integer(rank));
        json_object_set_new(outcome, "verdict", json_string("WRONG"));
        json_object_set_new(outcome, "reason", json_string(reason));
    }
    return small;
}

START_TEST(of_two_halves_the_first_finding_counts)
{
    static const struct {
        int one, other;
        const char *reason;
    } RANKS[] = {{-1, -1, ""}, {4, -1, "one"}, {-1, 4, "other"}, {4, 2, "other"}, {2, 4, "one"}};
    static const char *const GATES[] = {"safety", "numerics"};
    for (size_t i = 0; i < sizeof RANKS / sizeof *RANKS; i++)
        for (size_t gate = 0; gate < sizeof GATES / sizeof *GATES; gate++) {
            json_t *small = half(GATES[gate], RANKS[i].one, "one", 0.1);
            json_t *other = half(GATES[gate], RANKS[i].other, "other", 0.3);
            halves_join(small, other);
            halves_end(small);
            json_t *outcome = json_object_get(small, GATES[gate]);
            json_t *numerics = json_object_get(small, "numerics");
            ck_assert_str_eq(record_text(outcome, "reason"), RANKS[i].reason);
            ck_assert_ptr_null(json_object_get(outcome, "rank"));
            ck_assert_double_eq_tol(record_real(numerics, "worst_share"), 0.3, 1e-9);
            ck_assert_double_eq_tol(record_real(numerics, "seconds"), 4, 1e-9);
            json_decref(small);
            json_decref(other);
        }
}
END_TEST

/* What safety ends has no numerics, whichever half it is in. */
START_TEST(safety_of_one_half_ends_both)
{
    const char *harmed = "'safety': {'verdict': 'RACE', 'reason': 'a race', 'rank': 3}";
    for (int second = 0; second < 2; second++) {
        json_t *small = parse(second ? RIGHT : harmed), *other = parse(second ? harmed : RIGHT);
        halves_join(small, other);
        expect(small, "safety", VERDICT_RACE, "a race");
        ck_assert(!halves_go_on(small));
        halves_end(small);
        json_decref(small);
        json_decref(other);
    }
}
END_TEST

START_TEST(numerics_counts_the_large_cases)
{
    json_t *joined =
        join(RIGHT "," KEPT, LARGE_RIGHT ", 'counters': {'verdict': 'PASS', 'reason': ''}");
    json_t *numerics = json_object_get(joined, "numerics");
    expect(joined, "numerics", VERDICT_PASS, "");
    expect(joined, "counters", VERDICT_PASS, "");
    ck_assert_int_eq(record_integer(numerics, "done"), 12);
    ck_assert_uint_eq(json_array_size(json_object_get(numerics, "large")), 2);
    ck_assert_double_eq_tol(record_real(numerics, "seconds"), 3, 1e-9);
    ck_assert_str_eq(record_text(numerics, "worst_case"), "a");
    json_decref(joined);
}
END_TEST

START_TEST(a_large_case_that_is_wrong_leaves_no_counters)
{
    json_t *joined =
        join(RIGHT "," BROKEN, "'large': {'verdict': 'WRONG', 'reason': 'no block', 'case': 'x', "
                               "'done': 0, 'worst_share': 0.4, 'worst_case': 'x', 'large': []}");
    json_t *numerics = json_object_get(joined, "numerics");
    expect(joined, "numerics", VERDICT_WRONG, "no block");
    ck_assert_str_eq(record_text(numerics, "case"), "x");
    ck_assert_str_eq(record_text(numerics, "worst_case"), "x");
    ck_assert_int_eq(record_integer(numerics, "done"), 10);
    ck_assert_ptr_null(json_object_get(joined, "counters"));
    json_decref(joined);
}
END_TEST

/* A host part that fails on large arrays has broken a rule before, or its failure counts. */
START_TEST(a_crash_counts_unless_a_rule_is_broken)
{
    const char *rest = LARGE_RIGHT ", 'counters': {'verdict': 'PASS', 'reason': ''}";
    char crashed[1000];
    snprintf(crashed, sizeof crashed,
             "%.*s, 'crash': {'verdict': 'CRASH', 'reason': 'signal 11', "
             "'case': 'y'}}, 'counters': {'verdict': 'PASS', "
             "'reason': ''}",
             (int)sizeof LARGE_RIGHT - 2, rest);
    json_t *joined = join(RIGHT "," KEPT, crashed);
    expect(joined, "numerics", VERDICT_CRASH, "signal 11");
    ck_assert_str_eq(record_text(json_object_get(joined, "numerics"), "case"), "y");
    json_decref(joined);
    joined = join(RIGHT "," BROKEN, crashed);
    expect(joined, "numerics", VERDICT_PASS, "");
    expect(joined, "counters", VERDICT_SLOW, "two launches");
    json_decref(joined);
}
END_TEST

START_TEST(timed_cases_come_before_small_calls_and_these_before_what_is_unjudged)
{
    static const struct {
        const char *counters;
        enum verdict verdict;
        const char *reason;
    } WITH_BROKEN[] = {
        {"'verdict': 'SLOW', 'reason': 'sectors', 'of_cases': true", VERDICT_SLOW, "sectors"},
        {"'verdict': 'PASS', 'reason': ''", VERDICT_SLOW, "two launches"},
        {"'verdict': 'NOT_SIMULATED', 'reason': 'large'", VERDICT_SLOW, "two launches"},
    };
    for (size_t i = 0; i < sizeof WITH_BROKEN / sizeof *WITH_BROKEN; i++) {
        char rest[1000];
        snprintf(rest, sizeof rest, "%s, 'counters': {%s, 'seconds': 7}", LARGE_RIGHT,
                 WITH_BROKEN[i].counters);
        json_t *joined = join(RIGHT "," BROKEN, rest);
        json_t *counters = json_object_get(joined, "counters");
        expect(joined, "counters", WITH_BROKEN[i].verdict, WITH_BROKEN[i].reason);
        ck_assert_ptr_null(json_object_get(counters, "of_cases"));
        ck_assert_double_eq_tol(record_real(counters, "seconds"), 7, 1e-9);
        json_decref(joined);
    }
}
END_TEST

/* The large cases' result first, then the timed ones'. */
static json_t *join_two(const char *small, const char *large, const char *timed)
{
    json_t *joined = parse(small), *first = parse(large), *second = parse(timed);
    halves_join(joined, first);
    ck_assert(halves_go_on(joined));
    halves_join(joined, second);
    halves_end(joined);
    json_decref(first);
    json_decref(second);
    ck_assert_ptr_null(json_object_get(joined, "calls"));
    ck_assert_ptr_null(json_object_get(joined, "open"));
    return joined;
}

#define LARGE_OPEN                                                                     \
    "'large': {'verdict': 'PASS', 'reason': '', 'done': 1, 'large': [{'case': 'x'}], " \
    "'open': {'verdict': 'NOT_SIMULATED', 'reason': 'x is left', 'advice': 'a GPU'}}"

START_TEST(what_a_large_case_leaves_open_counts_last)
{
    static const struct {
        const char *calls, *counters;
        enum verdict verdict;
        const char *reason;
        bool only_large;
    } WITH_OPEN[] = {
        {KEPT, "'verdict': 'PASS', 'reason': ''", VERDICT_NOT_SIMULATED, "x is left", true},
        {KEPT, "'verdict': 'SLOW', 'reason': 'sectors', 'of_cases': true", VERDICT_SLOW, "sectors",
         false},
        {KEPT, "'verdict': 'NOT_SIMULATED', 'reason': 'timed'", VERDICT_NOT_SIMULATED, "timed",
         false},
        {BROKEN, "'verdict': 'PASS', 'reason': ''", VERDICT_SLOW, "two launches", false},
    };
    for (size_t i = 0; i < sizeof WITH_OPEN / sizeof *WITH_OPEN; i++) {
        char small[1000], timed[1000];
        snprintf(small, sizeof small, "%s, %s", RIGHT, WITH_OPEN[i].calls);
        snprintf(timed, sizeof timed, "'counters': {%s, 'seconds': 7}", WITH_OPEN[i].counters);
        json_t *joined = join_two(small, LARGE_OPEN, timed);
        json_t *counters = json_object_get(joined, "counters");
        expect(joined, "numerics", VERDICT_PASS, "");
        expect(joined, "counters", WITH_OPEN[i].verdict, WITH_OPEN[i].reason);
        ck_assert_int_eq(json_is_true(json_object_get(counters, "only_large")),
                         WITH_OPEN[i].only_large);
        ck_assert_double_eq_tol(record_real(counters, "seconds"), 7, 1e-9);
        json_decref(joined);
    }
}
END_TEST

/* Rules that calls of the large cases break count as those of the small ones do, after them. */
START_TEST(calls_of_large_cases_count)
{
    const char *large = LARGE_RIGHT ", 'calls': {'verdict': 'SLOW', 'reason': 'in large ones'}";
    const char *timed = "'counters': {'verdict': 'PASS', 'reason': ''}";
    json_t *joined = join_two(RIGHT "," KEPT, large, timed);
    expect(joined, "counters", VERDICT_SLOW, "in large ones");
    json_decref(joined);
    joined = join_two(RIGHT "," BROKEN, large, timed);
    expect(joined, "counters", VERDICT_SLOW, "two launches");
    json_decref(joined);
}
END_TEST

START_TEST(both_halves_may_print)
{
    json_t *joined = join(RIGHT "," KEPT ", 'log': 'one\\n', 'log_capped': false",
                          LARGE_RIGHT ", 'log': 'two\\n', 'log_capped': true");
    ck_assert_str_eq(record_text(joined, "log"), "one\ntwo\n");
    ck_assert(json_is_true(json_object_get(joined, "log_capped")));
    json_decref(joined);
}
END_TEST

TESTS("halves", what_is_wrong_in_a_small_case_ends_it, of_two_halves_the_first_finding_counts,
      safety_of_one_half_ends_both, numerics_counts_the_large_cases,
      a_large_case_that_is_wrong_leaves_no_counters, a_crash_counts_unless_a_rule_is_broken,
      timed_cases_come_before_small_calls_and_these_before_what_is_unjudged,
      what_a_large_case_leaves_open_counts_last, calls_of_large_cases_count, both_halves_may_print)
