/* marks.c - reads the marks of a class from its gradebook; each one: standing.c. */
#include "class/alike.h"
#include "class/book_sql.h"
#include "class/reading.h"
#include "lib/timestamp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more in a list that grows by doubling. False when memory is exhausted. */
static bool grow(void **list, size_t count, size_t bytes)
{
    if (count & (count - 1))
        return true;
    void *grown = realloc(*list, (count ? 2 * count : 1) * bytes);
    if (!grown)
        return false;
    *list = grown;
    return true;
}

static bool no_memory(struct book *book)
{
    snprintf(book->reason, sizeof book->reason, "there is no memory left for the marks");
    return false;
}

/* --- Who and what ----------------------------------------------------------------------------- */

static bool read_students(struct reading *reading)
{
    struct marks *marks = reading->marks;
    sqlite3_stmt *rows = book_prepare(reading->book, "SELECT * FROM student ORDER BY id", NULL, 0);
    bool good = rows != NULL;
    while (good && sqlite3_step(rows) == SQLITE_ROW) {
        good = grow((void **)&marks->students, marks->student_count, sizeof *marks->students);
        if (!good)
            break;
        struct student *student = &marks->students[marks->student_count++];
        *student = (struct student){.id = strdup(database_text(rows, 0)),
                                    .name = strdup(database_text(rows, 1)),
                                    .email = strdup(database_text(rows, 2)),
                                    .section = strdup(database_text(rows, 3)),
                                    .canvas_id = strdup(database_text(rows, 4)),
                                    .sis_id = strdup(database_text(rows, 5)),
                                    .sis_login = strdup(database_text(rows, 6)),
                                    .listed = sqlite3_column_int(rows, 7) != 0};
    }
    sqlite3_finalize(rows);
    return good || no_memory(reading->book);
}

static bool read_lessons(struct reading *reading)
{
    static const char SQL[] = "SELECT lesson FROM hand_in UNION SELECT lesson FROM attempt"
                              " UNION SELECT lesson FROM decision AS last WHERE points <> '' AND"
                              " number = (SELECT max(number) FROM decision WHERE student ="
                              " last.student AND lesson = last.lesson) ORDER BY lesson";
    struct marks *marks = reading->marks;
    sqlite3_stmt *rows = book_prepare(reading->book, SQL, NULL, 0);
    bool good = rows != NULL;
    while (good && sqlite3_step(rows) == SQLITE_ROW && marks->lesson_count < MARKS_LESSONS)
        good = (marks->lessons[marks->lesson_count++] = strdup(database_text(rows, 0))) != NULL;
    sqlite3_finalize(rows);
    return good;
}

static bool read_notices(struct reading *reading)
{
    struct marks *marks = reading->marks;
    sqlite3_stmt *rows = book_prepare(reading->book, "SELECT * FROM notice", NULL, 0);
    bool good = rows != NULL;
    while (good && sqlite3_step(rows) == SQLITE_ROW) {
        good = grow((void **)&marks->notices, marks->notice_count, sizeof *marks->notices);
        if (good)
            marks->notices[marks->notice_count++] =
                (struct notice){strdup(database_text(rows, 0)), strdup(database_text(rows, 1)),
                                strdup(database_text(rows, 2))};
    }
    sqlite3_finalize(rows);
    return good || no_memory(reading->book);
}

void mark_flag(struct mark *mark, const char *format, ...)
{
    char *text = NULL;
    va_list rest;
    va_start(rest, format);
    if (vasprintf(&text, format, rest) < 0)
        text = NULL;
    va_end(rest);
    if (text && grow((void **)&mark->flags, mark->flag_count, sizeof *mark->flags))
        mark->flags[mark->flag_count++] = text;
    else
        free(text);
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool read_marks(struct reading *reading)
{
    struct marks *marks = reading->marks;
    size_t count = marks->student_count * marks->lesson_count;
    marks->marks = calloc(count + 1, sizeof *marks->marks);
    if (!marks->marks)
        return no_memory(reading->book);
    for (; marks->mark_count < count; marks->mark_count++) {
        struct mark *mark = &marks->marks[marks->mark_count];
        mark->student = &marks->students[marks->mark_count / marks->lesson_count];
        mark->lesson = marks->lessons[marks->mark_count % marks->lesson_count];
        mark->title = mark->band = "";
        reading_mark(reading, mark);
    }
    return true;
}

bool book_marks(struct book *book, const struct course *course, const struct points *points,
                struct marks *marks)
{
    struct reading reading = {book, course, points, marks};
    memset(marks, 0, sizeof *marks);
    timestamp_now(marks->made);
    if (!read_students(&reading) || !read_lessons(&reading) || !read_notices(&reading) ||
        !read_marks(&reading)) {
        marks_free(marks);
        return false;
    }
    alike_flag(marks, course);
    return true;
}

static void free_mark(struct mark *mark)
{
    json_decref(mark->record);
    free((char *)mark->why);
    free((char *)mark->sha256);
    free((char *)mark->source);
    for (size_t i = 0; i < mark->flag_count; i++)
        free(mark->flags[i]);
    free(mark->flags);
}

const char *notice_what(const struct notice *notice)
{
    size_t bytes = strlen(notice->file);
    bool repeats = strncmp(notice->what, notice->file, bytes) == 0;
    return repeats && strncmp(notice->what + bytes, ": ", 2) == 0 ? notice->what + bytes + 2
                                                                  : notice->what;
}

void marks_keep_lesson(struct marks *marks, const char *lesson)
{
    size_t kept = 0, lessons = 0;
    for (size_t i = 0; i < marks->mark_count; i++)
        if (strcmp(marks->marks[i].lesson, lesson) == 0)
            marks->marks[kept++] = marks->marks[i];
        else
            free_mark(&marks->marks[i]);
    for (size_t i = 0; i < marks->lesson_count; i++)
        if (strcmp(marks->lessons[i], lesson) == 0)
            marks->lessons[lessons++] = marks->lessons[i];
        else
            free((char *)marks->lessons[i]);
    marks->mark_count = kept;
    marks->lesson_count = lessons;
}

void marks_free(struct marks *marks)
{
    for (size_t i = 0; i < marks->mark_count; i++)
        free_mark(&marks->marks[i]);
    for (size_t i = 0; i < marks->student_count; i++)
        student_free(&marks->students[i]);
    for (size_t i = 0; i < marks->notice_count; i++) {
        free(marks->notices[i].student);
        free(marks->notices[i].file);
        free(marks->notices[i].what);
    }
    for (size_t i = 0; i < marks->lesson_count; i++)
        free((char *)marks->lessons[i]);
    free(marks->marks);
    free(marks->students);
    free(marks->notices);
    memset(marks, 0, sizeof *marks);
}
