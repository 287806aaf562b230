/* alike.c - fingerprints of sources, and who has the same. */
#include "class/alike.h"

#include "class/nearly.h"
#include "class/tokens.h"
#include "check/source.h"
#include "lib/files.h"

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

void alike_print(const char *source, char print[HASH_TEXT])
{
    struct names *names = calloc(1, sizeof *names);
    struct hash hash;
    hash_init(&hash);
    for (struct token token = token_at(source); names && token.length;
         token = token_at(token.start + token.length)) {
        if (token_is_name(token)) {
            size_t number = number_of(names, token.start, token.length);
            hash_add(&hash, &number, sizeof number);
        } else
            hash_add(&hash, token.start, token.length);
        hash_add(&hash, "", 1);
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

/* What the course has of a lesson; "" where it cannot be read. */
struct ours {
    char *exercise, *solution;
    char print[HASH_TEXT]; /* of the solution */
};

static char *read_ours(const struct path *path)
{
    char *text = file_read(path->text, SOURCE_MOST_BYTES, NULL);
    return text ? text : calloc(1, 1);
}

static void ours_open(const struct course *course, const char *lesson, struct ours *ours)
{
    char reason[300];
    struct lesson found;
    *ours = (struct ours){0};
    if (!course_lesson(course, lesson, &found, reason, sizeof reason))
        return;
    ours->exercise = read_ours(&found.exercise);
    ours->solution = read_ours(&found.solution);
    if (ours->solution)
        alike_print(ours->solution, ours->print);
}

static void ours_close(struct ours *ours)
{
    free(ours->exercise);
    free(ours->solution);
}

static bool flag_solution(struct file *files, size_t count, const char *print)
{
    bool is_solution = strcmp(files->print, print) == 0;
    for (size_t i = 0; is_solution && i < count; i++)
        mark_flag(files[i].mark, "the course's own solution, but for names, comments and layout");
    return is_solution;
}

/* Files of one lesson; those with one print are neighbours, and one of them stands for all. */
static void flag_lesson(struct file *files, size_t count, const struct ours *ours)
{
    struct mark **apart = calloc(count, sizeof *apart);
    size_t apart_count = 0;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_print(&files[i], &files[end]) == 0; end++)
            continue;
        flag_group(&files[i], end - i);
        if (!flag_solution(&files[i], end - i, ours->print) && apart)
            apart[apart_count++] = files[i].mark;
    }
    if (ours->exercise && ours->solution)
        nearly_flag(apart, apart_count, ours->exercise, ours->solution);
    free(apart);
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
        struct ours ours;
        const char *lesson = files[i].mark->lesson;
        for (end = i + 1; end < count && strcmp(files[end].mark->lesson, lesson) == 0; end++)
            continue;
        ours_open(course, lesson, &ours);
        flag_lesson(&files[i], end - i, &ours);
        ours_close(&ours);
    }
    free(files);
}
