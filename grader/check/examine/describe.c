/* describe.c - a judge's clauses, each with the cases and bars that test it. */
#include "check/examine/stages.h"

enum { MOST_CLAUSES = 64 }; /* bits of judge_case.asks */

json_t *describe_texts(const char *const *list)
{
    json_t *array = json_array();
    for (; list && *list; list++)
        json_array_append_new(array, json_string(*list));
    return array;
}

/* Names of the cases that test a clause. */
static void add_cases(const struct judge_case *cases, size_t count, size_t clause, json_t *names)
{
    for (size_t i = 0; i < count; i++)
        if (cases[i].asks & JUDGE_ASKS(clause))
            json_array_append_new(names, json_string(cases[i].name));
}

static bool has_bar(const struct judge *judge, enum judge_counter counter)
{
    for (size_t i = 0; i < judge->bar_count; i++)
        if (judge->bars[i].counter == counter)
            return true;
    return false;
}

static size_t count_clauses(const struct judge *judge)
{
    return judge->clauses ? judge->clauses->count : 0;
}

static json_t *describe_clause(const struct judge *judge, size_t i, json_t *faults)
{
    const struct judge_clause *clause = &judge->clauses->rows[i];
    json_t *cases = json_array(), *bars = json_array();
    add_cases(judge->cases, judge->case_count, i, cases);
    add_cases(judge->large, judge->large_count, i, cases);
    for (int counter = 1; counter < JUDGE_COUNTERS; counter++) {
        const char *name = counter_name((enum judge_counter)counter);
        if (!(clause->counters & JUDGE_ASKS(counter)))
            continue;
        json_array_append_new(bars, json_string(name));
        if (!has_bar(judge, (enum judge_counter)counter))
            json_array_append_new(faults, json_sprintf("%s is said to be held by a bar on %s, and "
                                                       "there is none",
                                                       clause->key, name));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:s?}", "key", clause->key, "sentence", clause->sentence,
                     "cases", cases, "bars", bars, "always", clause->always);
}

/* Bits of asks that stand for no clause. */
static void find_strays(const struct judge *judge, const struct judge_case *cases, size_t count,
                        json_t *faults)
{
    for (size_t i = 0; i < count; i++)
        if (count_clauses(judge) < MOST_CLAUSES && cases[i].asks >> count_clauses(judge))
            json_array_append_new(faults, json_sprintf("the case \"%s\" asks for a clause that "
                                                       "does not exist",
                                                       cases[i].name));
}

static unsigned arguments_that_differ(const struct judge_case *a, const struct judge_case *b)
{
    unsigned differ = a->alias != b->alias;
    for (size_t i = 0; i < JUDGE_SIZES; i++)
        differ += a->size[i] != b->size[i];
    for (size_t i = 0; i < JUDGE_REALS; i++)
        differ += a->real[i] != b->real[i];
    for (size_t i = 0; i < JUDGE_MOST_BUFFERS; i++)
        differ += a->offset_bytes[i] != b->offset_bytes[i];
    return differ;
}

/* Are two numbers swapped, and everything else the same? Then checksums are the same, too. */
static bool is_exchange(const struct judge_case *a, const struct judge_case *b)
{
    struct judge_case back = *b;
    for (size_t i = 0; i < JUDGE_REALS; i++)
        for (size_t j = 0; j < i; j++)
            if (a->real[i] != b->real[i] && a->real[i] == b->real[j] && a->real[j] == b->real[i]) {
                back.real[i] = b->real[j];
                back.real[j] = b->real[i];
            }
    return arguments_that_differ(a, b) == 2 && arguments_that_differ(a, &back) == 0;
}

/* A case that is called after another one must differ from it in one argument only. */
static void find_unlike(const struct judge *judge, json_t *faults)
{
    for (size_t i = 0; i < judge->case_count; i++) {
        const struct judge_case *problem = &judge->cases[i];
        bool has_other = problem->after <= i;
        const struct judge_case *before = has_other ? problem - problem->after : problem;
        if (problem->after &&
            (before->launcher != problem->launcher ||
             (arguments_that_differ(before, problem) != 1 && !is_exchange(before, problem))))
            json_array_append_new(faults,
                                  json_sprintf("the case \"%s\" differs from the one before "
                                               "it in other than one argument",
                                               problem->name));
    }
}

json_t *describe_contract(const struct judge *judge)
{
    json_t *clauses = json_array(), *faults = json_array();
    for (size_t i = 0; i < count_clauses(judge) && i < MOST_CLAUSES; i++)
        json_array_append_new(clauses, describe_clause(judge, i, faults));
    if (count_clauses(judge) > MOST_CLAUSES)
        json_array_append_new(faults, json_sprintf("%zu clauses, and a case can name %d",
                                                   count_clauses(judge), MOST_CLAUSES));
    find_strays(judge, judge->cases, judge->case_count, faults);
    find_strays(judge, judge->large, judge->large_count, faults);
    find_unlike(judge, faults);
    return json_pack("{s:o, s:o, s:o}", "clauses", clauses, "context",
                     describe_texts(judge->context), "faults", faults);
}
