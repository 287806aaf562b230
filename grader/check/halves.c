/* halves.c - see halves.h. */
#include "check/halves.h"

#include "check/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool passed(const json_t *outcome)
{
    return record_verdict(outcome) == VERDICT_PASS;
}

bool halves_go_on(const json_t *small)
{
    const json_t *numerics = json_object_get(small, "numerics");
    return numerics && passed(numerics);
}

/* --- Numerics --------------------------------------------------------------------------------- */

static void add_counts(json_t *numerics, const json_t *large)
{
    double share = record_real(large, "worst_share");
    int done = record_integer(numerics, "done") + record_integer(large, "done");
    double seconds = record_real(numerics, "seconds") + record_real(large, "seconds");
    json_object_set_new(numerics, "done", json_integer(done));
    json_object_set_new(numerics, "seconds", json_real(seconds));
    if (share > record_real(numerics, "worst_share")) {
        json_object_set_new(numerics, "worst_share", json_real(share));
        json_object_set(numerics, "worst_case", json_object_get(large, "worst_case"));
    }
    json_object_set(numerics, "large", json_object_get(large, "large"));
}

/* A finding's members, without those that count. */
static void take_finding(json_t *numerics, const json_t *from)
{
    static const char *const COUNTS[] = {"done",  "seconds", "worst_share", "worst_case",
                                         "large", "crash",   "open"};
    json_t *finding = json_copy((json_t *)from);
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        json_object_del(finding, COUNTS[i]);
    json_object_update(numerics, finding);
    json_decref(finding);
}

/* A host part that fails in a large case has broken a rule in a small one, or it is wrong. */
static void join_numerics(json_t *small, const json_t *large)
{
    json_t *numerics = json_object_get(small, "numerics");
    const json_t *crash = json_object_get(large, "crash"), *calls = json_object_get(small, "calls");
    bool has_broken = json_is_true(json_object_get(calls, "broken_in_small"));
    add_counts(numerics, large);
    json_object_set(small, "open", json_object_get(large, "open"));
    if (crash && !has_broken)
        take_finding(numerics, crash);
    else if (!passed(large))
        take_finding(numerics, large);
}

/* --- The other half of the small cases -------------------------------------------------------- */

static bool comes_before(const json_t *one, const json_t *other)
{
    const json_t *rank = json_object_get(one, "rank"), *others = json_object_get(other, "rank");
    return rank && (!others || json_integer_value(rank) < json_integer_value(others));
}

static void take_worst(json_t *joined, const json_t *from)
{
    if (record_real(from, "worst_share") <= record_real(joined, "worst_share"))
        return;
    json_object_set(joined, "worst_share", json_object_get(from, "worst_share"));
    json_object_set(joined, "worst_case", json_object_get(from, "worst_case"));
}

/* Each counts the cases before its finding among all. */
static void join_gate(json_t *small, const json_t *rest, const char *gate)
{
    const json_t *kept = json_object_get(small, gate), *other = json_object_get(rest, gate);
    if (!kept || !other)
        return;
    double seconds = record_real(kept, "seconds") + record_real(other, "seconds");
    bool is_other = comes_before(other, kept);
    json_t *joined = json_copy((json_t *)(is_other ? other : kept));
    take_worst(joined, is_other ? kept : other);
    json_object_set_new(joined, "seconds", json_real(seconds));
    json_object_set_new(small, gate, joined);
}

/* A half has no numerics where safety has ended it. */
static void join_half(json_t *small, const json_t *half)
{
    join_gate(small, half, "safety");
    join_gate(small, half, "numerics");
    if (!json_object_get(half, "numerics"))
        json_object_del(small, "numerics");
}

/* --- Counters --------------------------------------------------------------------------------- */

static void replace_finding(json_t *counters, const json_t *by)
{
    double seconds = record_real(counters, "seconds");
    json_object_update(counters, (json_t *)by);
    json_object_set_new(counters, "seconds", json_real(seconds));
}

/* A large case that only a GPU can judge counts where nothing else was found. */
static void join_counters(json_t *small, json_t *counters)
{
    const json_t *calls = json_object_get(small, "calls"), *open = json_object_get(small, "open");
    bool of_cases = json_is_true(json_object_get(counters, "of_cases"));
    if (calls && !passed(calls) && !of_cases) {
        replace_finding(counters, calls);
    } else if (open && passed(counters)) {
        replace_finding(counters, open);
        json_object_set_new(counters, "only_large", json_true());
    }
    json_object_del(counters, "of_cases");
    json_object_set(small, "counters", counters);
}

/* Of the calls so far, the first that broke a rule. */
static void join_calls(json_t *small, const json_t *rest)
{
    const json_t *before = json_object_get(small, "calls"), *now = json_object_get(rest, "calls");
    if (now && (!before || passed(before)))
        json_object_set(small, "calls", (json_t *)now);
}

/* --- All ------------------------------------------------------------------------------------- */

/* What the submission printed in each. */
static void join_logs(json_t *small, const json_t *rest)
{
    const char *first = record_text(small, "log"), *second = record_text(rest, "log");
    size_t bytes = strlen(first) + strlen(second) + 1;
    char *all = *second ? malloc(bytes) : NULL;
    if (json_is_true(json_object_get(rest, "log_capped")))
        json_object_set_new(small, "log_capped", json_true());
    if (!all)
        return;
    snprintf(all, bytes, "%s%s", first, second);
    json_object_set_new(small, "log", json_string(all));
    free(all);
}

void halves_join(json_t *small, const json_t *rest)
{
    json_t *large = json_object_get(rest, "large"), *counters = json_object_get(rest, "counters");
    if (json_object_get(rest, "safety"))
        join_half(small, rest);
    if (large)
        join_numerics(small, large);
    if (counters && halves_go_on(small))
        join_counters(small, counters);
    if (json_array_size(json_object_get(rest, "others")) > 0)
        json_object_set(small, "others", json_object_get(rest, "others"));
    join_calls(small, rest);
    join_logs(small, rest);
}

void halves_end(json_t *small)
{
    static const char *const GATES[] = {"safety", "numerics"};
    for (size_t i = 0; i < sizeof GATES / sizeof *GATES; i++)
        json_object_del(json_object_get(small, GATES[i]), "rank");
    json_object_del(small, "calls");
    json_object_del(small, "open");
}
