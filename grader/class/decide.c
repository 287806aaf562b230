/* decide.c - an instructor's commands on one mark: override, regrade, reproduce. */
#include "class/grade.h"

#include "check/record.h"
#include "class/book_sql.h"
#include "class/derived.h"
#include "class/enter.h"
#include "lib/process.h"
#include "runner/sandbox.h"

#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTERRUPTED = 130, MOST_POINTS = 1000000 };

static const char NO_SANDBOX[] =
    "nothing is judged, since no sandbox works here: `make doctor` says what is in the way";
static const char NOT_JUDGED[] = "it could not be judged: is the disk full?";

static const char *user_name(void)
{
    const struct passwd *user = getpwuid(getuid());
    return user && *user->pw_name ? user->pw_name : "somebody";
}

struct book *grade_open_book(const struct mark_request *request, char *reason, size_t bytes)
{
    if (!request->out || !*request->out ||
        !file_exists(path_of("%s/gradebook.sqlite", request->out).text)) {
        snprintf(reason, bytes,
                 "%s: there is no gradebook in this folder (OUT=folder of `make "
                 "grade`)",
                 request->out ? request->out : "");
        return NULL;
    }
    return book_open(request->out, reason, bytes);
}

/* Marks, and what is derived from them, after a change. */
static bool write_anew(struct book *book, const struct mark_request *request, char *reason,
                       size_t bytes)
{
    struct marks marks;
    if (!derived_marks(book, request->course, request->out, &marks, reason, bytes))
        return false;
    bool written = derived_write(&marks, request->out, reason, bytes);
    marks_free(&marks);
    return written;
}

/* The student as the gradebook spells the id; another case will do where it fits only one. */
static bool find_student(struct book *book, const char *asked, char *id, size_t bytes)
{
    sqlite3_stmt *row = book_prepare(
        book, "SELECT id, id = ?1 FROM student WHERE id = ?1 COLLATE NOCASE ORDER BY 2 DESC",
        &asked, 1);
    size_t count = 0;
    bool exact = false;
    while (row && !exact && sqlite3_step(row) == SQLITE_ROW) {
        exact = sqlite3_column_int(row, 1) != 0;
        if (count++ == 0)
            snprintf(id, bytes, "%s", database_text(row, 0));
    }
    sqlite3_finalize(row);
    return exact || count == 1;
}

/* --- Override --------------------------------------------------------------------------------- */

static bool read_points(const char *text, double *points)
{
    char *end;
    *points = NAN;
    if (!text || strcmp(text, "none") == 0)
        return text != NULL;
    *points = strtod(text, &end);
    return strspn(text, "0123456789.") == strlen(text) && *text && !*end && *points <= MOST_POINTS;
}

/* NULL, or what is missing. */
static const char *wrong_with(const struct mark_request *request, double *points)
{
    if (!request->student || !*request->student)
        return "an override needs a student: STUDENT=id";
    if (!read_points(request->points, points))
        return "an override needs points: POINTS=number, at most 1000000, or POINTS=none to take "
               "earlier ones back";
    if (!request->reason || !request->reason[strspn(request->reason, " \t\n")])
        return "an override needs a reason, which stays with the mark: REASON=\"...\"";
    if (!request->lesson || !*request->lesson)
        return "an override needs a lesson: LESSON=n";
    return NULL;
}

int grade_override(const struct mark_request *request, const struct terminal *terminal)
{
    double points;
    char reason[PATH_MAX + 400], id[512];
    struct lesson lesson;
    const char *wrong = wrong_with(request, &points);
    if (wrong)
        return grade_refuse(terminal, wrong);
    if (!course_lesson(request->course, request->lesson, &lesson, reason, sizeof reason))
        return grade_refuse(terminal, reason);
    struct book *book = grade_open_book(request, reason, sizeof reason);
    if (!book)
        return grade_refuse(terminal, reason);
    int status = 0;
    if (!find_student(book, request->student, id, sizeof id))
        status = grade_refuse(
            terminal, path_of("%s: the gradebook knows no such student", request->student).text);
    else if (!book_decide(book, id, lesson.key, points, request->reason, user_name()))
        status = grade_refuse(terminal, book_reason(book));
    else if (!write_anew(book, request, reason, sizeof reason))
        status = grade_refuse(terminal, reason);
    else
        fprintf(terminal->out,
                "%s, lesson %d: %s points by decision; what the grader said stays "
                "in the gradebook\n",
                id, lesson.number, isfinite(points) ? request->points : "no");
    book_close(book);
    return status;
}

/* --- Judging once more ------------------------------------------------------------------------ */

struct kept { /* an attempt of the book, with its source */
    long number;
    char student[512], lesson[64], file[PATH_MAX], key[HASH_TEXT];
    struct source source;
    json_t *record;
};

static void kept_free(struct kept *kept)
{
    source_free(&kept->source);
    json_decref(kept->record);
}

/* The text whose hash the sealed record has. */
static bool read_text(struct book *book, struct kept *kept, char *reason, size_t bytes)
{
    const char *sha256 = record_text(json_object_get(kept->record, "submission"), "sha256");
    snprintf(kept->source.sha256, sizeof kept->source.sha256, "%s", sha256);
    kept->source.text = book_source(book, sha256, &kept->source.bytes);
    if (kept->source.text)
        return true;
    snprintf(reason, bytes, "%s",
             *sha256 ? "the gradebook has lost the text of this file, or it was changed"
                     : "nothing was judged of this file, so there is nothing to judge again");
    return false;
}

static bool read_kept(struct book *book, sqlite3_stmt *row, struct kept *kept, char *reason,
                      size_t bytes)
{
    if (!book_row_is_sealed(book, row)) {
        snprintf(reason, bytes,
                 "this attempt was changed after it was judged, and is not believed");
        return false;
    }
    snprintf(kept->student, sizeof kept->student, "%s", database_text(row, 0));
    snprintf(kept->lesson, sizeof kept->lesson, "%s", database_text(row, 1));
    snprintf(kept->file, sizeof kept->file, "%s", database_text(row, 2));
    snprintf(kept->key, sizeof kept->key, "%s", database_text(row, 3));
    kept->record = json_loads(database_text(row, 4), 0, NULL);
    kept->number = (long)sqlite3_column_int64(row, 6);
    return read_text(book, kept, reason, bytes);
}

static bool find_kept(struct book *book, const char *where, const char *const *texts, int count,
                      struct kept *kept, char *reason, size_t bytes)
{
    struct path sql = path_of("SELECT " BOOK_SEALED ", number FROM attempt "
                              "WHERE %s AND final ORDER BY number DESC LIMIT 1",
                              where);
    sqlite3_stmt *row = book_prepare(book, sql.text, texts, count);
    bool good = row && sqlite3_step(row) == SQLITE_ROW;
    memset(kept, 0, sizeof *kept);
    snprintf(reason, bytes, "there is no such judgement in the gradebook");
    good = good && read_kept(book, row, kept, reason, bytes);
    sqlite3_finalize(row);
    return good;
}

/* Judges the kept source in a folder beside the book. NULL when it cannot. */
static json_t *judge_kept(struct book *book, const struct mark_request *request,
                          const struct kept *kept, uint64_t seed, enum device_choice device)
{
    struct task_settings settings = {.course = request->course,
                                     .out = request->out,
                                     .key = book_key(book),
                                     .device = device,
                                     .seed = seed};
    struct task task = {.lesson = kept->lesson};
    bool written = false;
    snprintf(task.key, sizeof task.key, "again-%ld", kept->number);
    task.file = enter_copy(&settings, task.key);
    bool good = folder_make(path_of("%s/judged", request->out).text) &&
                file_write(task.file.text, kept->source.text, kept->source.bytes) &&
                task_judge(&settings, &task, &written);
    json_t *record = good && written ? task_record(&settings, task.key) : NULL;
    enter_tidy(&settings, task.key);
    return record;
}

static int enter_again(struct book *book, const struct mark_request *request,
                       const struct kept *kept, const json_t *record,
                       const struct terminal *terminal)
{
    char reason[PATH_MAX + 400];
    struct hand_in_note note = {
        .student = kept->student, .lesson = kept->lesson, .file = kept->file, .key = kept->key};
    if (!book_add_attempt(book, &note, &kept->source, record))
        return grade_refuse(terminal, book_reason(book));
    if (!write_anew(book, request, reason, sizeof reason))
        return grade_refuse(terminal, reason);
    fprintf(terminal->out,
            "%s, lesson %d: %s, before it %s; both stay in the gradebook, and the "
            "new one counts\n",
            kept->student, record_integer(record, "number"), record_text(record, "verdict"),
            record_text(kept->record, "verdict"));
    return 0;
}

/* Of the file that the student handed in last; of one that is not in the gradebook any more, its
 * latest judgement. */
static bool find_current(struct book *book, const struct mark_request *request, const char *lesson,
                         struct kept *kept, char *reason, size_t bytes)
{
    char id[512], key[HASH_TEXT];
    memset(kept, 0, sizeof *kept);
    if (!find_student(book, request->student, id, sizeof id)) {
        snprintf(reason, bytes, "%s: the gradebook knows no such student", request->student);
        return false;
    }
    if (!book_hand_in_key(book, id, lesson, key)) {
        snprintf(reason, bytes, "%s", book_reason(book));
        return false;
    }
    const char *const texts[] = {id, lesson, key};
    return find_kept(book, "student = ?1 AND lesson = ?2 AND (?3 = '' OR key = ?3)", texts, 3, kept,
                     reason, bytes);
}

static enum device_choice device_of(const struct kept *kept)
{
    const json_t *device = json_object_get(kept->record, "device");
    return json_is_true(json_object_get(device, "simulated")) ? DEVICE_SIM : DEVICE_GPU;
}

static int judge_again(struct book *book, const struct mark_request *request,
                       const struct kept *kept, const struct terminal *terminal)
{
    json_t *record = judge_kept(book, request, kept, 0, device_of(kept));
    int status = record                  ? enter_again(book, request, kept, record, terminal)
                 : process_interrupted() ? INTERRUPTED
                                         : grade_refuse(terminal, NOT_JUDGED);
    json_decref(record);
    return status;
}

int grade_again(const struct mark_request *request, const struct terminal *terminal)
{
    char reason[PATH_MAX + 400];
    struct lesson lesson;
    struct kept kept;
    if (sandbox_find() == SANDBOX_NONE)
        return grade_refuse(terminal, NO_SANDBOX);
    if (!request->student || !*request->student || !request->lesson || !*request->lesson)
        return grade_refuse(terminal, "a regrade needs STUDENT=id and LESSON=n");
    if (!course_lesson(request->course, request->lesson, &lesson, reason, sizeof reason))
        return grade_refuse(terminal, reason);
    struct book *book = grade_open_book(request, reason, sizeof reason);
    if (!book)
        return grade_refuse(terminal, reason);
    bool found = find_current(book, request, lesson.key, &kept, reason, sizeof reason);
    int status =
        found ? judge_again(book, request, &kept, terminal) : grade_refuse(terminal, reason);
    kept_free(&kept);
    book_close(book);
    return status;
}

/* --- Reproduce -------------------------------------------------------------------------------- */

static bool same_text(const struct terminal *terminal, const json_t *then, const json_t *now,
                      const char *what, const char *key)
{
    bool same = strcmp(record_text(then, key), record_text(now, key)) == 0;
    fprintf(terminal->out, "  %-8s %-40.40s %s\n", what, record_text(now, key),
            same ? "the same" : record_text(then, key));
    return same;
}

static int compare(const struct terminal *terminal, const struct kept *kept, const json_t *now)
{
    fprintf(terminal->out, "attempt %ld, %s, %s: judged again with seed %s\n", kept->number,
            kept->student, kept->lesson, record_text(now, "seed"));
    bool same = same_text(terminal, kept->record, now, "verdict", "verdict");
    same &= same_text(terminal, kept->record, now, "gate", "failed_gate");
    fputs(same ? "reproduced\n" : "not reproduced: the second column is what the record says\n",
          terminal->out);
    return same ? 0 : verdict_exit_code(VERDICT_WRONG);
}

static int reproduce_kept(struct book *book, const struct mark_request *request,
                          const struct kept *kept, const struct terminal *terminal)
{
    if (strcmp(record_text(kept->record, "grader"), course_version(request->course)) != 0)
        terminal_wrap(terminal,
                      "another version of the course judged it, so that a difference would prove "
                      "nothing of the grader then: check out that version to reproduce it exactly",
                      0, 0);
    uint64_t seed = strtoull(record_text(kept->record, "seed"), NULL, 16);
    json_t *record = judge_kept(book, request, kept, seed, device_of(kept));
    if (!record)
        return process_interrupted() ? INTERRUPTED : grade_refuse(terminal, NOT_JUDGED);
    int status = compare(terminal, kept, record);
    json_decref(record);
    return status;
}

int grade_reproduce(const struct mark_request *request, const struct terminal *terminal)
{
    char reason[PATH_MAX + 400];
    struct kept kept;
    if (sandbox_find() == SANDBOX_NONE)
        return grade_refuse(terminal, NO_SANDBOX);
    if (!request->attempt || !*request->attempt ||
        strspn(request->attempt, "0123456789") != strlen(request->attempt))
        return grade_refuse(terminal,
                            "which judgement? Give its number in the column \"attempt\" of "
                            "grades.csv: RECORD=n");
    struct book *book = grade_open_book(request, reason, sizeof reason);
    if (!book)
        return grade_refuse(terminal, reason);
    bool found = find_kept(book, "number = CAST(?1 AS INTEGER)", &request->attempt, 1, &kept,
                           reason, sizeof reason);
    int status =
        found ? reproduce_kept(book, request, &kept, terminal) : grade_refuse(terminal, reason);
    kept_free(&kept);
    book_close(book);
    return status;
}
