/* verify.c - is every lesson whole, and does every known mistake get what it should?
 *
 * A lesson has: an exercise, a solution, a contract, notes, a judge with three hints, the shipped
 * exercise for `make reset-lessonN`, and, unless it passes as shipped, a corpus of wrong and slow
 * submissions. Claims about verdicts are tested by checking like any other submission.
 */
#include "check/verify.h"

#include "check/corpus.h"
#include "check/record.h"
#include "check/regions.h"
#include "check/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTERRUPTED = 130, HINTS = 3 };

struct verifying {
    const struct course *course;
    const struct terminal *terminal;
    enum device_choice device;
    unsigned claims, failed;
    bool interrupted;
};

static void claim(struct verifying *verifying, bool holds, const char *lesson, const char *what,
                  const char *reason)
{
    verifying->claims++;
    verifying->failed += !holds;
    terminal_progress(NULL);
    terminal_print(verifying->terminal, holds ? STYLE_GOOD : STYLE_BAD, "  %-5s",
                   holds ? "ok" : "FAIL");
    fprintf(verifying->terminal->out, "%-16s %s%s%s\n", lesson, what, holds ? "" : ": ",
            holds ? "" : reason);
    fflush(verifying->terminal->out);
}

/* NULL when interrupted. */
static json_t *check(struct verifying *verifying, const struct lesson *lesson, const char *path,
                     bool pretend_zeros)
{
    struct check_request request = {.course = verifying->course,
                                    .lesson = lesson->key,
                                    .submission = path,
                                    .device = pretend_zeros ? DEVICE_SIM : verifying->device,
                                    .pretend_zeros = pretend_zeros,
                                    .progress = terminal_progress};
    json_t *record = check_run(&request);
    verifying->interrupted |= record == NULL;
    return record;
}

static void claim_expected(struct verifying *verifying, const struct lesson *lesson,
                           const char *what, const char *path,
                           const struct expectation *expectation)
{
    char reason[600];
    json_t *record = check(verifying, lesson, path, false);
    if (record)
        claim(verifying, expectation_met(expectation, record, reason, sizeof reason), lesson->key,
              what, reason);
    json_decref(record);
}

/* --- Parts ------------------------------------------------------------------------------------ */

static void claim_parts(struct verifying *verifying, const struct lesson *lesson)
{
    const char *root = verifying->course->root.text;
    const struct path parts[] = {
        lesson->exercise,
        lesson->solution,
        path_of("%s/common/contracts/%s.h", root, lesson->key),
        path_of("%s/lessons/%s/notes.md", root, lesson->key),
        path_of("%s/exercise.cu", lesson->judge_folder.text),
    };
    char missing[PATH_MAX + 40] = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !*missing; i++)
        if (!file_exists(parts[i].text))
            snprintf(missing, sizeof missing, "%s is missing", parts[i].text);
    claim(verifying, !*missing, lesson->key, "has all its parts", missing);
    size_t hints = json_array_size(json_object_get(lesson->judge, "hints"));
    claim(verifying, hints == HINTS, lesson->key, "has three hints", "it has another number");
}

static void claim_regions(struct verifying *verifying, const struct lesson *lesson)
{
    char reason[PATH_MAX + 200];
    struct path shipped = path_of("%s/exercise.cu", lesson->judge_folder.text);
    struct source exercise, solution = {.text = NULL}, kept = {.text = NULL};
    bool read = source_read(lesson->exercise.text, false, &exercise, reason, sizeof reason) &&
                source_read(lesson->solution.text, false, &solution, reason, sizeof reason) &&
                source_read(shipped.text, false, &kept, reason, sizeof reason);
    claim(verifying,
          read && regions_agree(kept.text, solution.text, reason, sizeof reason), lesson->key,
          "exercise and solution agree outside the regions", reason);
    claim(verifying, read && strcmp(exercise.text, kept.text) == 0, lesson->key,
          "the exercise is as it was shipped",
          "exercises/ and the judge's exercise.cu differ: `make reset-lesson` puts it back");
    source_free(&exercise);
    source_free(&solution);
    source_free(&kept);
}

/* --- Verdicts --------------------------------------------------------------------------------- */

static void claim_shipped(struct verifying *verifying, const struct lesson *lesson,
                          const char *path)
{
    char reason[300];
    struct expectation expectation = {.verdict = VERDICT_PASS};
    const char *words = record_text(lesson->judge, "as_shipped");
    bool passes = json_is_true(json_object_get(lesson->judge, "passes_as_shipped"));
    if (passes || *words) {
        if (*words && !expectation_parse(words, &expectation, reason, sizeof reason))
            claim(verifying, false, lesson->key, "says what the exercise gets", reason);
        else
            claim_expected(verifying, lesson,
                           passes ? "the exercise passes as shipped"
                                  : "the exercise gets what it is designed to get",
                           path, &expectation);
        return;
    }
    json_t *record = check(verifying, lesson, path, false);
    enum verdict verdict = record_verdict(record);
    if (record)
        claim(verifying, verdict != VERDICT_PASS && verdict != VERDICT_BUILD &&
                             verdict_points(verdict) != POINTS_AGAIN,
              lesson->key, "the exercise compiles and fails", verdict_name(verdict));
    json_decref(record);
}

static void claim_zeros_fail(struct verifying *verifying, const struct lesson *lesson)
{
    json_t *record = check(verifying, lesson, lesson->solution.text, true);
    const json_t *gate = record_gate(record, "numerics");
    if (record)
        claim(verifying, gate && record_verdict(gate) == VERDICT_WRONG, lesson->key,
              "an output of zeros is wrong",
              gate ? record_text(gate, "reason") : record_text(record, "reason"));
    json_decref(record);
}

/* --- Corpus ----------------------------------------------------------------------------------- */

static const char *const CORPORA[] = {"wrong", "slow", "cheat"};
enum { CORPUS_COUNT = sizeof CORPORA / sizeof *CORPORA };

static void claim_entry(struct verifying *verifying, const struct lesson *lesson,
                        const char *corpus, const char *name, bool run)
{
    char reason[PATH_MAX + 200];
    struct path path = path_of("%s/%s/%s", lesson->judge_folder.text, corpus, name);
    struct path shown = path_of("%s/%s", corpus, name);
    struct source source;
    struct expectation expectation;
    bool sound = source_read(path.text, false, &source, reason, sizeof reason) &&
                 expectation_of_source(source.text, &expectation, reason, sizeof reason);
    if (!sound)
        claim(verifying, false, lesson->key, shown.text, reason);
    else if (run)
        claim_expected(verifying, lesson, shown.text, path.text, &expectation);
    source_free(&source);
}

/* Each entry's header, told only when it is not sound; and, when run, its verdict. Returns how
 * many entries there are. */
static unsigned claim_corpus(struct verifying *verifying, const struct lesson *lesson,
                             const char *corpus, bool run)
{
    char **names;
    struct path folder = path_of("%s/%s", lesson->judge_folder.text, corpus);
    int count = folder_list(folder.text, ".cu", &names);
    for (int i = 0; i < count; i++) {
        if (!verifying->interrupted)
            claim_entry(verifying, lesson, corpus, names[i], run);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return count < 0 ? 0 : (unsigned)count;
}

/* --- Both commands ---------------------------------------------------------------------------- */

static void course_claims(struct verifying *verifying, const struct lesson *lesson)
{
    struct expectation pass = {.verdict = VERDICT_PASS};
    unsigned entries = 0;
    claim_parts(verifying, lesson);
    claim_regions(verifying, lesson);
    for (size_t i = 0; i < CORPUS_COUNT; i++)
        entries += claim_corpus(verifying, lesson, CORPORA[i], false);
    if (!json_is_true(json_object_get(lesson->judge, "passes_as_shipped")))
        claim(verifying, entries > 0, lesson->key,
              path_of("has a corpus of %u known mistakes", entries).text, "");
    claim_shipped(verifying, lesson, path_of("%s/exercise.cu", lesson->judge_folder.text).text);
    if (!verifying->interrupted)
        claim_expected(verifying, lesson, "the solution passes", lesson->solution.text, &pass);
    if (!verifying->interrupted)
        claim_zeros_fail(verifying, lesson);
}

static void corpus_claims(struct verifying *verifying, const struct lesson *lesson)
{
    for (size_t i = 0; i < CORPUS_COUNT; i++)
        claim_corpus(verifying, lesson, CORPORA[i], true);
}

static void exercise_claims(struct verifying *verifying, const struct lesson *lesson)
{
    claim_shipped(verifying, lesson, lesson->exercise.text);
}

static int verify(const struct course *course, const char *name, enum device_choice device,
                  const struct terminal *terminal,
                  void (*claims)(struct verifying *, const struct lesson *))
{
    struct verifying verifying = {.course = course, .terminal = terminal, .device = device};
    char reason[300];
    struct lesson lesson;
    if (name && !course_lesson(course, name, &lesson, reason, sizeof reason)) {
        fprintf(terminal->out, "%s\n", reason);
        return verdict_exit_code(VERDICT_REFUSED);
    }
    for (size_t i = 0; i < course_lesson_count(course) && !verifying.interrupted; i++) {
        if (!name)
            course_lesson_at(course, i, &lesson);
        claims(&verifying, &lesson);
        if (name)
            break;
    }
    terminal_progress(NULL);
    if (verifying.interrupted)
        return INTERRUPTED;
    fprintf(terminal->out, "%s: %u of %u claims hold\n", verifying.failed ? "FAIL" : "PASS",
            verifying.claims - verifying.failed, verifying.claims);
    return verifying.failed ? 1 : 0;
}

int verify_course(const struct course *course, const char *lesson, enum device_choice device,
                  const struct terminal *terminal)
{
    return verify(course, lesson, device, terminal, course_claims);
}

int verify_corpus(const struct course *course, const char *lesson, enum device_choice device,
                  const struct terminal *terminal)
{
    return verify(course, lesson, device, terminal, corpus_claims);
}

int verify_exercises(const struct course *course, const char *lesson, enum device_choice device,
                     const struct terminal *terminal)
{
    return verify(course, lesson, device, terminal, exercise_claims);
}
