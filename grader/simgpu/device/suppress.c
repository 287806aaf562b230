/* suppress.c - see suppress.h. */
#include "suppress.h"

#include "exit_status.h"
#include "lib/files.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, WORD_BYTES = 64 };
static const char BLANKS[] = " \t\r", KERNEL[] = "kernel:";

struct suppression {
    const char *kind, *place; /* in the text */
    unsigned line;            /* of the source; 0: any */
};

struct suppressions {
    char *text;
    struct suppression *list;
    size_t count;
};

struct reading {
    const char *path;
    unsigned number; /* of the line */
    char *complaint;
    size_t bytes;
};

void fault_word(enum sim_fault_kind kind, char *word, size_t bytes)
{
    snprintf(word, bytes, "%s", sim_fault_title(kind));
    for (char *at = word; *at; at++)
        *at = *at == ' ' ? '-' : *at;
}

/* What --check finds and a launch can go on after. */
static bool can_go_on(enum sim_fault_kind kind)
{
    int status = fault_exit_status(kind);
    return kind == SIM_FAULT_HARMLESS_RACE || status == fault_exit_status(SIM_FAULT_RACE) ||
           status == fault_exit_status(SIM_FAULT_UNINITIALISED) ||
           status == fault_exit_status(SIM_FAULT_BARRIER);
}

/* The kind of that word; SIM_FAULTS for none. */
static enum sim_fault_kind kind_of(const char *name)
{
    char word[WORD_BYTES];
    for (int kind = SIM_FAULT_NONE + 1; kind < SIM_FAULTS; kind++) {
        fault_word((enum sim_fault_kind)kind, word, sizeof word);
        if (strcmp(word, name) == 0)
            return (enum sim_fault_kind)kind;
    }
    return SIM_FAULTS;
}

static bool complain(const struct reading *reading, const char *name, const char *why)
{
    snprintf(reading->complaint, reading->bytes, "%.200s:%u: %.60s%s", reading->path,
             reading->number, name, why);
    return false;
}

static bool read_kind(const struct reading *reading, const char *name)
{
    enum sim_fault_kind kind = kind_of(name);
    if (strcmp(name, "*") == 0 || (kind != SIM_FAULTS && can_go_on(kind)))
        return true;
    if (kind != SIM_FAULTS)
        return complain(reading, name, " ends its launch on any device: it cannot be suppressed");
    return complain(reading, name,
                    " is not a kind of finding: write its title with dashes, as in "
                    "shared-memory-race, or *");
}

/* Cuts ":41" off the name of a file. */
static bool read_place(const struct reading *reading, char *place, struct suppression *read)
{
    char *colon = strrchr(place, ':'), *end;
    read->place = place;
    if (strncmp(place, KERNEL, sizeof KERNEL - 1) == 0)
        return place[sizeof KERNEL - 1] ||
               complain(reading, place, " needs the name of a kernel, or *");
    if (!colon)
        return true;
    errno = 0;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (colon == place || colon[1] < '1' || colon[1] > '9' || *end || line > 10000000)
        return complain(reading, place,
                        " is not a place: write file.cu:41, file.cu or kernel:name");
    *colon = 0;
    read->line = (unsigned)line;
    return true;
}

static bool read_line(const struct reading *reading, char *line, struct suppressions *to)
{
    char *rest = NULL;
    line[strcspn(line, "#")] = 0;
    char *kind = strtok_r(line, BLANKS, &rest), *place = strtok_r(NULL, BLANKS, &rest);
    char *more = place ? strtok_r(NULL, BLANKS, &rest) : NULL;
    struct suppression *read = &to->list[to->count];
    if (!kind)
        return true;
    if (!read_kind(reading, kind))
        return false;
    if (!place || more)
        return complain(reading, kind,
                        place ? " is followed by more than a place"
                              : " is followed by no place: file.cu:41, file.cu or "
                                "kernel:name");
    read->kind = kind;
    to->count++;
    return read_place(reading, place, read);
}

static bool read_lines(struct reading *reading, struct suppressions *to)
{
    char *line;
    for (char *at = to->text; (line = strsep(&at, "\n"));) {
        reading->number++;
        if (!read_line(reading, line, to))
            return false;
    }
    return true;
}

struct suppressions *suppressions_read(const char *path, char *complaint, size_t complaint_bytes)
{
    struct reading reading = {path, 0, complaint, complaint_bytes};
    struct suppressions *made = calloc(1, sizeof *made);
    size_t lines = 1;
    if (made)
        made->text = file_read(path, MOST_BYTES, NULL);
    if (!made || !made->text) {
        snprintf(complaint, complaint_bytes, "cannot read %.200s: %s", path, strerror(errno));
        free(made);
        return NULL;
    }
    for (const char *at = made->text; *at; at++)
        lines += *at == '\n';
    made->list = calloc(lines, sizeof *made->list);
    if (made->list && read_lines(&reading, made))
        return made;
    free(made->list);
    free(made->text);
    free(made);
    return NULL;
}

/* --- Matching --------------------------------------------------------------------------------- */

/* The pattern fits the path, or what follows one of its slashes. */
static bool matches_file(const char *pattern, const char *path)
{
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (*at && fnmatch(pattern, at, 0) == 0)
            return true;
    return false;
}

static bool matches_place(const struct suppression *suppression, const char *file, unsigned line)
{
    return line && matches_file(suppression->place, file) &&
           (!suppression->line || suppression->line == line);
}

static bool matches(const struct suppression *suppression, const struct found *found)
{
    const char *place = suppression->place;
    char word[WORD_BYTES];
    fault_word(found->kind, word, sizeof word);
    if (strcmp(suppression->kind, "*") != 0 && strcmp(suppression->kind, word) != 0)
        return false;
    if (strncmp(place, KERNEL, sizeof KERNEL - 1) == 0)
        return fnmatch(place + sizeof KERNEL - 1, found->kernel, 0) == 0;
    return matches_place(suppression, found->file, found->line) ||
           matches_place(suppression, found->other_file, found->other_line) ||
           matches_place(suppression, found->inlined_file, found->inlined_line);
}

bool suppressions_match(const struct suppressions *suppressions, const struct found *found)
{
    if (!suppressions || !can_go_on(found->kind) ||
        (found->ends && found->kind != SIM_FAULT_HARMLESS_RACE))
        return false;
    for (size_t i = 0; i < suppressions->count; i++)
        if (matches(&suppressions->list[i], found))
            return true;
    return false;
}
