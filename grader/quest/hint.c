/* hint.c - three hints for each lesson, from the symptom to the shape of the answer. After a check
 * that failed they are about that submission (check/examine/levels.h); after an error they are not
 * about speed, and not counted. */
#include "check/parts.h"
#include "check/record.h"
#include "quest/quest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINTS = 3 };

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

/* A lesson's own hints are about speed. For a kernel that is not right yet something else comes
 * first. */
static bool is_error(const json_t *last)
{
    enum verdict verdict = record_verdict(last);
    return last && verdict != VERDICT_SLOW && verdict != VERDICT_PASS;
}

enum { MOST_TOLD_BYTES = 128 };

/* The last hint after an error, and the check that it was about: records/NN_slug.told. */
static struct path told_file(const struct course *course, const struct lesson *lesson)
{
    return path_of("%s/records/%s.told", course->build.text, lesson->key);
}

/* Two checks may begin in the same second; then their seeds differ. */
static struct path name_of_check(const json_t *last)
{
    return path_of("%s %s", record_text(last, "started"), record_text(last, "seed"));
}

static int told_before(const struct course *course, const struct lesson *lesson, const json_t *last)
{
    char *text = file_read(told_file(course, lesson).text, MOST_TOLD_BYTES, NULL);
    struct path check = name_of_check(last);
    size_t length = strlen(check.text);
    int level = text && strncmp(text, check.text, length) == 0 ? atoi(text + length) : 0;
    free(text);
    return level;
}

static void note_told(const struct course *course, const struct lesson *lesson, const json_t *last,
                      int level)
{
    struct path text = path_of("%s %d\n", name_of_check(last).text, level);
    if (folder_make(path_of("%s/records", course->build.text).text))
        file_write(told_file(course, lesson).text, text.text, strlen(text.text));
}

/* What is known of the submission at that level. Where several causes fit, they are a list. */
static bool print_level(const json_t *last, int level, const struct terminal *terminal)
{
    size_t i;
    json_t *text;
    json_t *texts = json_array_get(json_object_get(last, "levels"), (size_t)level - 1);
    bool is_list = level == 2 && record_verdict(last) != VERDICT_SLOW && json_array_size(texts) > 1;
    if (is_list)
        fputs("  several causes fit:\n", terminal->out);
    json_array_foreach (texts, i, text) {
        if (is_list)
            fputs("  - ", terminal->out);
        terminal_wrap(terminal, json_string_value(text), is_list ? 4 : 2, is_list ? 4 : 0);
    }
    return json_array_size(texts) > 0;
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

static void print_line(const json_t *line, const struct terminal *terminal)
{
    if (!line)
        return;
    int at = fprintf(terminal->out, "  line %d  ", record_integer(line, "number"));
    terminal_cell(terminal, record_text(line, "text"), 0, terminal->columns - at);
    putc('\n', terminal->out);
}

/* What the check said at the first level, and always the lines that it named: the hint is about
 * both. How wrong elements lie is part of what was seen; other advice comes later. */
static void print_said(const json_t *last, int level, const struct terminal *terminal)
{
    const json_t *line = json_object_get(last, "line");
    const json_t *gate = record_gate(last, record_text(last, "failed_gate"));
    const char *in_case = record_text(gate, "case");
    char *said = what_was_said(last, gate);
    if (said && level == 1)
        terminal_wrap(terminal, said, 2, 0);
    if (level == 1 && record_verdict(last) == VERDICT_WRONG && *record_text(last, "advice"))
        terminal_wrap(terminal, record_text(last, "advice"), 2, 0);
    if (*in_case && (level > 1 || (said && !strstr(said, in_case))))
        terminal_wrap(terminal, path_of("case %s", in_case).text, 2, 0);
    print_line(line, terminal);
    print_line(json_object_get(line, "other"), terminal);
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

static void print_next(const json_t *last, const struct lesson *lesson, int level,
                       const struct terminal *terminal)
{
    struct path file;
    const char *of = of_submission(last, &file);
    if (level < HINTS)
        fprintf(terminal->out, "next: make hint-lesson%d LEVEL=%d%s\n", lesson->number, level + 1,
                of);
    if (is_error(last)) /* then come the lesson's hints, about speed */
        fprintf(terminal->out, "%s make check-lesson%d%s%s%s\n",
                level < HINTS ? "or:  " : "next:", lesson->number, of, of_launcher(last).text,
                level < HINTS ? "" : "   (then come the lesson's hints, about speed)");
}

static void print_about_error(const json_t *last, const struct lesson *lesson, int level,
                              const struct terminal *terminal)
{
    enum verdict verdict = record_verdict(last);
    terminal_print(terminal, STYLE_BOLD, "about your last check, lesson %d [%s], hint %d of %d\n",
                   lesson->number, verdict_name(verdict), level, HINTS);
    print_said(last, level, terminal);
    if (!print_level(last, level, terminal)) /* an older check's record */
        terminal_wrap(terminal, verdict_advice(verdict), 2, 0);
    print_next(last, lesson, level, terminal);
}

static void print_hint(const json_t *last, const struct lesson *lesson, int level,
                       const struct terminal *terminal)
{
    json_t *hints = json_object_get(lesson->judge, "hints");
    const char *hint = json_string_value(json_array_get(hints, (size_t)level - 1));
    struct path file;
    const char *of = of_submission(last, &file);
    bool is_slow = record_verdict(last) == VERDICT_SLOW && json_object_get(last, "levels");
    terminal_print(terminal, STYLE_BOLD, "hint %d of %d, lesson %d\n", level, HINTS,
                   lesson->number);
    if (is_slow) {
        fputs("  about your last check:\n", terminal->out);
        if (level == 1)
            terminal_wrap(terminal, record_text(last, "reason"), 2, 0);
        print_line(json_object_get(last, "line"), terminal);
        putc('\n', terminal->out);
    }
    if (!is_slow || !print_level(last, level, terminal))
        terminal_wrap(terminal, hint ? hint : "this lesson has no such hint", 2, 0);
    fprintf(terminal->out, "your kernel, line by line: make profile-lesson%d%s\n", lesson->number,
            of);
    print_next(last, lesson, level, terminal);
}

static void hint_about_error(const struct course *course, const struct lesson *lesson,
                             const json_t *last, int level, const struct terminal *terminal)
{
    int told = told_before(course, lesson, last);
    if (level == 0)
        level = told < HINTS ? told + 1 : HINTS;
    print_about_error(last, lesson, level, terminal);
    if (level > told)
        note_told(course, lesson, last, level);
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
    if (is_error(last)) {
        hint_about_error(course, lesson, last, level, terminal);
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
