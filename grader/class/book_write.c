/* book_write.c - what is added to a gradebook. */
#include "class/book_sql.h"

#include "check/record.h"
#include "lib/timestamp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(list) ((int)(sizeof(list) / sizeof *(list)))

static bool put(struct book *book, const char *sql, const char *const *texts, int count)
{
    return book_run(book, book_prepare(book, sql, texts, count));
}

bool book_note_student(struct book *book, const struct student *student)
{
    const char *const texts[] = {
        student->id,        student->name,   student->email,     student->section,
        student->canvas_id, student->sis_id, student->sis_login, student->listed ? "1" : "0"};
    return put(book,
               "INSERT INTO student VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
               " ON CONFLICT (id) DO UPDATE SET name = ?2, email = ?3, section = ?4,"
               " canvas_id = ?5, sis_id = ?6, sis_login = ?7, listed = ?8 WHERE ?8 = '1'",
               texts, COUNT_OF(texts));
}

bool book_note_hand_in(struct book *book, const struct hand_in_note *note)
{
    char seen[TIMESTAMP_TEXT], seal[HASH_TEXT];
    const char *const sealed[] = {note->student, note->lesson, note->key};
    seal_make(&book->key, sealed, COUNT_OF(sealed), seal);
    const char *const texts[] = {note->student, note->lesson, note->file,          note->key,
                                 note->problem, note->remark, timestamp_now(seen), seal};
    return put(book, "INSERT OR REPLACE INTO hand_in VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
               texts, COUNT_OF(texts));
}

bool book_forget_hand_ins(struct book *book, const char *lesson)
{
    return put(book, "UPDATE hand_in SET seen = '' WHERE lesson = ?1", &lesson, 1);
}

bool book_forget_roster(struct book *book)
{
    return put(book, "UPDATE student SET listed = 0", NULL, 0);
}

bool book_clear_notices(struct book *book)
{
    return put(book, "DELETE FROM notice", NULL, 0);
}

bool book_note(struct book *book, const char *student, const char *file, const char *what)
{
    const char *const texts[] = {student, file, what};
    return put(book, "INSERT INTO notice VALUES (?1, ?2, ?3)", texts, COUNT_OF(texts));
}

/* --- Attempts --------------------------------------------------------------------------------- */

static bool put_source(struct book *book, const struct source *source)
{
    if (!source || !source->text)
        return true;
    const char *const texts[] = {source->sha256};
    sqlite3_stmt *statement =
        book_prepare(book, "INSERT OR IGNORE INTO source VALUES (?1, ?2)", texts, 1);
    if (statement &&
        sqlite3_bind_blob64(statement, 2, source->text, source->bytes, SQLITE_STATIC) != SQLITE_OK)
        return book_fail(book);
    return book_run(book, statement);
}

bool book_add_attempt(struct book *book, const struct hand_in_note *note,
                      const struct source *source, const json_t *record)
{
    char seal[HASH_TEXT];
    char *text = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text)
        return false;
    const char *const sealed[] = {note->student, note->lesson, note->file, note->key, text};
    seal_make(&book->key, sealed, COUNT_OF(sealed), seal);
    bool final = verdict_points(record_verdict(record)) != POINTS_AGAIN;
    const json_t *submission = json_object_get(record, "submission");
    const char *const texts[] = {note->student,
                                 note->lesson,
                                 note->file,
                                 note->key,
                                 record_text(submission, "sha256"),
                                 record_text(record, "verdict"),
                                 final ? "1" : "0",
                                 record_text(json_object_get(record, "device"), "name"),
                                 record_text(record, "seed"),
                                 record_text(record, "sandbox"),
                                 record_text(record, "grader"),
                                 record_text(record, "host"),
                                 record_text(record, "toolkit"),
                                 record_text(record, "started"),
                                 text,
                                 seal};
    bool done = put_source(book, source) &&
                put(book,
                    "INSERT INTO attempt (student, lesson, file, key, sha256, verdict, final,"
                    " device, seed, sandbox, grader, host, toolkit, started, record, seal)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,"
                    " ?16)",
                    texts, COUNT_OF(texts));
    free(text);
    return done;
}

bool book_row_is_sealed(const struct book *book, sqlite3_stmt *row)
{
    const char *const sealed[] = {database_text(row, 0), database_text(row, 1),
                                  database_text(row, 2), database_text(row, 3),
                                  database_text(row, 4)};
    return seal_holds(&book->key, sealed, COUNT_OF(sealed), database_text(row, 5));
}

char *book_source(struct book *book, const char *sha256, size_t *bytes)
{
    struct hash hash;
    char found[HASH_TEXT] = "", *text = NULL;
    sqlite3_stmt *row = book_prepare(book, "SELECT text FROM source WHERE sha256 = ?1", &sha256, 1);
    if (row && sqlite3_step(row) == SQLITE_ROW) {
        *bytes = (size_t)sqlite3_column_bytes(row, 0);
        text = strndup(*bytes ? sqlite3_column_blob(row, 0) : "", *bytes);
    }
    sqlite3_finalize(row);
    if (text) {
        hash_init(&hash);
        hash_add(&hash, text, *bytes);
        hash_text(&hash, found);
    }
    if (strcmp(found, sha256) == 0)
        return text;
    free(text);
    return NULL;
}

bool book_has_attempt(struct book *book, const struct hand_in_note *note)
{
    const char *const texts[] = {note->student, note->lesson, note->key};
    sqlite3_stmt *rows = book_prepare(book,
                                      "SELECT " BOOK_SEALED " FROM attempt"
                                      " WHERE student = ?1 AND lesson = ?2 AND key = ?3 AND final"
                                      " ORDER BY number DESC LIMIT 1",
                                      texts, COUNT_OF(texts));
    bool has = false;
    if (rows && sqlite3_step(rows) == SQLITE_ROW)
        has = book_row_is_sealed(book, rows);
    sqlite3_finalize(rows);
    return has;
}

/* --- Decisions -------------------------------------------------------------------------------- */

bool book_decide(struct book *book, const char *student, const char *lesson, double points,
                 const char *reason, const char *who)
{
    char given[32] = "", made[TIMESTAMP_TEXT], seal[HASH_TEXT];
    if (isfinite(points))
        snprintf(given, sizeof given, "%.10g", points);
    const char *const texts[] = {student, lesson, given, reason, who, timestamp_now(made), seal};
    seal_make(&book->key, texts, COUNT_OF(texts) - 1, seal);
    return put(book,
               "INSERT INTO decision (student, lesson, points, reason, who, made, seal)"
               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
               texts, COUNT_OF(texts));
}

bool book_hand_in_key(struct book *book, const char *student, const char *lesson,
                      char key[HASH_TEXT])
{
    const char *const texts[] = {student, lesson};
    sqlite3_stmt *row =
        book_prepare(book, "SELECT key FROM hand_in WHERE student = ?1 AND lesson = ?2", texts, 2);
    bool good = row != NULL;
    *key = '\0';
    if (row && sqlite3_step(row) == SQLITE_ROW)
        snprintf(key, HASH_TEXT, "%s", database_text(row, 0));
    sqlite3_finalize(row);
    return good;
}
