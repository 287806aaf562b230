/* messages.c - puts nvcc's messages back into the words of the file they are about.
 *
 * nvcc compiles the file under another name, in a folder that the learner never sees, and quotes
 * lines after its own macros: __attribute__((device)) where __device__ was written. A line with
 * such a word gets shorter, and the caret under it moves with it.
 */
#include "check/messages.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How to switch warnings off is not what a learner should hear first. */
static const char REMARK[] =
    "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n";

static const struct {
    const char *from, *to;
} WORDS[] = {
    {"__attribute__((device))", "__device__"}, {"__attribute__((global))", "__global__"},
    {"__attribute__((shared))", "__shared__"}, {"__attribute__((constant))", "__constant__"},
    {"__attribute__((host))", "__host__"},
};

/* How much shorter a line became, and after which column. */
struct shift {
    size_t column, by;
};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Such words are written as in the source; returns the text after them, or at. */
static const char *put_word(const char *at, size_t column, FILE *out, struct shift *shift)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (starts_with(at, WORDS[i].from)) {
            fputs(WORDS[i].to, out);
            shift->column = column;
            shift->by += strlen(WORDS[i].from) - strlen(WORDS[i].to);
            return at + strlen(WORDS[i].from);
        }
    return at;
}

static const char *put_name(const char *at, const char *slug, const char *shown_path, FILE *out)
{
    size_t length = strlen(slug);
    if (starts_with(at, slug) && starts_with(at + length, ".cu") && at[length + 3] &&
        strchr("(:\"", at[length + 3])) {
        fputs(shown_path, out);
        return at + length + 3;
    }
    return starts_with(at, "/common/") ? at + 1 : at; /* inside the walls it is at the top */
}

/* The caret under a line that became shorter. */
static const char *skip_shift(const char *line, const struct shift *above)
{
    size_t indent = strspn(line, " ");
    bool moves = line[indent] == '^' && indent > above->column + above->by;
    return line + (moves ? above->by : 0);
}

/* A path so long that the message would leave the screen is replaced by the file's name. */
static const char *short_path(const char *path)
{
    enum { MOST_COLUMNS = 40 };
    const char *slash = strrchr(path, '/');
    return strlen(path) > MOST_COLUMNS && slash ? slash + 1 : path;
}

char *messages_readable(const char *messages, const char *slug, const char *shown_path)
{
    shown_path = short_path(shown_path);
    char *text = NULL;
    size_t bytes = 0;
    struct shift above = {0}, here = {0};
    const char *line = messages;
    FILE *out = open_memstream(&text, &bytes);
    for (const char *at = messages; out && *at;) {
        const char *start = at;
        if (at == line && starts_with(at, REMARK)) {
            at = line = at + strlen(REMARK);
            continue;
        }
        if (at == line)
            at = skip_shift(line, &above);
        if (at == messages || strchr(" \n\"/", at[-1]))
            at = put_name(at, slug, shown_path, out);
        at = put_word(at, (size_t)(at - line), out, &here);
        if (at == start && fputc(*at++, out) == '\n') {
            above = here;
            here = (struct shift){0};
            line = at;
        }
    }
    if (out)
        fclose(out);
    return text;
}
