/* export_run.c - the command that writes the marks of a gradebook for another system. */
#include "class/grade.h"

#include "class/book.h"
#include "class/derived.h"
#include "class/export.h"
#include "class/marks_file.h"
#include "class/page.h"
#include "lib/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list_formats(char *text, size_t bytes)
{
    size_t at = 0;
    for (const struct export_format *const *format = export_formats; *format; format++)
        at += (size_t)snprintf(text + at, at < bytes ? bytes - at : 0, "%s%s",
                               format == export_formats ? "" : ", ", (*format)->name);
}

/* One file of the class, or one in a folder of each student's, named as their page is. */
static bool write_files(const struct export_format *format, const struct marks *marks,
                        const char *folder)
{
    if (!format->for_each)
        return folder_make(folder) && marks_write_file(format->write, marks, NULL,
                                                       path_of("%s/%s", folder, format->file).text);
    for (size_t i = 0; i < marks->student_count; i++) {
        struct path name = student_page_name(&marks->students[i]);
        struct path own = path_of("%s/%s/%.*s", folder, format->name,
                                  (int)(strlen(name.text) - strlen(".html")), name.text);
        if (!folder_make(own.text) ||
            !marks_write_file(format->write, marks, &marks->students[i],
                              path_of("%s/%s", own.text, format->file).text))
            return false;
    }
    return true;
}

static bool has_roster(const struct marks *marks)
{
    for (size_t i = 0; i < marks->student_count; i++)
        if (marks->students[i].listed)
            return true;
    return false;
}

static int write_marks(struct book *book, const struct mark_request *request,
                       const struct export_format *format, const struct terminal *terminal)
{
    char reason[PATH_MAX + 400];
    struct lesson lesson;
    struct marks marks;
    bool of_one = request->lesson && *request->lesson;
    if (of_one && !course_lesson(request->course, request->lesson, &lesson, reason, sizeof reason))
        return grade_refuse(terminal, reason);
    if (!derived_marks(book, request->course, request->out, &marks, reason, sizeof reason))
        return grade_refuse(terminal, reason);
    if (of_one)
        marks_keep_lesson(&marks, lesson.key);
    struct path folder = path_of("%s/exports", request->out);
    int status = 0;
    if (format->of_roster && !has_roster(&marks))
        status = grade_refuse(terminal,
                              "only students of a roster can be in this file, and the gradebook "
                              "has none: make grade with ROSTER=file first");
    else if (write_files(format, &marks, folder.text))
        fprintf(terminal->out, "%s/%s%s%s\n", folder.text, format->for_each ? format->name : "",
                format->for_each ? "/*/" : "", format->file);
    else
        status = grade_refuse(terminal, path_of("%s: %s", folder.text, strerror(errno)).text);
    marks_free(&marks);
    return status;
}

int grade_export(const struct mark_request *request, const struct terminal *terminal)
{
    char reason[PATH_MAX + 400], formats[200];
    const struct export_format *format = request->format ? export_named(request->format) : NULL;
    list_formats(formats, sizeof formats);
    if (!format)
        return grade_refuse(
            terminal, path_of("which format? Give one of these: FORMAT=... %s", formats).text);
    struct book *book = grade_open_book(request, reason, sizeof reason);
    if (!book)
        return grade_refuse(terminal, reason);
    int status = write_marks(book, request, format, terminal);
    book_close(book);
    return status;
}
