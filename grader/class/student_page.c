/* student_page.c - the page of a student: each mark, why it is so, and what to do next. */
#include "class/student_page.h"

#include "check/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- What a mark says ------------------------------------------------------------------------- */

static void put_panel(FILE *out, const char *title, const char *text)
{
    if (!*text)
        return;
    fprintf(out, "<div class=\"panel\"><h3>%s</h3><div class=\"reason\">", title);
    page_put_sentence(out, text);
    fputs("</div></div>\n", out);
}

/* Which gate failed, in which case, and why. */
static void put_failure(FILE *out, const json_t *record)
{
    const char *name = record_text(record, "failed_gate"), *reason = record_text(record, "reason");
    const char *advice = record_text(record, "advice");
    const char *in_case = page_failed_case(record_gate(record, name));
    fputs("<p class=\"reason\">", out);
    page_put_sentence(out, reason);
    if (*advice && strcmp(advice, page_hint(record)) != 0) {
        putc(' ', out);
        page_put_sentence(out, advice);
    }
    fputs("</p>\n", out);
    if (!*name)
        return;
    fputs("<p class=\"quiet\">It stopped at the gate <strong>", out);
    page_put(out, name);
    fputs("</strong>", out);
    if (*in_case) {
        fputs(", in the case <strong>", out);
        page_put(out, in_case);
        fputs("</strong>", out);
    }
    fputs(".</p>\n", out);
}

/* Does the reference earn gold on this device? Only then can anybody be asked to. Its share of a
 * ceiling is the submission's divided by their ratio. */
static bool gold_can_be_had(const json_t *cases, double gold_bar)
{
    size_t i;
    json_t *one;
    json_array_foreach (cases, i, one) {
        if (!(record_real(one, "of_ceiling") / record_real(one, "ratio") >= gold_bar))
            return false;
    }
    return gold_bar > 0 && json_array_size(cases) > 0;
}

static void put_gold(FILE *out, const json_t *record)
{
    const json_t *gate = record_gate(record, "utilization");
    const json_t *cases = json_object_get(gate, "cases");
    double bar = record_real(gate, "gold_bar"), of_ladder = record_real(gate, "gold_of_ladder");
    if (json_is_true(json_object_get(record, "gold")))
        fputs("<p><strong>★ Gold</strong>: nothing is left to ask for.</p>\n", out);
    else if (of_ladder > 0)
        fprintf(out, "<p>★ Gold asks for %.0f %% of the speed of the ladder’s top.</p>\n",
                100 * of_ladder);
    else if (gold_can_be_had(cases, bar)) {
        fprintf(out, "<p>★ Gold asks for %.0f %% of the ", 100 * bar);
        page_put(out, json_array_size(cases) > 1
                          ? "ceiling in each case"
                          : record_text(json_array_get(cases, 0), "ceiling"));
        fputs(".</p>\n", out);
    }
}

static void put_others(FILE *out, const json_t *record)
{
    size_t i;
    json_t *other, *others = json_object_get(record, "others");
    if (json_array_size(others) == 0)
        return;
    fputs("<table class=\"wide stack\">\n<caption>The other functions of this lesson</caption>\n"
          "<thead><tr>"
          "<th scope=\"col\">Function</th><th scope=\"col\">Result</th><th scope=\"col\">Why"
          "</th></tr></thead>\n<tbody>\n",
          out);
    json_array_foreach (others, i, other) {
        bool passed = record_verdict(other) == VERDICT_PASS;
        fputs("<tr><th scope=\"row\" class=\"plain\"><code>", out);
        page_put(out, record_text(other, "launcher"));
        fprintf(out,
                "</code></th><td class=\"state\"><span class=\"%s\">%s</span></td>"
                "<td data-label=\"why\">",
                passed ? "good" : "bad", passed ? "✓ passed" : "✗ failed");
        if (passed)
            student_put_ratio(out, record_gate(other, "utilization"));
        else
            page_put_long(out, record_text(other, "reason"));
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
}

/* --- How it was judged ------------------------------------------------------------------------ */

static void put_fact(FILE *out, const char *name, const char *value, bool code)
{
    if (!*value)
        return;
    fprintf(out, "<dt>%s</dt><dd>%s", name, code ? "<code>" : "");
    page_put(out, value);
    fprintf(out, "%s</dd>\n", code ? "</code>" : "");
}

static void put_device(FILE *out, const json_t *record)
{
    const json_t *device = json_object_get(record, "device");
    if (!device)
        return;
    fputs("<dt>Device</dt><dd>", out);
    page_put(out, record_text(device, "name"));
    if (json_is_true(json_object_get(device, "simulated")))
        fputs(" (times are modelled, not measured)", out);
    fputs("</dd>\n", out);
    put_fact(out, "Sandbox", record_text(record, "sandbox"), false);
}

static void put_facts(FILE *out, const struct mark *mark, const json_t *record)
{
    char attempts[32];
    snprintf(attempts, sizeof attempts, "%u", mark->attempts);
    fputs("<h3>How it was judged</h3>\n<dl class=\"facts\">\n", out);
    if (*record_text(record, "started")) {
        fputs("<dt>Judged on</dt><dd>", out);
        page_put_time(out, record_text(record, "started"));
        fputs("</dd>\n", out);
    }
    put_fact(out, "Attempts", attempts, false);
    put_device(out, record);
    put_fact(out, "Seed", record_text(record, "seed"), true);
    put_fact(out, "File (SHA-256)", mark->sha256, true);
    put_fact(out, "Grader", record_text(record, "grader"), true);
    fputs("</dl>\n", out);
}

/* --- A lesson --------------------------------------------------------------------------------- */

static void put_standing(FILE *out, const struct mark *mark)
{
    char *why = student_text(mark->why);
    if (mark->standing == MARK_UNDECIDED) {
        fputs("<p>It counts as not handed in until it has been judged. Your instructor sees it in "
              "the list of what is left to judge.</p>\n",
              out);
        put_panel(out, "Why it is not judged yet", why ? why : "");
    } else if (mark->standing == MARK_DECIDED) {
        put_panel(out, "The instructor’s reason", why ? why : "");
    } else if (mark->standing == MARK_ABSENT) {
        fputs("<p>Nothing was handed in for this lesson.</p>\n", out);
    }
    free(why);
}

static bool put_record(FILE *out, const struct mark *mark, const json_t *record)
{
    enum verdict verdict = record_verdict(record);
    if (mark->standing == MARK_DECIDED)
        fputs("<h3>What the grader found</h3>\n", out);
    fputs("<p><strong>", out);
    page_put_verdict(out, record);
    fprintf(out, "</strong> <code>%s</code></p>\n", verdict_name(verdict));
    if (verdict != VERDICT_PASS) {
        put_failure(out, record);
        if (verdict_points(verdict) != POINTS_AGAIN)
            put_panel(out, "What to do next", page_hint(record));
    } else {
        put_gold(out, record);
    }
    student_put_lines(out, mark, record);
    put_others(out, record);
    student_put_gates(out, record);
    put_facts(out, mark, record);
    return student_put_report(out, record);
}

static bool put_lesson(FILE *out, const struct mark *mark)
{
    bool complete = true;
    json_t *record = student_record(mark->record);
    fprintf(out,
            "<section class=\"lesson\" id=\"lesson-%d\" aria-labelledby=\"title-%d\">\n"
            "<h2 id=\"title-%d\">",
            mark->number, mark->number, mark->number);
    page_put_lesson(out, mark);
    fputs("</h2>\n<p class=\"grade\"><span><b>", out);
    bool none = mark->standing == MARK_ABSENT || mark->standing == MARK_UNDECIDED;
    page_put_number(out, none ? 0 : mark->points);
    fputs("</b> of ", out);
    page_put_number(out, mark->of);
    fputs(" points</span>", out);
    page_put_state(out, mark);
    if (*mark->band && record_verdict(mark->record) != VERDICT_PASS) { /* else the state has it */
        fputs("<span class=\"quiet\">band: ", out);
        page_put(out, mark->band);
        fputs("</span>", out);
    }
    fputs("</p>\n", out);
    put_standing(out, mark);
    if (record)
        complete = put_record(out, mark, record);
    else if (mark->standing != MARK_ABSENT)
        put_facts(out, mark, NULL);
    fputs("</section>\n", out);
    complete &= record != NULL || mark->record == NULL;
    json_decref(record);
    return complete;
}

/* --- The page --------------------------------------------------------------------------------- */

static void put_row(FILE *out, const struct mark *mark)
{
    fprintf(out, "<tr><th scope=\"row\"><a href=\"#lesson-%d\">", mark->number);
    page_put_lesson(out, mark);
    fputs("</a></th><td class=\"n\">", out);
    page_put_points(out, mark);
    fputs("</td><td class=\"state\">", out);
    page_put_state(out, mark);
    fputs("</td></tr>\n", out);
}

static void put_summary(FILE *out, const struct marks *marks, const struct student *student)
{
    double points = 0, of = 0;
    fputs("<table>\n<caption>All lessons</caption>\n<thead><tr><th scope=\"col\">Lesson</th>"
          "<th scope=\"col\" class=\"n\">Points</th><th scope=\"col\">Result</th></tr></thead>\n"
          "<tbody>\n",
          out);
    for (size_t i = 0; i < marks->lesson_count; i++) {
        const struct mark *mark = page_mark(marks, student, marks->lessons[i]);
        if (!mark)
            continue;
        put_row(out, mark);
        if (mark->standing == MARK_JUDGED || mark->standing == MARK_DECIDED)
            points += mark->points;
        of += mark->of;
    }
    fputs("</tbody>\n<tfoot><tr><th scope=\"row\">Sum</th><td class=\"n\">", out);
    page_put_number(out, points);
    fputs(" of ", out);
    page_put_number(out, of);
    fputs("</td><td></td></tr></tfoot>\n</table>\n", out);
}

static void put_head(FILE *out, const struct marks *marks, const struct student *student)
{
    fputs("<header>\n<h1>", out);
    page_put_name(out, page_student(student));
    fputs("</h1>\n<p class=\"quiet\">", out);
    if (*student->name) {
        page_put_name(out, student->id);
        fputs(" · ", out);
    }
    if (*student->section) {
        fputs("section ", out);
        page_put_name(out, student->section);
        fputs(" · ", out);
    }
    fputs("marks of ", out);
    page_put_time(out, marks->made);
    fputs("</p>\n</header>\n", out);
}

bool student_page_write(const struct marks *marks, const struct student *student, FILE *out)
{
    bool complete = true;
    page_begin(out, page_student(student));
    put_head(out, marks, student);
    put_summary(out, marks, student);
    for (size_t i = 0; i < marks->lesson_count; i++) {
        const struct mark *mark = page_mark(marks, student, marks->lessons[i]);
        if (mark)
            complete &= put_lesson(out, mark);
    }
    return page_end(out) && complete;
}
