/* claims.c - tests each claim by an ordinary check, in a crew of workers. */
#include "check/claims.h"

#include "lib/crew.h"
#include "check/record.h"
#include "check/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTERRUPTED = 130, MOST_WORKERS = 8 };

enum claim_kind { CLAIM_KNOWN, CLAIM_EXPECTED, CLAIM_FAILS, CLAIM_ZEROS_FAIL };

struct claim {
    enum claim_kind kind;
    const char *lesson; /* its key, which lives in the course */
    char what[120];
    struct path path; /* of the submission; empty when known */
    struct expectation expectation;
    struct crew_outcome known;
};

/* --- The list --------------------------------------------------------------------------------- */

static struct claim *add(struct claims *claims, enum claim_kind kind, const struct lesson *lesson,
                         const char *what, const char *path)
{
    if (claims->count == claims->room) {
        claims->room = claims->room ? 2 * claims->room : 64;
        claims->list = reallocarray(claims->list, claims->room, sizeof *claims->list);
        if (!claims->list)
            abort(); /* a hundred claims are half a megabyte */
    }
    struct claim *claim = &claims->list[claims->count++];
    *claim = (struct claim){.kind = kind, .lesson = lesson->key, .path = path_of("%s", path)};
    snprintf(claim->what, sizeof claim->what, "%s", what);
    return claim;
}

void claim_known(struct claims *claims, const struct lesson *lesson, const char *what, bool holds,
                 const char *reason)
{
    struct crew_outcome *known = &add(claims, CLAIM_KNOWN, lesson, what, "")->known;
    known->holds = holds;
    if (!holds)
        snprintf(known->reason, sizeof known->reason, "%s", reason);
}

void claim_expected(struct claims *claims, const struct lesson *lesson, const char *what,
                    const char *path, const struct expectation *expectation)
{
    add(claims, CLAIM_EXPECTED, lesson, what, path)->expectation = *expectation;
}

void claim_fails(struct claims *claims, const struct lesson *lesson, const char *what,
                 const char *path)
{
    add(claims, CLAIM_FAILS, lesson, what, path);
}

void claim_zeros_fail(struct claims *claims, const struct lesson *lesson, const char *what,
                      const char *path)
{
    add(claims, CLAIM_ZEROS_FAIL, lesson, what, path);
}

/* --- Testing ---------------------------------------------------------------------------------- */

static bool fails(const json_t *record, struct crew_outcome *outcome)
{
    enum verdict verdict = record_verdict(record);
    snprintf(outcome->reason, sizeof outcome->reason, "%s", verdict_name(verdict));
    return verdict != VERDICT_PASS && verdict != VERDICT_BUILD &&
           verdict != VERDICT_COMPILER_LIMIT && verdict != VERDICT_REFUSED &&
           verdict != VERDICT_NOT_SIMULATED && verdict != VERDICT_DISTURBS &&
           verdict_points(verdict) != POINTS_AGAIN;
}

static bool zeros_fail(const json_t *record, struct crew_outcome *outcome)
{
    const json_t *gate = record_gate(record, "numerics");
    snprintf(outcome->reason, sizeof outcome->reason, "%s",
             record_text(gate ? gate : record, "reason"));
    return gate && record_verdict(gate) == VERDICT_WRONG;
}

/* In a worker. */
static bool test(void *context, size_t task, struct crew_outcome *outcome)
{
    const struct claims *claims = context;
    const struct claim *claim = &claims->list[task];
    bool zeros = claim->kind == CLAIM_ZEROS_FAIL;
    struct check_request request = {.course = claims->course,
                                    .lesson = claim->lesson,
                                    .submission = claim->path.text,
                                    .device = zeros ? DEVICE_SIM : claims->device,
                                    .seed = claims->seed,
                                    .pretend_zeros = zeros};
    if (claim->kind == CLAIM_KNOWN) {
        *outcome = claim->known;
        return true;
    }
    json_t *record = check_run(&request);
    if (!record)
        return false;
    if (claim->kind == CLAIM_EXPECTED)
        outcome->holds =
            expectation_met(&claim->expectation, record, outcome->reason, sizeof outcome->reason);
    else
        outcome->holds = zeros ? zeros_fail(record, outcome) : fails(record, outcome);
    json_decref(record);
    return true;
}

static void tell(void *context, size_t task, const struct crew_outcome *outcome)
{
    struct claims *claims = context;
    const struct claim *claim = &claims->list[task];
    const char *reason = outcome->done ? outcome->reason : "the process that tested it died";
    bool holds = outcome->done && outcome->holds;
    claims->failed += !holds;
    terminal_progress(NULL);
    terminal_print(claims->terminal, holds ? STYLE_GOOD : STYLE_BAD, "  %-5s",
                   holds ? "ok" : "FAIL");
    fprintf(claims->terminal->out, "%-16s %s%s%s\n", claim->lesson, claim->what, holds ? "" : ": ",
            holds ? "" : reason);
    fflush(claims->terminal->out);
    terminal_progress(path_of("%zu of %zu", task + 1, claims->count).text);
}

/* On a GPU two checks at a time would disturb each other's times. */
static size_t workers(enum device_choice device)
{
    bool simulated = device == DEVICE_SIM || (device == DEVICE_AUTO && !run_sees_gpu());
    return simulated ? crew_workers(MOST_WORKERS) : 1;
}

int claims_test(struct claims *claims)
{
    struct crew crew = {.tasks = claims->count,
                        .workers = workers(claims->device),
                        .work = test,
                        .tell = tell,
                        .context = claims};
    course_version(claims->course); /* remembered: workers need not each hash our programs */
    bool finished = crew_run(&crew);
    terminal_progress(NULL);
    free(claims->list);
    if (!finished)
        return INTERRUPTED;
    fprintf(claims->terminal->out, "%s: %zu of %zu claims hold, seed 0x%llx\n",
            claims->failed ? "FAIL" : "PASS", claims->count - claims->failed, claims->count,
            (unsigned long long)claims->seed);
    return claims->failed ? 1 : 0;
}
