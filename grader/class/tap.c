/* tap.c - TAP 14: a test point for each student and lesson, with a block of YAML that says why.
 *
 * https://testanything.org/tap-version-14-specification.html. A reader counts each line that begins
 * with "ok" or "not ok", so what a student wrote is never the beginning of a line.
 */
#include "class/formats.h"
#include "class/mark_text.h"
#include "lib/field.h"

static void put_yaml(FILE *out, const char *key, const char *value)
{
    if (!*value)
        return;
    fprintf(out, "  %s: ", key);
    field_yaml(out, value);
    putc('\n', out);
}

static void put_number(FILE *out, const char *key, double value)
{
    fprintf(out, "  %s: ", key);
    field_number(out, value);
    putc('\n', out);
}

static void put_diagnostics(FILE *out, const struct mark *mark)
{
    fputs("  ---\n", out);
    put_yaml(out, "verdict", mark_verdict(mark));
    if (mark_stands(mark)) {
        put_number(out, "points", mark->points);
        put_number(out, "of", mark->of);
    }
    put_yaml(out, "message", mark_reason(mark));
    if (mark_line(mark))
        put_number(out, "line", mark_line(mark));
    put_yaml(out, "hint", mark_stands(mark) ? mark_hint(mark) : "");
    fputs("  ...\n", out);
}

static void put_point(FILE *out, size_t number, const struct mark *mark)
{
    bool absent = mark->standing == MARK_ABSENT;
    fprintf(out, "%s %zu - ", absent || mark_passed(mark) ? "ok" : "not ok", number);
    field_tap(out, mark->lesson);
    fputs(": ", out);
    field_tap(out, mark->student->id);
    fputs(absent ? " # SKIP nothing was handed in\n" : "\n", out);
    if (!absent)
        put_diagnostics(out, mark);
}

static bool write_points(const struct marks *marks, const struct student *student, FILE *out)
{
    (void)student;
    fprintf(out, "TAP version 14\n1..%zu\n", marks->mark_count);
    for (size_t i = 0; i < marks->mark_count; i++)
        put_point(out, i + 1, &marks->marks[i]);
    return export_done(out);
}

const struct export_format export_tap = {
    .name = "tap", .file = "class.tap", .for_each = false, .write = write_points};
