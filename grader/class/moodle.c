/* moodle.c - a CSV file for Moodle's grade import: who, then each lesson's grade and feedback.
 *
 * Students are found by email or ID number, whichever the instructor maps; one whom Moodle does not
 * know stops the import, so only students of the roster are in it. Moodle takes an empty grade for
 * none, also where it has one: a student without any mark that stands is left out.
 */
#include "class/formats.h"
#include "class/mark_text.h"
#include "lib/field.h"

#include <stdlib.h>
#include <string.h>

static void put_header(const struct marks *marks, FILE *out)
{
    fputs("email,idnumber", out);
    for (size_t lesson = 0; lesson < marks->lesson_count; lesson++) {
        char feedback[300];
        snprintf(feedback, sizeof feedback, "%s feedback", lesson_title(marks, lesson));
        putc(',', out);
        field_csv(out, lesson_title(marks, lesson));
        putc(',', out);
        field_csv(out, feedback);
    }
    putc('\n', out);
}

/* Moodle shows feedback as HTML, in which "i < n" would be the start of an element. A sign after
 * the semicolon of a reference would look like a formula (field_csv): it becomes one, too. */
static void put_html(FILE *out, const char *line)
{
    bool after = false; /* a reference, and spaces */
    for (; *line; line++) {
        bool escaped = strchr("&<>\"", *line) || (after && strchr("=+-@", *line));
        fprintf(out, escaped ? "&#%d;" : "%c", *line);
        after = escaped || (after && *line == ' ');
    }
}

/* The lines of mark_text in one, as sentences; the caller frees it. */
static char *in_one_line(const struct mark *mark)
{
    char *lines = mark_text(mark), *text = NULL, *rest = NULL;
    size_t bytes = 0;
    FILE *out = lines ? open_memstream(&text, &bytes) : NULL;
    const char *before = "";
    for (char *line = out ? strtok_r(lines, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        bool ended = strchr(".!?", line[strlen(line) - 1]) != NULL;
        fputs(before, out);
        put_html(out, line);
        fputs(ended ? "" : ".", out);
        before = " ";
    }
    free(lines);
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool write_grades(const struct marks *marks, const struct student *student, FILE *out)
{
    (void)student;
    bool complete = true;
    put_header(marks, out);
    for (size_t i = 0; i < marks->student_count; i++) {
        if (!marks->students[i].listed || !has_standing_mark(marks, i))
            continue;
        field_csv(out, marks->students[i].email);
        putc(',', out);
        field_csv(out, marks->students[i].id);
        for (size_t lesson = 0; lesson < marks->lesson_count; lesson++) {
            const struct mark *mark = mark_at(marks, i, lesson);
            char *text = mark_stands(mark) ? in_one_line(mark) : NULL;
            complete &= text || !mark_stands(mark);
            putc(',', out);
            if (text)
                field_number(out, mark->points);
            putc(',', out);
            field_csv(out, text ? text : "");
            free(text);
        }
        putc('\n', out);
    }
    return export_done(out) && complete;
}

const struct export_format export_moodle = {.name = "moodle",
                                            .file = "moodle.csv",
                                            .for_each = false,
                                            .of_roster = true,
                                            .write = write_grades};
