/* class_page_first.c - what comes first: hand-ins without a mark, flags, and decisions by hand. */
#include "class/class_page.h"

#include "check/record.h"

#include <string.h>

enum { SHOWN_DIGITS = 12 };

/* What a reader can check: the grader's verdict, the file and the seed. */
static void put_evidence(FILE *out, const struct mark *mark)
{
    const char *reason = record_text(mark->record, "reason");
    const char *seed = record_text(mark->record, "seed");
    if (mark->record) {
        fprintf(out, "<code>%s</code>", verdict_name(record_verdict(mark->record)));
        if (*reason) {
            fputs("<div class=\"reason\">", out);
            page_put_long(out, reason);
            fputs("</div>", out);
        }
    } else {
        fputs("there is no record", out);
    }
    fputs("<div class=\"quiet\">", out);
    if (*mark->sha256) {
        fputs("file <code>", out);
        page_put(out, path_of("%.*s", SHOWN_DIGITS, mark->sha256).text);
        fputs("</code>, ", out);
    }
    if (*seed) {
        fputs("seed <code>", out);
        page_put(out, seed);
        fputs("</code>, ", out);
    }
    if (mark->attempt) /* what `make reproduce RECORD=n` wants to know */
        fprintf(out, "judgement %ld, ", mark->attempt);
    fprintf(out, "%u attempt%s</div>", mark->attempts, mark->attempts == 1 ? "" : "s");
}

static void begin_table(FILE *out, const char *caption, const char *why)
{
    fprintf(out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
            "<table class=\"wide stack first\">\n<caption>%s</caption>\n<thead><tr>"
            "<th scope=\"col\">Student</th><th scope=\"col\">Lesson</th><th scope=\"col\">%s</th>"
            "<th scope=\"col\">Evidence</th></tr></thead>\n<tbody>\n",
            caption, caption, why);
}

static void end_table(FILE *out)
{
    fputs("</tbody>\n</table></div>\n", out);
}

static void begin_row(FILE *out, const struct mark *mark, const char *why)
{
    fputs("<tr><th scope=\"row\">", out);
    class_put_student(out, mark->student, mark->number);
    class_put_id(out, mark->student);
    fprintf(out, "</th><td data-label=\"lesson\">%d</td><td data-label=\"%s\">", mark->number, why);
}

static void end_row(FILE *out, const struct mark *mark)
{
    fputs("</td><td data-label=\"evidence\">", out);
    put_evidence(out, mark);
    fputs("</td></tr>\n", out);
}

static size_t count_standing(const struct marks *marks, enum standing standing)
{
    size_t count = 0;
    for (size_t i = 0; i < marks->mark_count; i++)
        count += marks->marks[i].standing == standing;
    return count;
}

/* All marks of a standing, with why they have it. */
static void put_standing(FILE *out, const struct marks *marks, enum standing standing)
{
    for (size_t i = 0; i < marks->mark_count; i++) {
        const struct mark *mark = &marks->marks[i];
        if (mark->standing != standing)
            continue;
        begin_row(out, mark, standing == MARK_DECIDED ? "reason" : "cause");
        page_put_long(out, mark->why);
        end_row(out, mark);
    }
}

static void put_undecided(FILE *out, const struct marks *marks)
{
    if (count_standing(marks, MARK_UNDECIDED) == 0) {
        if (marks->notice_count)
            fputs("<p>Each file that is for a lesson has a mark. See also what was left out.</p>\n",
                  out);
        else
            fputs("<p><span class=\"good\">✓</span> Everything that was handed in has a "
                  "mark.</p>\n",
                  out);
        return;
    }
    fputs("<h3>Could not be judged</h3>\n<p>Each of these counts as not handed in until it has "
          "been judged.</p>\n",
          out);
    begin_table(out, "Handed in, and without a mark", "Cause");
    put_standing(out, marks, MARK_UNDECIDED);
    end_table(out);
}

static size_t count_flags(const struct marks *marks)
{
    size_t count = 0;
    for (size_t i = 0; i < marks->mark_count; i++)
        count += marks->marks[i].flag_count;
    return count;
}

static void put_flags(FILE *out, const struct marks *marks)
{
    if (count_flags(marks) == 0) {
        fputs("<p><span class=\"good\">✓</span> Nothing is flagged.</p>\n", out);
        return;
    }
    fputs("<h3>Flagged</h3>\n<p>A flag changes no mark. It asks you to look.</p>\n", out);
    begin_table(out, "Marks with a flag", "Flag");
    for (size_t i = 0; i < marks->mark_count; i++) {
        const struct mark *mark = &marks->marks[i];
        if (mark->flag_count == 0)
            continue;
        begin_row(out, mark, "flag");
        fputs("<ul class=\"flags\">", out);
        for (size_t j = 0; j < mark->flag_count; j++) {
            fputs("<li>", out);
            page_put_long(out, mark->flags[j]);
            fputs("</li>", out);
        }
        fputs("</ul>", out);
        end_row(out, mark);
    }
    end_table(out);
}

static void put_decided(FILE *out, const struct marks *marks)
{
    if (count_standing(marks, MARK_DECIDED) == 0)
        return;
    fputs("<h3>Decided by the instructor</h3>\n", out);
    begin_table(out, "Marks given by hand; the evidence is what the grader found", "Reason");
    put_standing(out, marks, MARK_DECIDED);
    end_table(out);
}

/* Hand-ins by students whom the roster does not have; where it has nobody, there is no roster. */
static void put_unlisted(FILE *out, const struct marks *marks)
{
    size_t listed = 0, told = 0;
    for (size_t i = 0; i < marks->student_count; i++)
        listed += marks->students[i].listed;
    if (listed == 0 || listed == marks->student_count)
        return;
    fputs("<h3>Not in the roster</h3>\n<p>They handed something in, and the roster does not have "
          "them: ",
          out);
    for (size_t i = 0; i < marks->student_count; i++) {
        if (marks->students[i].listed)
            continue;
        fputs(told++ ? ", " : "", out);
        class_put_student(out, &marks->students[i], -1);
    }
    fputs(".</p>\n", out);
}

/* Those of a student's first: others are mostly not meant to be judged. */
static void put_notices(FILE *out, const struct marks *marks, bool of_students)
{
    for (size_t i = 0; i < marks->notice_count; i++) {
        const struct notice *notice = &marks->notices[i];
        if ((*notice->student != '\0') != of_students)
            continue;
        fputs("<li><code>", out);
        page_put_name(out, notice->file);
        fputs("</code>: ", out);
        page_put(out, notice_what(notice));
        fputs("</li>\n", out);
    }
}

/* Files that are nobody's hand-in for a lesson: none is forgotten. */
static void put_left_out(FILE *out, const struct marks *marks)
{
    if (marks->notice_count == 0)
        return;
    fputs("<h3>Left out</h3>\n<ul>\n", out);
    put_notices(out, marks, true);
    put_notices(out, marks, false);
    fputs("</ul>\n", out);
}

void class_put_first(FILE *out, const struct marks *marks)
{
    fputs("<section id=\"first\" aria-labelledby=\"title-first\">\n"
          "<h2 id=\"title-first\">To look at first</h2>\n",
          out);
    put_undecided(out, marks);
    put_flags(out, marks);
    put_decided(out, marks);
    put_unlisted(out, marks);
    put_left_out(out, marks);
    fputs("</section>\n", out);
}
