/* regions.c - walks two texts side by side, skipping their regions. */
#include "check/regions.h"

#include <stdio.h>
#include <string.h>

static const char BEGIN[] = "// quest: begin", END[] = "// quest: end";

struct walk {
    const char *at; /* start of a line, or the end of the text */
    unsigned line;  /* its number */
    unsigned regions;
    bool unclosed;
};

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static bool is_marker(const char *line, const char *marker)
{
    line += strspn(line, " \t");
    size_t length = strlen(marker);
    if (strncmp(line, marker, length) != 0)
        return false;
    line += length + strspn(line + length, " \t\r");
    return *line == '\n' || *line == '\0';
}

static void next_line(struct walk *walk)
{
    walk->at += line_length(walk->at);
    walk->at += *walk->at == '\n';
    walk->line++;
}

/* Move to the line after the region's end; what is between belongs to the learner. */
static void skip_region(struct walk *walk)
{
    walk->regions++;
    while (*walk->at && !is_marker(walk->at, END))
        next_line(walk);
    walk->unclosed = *walk->at == '\0';
}

static bool same_line(const char *a, const char *b)
{
    size_t length = line_length(a);
    return length == line_length(b) && memcmp(a, b, length) == 0;
}

bool regions_agree(const char *exercise, const char *solution, char *reason, size_t reason_bytes)
{
    struct walk a = {exercise, 1, 0, false}, b = {solution, 1, 0, false};
    while (*a.at && *b.at && same_line(a.at, b.at)) {
        bool begins = is_marker(a.at, BEGIN);
        next_line(&a);
        next_line(&b);
        if (begins) {
            skip_region(&a);
            skip_region(&b);
        }
    }
    if (a.unclosed || b.unclosed)
        snprintf(reason, reason_bytes, "a region of the %s has no \"%s\"",
                 a.unclosed ? "exercise" : "solution", END);
    else if (*a.at || *b.at)
        snprintf(reason, reason_bytes,
                 "line %u of the exercise and line %u of the solution differ outside the regions",
                 a.line, b.line);
    else if (a.regions == 0)
        snprintf(reason, reason_bytes, "there is no region (\"%s\")", BEGIN);
    else
        return true;
    return false;
}
