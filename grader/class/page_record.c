/* page_record.c - what a mark and the record behind it say, in words. */
#include "class/page.h"

#include "check/record.h"

#include <ctype.h>
#include <string.h>

const char *page_student(const struct student *student)
{
    return *student->name ? student->name : student->id;
}

void page_put_lesson(FILE *out, const struct mark *mark)
{
    const char *title = *mark->title ? mark->title : mark->lesson;
    fprintf(out, "Lesson %d: ", mark->number);
    if (islower((unsigned char)*title))
        putc(toupper((unsigned char)*title++), out);
    page_put(out, title);
}

/* "OUT_OF_BOUNDS" as "out of bounds"; names that say too little alone in other words. */
static void put_verdict_name(FILE *out, enum verdict verdict)
{
    const char *word = verdict == VERDICT_BUILD       ? "does not compile"
                       : verdict == VERDICT_GUARD     ? "past its output"
                       : verdict == VERDICT_STREAM    ? "wrong stream"
                       : verdict == VERDICT_BARRIER   ? "barrier missed"
                       : verdict == VERDICT_ARGUMENTS ? "arguments ignored"
                                                      : NULL;
    if (word) {
        fputs(word, out);
        return;
    }
    for (const char *at = verdict_name(verdict); *at; at++)
        putc(*at == '_' ? ' ' : tolower((unsigned char)*at), out);
}

static void put_judged(FILE *out, const struct mark *mark)
{
    enum verdict verdict = record_verdict(mark->record);
    bool passed = verdict == VERDICT_PASS;
    if (!mark->record) {
        fputs("<span class=\"open\">? no record</span>", out);
        return;
    }
    fprintf(out, "<span class=\"%s\">%s ", passed ? "good" : "bad", passed ? "✓" : "✗");
    if (passed && *mark->band)
        page_put(out, mark->band);
    else
        put_verdict_name(out, verdict);
    fputs("</span>", out);
}

void page_put_state(FILE *out, const struct mark *mark)
{
    switch (mark->standing) {
    case MARK_ABSENT: fputs("<span class=\"quiet\">– not handed in</span>", out); break;
    case MARK_UNDECIDED: fputs("<span class=\"open\">? not judged yet</span>", out); break;
    case MARK_JUDGED: put_judged(out, mark); break;
    case MARK_DECIDED: fputs("<span class=\"open\">✎ by the instructor</span>", out); break;
    }
}

void page_put_points(FILE *out, const struct mark *mark)
{
    bool none = mark->standing == MARK_ABSENT || mark->standing == MARK_UNDECIDED;
    page_put_number(out, none ? 0 : mark->points);
    fputs(" of ", out);
    page_put_number(out, mark->of);
}

void page_put_verdict(FILE *out, const json_t *record)
{
    bool breaks_rule = *record_text(record, "broken_rule") != '\0';
    fputs("Your code ", out);
    page_put(out, breaks_rule ? "breaks a rule of its lesson"
                              : verdict_sentence(record_verdict(record)));
    putc('.', out);
}

const char *page_hint(const json_t *record)
{
    const char *hint = record_text(json_object_get(record, "mistake"), "hint");
    if (!*hint)
        hint = verdict_advice(record_verdict(record));
    return *hint ? hint : record_text(record, "advice");
}

/* Of a case's other sizes, alignments and values, the first that is too slow. */
static const char *slow_regime(const json_t *one)
{
    size_t i;
    json_t *regime;
    json_array_foreach (json_object_get(one, "regimes"), i, regime) {
        if (record_real(regime, "share") < record_real(regime, "least"))
            return record_text(regime, "case");
    }
    return "";
}

const char *page_failed_case(const json_t *gate)
{
    const json_t *cases = json_object_get(gate, "cases");
    const json_t *shown = json_array_get(cases, (size_t)record_integer(gate, "shown"));
    const char *named = record_text(gate, "case");
    if (*named || record_verdict(gate) == VERDICT_NOT_SIMULATED)
        return named; /* the latter shows none */
    if (json_is_true(json_object_get(shown, "in_another_case")))
        return slow_regime(shown);
    return record_text(shown, "case");
}

const struct mark *page_mark(const struct marks *marks, const struct student *student,
                             const char *lesson)
{
    /* The search begins where it is if each student has a mark in each lesson. */
    bool is_own = student >= marks->students && student < marks->students + marks->student_count;
    size_t first = is_own ? (size_t)(student - marks->students) * marks->lesson_count : 0;
    for (size_t i = 0; i < marks->mark_count; i++) {
        const struct mark *mark = &marks->marks[(first + i) % marks->mark_count];
        if ((mark->student == student || strcmp(mark->student->id, student->id) == 0) &&
            strcmp(mark->lesson, lesson) == 0)
            return mark;
    }
    return NULL;
}

const struct mark *page_lesson(const struct marks *marks, const char *lesson)
{
    for (size_t i = 0; i < marks->mark_count; i++)
        if (strcmp(marks->marks[i].lesson, lesson) == 0)
            return &marks->marks[i];
    return NULL;
}
