/* check_clauses.c - a contract and the clauses that quote it agree. */
#include "check/clauses.h"

#include "tests/check_main.h"

#include <string.h>

static const char HEADER[] = "/* tiny.h - doubles.\n"
                             " *\n"
                             " * n   0 or more;  the work\n"
                             " *     goes to the stream.\n"
                             " */\n"
                             "cudaError_t tiny(const float *x, int n); /* x is not written */\n";

/* A judge's contract: two clauses, with what asks for the first one, and a context. */
static json_t *contract_of(const char *first, const char *cases, const char *context)
{
    json_t *asking = json_array();
    if (*cases)
        json_array_append_new(asking, json_string(cases));
    return json_pack("{s:[{s:s, s:s, s:o}, {s:s, s:s, s:s}], s:[s]}", "clauses", "key", "any_n",
                     "sentence", first, "cases", asking, "key", "input", "sentence",
                     "x is not written", "always", "inputs are compared", "context", context);
}

/* "" when it holds, else the reason. */
static const char *fault_of(json_t *contract)
{
    static char reason[300];
    reason[0] = '\0';
    bool holds = clauses_hold(contract, HEADER, reason, sizeof reason);
    ck_assert_int_eq(holds, reason[0] == '\0');
    json_decref(contract);
    return reason;
}

static const char ALL[] = "n 0 or more; the work goes to the stream.";

START_TEST(quotations_hold_whatever_the_line_breaks)
{
    ck_assert_str_eq(fault_of(contract_of(ALL, "n = 1", "tiny.h - doubles.")), "");
}
END_TEST

START_TEST(a_clause_that_nothing_asks_for_is_named)
{
    ck_assert_ptr_nonnull(
        strstr(fault_of(contract_of(ALL, "", "tiny.h - doubles.")), "asks for the clause any_n"));
}
END_TEST

START_TEST(a_quotation_that_the_contract_does_not_say_is_named)
{
    const char *changed = "n 1 or more; the work goes to the stream.";
    ck_assert_ptr_nonnull(strstr(fault_of(contract_of(changed, "n = 1", "tiny.h - doubles.")),
                                 "what the clause any_n quotes"));
}
END_TEST

START_TEST(words_that_nothing_quotes_are_named)
{
    const char *fault = fault_of(contract_of("n 0 or more;", "n = 1", "tiny.h - doubles."));
    ck_assert_ptr_nonnull(strstr(fault, "\"the work goes to the stream. \""));
}
END_TEST

START_TEST(what_the_judge_itself_has_wrong_comes_first)
{
    json_t *contract = contract_of(ALL, "n = 1", "tiny.h - doubles.");
    json_object_set_new(contract, "faults", json_pack("[s]", "a case asks for no clause"));
    ck_assert_str_eq(fault_of(contract), "a case asks for no clause");
}
END_TEST

TESTS("clauses", quotations_hold_whatever_the_line_breaks, a_clause_that_nothing_asks_for_is_named,
      a_quotation_that_the_contract_does_not_say_is_named, words_that_nothing_quotes_are_named,
      what_the_judge_itself_has_wrong_comes_first)
