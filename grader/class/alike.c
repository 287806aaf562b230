/* alike.c - fingerprints of sources, and who has the same. */
#include "class/alike.h"

#include "check/source.h"
#include "lib/files.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The print -------------------------------------------------------------------------------- */

/* Names by their first use. A file of more than so many has its later ones as they are. */
enum { MOST_NAMES = 2048 };

struct names {
    const char *start[MOST_NAMES];
    size_t length[MOST_NAMES], count;
};

static size_t number_of(struct names *names, const char *name, size_t length)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->length[i] == length && memcmp(names->start[i], name, length) == 0)
            return i;
    if (names->count < MOST_NAMES) {
        names->start[names->count] = name;
        names->length[names->count] = length;
    }
    return names->count < MOST_NAMES ? names->count++ : MOST_NAMES;
}

/* What separates two words: white space and comments. */
static const char *skip_between(const char *at)
{
    for (;;) {
        const char *before = at;
        at += strspn(at, " \t\r\n\v\f");
        if (strncmp(at, "//", 2) == 0)
            at += strcspn(at, "\n");
        if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        }
        if (at == before)
            return at;
    }
}

/* A text or character in quotes, with its escapes. */
static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    for (; *at && *at != quote && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return *at == quote ? at + 1 : at;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word, literal or sign at that place. */
static const char *end_of(const char *at)
{
    if (*at == '"' || *at == '\'')
        return skip_quoted(at);
    if (!is_of_word(*at))
        return at + 1;
    bool is_number = isdigit((unsigned char)*at);
    while (is_of_word(*at) || (is_number && *at == '.'))
        at++;
    return at;
}

void alike_print(const char *source, char print[HASH_TEXT])
{
    struct names *names = calloc(1, sizeof *names);
    struct hash hash;
    static const char MARK[] = "\xEF\xBB\xBF"; /* of byte order */
    source += strncmp(source, MARK, strlen(MARK)) == 0 ? strlen(MARK) : 0;
    hash_init(&hash);
    for (const char *at = skip_between(source); names && *at; at = skip_between(at)) {
        const char *end = end_of(at);
        if (is_of_word(*at) && !isdigit((unsigned char)*at)) {
            size_t number = number_of(names, at, (size_t)(end - at));
            hash_add(&hash, &number, sizeof number);
        } else
            hash_add(&hash, at, (size_t)(end - at));
        hash_add(&hash, "", 1);
        at = end;
    }
    free(names);
    hash_text(&hash, print);
}

/* --- Who has the same ------------------------------------------------------------------------- */

struct file {
    struct mark *mark;
    char print[HASH_TEXT];
};

static int by_print(const void *a, const void *b)
{
    const struct file *first = a, *second = b;
    int order = strcmp(first->mark->lesson, second->mark->lesson);
    return order ? order : strcmp(first->print, second->print);
}

static void flag_pair(struct mark *mark, const struct mark *other, size_t more)
{
    const char *how = strcmp(mark->sha256, other->sha256) == 0
                          ? "identical to the file of"
                          : "differs only in names, comments and layout from the file of";
    if (more)
        mark_flag(mark, "%s %s (and %zu more)", how, other->student->id, more);
    else
        mark_flag(mark, "%s %s", how, other->student->id);
}

/* Those from first to end have one print: each is told of one other. */
static void flag_group(struct file *first, size_t count)
{
    for (size_t i = 0; count > 1 && i < count; i++)
        flag_pair(first[i].mark, first[i ? 0 : 1].mark, count - 2);
}

static void print_of_solution(const struct course *course, const char *lesson,
                              char print[HASH_TEXT])
{
    char reason[300];
    struct lesson found;
    char *text = course_lesson(course, lesson, &found, reason, sizeof reason)
                     ? file_read(found.solution.text, SOURCE_MOST_BYTES, NULL)
                     : NULL;
    alike_print(text ? text : "", print);
    free(text);
}

static void flag_solutions(struct marks *marks, const struct course *course, struct file *files,
                           size_t count)
{
    for (size_t lesson = 0; lesson < marks->lesson_count; lesson++) {
        char print[HASH_TEXT];
        print_of_solution(course, marks->lessons[lesson], print);
        for (size_t i = 0; i < count; i++)
            if (strcmp(files[i].mark->lesson, marks->lessons[lesson]) == 0 &&
                strcmp(files[i].print, print) == 0)
                mark_flag(files[i].mark,
                          "the course's own solution, but for names, comments and layout");
    }
}

void alike_flag(struct marks *marks, const struct course *course)
{
    struct file *files = calloc(marks->mark_count + 1, sizeof *files);
    size_t count = 0;
    for (size_t i = 0; files && i < marks->mark_count; i++) {
        if (!*marks->marks[i].source)
            continue;
        files[count].mark = &marks->marks[i];
        alike_print(marks->marks[i].source, files[count++].print);
    }
    if (files)
        qsort(files, count, sizeof *files, by_print);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_print(&files[i], &files[end]) == 0; end++)
            continue;
        flag_group(&files[i], end - i);
    }
    flag_solutions(marks, course, files, count);
    free(files);
}
