/* patch.c - walks base and patch side by side, and writes the lines that result. */
#include "check/patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char OLD_FILE[] = "--- ", NEW_FILE[] = "+++ ", HUNK[] = "@@ -";

struct walk {
    const char *at; /* start of a line, or the end of the text */
    unsigned line;  /* its number, from 1 */
};

struct applying {
    struct walk base, patch;
    FILE *out;
    unsigned line; /* that is written next */
    char *reason;
    size_t reason_bytes;
};

/* Lines of a hunk that are still to come, of the base and of the result, and where each starts. */
struct hunk {
    unsigned old_first, old_count, new_first, new_count;
};

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static bool begins(const char *line, const char *words)
{
    return strncmp(line, words, strlen(words)) == 0;
}

static bool same_line(const char *a, const char *b)
{
    size_t length = line_length(a);
    return length == line_length(b) && memcmp(a, b, length) == 0;
}

static void next_line(struct walk *walk)
{
    walk->at += line_length(walk->at);
    walk->at += *walk->at == '\n';
    walk->line++;
}

static void put_line(struct applying *applying, const char *line)
{
    fprintf(applying->out, "%.*s\n", (int)line_length(line), line);
    applying->line++;
}

static bool refuse(struct applying *applying, const char *what)
{
    snprintf(applying->reason, applying->reason_bytes, "line %u of the patch: %s",
             applying->patch.line, what);
    return false;
}

static bool refuse_base(struct applying *applying)
{
    snprintf(applying->reason, applying->reason_bytes,
             "line %u of the base is not what line %u of the patch says", applying->base.line,
             applying->patch.line);
    return false;
}

/* --- Headers ---------------------------------------------------------------------------------- */

bool patch_base(const char *patch, struct path *base, char *reason, size_t reason_bytes)
{
    struct walk walk = {patch, 1};
    while (begins(walk.at, "//"))
        next_line(&walk);
    const char *name = walk.at + strlen(OLD_FILE);
    if (begins(walk.at, OLD_FILE)) {
        *base = path_of("%.*s", (int)line_length(name), name);
        if (*base->text && *base->text != '/' && !strstr(base->text, ".."))
            return true;
    }
    snprintf(reason, reason_bytes,
             "line %u is not \"%s\" and a file of the course, from its top folder", walk.line,
             OLD_FILE);
    return false;
}

static bool take_headers(struct applying *applying)
{
    for (; begins(applying->patch.at, "//"); next_line(&applying->patch))
        put_line(applying, applying->patch.at);
    while (begins(applying->base.at, "//"))
        next_line(&applying->base);
    if (begins(applying->patch.at, OLD_FILE))
        next_line(&applying->patch);
    if (!begins(applying->patch.at, NEW_FILE))
        return refuse(applying, "neither a comment nor \"--- BASE\" and \"+++ ENTRY\"");
    next_line(&applying->patch);
    return true;
}

/* "12,3", or "12" for one line. A range without lines names the line before it. */
static bool read_range(const char **at, unsigned *first, unsigned *count)
{
    char *end;
    *first = (unsigned)strtoul(*at, &end, 10);
    *count = 1;
    if (end == *at)
        return false;
    if (*end == ',')
        *count = (unsigned)strtoul(end + 1, &end, 10);
    *first += *count == 0;
    *at = end;
    return true;
}

static bool read_hunk(struct applying *applying, struct hunk *hunk)
{
    const char *at = applying->patch.at + strlen(HUNK);
    bool read = begins(applying->patch.at, HUNK) &&
                read_range(&at, &hunk->old_first, &hunk->old_count) && begins(at, " +") &&
                (at += 2, read_range(&at, &hunk->new_first, &hunk->new_count)) && begins(at, " @@");
    if (!read)
        return refuse(applying, "not \"@@ -LINE,COUNT +LINE,COUNT @@\"");
    return true;
}

/* --- Hunks ------------------------------------------------------------------------------------ */

/* Do the hunk's lines of the base stand here? */
static bool stands_at(struct walk base, struct walk patch, unsigned count)
{
    for (next_line(&patch); count; next_line(&patch)) {
        if (*patch.at == '+')
            continue;
        const char *text = *patch.at == '\n' ? patch.at : patch.at + 1;
        if (!*patch.at || !*base.at || !same_line(text, base.at))
            return false;
        next_line(&base);
        count--;
    }
    return true;
}

/* Set the hunk to the one place where its lines are. */
static bool find_place(struct applying *applying, struct hunk *hunk)
{
    unsigned places = 0;
    for (struct walk base = applying->base; *base.at; next_line(&base))
        if (stands_at(base, applying->patch, hunk->old_count)) {
            hunk->old_first = base.line;
            places++;
        }
    if (places == 1)
        return true;
    return refuse(applying, places ? "its lines are in several places of the base"
                                   : "its lines are nowhere in the base, or come in another order");
}

static bool copy_until(struct applying *applying, unsigned line)
{
    while (*applying->base.at && applying->base.line < line) {
        put_line(applying, applying->base.at);
        next_line(&applying->base);
    }
    return applying->base.line == line ||
           refuse(applying, "the base has no such line, or it was used before");
}

/* One line of a hunk: ' ' is in both, '-' in the base, '+' in the result. */
static bool take_line(struct applying *applying, struct hunk *hunk)
{
    const char *line = applying->patch.at;
    char kind = *line == '\n' ? ' ' : *line;
    const char *text = *line == '\n' ? line : line + 1;
    bool is_old = kind == ' ' || kind == '-', is_new = kind == ' ' || kind == '+';
    if (!is_old && !is_new)
        return refuse(applying,
                      "begins with neither ' ' nor '-' nor '+', or the hunk is too short");
    if (hunk->old_count < is_old || hunk->new_count < is_new)
        return refuse(applying, "the hunk has more lines than it says");
    if (is_old && (!*applying->base.at || !same_line(text, applying->base.at)))
        return refuse_base(applying);
    if (is_old)
        next_line(&applying->base);
    if (is_new)
        put_line(applying, text);
    hunk->old_count -= is_old;
    hunk->new_count -= is_new;
    next_line(&applying->patch);
    return true;
}

static bool take_hunk(struct applying *applying, enum patch_place place)
{
    struct hunk hunk;
    if (!read_hunk(applying, &hunk) || (place == PATCH_MOVED && !find_place(applying, &hunk)) ||
        !copy_until(applying, hunk.old_first))
        return false;
    if (place == PATCH_EXACT && applying->line != hunk.new_first)
        return refuse(applying, "the lines before it make another line of the result");
    next_line(&applying->patch);
    while (hunk.old_count || hunk.new_count)
        if (!take_line(applying, &hunk))
            return false;
    return true;
}

static bool take_all(struct applying *applying, enum patch_place place)
{
    if (!take_headers(applying))
        return false;
    while (*applying->patch.at)
        if (!take_hunk(applying, place))
            return false;
    for (; *applying->base.at; next_line(&applying->base))
        put_line(applying, applying->base.at);
    return true;
}

char *patch_apply(const char *base, const char *patch, enum patch_place place, char *reason,
                  size_t reason_bytes)
{
    char *text = NULL;
    size_t bytes;
    struct applying applying = {.base = {base, 1},
                                .patch = {patch, 1},
                                .out = open_memstream(&text, &bytes),
                                .line = 1,
                                .reason = reason,
                                .reason_bytes = reason_bytes};
    if (!applying.out) {
        snprintf(reason, reason_bytes, "this machine is out of memory");
        return NULL;
    }
    bool applied = take_all(&applying, place);
    if (fclose(applying.out) == 0 && applied)
        return text;
    if (applied)
        snprintf(reason, reason_bytes, "this machine is out of memory");
    free(text);
    return NULL;
}
