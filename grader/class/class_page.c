/* class_page.c - the page of the class: what to look at first, each lesson, and all marks. */
#include "class/class_page.h"

#include <string.h>

void class_put_student(FILE *out, const struct student *student, int lesson)
{
    fprintf(out, "<a href=\"students/%s", student_page_name(student).text);
    if (lesson >= 0)
        fprintf(out, "#lesson-%d", lesson);
    fputs("\">", out);
    page_put_name(out, page_student(student));
    fputs("</a>", out);
}

void class_put_id(FILE *out, const struct student *student)
{
    if (!*student->name)
        return;
    fputs("<small class=\"id\">", out);
    page_put_name(out, student->id);
    fputs("</small>", out);
}

/* --- The head --------------------------------------------------------------------------------- */

static void put_tile(FILE *out, const char *name, size_t count)
{
    fprintf(out, "<div><dt>%s</dt><dd>%zu</dd></div>\n", name, count);
}

static void put_head(FILE *out, const struct marks *marks)
{
    size_t handed_in = 0, undecided = 0, flags = 0;
    for (size_t i = 0; i < marks->mark_count; i++) {
        handed_in += marks->marks[i].standing != MARK_ABSENT;
        undecided += marks->marks[i].standing == MARK_UNDECIDED;
        flags += marks->marks[i].flag_count > 0;
    }
    fputs("<header>\n<h1>Marks of the class</h1>\n<p class=\"quiet\">", out);
    page_put_time(out, marks->made);
    fputs("</p>\n<dl class=\"tiles\">\n", out);
    put_tile(out, marks->student_count == 1 ? "student" : "students", marks->student_count);
    put_tile(out, marks->lesson_count == 1 ? "lesson" : "lessons", marks->lesson_count);
    put_tile(out, "handed in", handed_in);
    put_tile(out, "not judged yet", undecided);
    put_tile(out, "flagged", flags);
    fputs("</dl>\n<nav aria-label=\"Parts of this page\"><a href=\"#first\">To look at first</a>"
          "<a href=\"#lessons\">Lessons</a><a href=\"#marks\">All marks</a></nav>\n</header>\n",
          out);
}

/* --- All marks -------------------------------------------------------------------------------- */

/* Figure spaces, so that the points in a column end one above the other. */
static void put_padding(FILE *out, const struct mark *mark)
{
    bool has_points = mark->standing == MARK_JUDGED || mark->standing == MARK_DECIDED;
    double points = has_points ? mark->points : 0;
    for (double step = 10; step <= mark->of && step < 1e6; step *= 10)
        if (points < step)
            fputs("\u2007", out);
}

static void put_cell(FILE *out, const struct student *student, const struct mark *mark)
{
    if (!mark || mark->standing == MARK_ABSENT) {
        fputs("<td><span class=\"quiet\">–<small>not handed in</small></span></td>", out);
        return;
    }
    fputs("<td>", out);
    put_padding(out, mark);
    fprintf(out, "<a href=\"students/%s#lesson-%d\">", student_page_name(student).text,
            mark->number);
    page_put_points(out, mark);
    fputs("</a><small>", out);
    page_put_state(out, mark);
    fputs("</small>", out);
    if (mark->standing == MARK_DECIDED && *mark->band) {
        fputs("<small class=\"quiet\">", out);
        page_put(out, mark->band);
        fputs("</small>", out);
    }
    if (mark->flag_count)
        fprintf(out, "<small><a href=\"#first\">⚑ %zu flag%s</a></small>", mark->flag_count,
                mark->flag_count == 1 ? "" : "s");
    fputs("</td>", out);
}

static void put_row(FILE *out, const struct marks *marks, const struct student *student)
{
    double sum = 0;
    fputs("<tr><th scope=\"row\">", out);
    class_put_student(out, student, -1);
    class_put_id(out, student);
    fputs("</th>", out);
    for (size_t i = 0; i < marks->lesson_count; i++) {
        const struct mark *mark = page_mark(marks, student, marks->lessons[i]);
        put_cell(out, student, mark);
        if (mark && (mark->standing == MARK_JUDGED || mark->standing == MARK_DECIDED))
            sum += mark->points;
    }
    fputs("<td class=\"n\"><strong>", out);
    page_put_number(out, sum);
    fputs("</strong></td></tr>\n", out);
}

static void put_marks(FILE *out, const struct marks *marks)
{
    fputs("<section id=\"marks\" aria-labelledby=\"title-marks\">\n"
          "<h2 id=\"title-marks\">All marks</h2>\n"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All marks\">"
          "<table class=\"matrix\">\n<caption>A name leads to the student’s page, points to the "
          "lesson there</caption>\n<thead><tr><th scope=\"col\">Student</th>",
          out);
    for (size_t i = 0; i < marks->lesson_count; i++) {
        const struct mark *any = page_lesson(marks, marks->lessons[i]);
        fputs("<th scope=\"col\">", out);
        if (any)
            page_put_lesson(out, any);
        else
            page_put(out, marks->lessons[i]);
        fputs("</th>", out);
    }
    fputs("<th scope=\"col\" class=\"n\">Sum</th></tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < marks->student_count; i++)
        put_row(out, marks, &marks->students[i]);
    fputs("</tbody>\n</table></div>\n</section>\n", out);
}

bool class_page_write(const struct marks *marks, FILE *out)
{
    bool complete = true;
    page_begin(out, "Marks of the class");
    put_head(out, marks);
    class_put_first(out, marks);
    fputs("<div id=\"lessons\">\n", out);
    for (size_t i = 0; i < marks->lesson_count; i++)
        complete &= class_put_lesson(out, marks, marks->lessons[i]);
    fputs("</div>\n", out);
    put_marks(out, marks);
    return page_end(out) && complete;
}
