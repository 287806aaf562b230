/* expectation.c - reads the comments that tell what a planted fault has to be reported as. */
#include "expectation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char COMMENT[] = "// ", QUOTE[] = "//     ";

struct reader {
    const char *path;
    char **lines;
    size_t count;
    struct quotation *quoted; /* what a quoted line belongs to */
};

static bool refuse(const struct reader *reader, size_t at, const char *what)
{
    fprintf(stderr, "%s:%zu: %s\n", reader->path, at + 1, what);
    return false;
}

/* The words behind a keyword, or NULL when line does not start with it. */
static char *behind(char *line, const char *keyword)
{
    size_t size = strlen(keyword);
    if (strncmp(line, keyword, size) != 0 || (line[size] && line[size] != ' '))
        return NULL;
    return line[size] ? line + size + 1 : line + size;
}

static bool read_lines(struct reader *reader)
{
    FILE *file = fopen(reader->path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!file)
        return false;
    while (getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\n")] = 0;
        reader->lines = realloc(reader->lines, (reader->count + 1) * sizeof *reader->lines);
        reader->lines[reader->count++] = strdup(line);
    }
    free(line);
    fclose(file);
    return true;
}

/* "//     x[i] = 1;", or the caret's line under it. */
static bool read_quotation(struct reader *reader, size_t at)
{
    struct quotation *quoted = reader->quoted;
    char *text = reader->lines[at] + strlen(QUOTE);
    size_t blanks = strspn(text, " ");
    if (!quoted)
        return refuse(reader, at, "this quotation belongs to nothing");
    if (quoted->text && strcmp(text + blanks, "^") == 0)
        quoted->caret = blanks;
    else if (!quoted->text)
        quoted->text = text;
    else
        return refuse(reader, at, "a quotation is one line and a caret");
    return true;
}

static bool read_word(struct reader *reader, size_t at, struct expectation *made)
{
    char *line = reader->lines[at] + strlen(COMMENT), *words;
    if ((words = behind(line, "by"))) {
        made->by = words;
    } else if ((words = behind(line, "other"))) {
        made->other_by = *words ? words : NULL;
        reader->quoted = &made->other;
    } else if ((words = behind(line, "made"))) {
        reader->quoted = &made->made;
    } else if ((words = behind(line, "says")) && made->say_count < MOST_SAYS) {
        made->says[made->say_count++] = words;
    } else if ((words = behind(line, "sanitizer"))) {
        made->sanitizer = words;
    } else {
        return refuse(reader, at, "expected by, other, made, says or sanitizer");
    }
    return true;
}

/* The line of the file that a quotation means. */
static bool find_quotation(const struct reader *reader, size_t from, struct quotation *quoted)
{
    size_t found = 0;
    if (!quoted->text)
        return true;
    for (size_t i = from; i < reader->count && !behind(reader->lines[i], "// fault"); i++) {
        const char *line = reader->lines[i] + strspn(reader->lines[i], " ");
        if (strcmp(line, quoted->text) != 0)
            continue;
        quoted->line = (unsigned)i + 1;
        found++;
    }
    return found == 1;
}

/* From the line "// fault NAME: TITLE" on; at becomes the first line behind the comment. */
static struct expectation *read_one(struct reader *reader, size_t *at)
{
    struct expectation *made = calloc(1, sizeof *made);
    char *words = behind(reader->lines[*at], "// fault"), *colon = strstr(words, ": ");
    size_t start = *at;
    if (!made || !colon) {
        refuse(reader, start, "expected: // fault NAME: TITLE");
        return NULL;
    }
    *colon = 0;
    *made = (struct expectation){.file = reader->path,
                                 .name = words,
                                 .title = colon + 2,
                                 .at.caret = NO_CARET,
                                 .other.caret = NO_CARET,
                                 .made.caret = NO_CARET};
    reader->quoted = &made->at;
    for (++*at; *at < reader->count && strncmp(reader->lines[*at], "//", 2) == 0; ++*at)
        if (!(strncmp(reader->lines[*at], QUOTE, strlen(QUOTE)) == 0
                  ? read_quotation(reader, *at)
                  : read_word(reader, *at, made)))
            return NULL;
    if (find_quotation(reader, *at, &made->at) && find_quotation(reader, *at, &made->other) &&
        find_quotation(reader, *at, &made->made))
        return made;
    refuse(reader, start, "a quoted line is not there once, before the next fault");
    return NULL;
}

struct expectation *expectations_read(const char *path)
{
    struct reader reader = {.path = path};
    struct expectation *first = NULL, **end = &first;
    if (!read_lines(&reader)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return NULL;
    }
    for (size_t at = 0; at < reader.count;) {
        if (!behind(reader.lines[at], "// fault")) {
            at++;
            continue;
        }
        *end = read_one(&reader, &at);
        if (!*end)
            return NULL;
        end = &(*end)->next;
    }
    if (!first)
        fprintf(stderr, "%s: plants no fault\n", path);
    return first;
}
