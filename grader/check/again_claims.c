/* again_claims.c - see again_claims.h. */
#include "check/again_claims.h"

#include "check/record.h"

#include <stdio.h>
#include <string.h>

bool again_is_claim(enum verdict verdict)
{
    return verdict == VERDICT_DEVICE || verdict == VERDICT_INTERNAL;
}

static bool is_doubtful(enum verdict verdict)
{
    return verdict == VERDICT_EARLY_EXIT || verdict == VERDICT_CRASH || verdict == VERDICT_TIMEOUT;
}

typedef bool is_meant(const json_t *outcome);

static bool claims(const json_t *outcome)
{
    return again_is_claim(record_verdict(outcome));
}

static bool doubts(const json_t *outcome)
{
    return is_doubtful(record_verdict(outcome));
}

/* The kernel has confirmed it of one that was starved. */
static bool may_be_blamed(const json_t *outcome)
{
    return claims(outcome) && !json_object_get(outcome, "starved");
}

static bool has(const json_t *outcome, is_meant *meant)
{
    return json_object_get(outcome, "verdict") && meant(outcome);
}

static json_t *first_in(json_t *outcome, is_meant *meant)
{
    static const char *const PARTS[] = {"safety", "numerics", "calls", "large",
                                        "crash",  "counters", "timing"};
    size_t i;
    json_t *entry;
    if (has(outcome, meant))
        return outcome;
    json_array_foreach (json_object_get(outcome, "cases"), i, entry)
        if (has(entry, meant))
            return entry;
    for (i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        json_t *part = json_object_get(outcome, PARTS[i]);
        json_t *found = part ? first_in(part, meant) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

json_t *again_claim_in(json_t *outcome)
{
    return first_in(outcome, claims);
}

json_t *again_doubt_in(json_t *outcome)
{
    return first_in(outcome, doubts);
}

static void set_verdict(json_t *outcome, enum verdict verdict, const char *and)
{
    char reason[800];
    snprintf(reason, sizeof reason, "%s; %s", record_text(outcome, "reason"), and);
    json_object_set_new(outcome, "verdict", json_string(verdict_name(verdict)));
    json_object_set_new(outcome, "reason", record_clean(reason, strlen(reason)));
}

void again_excuse(json_t *outcome)
{
    json_t *doubt = again_claim_in(outcome);
    if (!doubt)
        doubt = again_doubt_in(outcome);
    if (doubt)
        set_verdict(doubt, VERDICT_DEVICE, "the solution fares no better on this machine");
}

void again_blame(json_t *outcome)
{
    for (json_t *claim = first_in(outcome, may_be_blamed); claim;
         claim = first_in(outcome, may_be_blamed))
        set_verdict(claim, VERDICT_DISTURBS, "without it the machine works");
}
