/* mutants.c - checks a lesson's mutants, and keeps each result as soon as it is there. */
#include "check/mutants.h"

#include "check/check.h"
#include "lib/crew.h"
#include "lib/process.h"
#include "check/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTERRUPTED = 130, MOST_WORKERS = 64, SAME_CODE_MS = 300000, MOST_OUTPUT_BYTES = 1 << 16 };

/* --- One mutant ------------------------------------------------------------------------------- */

static struct path result_file(const struct mutants *mutants, const struct mutant *mutant)
{
    return path_of("%s/results/%s.json", mutants->folder.text, mutant->key);
}

/* The source stays where it can be read if it survives. */
static struct path source_file(const struct mutants *mutants, const struct mutant *mutant)
{
    return path_of("%s/%.16s.cu", mutants->folder.text, mutant->key);
}

static json_t *check_mutant(const struct mutants *mutants, const struct mutant *mutant)
{
    struct path path = source_file(mutants, mutant);
    struct check_request request = {.course = mutants->request->course,
                                    .lesson = mutants->lesson.key,
                                    .submission = path.text,
                                    .device = DEVICE_SIM,
                                    .seed = mutants->request->seed,
                                    .threads = mutants->threads};
    if (!file_write(path.text, mutant->source, strlen(mutant->source)))
        return NULL;
    json_t *record = check_run(&request);
    if (record && record_verdict(record) != VERDICT_PASS)
        unlink(path.text);
    return record;
}

/* Done only for mutants that pass: it takes four calls of the compiler. */
static bool has_same_code(const struct mutants *mutants, const struct mutant *mutant)
{
    const struct course *course = mutants->request->course;
    struct path program = path_of("%s/grader/mutants/same_code.sh", course->root.text);
    struct path source = source_file(mutants, mutant);
    struct path common = path_of("%s/common", course->root.text);
    const char *words[] = {program.text, mutant->original, source.text, common.text, NULL};
    struct process_job job = {.spec = {.argv = words},
                              .deadline_ms = SAME_CODE_MS,
                              .most_output_bytes = MOST_OUTPUT_BYTES};
    struct process_result result;
    process_run(&job, &result);
    bool same = result.started && !result.timed_out && result.status == 0;
    process_result_free(&result);
    return same;
}

/* In a worker. A result of an earlier run is used; a verdict that says nothing is not kept. */
static bool judge_one(void *context, size_t task, struct crew_outcome *outcome)
{
    const struct mutants *mutants = context;
    const struct mutant *mutant = &mutants->list[task];
    struct path kept = result_file(mutants, mutant);
    if (file_exists(kept.text))
        return outcome->holds = true;
    json_t *record = check_mutant(mutants, mutant);
    if (!record)
        return !process_interrupted(); /* or the disk is full: the next one will say so, too */
    bool same = record_verdict(record) == VERDICT_PASS && has_same_code(mutants, mutant);
    if (process_interrupted()) {
        json_decref(record);
        return false;
    }
    json_t *result =
        json_pack("{s:s, s:s, s:b, s:s, s:O}", "verdict", verdict_name(record_verdict(record)),
                  "reason", record_text(record, "reason"), "same_code", same, "entry",
                  mutant->entry, "mutation", mutant->mutation);
    bool again = verdict_points(record_verdict(record)) == POINTS_AGAIN;
    outcome->holds = !again && record_write(result, kept.text);
    snprintf(outcome->reason, sizeof outcome->reason, "%s", record_text(record, "reason"));
    json_decref(result);
    json_decref(record);
    return true;
}

void mutants_decide(const struct mutants *mutants, struct mutant *mutant)
{
    const json_t *equivalent =
        mutants_equivalent(mutants->equivalents, mutant->entry, mutant->mutation);
    mutant->why = equivalent          ? record_text(equivalent, "why")
                  : mutant->same_code ? "It compiles to the same code as the entry."
                                      : NULL;
    if (verdict_points(mutant->verdict) == POINTS_AGAIN || mutant->verdict == VERDICT_NOT_SIMULATED)
        mutant->fate = MUTANT_NOT_JUDGED;
    else if (mutant->verdict == VERDICT_BUILD || mutant->verdict == VERDICT_COMPILER_LIMIT ||
             mutant->verdict == VERDICT_NO_LAUNCHER)
        mutant->fate = MUTANT_STILLBORN;
    else if (mutant->verdict != VERDICT_PASS)
        mutant->fate = MUTANT_CAUGHT;
    else
        mutant->fate = mutant->why ? MUTANT_EQUIVALENT : MUTANT_SURVIVOR;
}

static void take_result(void *context, size_t task, const struct crew_outcome *outcome)
{
    static const char *const FATES[MUTANT_FATES] = {"stillborn", "caught", "equivalent", "SURVIVES",
                                                    "not judged"};
    struct mutants *mutants = context;
    struct mutant *mutant = &mutants->list[task];
    json_t *result =
        outcome->holds ? json_load_file(result_file(mutants, mutant).text, 0, NULL) : NULL;
    mutant->verdict = result ? record_verdict(result) : VERDICT_INTERNAL;
    snprintf(mutant->reason, sizeof mutant->reason, "%s",
             result ? record_text(result, "reason") : outcome->reason);
    mutant->same_code = json_is_true(json_object_get(result, "same_code"));
    json_decref(result);
    mutants_decide(mutants, mutant);
    fprintf(mutants->terminal->out, "  %4zu of %zu  %-10s %-16s %s:%d:%d  %s\n", task + 1,
            mutants->count, FATES[mutant->fate], verdict_name(mutant->verdict), mutant->entry,
            record_integer(mutant->mutation, "at"), record_integer(mutant->mutation, "column"),
            record_text(mutant->mutation, "kind"));
    fflush(mutants->terminal->out);
}

/* --- The command ------------------------------------------------------------------------------ */

static int judge_all(struct mutants *mutants)
{
    FILE *out = mutants->terminal->out;
    size_t workers = crew_workers(MOST_WORKERS);
    mutants->threads = crew_share(workers);
    fprintf(out, "lesson %d: %zu mutants of the right entries", mutants->lesson.number,
            mutants->all);
    if (mutants->count < mutants->all)
        fprintf(out, ", %zu of them drawn", mutants->count);
    fprintf(out, ", seed 0x%llx\n", (unsigned long long)mutants->request->seed);
    struct crew crew = {.tasks = mutants->count,
                        .workers = workers,
                        .work = judge_one,
                        .tell = take_result,
                        .context = mutants};
    if (crew_run(&crew))
        return mutants_conclude(mutants);
    fprintf(out, "interrupted: what was judged is kept in %s, and the same command resumes there\n",
            mutants->folder.text);
    return INTERRUPTED;
}

int mutants(const struct mutants_request *request, const struct terminal *terminal)
{
    struct mutants mutants = {.request = request, .terminal = terminal};
    char reason[PATH_MAX + 600];
    int status = verdict_exit_code(VERDICT_REFUSED);
    bool known =
        course_lesson(request->course, request->lesson, &mutants.lesson, reason, sizeof reason);
    if (known)
        mutants.folder = path_of("%s/mutants/%s", request->course->build.text, mutants.lesson.key);
    if (!known || !mutants_list(&mutants, reason, sizeof reason))
        fprintf(terminal->out, "%s\n", reason);
    else if (!folder_make(path_of("%s/results", mutants.folder.text).text))
        fprintf(terminal->out, "%s: %s\n", mutants.folder.text, strerror(errno));
    else
        status = judge_all(&mutants);
    mutants_free(&mutants);
    return status;
}
