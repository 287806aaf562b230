/* derived.c - the tables and pages of a gradebook, each complete or as it was before. */
#include "class/derived.h"

#include "class/marks_file.h"
#include "class/page.h"
#include "class/table.h"
#include "lib/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POLICY_BYTES = 64 * 1024 };

/* The course's own policy is where the instructor's begins. */
static bool put_policy(const struct course *course, const char *place)
{
    size_t bytes;
    struct path own = path_of("%s/grader/class/points.txt", course->root.text);
    char *text = file_exists(place) ? NULL : file_read(own.text, MOST_POLICY_BYTES, &bytes);
    bool there = file_exists(place) || (text && file_write(place, text, bytes));
    free(text);
    return there;
}

bool derived_points(const struct course *course, const char *out, struct points *points,
                    char *reason, size_t reason_bytes)
{
    struct path policy = path_of("%s/points.txt", out);
    if (put_policy(course, policy.text))
        return points_read(policy.text, points, reason, reason_bytes);
    snprintf(reason, reason_bytes, "points.txt: %s", strerror(errno));
    return false;
}

bool derived_marks(struct book *book, const struct course *course, const char *out,
                   struct marks *marks, char *reason, size_t reason_bytes)
{
    struct points points;
    if (!derived_points(course, out, &points, reason, reason_bytes))
        return false;
    if (book_marks(book, course, &points, marks))
        return true;
    snprintf(reason, reason_bytes, "%s", book_reason(book));
    return false;
}

/* --- Files ------------------------------------------------------------------------------------ */

static bool table(const struct marks *marks, const struct student *student, FILE *out)
{
    (void)student;
    return table_write(marks, out);
}

static bool class_page(const struct marks *marks, const struct student *student, FILE *out)
{
    (void)student;
    return class_page_write(marks, out);
}

static bool write_pages(const struct marks *marks, const char *out)
{
    struct path folder = path_of("%s/students", out);
    bool good = folder_make(folder.text);
    for (size_t i = 0; good && i < marks->student_count; i++) {
        struct path name = student_page_name(&marks->students[i]);
        good = marks_write_file(student_page_write, marks, &marks->students[i],
                                path_of("%s/%s", folder.text, name.text).text);
    }
    return good;
}

bool derived_write(const struct marks *marks, const char *out, char *reason, size_t reason_bytes)
{
    if (marks_write_file(table, marks, NULL, path_of("%s/grades.csv", out).text) &&
        marks_write_file(class_page, marks, NULL, path_of("%s/class.html", out).text) &&
        write_pages(marks, out))
        return true;
    snprintf(reason, reason_bytes, "tables and pages: %s", strerror(errno));
    return false;
}
