/* clauses.c - compares what a judge quotes with what the contract says. */
#include "check/clauses.h"

#include "check/record.h"
#include "check/verdict.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADER_BYTES = 1 << 20, SHOWN = 60 };
static const char QUOTED = '\1'; /* in place of words that have been found in a quotation */

/* --- The contract's words --------------------------------------------------------------------- */

/* Blanks and line breaks become one blank; so do a comment's own stars. */
static void add_blank(char *words, size_t *used)
{
    if (*used && words[*used - 1] != ' ')
        words[(*used)++] = ' ';
}

/* What the comments of a header say. The caller frees it; NULL without memory. */
static char *words_of_comments(const char *header)
{
    char *words = malloc(strlen(header) + 2);
    size_t used = 0;
    bool inside = false, at_start = false;
    for (const char *at = header; words && *at; at++) {
        bool is_edge = strncmp(at, inside ? "*/" : "/*", 2) == 0;
        if (is_edge) {
            inside = !inside;
            at++;
            add_blank(words, &used);
        } else if (inside && (isspace((unsigned char)*at) || (at_start && *at == '*'))) {
            add_blank(words, &used);
            at_start = at_start || *at == '\n';
        } else if (inside) {
            words[used++] = *at;
            at_start = false;
        }
    }
    if (words)
        words[used] = '\0';
    return words;
}

/* Where text begins in words, any blanks counting as one; length gets how far it goes. */
static char *find_words(char *words, const char *text, size_t *length)
{
    for (char *start = words; *start; start++) {
        const char *at = start, *want = text;
        while (*want && (*at == *want || (isspace((unsigned char)*want) && *at == ' '))) {
            want += isspace((unsigned char)*want) ? strspn(want, " \n\t") : 1;
            at++;
        }
        *length = (size_t)(at - start);
        if (!*want)
            return start;
    }
    return NULL;
}

struct words {
    char *all, *left; /* of the same length; in the second, quotations are struck out */
};

/* Strike a quotation out wherever it occurs. False if it does not occur. */
static bool strike(struct words *words, const char *text)
{
    bool found = false;
    size_t length;
    for (char *at = words->all; *text && (at = find_words(at, text, &length)); at += length) {
        memset(words->left + (at - words->all), QUOTED, length);
        found = true;
    }
    return found;
}

/* --- What does not hold ----------------------------------------------------------------------- */

static bool is_asked_for(const json_t *clause)
{
    return json_array_size(json_object_get(clause, "cases")) ||
           json_array_size(json_object_get(clause, "bars")) || *record_text(clause, "always");
}

/* Each clause by itself, and struck out of words. */
static bool clauses_are_sound(const json_t *list, struct words *words, char *reason, size_t bytes)
{
    size_t i;
    json_t *clause;
    json_array_foreach (list, i, clause) {
        const char *key = record_text(clause, "key");
        if (!is_asked_for(clause)) {
            snprintf(reason, bytes, "no case, bar or check asks for the clause %s", key);
            return false;
        }
        if (!strike(words, record_text(clause, "sentence"))) {
            snprintf(reason, bytes, "the contract does not say what the clause %s quotes", key);
            return false;
        }
    }
    return true;
}

/* The first words that nothing quotes, up to where a quotation begins. */
static bool nothing_is_left(const char *left, char *reason, size_t bytes)
{
    while (*left && !isalnum((unsigned char)*left))
        left++;
    if (!*left)
        return true;
    int length = 0;
    while (length < SHOWN && left[length] && left[length] != QUOTED)
        length++;
    snprintf(reason, bytes, "neither clauses nor context quote the contract's words \"%.*s\"",
             length, left);
    return false;
}

bool clauses_hold(const json_t *contract, const char *header, char *reason, size_t reason_bytes)
{
    size_t i;
    json_t *text;
    const json_t *fault = json_array_get(json_object_get(contract, "faults"), 0);
    struct words words = {words_of_comments(header), words_of_comments(header)};
    bool sound = words.all && words.left && !fault;
    if (!sound)
        snprintf(reason, reason_bytes, "%s",
                 fault ? json_string_value(fault) : "this machine is out of memory");
    sound = sound &&
            clauses_are_sound(json_object_get(contract, "clauses"), &words, reason, reason_bytes);
    json_array_foreach (json_object_get(contract, "context"), i, text)
        if (sound && !strike(&words, json_string_value(text))) {
            snprintf(reason, reason_bytes, "the contract does not say the context \"%.*s\"", SHOWN,
                     json_string_value(text));
            sound = false;
        }
    sound = sound && nothing_is_left(words.left, reason, reason_bytes);
    free(words.all);
    free(words.left);
    return sound;
}

/* --- Printing --------------------------------------------------------------------------------- */

enum { TEXT = 4, DETAIL = 8 }; /* columns */

static void show_list(const struct terminal *terminal, const char *what, const json_t *list)
{
    size_t i;
    json_t *name;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = json_array_size(list) ? open_memstream(&text, &bytes) : NULL;
    if (!out)
        return;
    fprintf(out, "%s: ", what);
    json_array_foreach (list, i, name)
        fprintf(out, "%s%s", i ? "; " : "", json_string_value(name));
    fclose(out);
    terminal_wrap(terminal, text, DETAIL, 0);
    free(text);
}

static void show_clause(const struct terminal *terminal, const json_t *clause)
{
    char *quoted = NULL;
    terminal_print(terminal, STYLE_BOLD, "  %s\n", record_text(clause, "key"));
    if (asprintf(&quoted, "\"%s\"", record_text(clause, "sentence")) >= 0)
        terminal_wrap(terminal, quoted, TEXT, 0);
    free(quoted);
    show_list(terminal, "cases", json_object_get(clause, "cases"));
    show_list(terminal, "bars", json_object_get(clause, "bars"));
    if (*record_text(clause, "always"))
        terminal_wrap(terminal, record_text(clause, "always"), DETAIL, 0);
}

/* False when something does not hold. */
static bool show_lesson(const struct course *course, const struct lesson *lesson,
                        const struct terminal *terminal)
{
    char reason[300];
    size_t i;
    json_t *clause;
    const json_t *contract = json_object_get(lesson->judge, "contract");
    const json_t *list = json_object_get(contract, "clauses");
    struct path path = path_of("%s/common/contracts/%s.h", course->root.text, lesson->key);
    fprintf(terminal->out, "lesson %d: %zu clauses of common/contracts/%s.h\n", lesson->number,
            json_array_size(list), lesson->key);
    if (json_array_size(list) == 0)
        return true;
    json_array_foreach (list, i, clause)
        show_clause(terminal, clause);
    char *header = file_read(path.text, MOST_HEADER_BYTES, NULL);
    snprintf(reason, sizeof reason, "the contract cannot be read");
    bool holds = header && clauses_hold(contract, header, reason, sizeof reason);
    if (!holds)
        terminal_print(terminal, STYLE_BAD, "  lesson %d: %s\n", lesson->number, reason);
    free(header);
    return holds;
}

int clauses(const struct course *course, const char *name, const struct terminal *terminal)
{
    char reason[300];
    struct lesson lesson;
    bool hold = true;
    if (name && !course_lesson(course, name, &lesson, reason, sizeof reason)) {
        fprintf(terminal->out, "%s\n", reason);
        return verdict_exit_code(VERDICT_REFUSED);
    }
    if (name)
        return show_lesson(course, &lesson, terminal) ? 0 : 1;
    for (size_t i = 0; i < course_lesson_count(course); i++) {
        course_lesson_at(course, i, &lesson);
        hold = show_lesson(course, &lesson, terminal) && hold;
    }
    return hold ? 0 : 1;
}
