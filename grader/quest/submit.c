/* submit.c - `make submit-lessonN`: makes the one file that a student hands in.
 *
 * Whoever judges it has the course and that file, and nothing else of this machine. So a header
 * next to the exercise would be missing there, and is refused here, where it can be put right.
 */
#include "check/record.h"
#include "check/source.h"
#include "quest/quest.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANNOT = 70, MOST_NAME_COLUMNS = 60 };

struct submit {
    const struct course *course;
    const struct lesson *lesson;
    const struct terminal *terminal;
    struct path shown; /* the exercise, as it is typed at the top of the course */
    struct source source;
};

static int refuse(const struct submit *submit, const char *reason)
{
    terminal_wrap(submit->terminal, reason, 0, 0);
    return verdict_exit_code(VERDICT_REFUSED);
}

/* --- Its text --------------------------------------------------------------------------------- */

/* Past the string or character that begins here, which ends with its line at the latest. An
 * apostrophe in 1'000 begins nothing. */
static char *past_literal(const char *text, char *at)
{
    char quote = *at++;
    if (quote == '\'' && at - 1 > text && isalnum((unsigned char)at[-2]))
        return at;
    while (*at && *at != '\n' && *at != quote)
        at += *at == '\\' && at[1] && at[1] != '\n' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

/* Blanks, and lines as before, in place of the comment that begins here. Returns its end. */
static char *blank_comment(char *at)
{
    bool of_line = at[1] == '/';
    const char *end = strstr(at + 2, of_line ? "\n" : "*/");
    size_t length = end ? (size_t)(end - at) + (of_line ? 0 : 2) : strlen(at);
    for (size_t i = 0; i < length; i++)
        if (at[i] != '\n')
            at[i] = ' ';
    return at + length;
}

/* The source without comments; the caller frees it. */
static char *code_of(const struct source *source)
{
    char *code = strdup(source->text);
    for (char *at = code; at && *at;) {
        if (*at == '"' || *at == '\'')
            at = past_literal(code, at);
        else if (*at == '/' && (at[1] == '/' || at[1] == '*'))
            at = blank_comment(at);
        else
            at++;
    }
    return code;
}

/* --- Headers ---------------------------------------------------------------------------------- */

/* What the line includes in quotes: only for that does a compiler look next to the file. */
static bool included_in(const char *line, struct path *name)
{
    static const char *const WORDS[] = {"include_next", "include", "import"};
    line += strspn(line, " \t");
    if (*line++ != '#')
        return false;
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        size_t length = strlen(WORDS[i]);
        if (strncmp(line, WORDS[i], length) != 0)
            continue;
        line += length + strspn(line + length, " \t");
        if (*line++ != '"')
            return false;
        *name = path_of("%.*s", (int)strcspn(line, "\"\r\n"), line);
        return true;
    }
    return false;
}

/* Of the course, the toolkit or the system, by a name that leads there from anywhere. */
static bool grader_has(const struct course *course, const char *header)
{
    const struct path folders[] = {path_of("%s/common", course->root.text),
                                   course_setting(course, "CUDA_INCLUDE"),
                                   path_of("%s", "/usr/include")};
    if (*header == '/' || strstr(header, ".."))
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (*folders[i].text && file_exists(path_of("%s/%s", folders[i].text, header).text))
            return true;
    return false;
}

/* The exit status: 0 when the grader has all that is included. */
static int check_headers(const struct submit *submit, const char *code)
{
    struct path name;
    unsigned number = 1;
    FILE *out = submit->terminal->out;
    for (const char *line = code; line; number++) {
        if (included_in(line, &name) && !grader_has(submit->course, name.text)) {
            fprintf(out, "%s:%u: this includes \"", submit->shown.text, number);
            terminal_cell(submit->terminal, name.text, 0, MOST_NAME_COLUMNS);
            fputs("\",\n", out);
            return refuse(submit, "which the grader does not have, since one file is handed in, "
                                  "and no other: put what you need of that header into it");
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return 0;
}

/* --- Functions -------------------------------------------------------------------------------- */

static bool is_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Do parameters and a body follow? After a declaration or a call, it is something else. */
static bool is_definition(const char *at)
{
    unsigned depth = 0;
    at += strspn(at, " \t\r\n");
    if (*at != '(')
        return false;
    for (; *at && (*at != ')' || depth > 1); at++) {
        depth += *at == '(';
        depth -= *at == ')';
    }
    at += *at == ')';
    at += strspn(at, " \t\r\n");
    size_t word = strlen("noexcept");
    if (strncmp(at, "noexcept", word) == 0)
        at += word + strspn(at + word, " \t\r\n");
    return *at == '{';
}

static bool defines(const char *code, const char *function)
{
    size_t length = strlen(function);
    for (const char *at = code; (at = strstr(at, function)); at += length)
        if ((at == code || !is_word(at[-1])) && !is_word(at[length]) && is_definition(at + length))
            return true;
    return false;
}

static int check_functions(const struct submit *submit, const char *code)
{
    size_t i;
    json_t *launcher, *launchers = json_object_get(submit->lesson->judge, "launchers");
    json_array_foreach (launchers, i, launcher) {
        const char *name = json_string_value(launcher);
        if (name && !defines(code, name))
            return refuse(submit, path_of("%s does not define %s, which lesson %d asks for: its "
                                          "declaration is in common/contracts/%s.h",
                                          submit->shown.text, name, submit->lesson->number,
                                          submit->lesson->key)
                                      .text);
    }
    return 0;
}

/* --- Its last check --------------------------------------------------------------------------- */

/* Of this very text, whole and by this version of the grader? */
static bool is_of(const struct submit *submit, const json_t *record)
{
    const json_t *submission = json_object_get(record, "submission");
    return strcmp(record_text(submission, "sha256"), submit->source.sha256) == 0 &&
           strcmp(record_text(record, "grader"), course_version(submit->course)) == 0 &&
           !*record_text(record, "only");
}

static json_t *find_record(const struct submit *submit, const char *written)
{
    const struct course *course = submit->course;
    const char *key = submit->lesson->key;
    json_t *records[] = {quest_last(course, key), quest_last_of(course, key, written),
                         quest_last_of(course, key, submit->shown.text), quest_best(course, key)};
    json_t *found = NULL;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        if (!found && is_of(submit, records[i]))
            found = json_incref(records[i]);
        json_decref(records[i]);
    }
    return found;
}

static void print_last(const struct submit *submit, const char *written)
{
    FILE *out = submit->terminal->out;
    json_t *last = find_record(submit, written);
    if (last)
        fprintf(out, "its last check: %s, %d points%s\n", verdict_name(record_verdict(last)),
                record_integer(last, "points"),
                json_is_true(json_object_get(last, "gold")) ? ", gold" : "");
    else
        fprintf(out,
                "no whole check of this text is known here; make one first: "
                "make check-lesson%d\n",
                submit->lesson->number);
    json_decref(last);
}

/* ---------------------------------------------------------------------------------------------- */

static int write_it(const struct submit *submit)
{
    FILE *out = submit->terminal->out;
    struct path folder = path_of("%s/submit", submit->course->build.text);
    struct path file = path_of("%s/%s.cu", folder.text, submit->lesson->slug);
    if (!folder_make(folder.text) ||
        !file_write(file.text, submit->source.text, submit->source.bytes)) {
        fprintf(out, "%s: %s; nothing was written\n", file.text, strerror(errno));
        return CANNOT;
    }
    fprintf(out, "hand in %s\nSHA-256 %s\n", file.text, submit->source.sha256);
    print_last(submit, path_of("build/submit/%s.cu", submit->lesson->slug).text);
    return 0;
}

int quest_submit(const struct course *course, const struct lesson *lesson,
                 const struct terminal *terminal)
{
    char reason[PATH_MAX + 200];
    struct submit submit = {
        .course = course,
        .lesson = lesson,
        .terminal = terminal,
        .shown = path_of("exercises/%s/%s.cu", lesson->key, lesson->slug),
    };
    if (!file_exists(lesson->exercise.text))
        return refuse(&submit, path_of("%s is not there: make reset-lesson%d brings it back",
                                       submit.shown.text, lesson->number)
                                   .text);
    if (!source_read_as(lesson->exercise.text, submit.shown.text, false, &submit.source, reason,
                        sizeof reason))
        return refuse(&submit, reason);
    char *code = code_of(&submit.source);
    int status = code ? check_headers(&submit, code) : CANNOT;
    if (code && status == 0)
        status = check_functions(&submit, code);
    if (code && status == 0)
        status = write_it(&submit);
    free(code);
    source_free(&submit.source);
    return status;
}
