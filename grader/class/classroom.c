/* classroom.c - the result of a grading step of GitHub Classroom, for autograding-grading-reporter:
 * base64 of {version, status, max_score, tests}, in one line.
 *
 * A runner that gives no result of its own has all points or none; this one gives some. max_score
 * counts the lessons that were not handed in, too: what was handed in is part of a whole.
 */
#include "check/record.h"
#include "class/field_json.h"
#include "class/formats.h"
#include "class/mark_text.h"

#include "lib/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* RFC 4648. */
static void put_base64(FILE *out, const char *text)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *byte = (const unsigned char *)text;
    for (size_t left = strlen(text); left > 0; left -= left < 3 ? left : 3, byte += 3) {
        unsigned bits = (unsigned)byte[0] << 16 | (left > 1 ? (unsigned)byte[1] << 8 : 0) |
                        (left > 2 ? byte[2] : 0);
        for (unsigned digit = 0; digit < 4; digit++)
            putc(digit > left ? '=' : DIGITS[bits >> (18 - 6 * digit) & 63], out);
    }
}

static const char *status(const struct mark *mark)
{
    return mark->standing == MARK_UNDECIDED ? "error" : mark_passed(mark) ? "pass" : "fail";
}

static json_t *make_test(const struct mark *mark)
{
    const char *path = record_text(json_object_get(mark->record, "submission"), "path");
    double seconds = record_real(mark->record, "seconds");
    char name[300], *text = mark_text(mark);
    snprintf(name, sizeof name, "Lesson %d: %s", mark->number, mark->title);
    json_t *test = json_pack(
        "{s:o, s:s, s:o, s:s, s:s, s:o, s:i, s:o}", "name", field_json(name), "status",
        status(mark), "score", field_json_number(mark_stands(mark) ? mark->points : 0), "message",
        text ? text : "", "test_code", "", "filename", field_json(path_base(path)), "line_no",
        mark_line(mark), "duration", field_json_number(seconds));
    free(text);
    return text ? test : (json_decref(test), NULL);
}

static bool write_result(const struct marks *marks, const struct student *student, FILE *out)
{
    json_t *tests = json_array();
    double most = 0;
    const char *worst = "pass";
    bool complete = true;
    const struct mark *of_student = marks_of(marks, student);
    for (size_t i = 0; of_student && i < marks->lesson_count; i++) {
        const struct mark *mark = &of_student[i];
        most += mark->of;
        if (strcmp(worst, "error") != 0 && !mark_passed(mark))
            worst = status(mark);
        if (mark->standing != MARK_ABSENT)
            complete &= json_array_append_new(tests, make_test(mark)) == 0;
    }
    json_t *result = json_pack("{s:i, s:s, s:o, s:o}", "version", 1, "status", worst, "max_score",
                               field_json_number(most), "tests", tests);
    char *text = result ? json_dumps(result, EXPORT_JSON | JSON_COMPACT) : NULL;
    if (text)
        put_base64(out, text);
    putc('\n', out);
    complete &= text != NULL;
    free(text);
    json_decref(result);
    return export_done(out) && complete;
}

const struct export_format export_classroom = {
    .name = "classroom", .file = "classroom.txt", .for_each = true, .write = write_result};
