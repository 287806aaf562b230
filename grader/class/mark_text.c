/* mark_text.c - one mark in words. */
#include "class/mark_text.h"
#include "lib/field.h"

#include "check/record.h"

#include <stdlib.h>
#include <string.h>

bool mark_stands(const struct mark *mark)
{
    return mark->standing == MARK_JUDGED || mark->standing == MARK_DECIDED;
}

bool mark_passed(const struct mark *mark)
{
    if (mark->standing == MARK_DECIDED)
        return mark->points > 0;
    return mark->standing == MARK_JUDGED && record_verdict(mark->record) == VERDICT_PASS;
}

const char *mark_verdict(const struct mark *mark)
{
    switch (mark->standing) {
    case MARK_ABSENT: return "ABSENT";
    case MARK_UNDECIDED: return "UNDECIDED";
    case MARK_DECIDED: return "DECIDED";
    case MARK_JUDGED: break;
    }
    return verdict_name(record_verdict(mark->record));
}

const char *mark_reason(const struct mark *mark)
{
    const char *reason =
        mark->standing == MARK_JUDGED ? record_text(mark->record, "reason") : mark->why;
    return reason ? reason : "";
}

const char *mark_hint(const struct mark *mark)
{
    const char *hint = record_text(json_object_get(mark->record, "mistake"), "hint");
    return *hint || !mark->record ? hint : verdict_advice(record_verdict(mark->record));
}

int mark_line(const struct mark *mark)
{
    json_int_t number =
        json_integer_value(json_object_get(json_object_get(mark->record, "line"), "number"));
    return number > 0 && number < 10000000 ? (int)number : 0;
}

/* Nothing when the text is "". */
static void put_line(FILE *out, const char *words, const char *text)
{
    if (!*text)
        return;
    fputs(words, out);
    field_line(out, text);
    putc('\n', out);
}

static void put_points(FILE *out, const struct mark *mark)
{
    fputs("Points: ", out);
    field_number(out, mark->points);
    fputs(" of ", out);
    field_number(out, mark->of);
    if (*mark->band) {
        fputs(" (", out);
        field_line(out, mark->band);
        putc(')', out);
    }
    putc('\n', out);
}

/* The first lines of what the compiler said, where it refused the file. */
static void put_compiler(FILE *out, const struct mark *mark)
{
    enum { MOST_LINES = 12 };
    const json_t *build = record_gate(mark->record, "build");
    const char *line = record_text(build, "messages");
    if (record_verdict(build) == VERDICT_PASS)
        return;
    for (int i = 0; *line && i < MOST_LINES; i++) {
        char *text = strndup(line, strcspn(line, "\n"));
        put_line(out, "Compiler: ", text ? text : "");
        free(text);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

/* What the grader saw, also where the instructor decided otherwise. */
static void put_judgement(FILE *out, const struct mark *mark)
{
    enum verdict verdict = record_verdict(mark->record);
    fprintf(out, "Verdict: %s, your code %s\n", verdict_name(verdict), verdict_sentence(verdict));
    put_line(out, "Reason: ", record_text(mark->record, "reason"));
    if (mark_line(mark)) {
        fprintf(out, "Line: %d", mark_line(mark));
        put_line(out, ", ", record_text(json_object_get(mark->record, "line"), "says"));
        if (!*record_text(json_object_get(mark->record, "line"), "says"))
            putc('\n', out);
    }
    put_compiler(out, mark);
    put_line(out, "Hint: ", mark_hint(mark));
}

void mark_write(const struct mark *mark, FILE *out)
{
    switch (mark->standing) {
    case MARK_ABSENT: fputs("Nothing was handed in.\n", out); return;
    case MARK_UNDECIDED:
        fputs("It counts as not handed in until it has been judged.\n", out);
        put_line(out, "Cause: ", mark_reason(mark));
        return;
    case MARK_DECIDED:
        put_points(out, mark);
        put_line(out, "Decided by the instructor: ", mark_reason(mark));
        break;
    case MARK_JUDGED: put_points(out, mark);
    }
    if (mark->record || mark->standing == MARK_JUDGED)
        put_judgement(out, mark);
}

char *mark_text(const struct mark *mark)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    mark_write(mark, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

const struct mark *mark_at(const struct marks *marks, size_t student, size_t lesson)
{
    return &marks->marks[student * marks->lesson_count + lesson];
}

const struct mark *marks_of(const struct marks *marks, const struct student *student)
{
    for (size_t i = 0; i < marks->student_count; i++)
        if (strcmp(marks->students[i].id, student->id) == 0)
            return mark_at(marks, i, 0);
    return NULL;
}

bool has_standing_mark(const struct marks *marks, size_t student)
{
    for (size_t lesson = 0; lesson < marks->lesson_count; lesson++)
        if (mark_stands(mark_at(marks, student, lesson)))
            return true;
    return false;
}

const char *lesson_title(const struct marks *marks, size_t lesson)
{
    const char *title = marks->student_count ? mark_at(marks, 0, lesson)->title : "";
    return *title ? title : marks->lessons[lesson];
}

double lesson_points(const struct marks *marks, size_t lesson)
{
    return marks->student_count ? mark_at(marks, 0, lesson)->of : 0;
}
