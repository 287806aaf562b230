/* verify.c - is every lesson complete, and does every known mistake get its verdict?
 *
 * A lesson has: an exercise, a solution, a contract, notes, a judge with three hints, the shipped
 * exercise for `make reset-lessonN`, and, unless it passes as shipped, a corpus of wrong and slow
 * submissions. Claims about verdicts are tested by checking like any other submission (claims.c).
 */
#include "check/verify.h"

#include "check/calibration.h"
#include "check/claims.h"
#include "check/clauses.h"
#include "check/corpus.h"
#include "check/entry_files.h"
#include "lib/hash.h"
#include "check/record.h"
#include "check/regions.h"
#include "check/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINTS = 3, MOST_TABLE_BYTES = 1 << 20 };

/* --- Parts ------------------------------------------------------------------------------------ */

/* False when a file is missing; every missing file is named. */
static bool claim_parts(struct claims *claims, const struct lesson *lesson)
{
    const char *key = lesson->key, *root = claims->course->root.text;
    const struct path parts[] = {
        path_of("common/contracts/%s.h", key),
        path_of("grader/judges/%s/exercise.cu", key),
        path_of("exercises/%s/%s.cu", key, lesson->slug),
        path_of("solutions/%s/%s.cu", key, lesson->slug),
        path_of("lessons/%s/notes.md", key),
    };
    char missing[1000] = "missing:";
    size_t none = strlen(missing), used = none;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!file_exists(path_of("%s/%s", root, parts[i].text).text) && used < sizeof missing)
            used += (size_t)snprintf(missing + used, sizeof missing - used, " %s", parts[i].text);
    claim_known(claims, lesson, "has all its parts", used == none, missing);
    return used == none;
}

/* A judge without clauses fails as well: then nothing quotes the contract's words. */
static void claim_clauses(struct claims *claims, const struct lesson *lesson)
{
    char reason[300] = "the contract cannot be read";
    const json_t *contract = json_object_get(lesson->judge, "contract");
    size_t count = json_array_size(json_object_get(contract, "clauses"));
    struct path path = path_of("%s/common/contracts/%s.h", claims->course->root.text, lesson->key);
    char *header = file_read(path.text, MOST_TABLE_BYTES, NULL);
    bool holds = header && clauses_hold(contract, header, reason, sizeof reason);
    claim_known(claims, lesson,
                path_of("each of the contract's %zu clauses is asked for", count).text, holds,
                reason);
    free(header);
}

static void claim_hints(struct claims *claims, const struct lesson *lesson)
{
    size_t hints = json_array_size(json_object_get(lesson->judge, "hints"));
    claim_known(claims, lesson, "has three hints", hints == HINTS,
                path_of("it has %zu", hints).text);
}

static void claim_regions(struct claims *claims, const struct lesson *lesson)
{
    char reason[PATH_MAX + 200];
    struct path shipped = path_of("%s/exercise.cu", lesson->judge_folder.text);
    struct source exercise, solution = {.text = NULL}, kept = {.text = NULL};
    bool read = source_read(lesson->exercise.text, false, &exercise, reason, sizeof reason) &&
                source_read(lesson->solution.text, false, &solution, reason, sizeof reason) &&
                source_read(shipped.text, false, &kept, reason, sizeof reason);
    bool agree = read && regions_agree(kept.text, solution.text, reason, sizeof reason);
    claim_known(claims, lesson, "exercise and solution agree outside the regions", agree, reason);
    claim_known(claims, lesson, "the exercise is as it was shipped",
                read && strcmp(exercise.text, kept.text) == 0,
                path_of("it differs from the judge's exercise.cu: make reset-lesson%d puts it back",
                        lesson->number)
                    .text);
    source_free(&exercise);
    source_free(&solution);
    source_free(&kept);
}

/* Once there are measured times (calibrate.sh), the bar must be where they require it. */
static void claim_calibration(struct claims *claims, const struct lesson *lesson)
{
    char reason[300] = "";
    struct path path = path_of("%s/calibration.csv", lesson->judge_folder.text);
    double bar = record_real(lesson->judge, "utilization_bar");
    char *table = file_read(path.text, MOST_TABLE_BYTES, NULL);
    if (table)
        claim_known(claims, lesson, "the bar is between slow and right answers, as measured",
                    calibration_holds(table, bar, reason, sizeof reason), reason);
    free(table);
}

/* --- Verdicts --------------------------------------------------------------------------------- */

static void claim_shipped(struct claims *claims, const struct lesson *lesson, const char *path)
{
    char reason[300];
    struct expectation expectation = {.verdict = VERDICT_PASS};
    const char *words = record_text(lesson->judge, "as_shipped");
    bool passes = json_is_true(json_object_get(lesson->judge, "passes_as_shipped"));
    if (!passes && !*words)
        claim_fails(claims, lesson, "the exercise compiles and fails", path);
    else if (*words && !expectation_parse(words, &expectation, reason, sizeof reason))
        claim_known(claims, lesson, "says what the exercise gets", false, reason);
    else
        claim_expected(claims, lesson,
                       passes ? "the exercise passes as shipped"
                              : "the exercise gets what it is designed to get",
                       path, &expectation);
}

/* --- Corpus ----------------------------------------------------------------------------------- */

static void claim_entry(struct claims *claims, const struct entry_file *file, bool run)
{
    char reason[2 * PATH_MAX];
    struct path path, shown = path_of("%s/%s", file->folder, file->name);
    struct expectation expectation;
    if (!entry_file_read(file, &path, &expectation, reason, sizeof reason))
        claim_known(claims, file->lesson, shown.text, false, reason);
    else if (run)
        claim_expected(claims, file->lesson, shown.text, path.text, &expectation);
}

struct draw {
    char lot[HASH_TEXT]; /* the smallest are drawn, as with mutants (mutants_list.c) */
    bool is_drawn;
};

/* Which of count entries are judged: all, or a sample. Tricks are few, and always judged. */
static void draw_entries(const struct claims *claims, const char *corpus, char *const *names,
                         int count, struct draw *draws)
{
    char seed[32];
    bool is_trick = strcmp(corpus, "cheat") == 0;
    snprintf(seed, sizeof seed, "%llx", (unsigned long long)claims->seed);
    for (int i = 0; i < count; i++)
        hash_two(seed, names[i], draws[i].lot);
    for (int i = 0; i < count; i++) {
        size_t before = 0;
        for (int j = 0; j < count; j++)
            before += strcmp(draws[j].lot, draws[i].lot) < 0;
        draws[i].is_drawn = !claims->sample || is_trick || before < claims->sample;
    }
}

/* Claims each entry's header, shown only if it is not sound, and, when run, its verdict. Returns
 * how many entries there are. */
static unsigned claim_corpus(struct claims *claims, const struct lesson *lesson, const char *corpus,
                             bool run)
{
    char **names;
    int count = entry_files_list(lesson, corpus, &names);
    struct draw *draws = run && count > 0 ? calloc((size_t)count, sizeof *draws) : NULL;
    if (draws)
        draw_entries(claims, corpus, names, count, draws);
    for (int i = 0; i < count; i++) {
        struct entry_file file = {claims->course, lesson, corpus, names[i]};
        claim_entry(claims, &file, run && (!draws || draws[i].is_drawn));
        free(names[i]);
    }
    free(draws);
    if (count >= 0)
        free(names);
    return count < 0 ? 0 : (unsigned)count;
}

/* --- Both commands ---------------------------------------------------------------------------- */

static void course_claims(struct claims *claims, const struct lesson *lesson)
{
    struct expectation pass = {.verdict = VERDICT_PASS};
    const char *solution = lesson->solution.text;
    unsigned entries = 0;
    claim_hints(claims, lesson);
    if (!claim_parts(claims, lesson))
        return; /* the other claims would only repeat that */
    claim_regions(claims, lesson);
    claim_clauses(claims, lesson);
    claim_calibration(claims, lesson);
    for (size_t i = 0; i < CORPUS_FOLDERS; i++) {
        unsigned count = claim_corpus(claims, lesson, corpus_folder[i], false);
        entries += strcmp(corpus_folder[i], "right") == 0 ? 0 : count;
    }
    if (!json_is_true(json_object_get(lesson->judge, "passes_as_shipped")))
        claim_known(claims, lesson, path_of("has a corpus of %u known mistakes", entries).text,
                    entries > 0, "there is none");
    claim_shipped(claims, lesson, path_of("%s/exercise.cu", lesson->judge_folder.text).text);
    claim_expected(claims, lesson, "the solution passes", solution, &pass);
    claim_zeros_fail(claims, lesson, "an output of zeros is wrong", solution);
}

static void corpus_claims(struct claims *claims, const struct lesson *lesson)
{
    for (size_t i = 0; i < CORPUS_FOLDERS; i++)
        claim_corpus(claims, lesson, corpus_folder[i], true);
}

static void exercise_claims(struct claims *claims, const struct lesson *lesson)
{
    claim_shipped(claims, lesson, lesson->exercise.text);
}

static int verify(const struct verify_request *request, const struct terminal *terminal,
                  void (*list)(struct claims *, const struct lesson *))
{
    const struct course *course = request->course;
    struct claims claims = {.course = course,
                            .terminal = terminal,
                            .device = request->device,
                            .seed = check_seed(request->seed),
                            .sample = request->sample};
    char reason[300];
    struct lesson lesson;
    if (request->lesson &&
        !course_lesson(course, request->lesson, &lesson, reason, sizeof reason)) {
        fprintf(terminal->out, "%s\n", reason);
        return verdict_exit_code(VERDICT_REFUSED);
    }
    if (request->lesson)
        list(&claims, &lesson);
    for (size_t i = 0; !request->lesson && i < course_lesson_count(course); i++) {
        course_lesson_at(course, i, &lesson);
        list(&claims, &lesson);
    }
    return claims_test(&claims);
}

int verify_course(const struct verify_request *request, const struct terminal *terminal)
{
    return verify(request, terminal, course_claims);
}

int verify_corpus(const struct verify_request *request, const struct terminal *terminal)
{
    return verify(request, terminal, corpus_claims);
}

int verify_exercises(const struct verify_request *request, const struct terminal *terminal)
{
    return verify(request, terminal, exercise_claims);
}
