/* hint.c - three hints for each lesson, from the symptom to the shape of the answer; but after an
 * error, instead, what that error means. Only the former are counted. */
#include "check/parts.h"
#include "check/record.h"
#include "quest/quest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINTS = 3, EXIT_USAGE = 64 };

static struct path counter_file(const struct course *course, const struct lesson *lesson)
{
    return path_of("%s/records/%s.hints", course->build.text, lesson->key);
}

static int shown_before(const struct course *course, const struct lesson *lesson)
{
    char *text = file_read(counter_file(course, lesson).text, 16, NULL);
    int shown = text ? atoi(text) : 0;
    free(text);
    return shown;
}

static void note_shown(const struct course *course, const struct lesson *lesson, int level)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%d\n", level);
    if (folder_make(path_of("%s/records", course->build.text).text))
        file_write(counter_file(course, lesson).text, text, (size_t)length);
}

/* What was seen in the last check, or "". */
static const char *seen_hint(const json_t *last)
{
    return record_text(json_object_get(last, "mistake"), "hint");
}

/* A lesson's own hints are about speed. For a kernel that is not right yet something else comes
 * first: the mistake that was recognised, or at least what its verdict means. */
static const char *error_hint(const json_t *last)
{
    enum verdict verdict = record_verdict(last);
    if (!last || verdict == VERDICT_SLOW || verdict == VERDICT_PASS)
        return "";
    return *seen_hint(last) ? seen_hint(last) : verdict_advice(verdict);
}

/* What fits the evidence if no mistake was recognised, with a dot before each. */
static void print_causes(const json_t *last, const struct terminal *terminal)
{
    size_t i;
    json_t *cause, *causes = json_object_get(last, "causes");
    if (json_array_size(causes) > 1)
        fputs("  several causes fit:\n", terminal->out);
    json_array_foreach (causes, i, cause) {
        fputs("  - ", terminal->out);
        terminal_wrap(terminal, json_string_value(cause), 4, 4);
    }
}

/* The compiler's first error, or the sentence about the gate that failed. The caller frees it. */
static char *what_was_said(const json_t *last, const json_t *gate)
{
    const char *messages = record_text(gate, "messages"), *error = strstr(messages, "error");
    if (!error)
        return strdup(record_text(last, "reason"));
    while (error > messages && error[-1] != '\n')
        error--;
    return strndup(error, strcspn(error, "\n"));
}

/* What the check said, and the line that it named: the hint is about both. */
static void print_said(const json_t *last, const struct terminal *terminal)
{
    const json_t *line = json_object_get(last, "line");
    const json_t *gate = record_gate(last, record_text(last, "failed_gate"));
    const char *in_case = record_text(gate, "case"), *advice = record_text(last, "advice");
    char *said = what_was_said(last, gate);
    if (said)
        terminal_wrap(terminal, said, 2, 0);
    if (said && !strstr(said, in_case))
        terminal_wrap(terminal, path_of("case %s", in_case).text, 2, 0);
    if (*advice)
        terminal_wrap(terminal, advice, 2, 0);
    if (line) {
        int at = fprintf(terminal->out, "  line %d  ", record_integer(line, "number"));
        terminal_cell(terminal, record_text(line, "text"), 0, terminal->columns - at);
        putc('\n', terminal->out);
    }
    putc('\n', terminal->out);
    free(said);
}

/* " SUBMISSION=file" if the check was of a file other than the exercise. */
static const char *of_submission(const json_t *last, struct path *text)
{
    const json_t *submission = json_object_get(last, "submission");
    if (!json_is_false(json_object_get(submission, "is_own")))
        return "";
    *text = path_of(" SUBMISSION=%s", record_text(submission, "path"));
    return text->text;
}

/* " ONLY=transpose" if the check was of that launcher alone. */
static struct path of_launcher(const json_t *last)
{
    const char *only = record_text(last, "only");
    return path_of("%s%s", *only ? " ONLY=" : "", parts_short(only));
}

static void print_about_error(const json_t *last, const struct lesson *lesson,
                              const struct terminal *terminal)
{
    enum verdict verdict = record_verdict(last);
    struct path file;
    const char *of = of_submission(last, &file);
    terminal_print(terminal, STYLE_BOLD, "about your last check, lesson %d [%s]\n", lesson->number,
                   verdict_name(verdict));
    print_said(last, terminal);
    print_causes(last, terminal);
    if (!json_object_get(last, "causes"))
        terminal_wrap(terminal, error_hint(last), 2, 0);
    fprintf(terminal->out,
            "next: make check-lesson%d%s%s   (then come the lesson's hints, about "
            "speed)\n",
            lesson->number, of, of_launcher(last).text);
}

static bool breaks_rule(const json_t *last)
{
    return *record_text(last, "broken_rule") != '\0';
}

/* Is it slow in another case than the one its report's figures are of? */
static bool is_slow_elsewhere(const json_t *last)
{
    return json_is_true(json_object_get(last, "in_another_case"));
}

/* The first hint is a question about the counters, which the report answers; but if all of them are
 * as they should be, or a rule is broken, that question does not matter now. */
static bool first_hint_fits(const json_t *last)
{
    return strcmp(record_text(last, "failed_gate"), "utilization") != 0 && !breaks_rule(last) &&
           !is_slow_elsewhere(last);
}

/* For a slow submission: the mistake that was recognised, or what else is known. */
static void print_about_slow(const json_t *last, const struct terminal *terminal)
{
    bool has_causes = json_object_get(last, "causes") != NULL;
    if (record_verdict(last) != VERDICT_SLOW ||
        (!*seen_hint(last) && !has_causes && !breaks_rule(last) && !is_slow_elsewhere(last)))
        return;
    fputs("  about your last check:\n", terminal->out);
    if (*seen_hint(last) && !is_slow_elsewhere(last)) {
        terminal_wrap(terminal, seen_hint(last), 2, 0);
    } else if (has_causes && !is_slow_elsewhere(last)) {
        print_causes(last, terminal);
    } else {
        terminal_wrap(terminal, record_text(last, "reason"), 2, 0);
        terminal_wrap(terminal, record_text(last, "advice"), 2, 0);
    }
    putc('\n', terminal->out);
}

static void print_hint(const json_t *last, const struct lesson *lesson, int level,
                       const struct terminal *terminal)
{
    json_t *hints = json_object_get(lesson->judge, "hints");
    const char *hint = json_string_value(json_array_get(hints, (size_t)level - 1));
    terminal_print(terminal, STYLE_BOLD, "hint %d of %d, lesson %d\n", level, HINTS,
                   lesson->number);
    if (level > 1 || !first_hint_fits(last))
        print_about_slow(last, terminal);
    struct path file;
    const char *of = of_submission(last, &file);
    terminal_wrap(terminal, hint ? hint : "this lesson has no such hint", 2, 0);
    fprintf(terminal->out, "your kernel, line by line: make profile-lesson%d%s\n", lesson->number,
            of);
    if (level < HINTS)
        fprintf(terminal->out, "next: make hint-lesson%d LEVEL=%d%s\n", lesson->number, level + 1,
                of);
}

int quest_hint(const struct course *course, const struct lesson *lesson, const char *submission,
               int level, const struct terminal *terminal)
{
    int shown = shown_before(course, lesson);
    if (level < 0 || level > HINTS) {
        fprintf(terminal->out, "hints go from LEVEL=1 to LEVEL=%d\n", HINTS);
        return EXIT_USAGE;
    }
    json_t *last = submission ? quest_last_of(course, lesson->key, submission)
                              : quest_last(course, lesson->key);
    if (submission && !last) {
        fprintf(terminal->out,
                "%s is not the file that was checked last: make check-lesson%d "
                "SUBMISSION=%s\n",
                submission, lesson->number, submission);
        return EXIT_USAGE;
    }
    if (*error_hint(last)) {
        print_about_error(last, lesson, terminal);
    } else {
        if (level == 0)
            level = shown < HINTS ? shown + 1 : HINTS;
        print_hint(last, lesson, level, terminal);
        if (level > shown)
            note_shown(course, lesson, level);
    }
    json_decref(last);
    return 0;
}
