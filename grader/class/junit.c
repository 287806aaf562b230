/* junit.c - JUnit XML: a test suite for each lesson, a test case for each student.
 *
 * Readers differ in what they ask for, so everything that the strictest schema, of Ant's JUnit
 * task, requires is there, in its order. A failure is a verdict of the grader, an error a hand-in
 * that is not judged yet, and a student who handed in nothing is skipped.
 */
#include "check/record.h"
#include "class/formats.h"
#include "class/mark_text.h"
#include "lib/field.h"

#include <stdlib.h>
#include <string.h>

struct counts {
    unsigned failures, errors, skipped;
    double seconds;
};

static bool is_failure(const struct mark *mark)
{
    return mark_stands(mark) && !mark_passed(mark);
}

static double seconds_of(const struct mark *mark)
{
    double seconds = record_real(mark->record, "seconds");
    return seconds > 0 ? seconds : 0; /* also when it is none */
}

static struct counts count(const struct marks *marks, size_t lesson)
{
    struct counts counts = {0};
    for (size_t i = 0; i < marks->student_count; i++) {
        const struct mark *mark = mark_at(marks, i, lesson);
        counts.failures += is_failure(mark);
        counts.errors += mark->standing == MARK_UNDECIDED;
        counts.skipped += mark->standing == MARK_ABSENT;
        counts.seconds += seconds_of(mark);
    }
    return counts;
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    field_xml(out, value);
    putc('"', out);
}

/* Each line by itself, since a field is one line. */
static bool put_text(FILE *out, const struct mark *mark)
{
    char *text = mark_text(mark), *rest = NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        field_xml(out, line);
        putc('\n', out);
    }
    free(text);
    return text != NULL;
}

static bool put_case(FILE *out, const struct mark *mark)
{
    bool complete = true;
    fputs("    <testcase", out);
    put_attribute(out, "name", mark->student->id);
    put_attribute(out, "classname", mark->lesson);
    fputs(" time=\"", out);
    field_number(out, seconds_of(mark));
    fputs("\">", out);
    const char *element = mark->standing == MARK_UNDECIDED ? "error" : "failure";
    if (mark->standing == MARK_ABSENT) {
        fputs("<skipped/>", out);
    } else if (mark->standing == MARK_UNDECIDED || is_failure(mark)) {
        fprintf(out, "<%s", element);
        put_attribute(out, "type", mark_verdict(mark));
        put_attribute(out, "message", mark_reason(mark));
        putc('>', out);
        complete = put_text(out, mark);
        fprintf(out, "</%s>", element);
    }
    fputs("</testcase>\n", out);
    return complete;
}

static bool put_suite(FILE *out, const struct marks *marks, size_t lesson)
{
    struct counts counts = count(marks, lesson);
    bool complete = true;
    fprintf(out, "  <testsuite id=\"%zu\" package=\"warpquest\"", lesson);
    put_attribute(out, "name", marks->lessons[lesson]);
    /* Without a time zone, which the schema's pattern does not allow; it is UTC. */
    fprintf(out, " timestamp=\"%.19s\" hostname=\"localhost\" tests=\"%zu\" failures=\"%u\"",
            strlen(marks->made) >= 19 ? marks->made : "1970-01-01T00:00:00", marks->student_count,
            counts.failures);
    fprintf(out, " errors=\"%u\" skipped=\"%u\" time=\"", counts.errors, counts.skipped);
    field_number(out, counts.seconds);
    fputs("\">\n    <properties/>\n", out);
    for (size_t i = 0; i < marks->student_count; i++)
        complete &= put_case(out, mark_at(marks, i, lesson));
    fputs("    <system-out/>\n    <system-err/>\n  </testsuite>\n", out);
    return complete;
}

static bool write_suites(const struct marks *marks, const struct student *student, FILE *out)
{
    (void)student;
    bool complete = true;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    for (size_t lesson = 0; lesson < marks->lesson_count; lesson++)
        complete &= put_suite(out, marks, lesson);
    fputs("</testsuites>\n", out);
    return export_done(out) && complete;
}

const struct export_format export_junit = {
    .name = "junit", .file = "junit.xml", .for_each = false, .write = write_suites};
