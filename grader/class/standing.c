/* standing.c - computes one mark from the gradebook.
 *
 * The file that a student handed in last decides: its judgement counts, and while there is none the
 * mark is undecided, whatever an earlier file was worth. A decision of the instructor's stands
 * above both. A record whose seal is broken counts as none.
 */
#include "class/book_sql.h"
#include "class/reading.h"

#include "check/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char CHANGED[] = "the gradebook was changed by another program here, and what it says "
                              "is not believed: `make grade` judges the file again";

static void set_why(struct mark *mark, const char *why)
{
    free((char *)mark->why);
    mark->why = strdup(why);
}

static const char ATTEMPTS[] = "SELECT " BOOK_SEALED ", number FROM attempt WHERE student = ?1 AND "
                               "lesson = ?2 AND (?3 IS NULL OR key = ?3) AND final = ?4 "
                               "ORDER BY number DESC LIMIT 1";

/* The text that was judged, if the gradebook still has it as it was. */
static void read_source(struct book *book, struct mark *mark)
{
    size_t bytes;
    if (!*mark->sha256)
        return;
    mark->source = book_source(book, mark->sha256, &bytes);
    if (!mark->source)
        mark_flag(mark, "the gradebook has lost the text of this file, or it was changed");
}

static void read_row(struct book *book, struct mark *mark, sqlite3_stmt *row)
{
    mark->record = json_loads(database_text(row, 4), 0, NULL);
    mark->sha256 = strdup(record_text(json_object_get(mark->record, "submission"), "sha256"));
    mark->attempt = (long)sqlite3_column_int64(row, 6);
    read_source(book, mark);
}

static void count_by_grader(struct reading *reading, struct mark *mark, sqlite3_stmt *row)
{
    read_row(reading->book, mark, row);
    enum band band = band_of(mark->record);
    mark->standing = MARK_JUDGED;
    mark->band = band_name(band);
    mark->points = reading->points->of[mark->number][band];
}

/* The judgement that counts; key NULL: of any file. False when there is none. */
static bool find_attempt(struct reading *reading, struct mark *mark, const char *key)
{
    const char *const texts[] = {mark->student->id, mark->lesson, key, "1"};
    sqlite3_stmt *row = book_prepare(reading->book, ATTEMPTS, texts, 4);
    bool there = row && sqlite3_step(row) == SQLITE_ROW;
    if (there && book_row_is_sealed(reading->book, row)) {
        count_by_grader(reading, mark, row);
    } else if (there) {
        mark->standing = MARK_UNDECIDED;
        set_why(mark, CHANGED);
    }
    sqlite3_finalize(row);
    return there;
}

/* Why the latest attempt at judging it gave no mark. */
static void find_cause(struct reading *reading, struct mark *mark, const char *key)
{
    const char *const texts[] = {mark->student->id, mark->lesson, key, "0"};
    sqlite3_stmt *row = book_prepare(reading->book, ATTEMPTS, texts, 4);
    mark->standing = MARK_UNDECIDED;
    set_why(mark, "it has not been judged yet");
    if (row && sqlite3_step(row) == SQLITE_ROW && book_row_is_sealed(reading->book, row)) {
        read_row(reading->book, mark, row);
        set_why(mark, record_text(mark->record, "reason"));
    }
    sqlite3_finalize(row);
}

/* By the file that the student handed in last; without one, by what was judged before. */
static void find_standing(struct reading *reading, struct mark *mark)
{
    const char *const texts[] = {mark->student->id, mark->lesson};
    sqlite3_stmt *row = book_prepare(reading->book,
                                     "SELECT key, problem, remark, seen, seal FROM hand_in "
                                     "WHERE student = ?1 AND lesson = ?2",
                                     texts, 2);
    if (!row || sqlite3_step(row) != SQLITE_ROW) {
        find_attempt(reading, mark, NULL);
    } else {
        const char *key = database_text(row, 0), *problem = database_text(row, 1);
        const char *const sealed[] = {mark->student->id, mark->lesson, key};
        bool whole = seal_holds(&reading->book->key, sealed, 3, database_text(row, 4));
        if (*problem || !whole) {
            mark->standing = MARK_UNDECIDED;
            set_why(mark, whole ? problem : CHANGED);
        } else if (!find_attempt(reading, mark, key)) {
            find_cause(reading, mark, key);
        }
        if (*database_text(row, 2))
            mark_flag(mark, "%s", database_text(row, 2));
        if (!*database_text(row, 3))
            mark_flag(mark, "not among the files of the latest run for this lesson");
    }
    sqlite3_finalize(row);
}

/* --- Decisions -------------------------------------------------------------------------------- */

static void decide(struct mark *mark, sqlite3_stmt *row)
{
    const char *points = database_text(row, 2);
    if (!*points)
        return;
    if (mark->standing == MARK_JUDGED)
        mark_flag(mark, "the grader gave %g points; %s decided otherwise on %s", mark->points,
                  database_text(row, 4), database_text(row, 5));
    mark->standing = MARK_DECIDED;
    mark->points = strtod(points, NULL);
    mark->band = "";
    set_why(mark, database_text(row, 3));
}

static void find_decision(struct reading *reading, struct mark *mark)
{
    const char *const texts[] = {mark->student->id, mark->lesson};
    sqlite3_stmt *row = book_prepare(reading->book,
                                     "SELECT student, lesson, points, reason, who, made, seal FROM "
                                     "decision WHERE student = ?1 AND lesson = ?2 "
                                     "ORDER BY number DESC LIMIT 1",
                                     texts, 2);
    if (row && sqlite3_step(row) == SQLITE_ROW) {
        const char *const sealed[] = {database_text(row, 0), database_text(row, 1),
                                      database_text(row, 2), database_text(row, 3),
                                      database_text(row, 4), database_text(row, 5)};
        if (seal_holds(&reading->book->key, sealed, 6, database_text(row, 6)))
            decide(mark, row);
        else
            mark_flag(mark,
                      "a decision was changed after it was made, and is not believed: make it "
                      "again with `make override`");
    }
    sqlite3_finalize(row);
}

static unsigned count_attempts(struct reading *reading, const struct mark *mark)
{
    const char *const texts[] = {mark->student->id, mark->lesson};
    sqlite3_stmt *row = book_prepare(
        reading->book, "SELECT count(*) FROM attempt WHERE student = ?1 AND lesson = ?2", texts, 2);
    unsigned count =
        row && sqlite3_step(row) == SQLITE_ROW ? (unsigned)sqlite3_column_int(row, 0) : 0;
    sqlite3_finalize(row);
    return count;
}

void reading_mark(struct reading *reading, struct mark *mark)
{
    char reason[300];
    struct lesson lesson = {.title = ""};
    if (course_lesson(reading->course, mark->lesson, &lesson, reason, sizeof reason)) {
        mark->title = lesson.title;
        mark->number = lesson.number;
    }
    mark->of = points_most(reading->points, mark->number);
    find_standing(reading, mark);
    mark->attempts = count_attempts(reading, mark);
    find_decision(reading, mark);
    if (!mark->why)
        mark->why = strdup("");
    if (!mark->sha256)
        mark->sha256 = strdup("");
    if (!mark->source)
        mark->source = strdup("");
}
