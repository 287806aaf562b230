/* check_mutants.c - a verdict decides a mutant's fate, and an equivalent mutant is recognised by
 * its text. */
#include "check/mutants.h"

#include "tests/check_main.h"

static json_t *mutation(const char *kind, const char *line, const char *old, const char *new,
                        int nth)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:i}", "kind", kind, "line", line, "old", old, "new",
                     new, "nth", nth);
}

static json_t *equivalent(const char *entry, json_t *of)
{
    json_object_set_new(of, "entry", json_string(entry));
    json_object_set_new(of, "why", json_string("n is never so large"));
    return json_pack("[o]", of);
}

static enum mutant_fate fate(enum verdict verdict, const char *entry)
{
    json_t *one = mutation("narrow", "int64_t n;", "int64_t", "int", 1);
    struct mutants mutants = {.equivalents = equivalent("solution", json_copy(one))};
    struct mutant mutant = {.mutation = one, .verdict = verdict};
    snprintf(mutant.entry, sizeof mutant.entry, "%s", entry);
    mutants_decide(&mutants, &mutant);
    json_decref(mutant.mutation);
    json_decref(mutants.equivalents);
    return mutant.fate;
}

START_TEST(every_verdict_but_pass_catches_a_mutant)
{
    ck_assert_int_eq(fate(VERDICT_WRONG, "right/other"), MUTANT_CAUGHT);
    ck_assert_int_eq(fate(VERDICT_SLOW, "right/other"), MUTANT_CAUGHT);
    ck_assert_int_eq(fate(VERDICT_TIMEOUT, "right/other"), MUTANT_CAUGHT);
    ck_assert_int_eq(fate(VERDICT_PASS, "right/other"), MUTANT_SURVIVOR);
}
END_TEST

START_TEST(what_does_not_compile_is_no_mutant)
{
    ck_assert_int_eq(fate(VERDICT_BUILD, "right/other"), MUTANT_STILLBORN);
    ck_assert_int_eq(fate(VERDICT_NO_LAUNCHER, "right/other"), MUTANT_STILLBORN);
}
END_TEST

START_TEST(a_check_that_says_nothing_judges_nothing)
{
    ck_assert_int_eq(fate(VERDICT_INTERNAL, "right/other"), MUTANT_NOT_JUDGED);
    ck_assert_int_eq(fate(VERDICT_INCONCLUSIVE, "right/other"), MUTANT_NOT_JUDGED);
    ck_assert_int_eq(fate(VERDICT_NOT_SIMULATED, "right/other"), MUTANT_NOT_JUDGED);
}
END_TEST

START_TEST(an_equivalent_may_pass_and_is_still_caught_when_it_does_not)
{
    ck_assert_int_eq(fate(VERDICT_PASS, "solution"), MUTANT_EQUIVALENT);
    ck_assert_int_eq(fate(VERDICT_WRONG, "solution"), MUTANT_CAUGHT);
}
END_TEST

START_TEST(the_same_code_is_no_mistake)
{
    struct mutants mutants = {.equivalents = json_array()};
    struct mutant mutant = {
        .mutation = mutation("term", "x", "1", "", 1), .verdict = VERDICT_PASS, .same_code = true};
    mutants_decide(&mutants, &mutant);
    ck_assert_int_eq(mutant.fate, MUTANT_EQUIVALENT);
    ck_assert_ptr_nonnull(mutant.why);
    json_decref(mutant.mutation);
    json_decref(mutants.equivalents);
}
END_TEST

static bool is_equivalent(json_t *equivalents, const char *entry, json_t *one)
{
    bool found = mutants_equivalent(equivalents, entry, one) != NULL;
    json_decref(equivalents);
    json_decref(one);
    return found;
}

START_TEST(an_equivalent_is_known_by_its_text_not_its_place)
{
    const char *line = "if (i < n)";
    ck_assert(is_equivalent(equivalent("solution", mutation("boundary", line, "<", "<=", 2)),
                            "solution", mutation("boundary", line, "<", "<=", 2)));
    ck_assert(!is_equivalent(equivalent("solution", mutation("boundary", line, "<", "<=", 2)),
                             "solution", mutation("boundary", line, "<", "<=", 1)));
    ck_assert(!is_equivalent(equivalent("solution", mutation("boundary", line, "<", "<=", 2)),
                             "right/other", mutation("boundary", line, "<", "<=", 2)));
    ck_assert(!is_equivalent(equivalent("solution", mutation("guard", line, "<", "<=", 2)),
                             "solution", mutation("boundary", line, "<", "<=", 2)));
}
END_TEST

START_TEST(without_a_number_all_that_are_alike_are_meant)
{
    json_t *one = mutation("boundary", "x", "<", "<=", 1);
    json_object_del(one, "nth");
    ck_assert(is_equivalent(equivalent("solution", one), "solution",
                            mutation("boundary", "x", "<", "<=", 3)));
}
END_TEST

TESTS("mutants", every_verdict_but_pass_catches_a_mutant, what_does_not_compile_is_no_mutant,
      a_check_that_says_nothing_judges_nothing,
      an_equivalent_may_pass_and_is_still_caught_when_it_does_not, the_same_code_is_no_mistake,
      an_equivalent_is_known_by_its_text_not_its_place,
      without_a_number_all_that_are_alike_are_meant)
