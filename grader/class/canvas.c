/* canvas.c - a CSV file for the import of Canvas's gradebook, as its own export has it.
 *
 * Canvas finds students by ID, else by SIS User ID, SIS Login ID or name; a column's assignment by
 * its title. It takes a row whose first field contains "Points Possible" for that of the points.
 * Only students of the roster are in it, and of these only who has a mark that stands: Canvas takes
 * an empty cell for no grade, also where it has one, and shows every change before it is made.
 */
#include "class/formats.h"
#include "class/mark_text.h"
#include "lib/field.h"

#include <string.h>

/* Nobody's name makes their row that of the points. */
static void put_name(FILE *out, const struct student *student)
{
    const char *name = *student->name ? student->name : student->id;
    field_csv(out, strstr(name, "Points") && strstr(name, "Possible") ? "(name left out)" : name);
}

static void put_student(FILE *out, const struct student *student)
{
    const char *login = *student->sis_login ? student->sis_login : student->id;
    put_name(out, student);
    putc(',', out);
    field_csv(out, student->canvas_id);
    putc(',', out);
    field_csv(out, student->sis_id);
    putc(',', out);
    field_csv(out, login);
    putc(',', out);
    field_csv(out, student->section);
}

static bool write_gradebook(const struct marks *marks, const struct student *student, FILE *out)
{
    (void)student;
    fputs("Student,ID,SIS User ID,SIS Login ID,Section", out);
    for (size_t lesson = 0; lesson < marks->lesson_count; lesson++) {
        putc(',', out);
        field_csv(out, lesson_title(marks, lesson));
    }
    fputs("\n    Points Possible,,,,", out);
    for (size_t lesson = 0; lesson < marks->lesson_count; lesson++) {
        putc(',', out);
        field_number(out, lesson_points(marks, lesson));
    }
    putc('\n', out);
    for (size_t i = 0; i < marks->student_count; i++) {
        if (!marks->students[i].listed || !has_standing_mark(marks, i))
            continue;
        put_student(out, &marks->students[i]);
        for (size_t lesson = 0; lesson < marks->lesson_count; lesson++) {
            const struct mark *mark = mark_at(marks, i, lesson);
            putc(',', out);
            if (mark_stands(mark))
                field_number(out, mark->points);
        }
        putc('\n', out);
    }
    return export_done(out);
}

const struct export_format export_canvas = {.name = "canvas",
                                            .file = "canvas.csv",
                                            .for_each = false,
                                            .of_roster = true,
                                            .write = write_gradebook};
