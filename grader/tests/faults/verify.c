/* verify.c - commits every planted fault on the simulated device, and holds what it says to what
 * the fault's comment asks for (expectation.h).
 *
 *     verify SIMGPU PLANTED TABLE source...
 *
 * What people see is what is compared, that is, the text on stderr:
 *
 *     simgpu: TITLE in kernel NAME                or "between copies, sets and frees"
 *       FILE:LINE: MESSAGE
 *          12 |     x[i] = 1;
 *             |     ^ thread (1,0,0)
 *       try: ADVICE
 *
 * TABLE gets a line a fault: what was found, and what compute-sanitizer is asked for, for
 * sanitizer.sh. The exit status is 1 when a fault was missed or told wrong.
 */
#include "expectation.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TEXT = 1 << 16,
    MOST_REASON = 300,
    MOST_QUOTES = 4,
    MOST_PRINTED_LINES = 8,
    MOST_KINDS = 32,
    PIPE_COLUMNS = 80
};

/* --- What was said ---------------------------------------------------------------------------- */

struct report {
    char said[MOST_TEXT];                 /* all of it, in one piece */
    char text[MOST_TEXT];                 /* the same, cut into the pieces below */
    const char *title, *message, *advice; /* "" when missing */
    unsigned line;
    struct {
        unsigned line;
        const char *text, *label; /* the source line; what stands behind the caret */
        size_t caret;             /* from the source line's first character */
    } quote[MOST_QUOTES];
    size_t quote_count;
};

static bool run(const char *simgpu, const char *planted, const char *name, char *text)
{
    char command[1024];
    snprintf(command, sizeof command, "timeout 20 %s run --control -- %s %s 2>&1", simgpu, planted,
             name);
    FILE *pipe = popen(command, "r");
    size_t size = pipe ? fread(text, 1, MOST_TEXT - 1, pipe) : 0;
    text[size] = 0;
    return pipe && pclose(pipe) != -1;
}

/* "     12 |     x[i] = 1;", and under it "        |     ^ thread (1,0,0)". */
static void take_quote(struct report *report, char *line, char *bar)
{
    char *text = bar + strlen(" | ");
    size_t indent = strspn(text, " "), at = report->quote_count;
    unsigned number = (unsigned)strtoul(line, NULL, 10);
    if (number && at < MOST_QUOTES) {
        report->quote[at].line = number;
        report->quote[at].text = text;
        report->quote[at].label = "";
        report->quote_count++;
    } else if (text[indent] == '^' && at > 0) {
        report->quote[at - 1].caret = indent - strspn(report->quote[at - 1].text, " ");
        report->quote[at - 1].label = text + indent + 1 + strspn(text + indent + 1, " ");
    }
}

/* "  FILE:LINE: MESSAGE", where FILE has no colon; or just "  MESSAGE". */
static void take_message(struct report *report, char *line)
{
    char *file = line + strspn(line, " "), *colon = strchr(file, ':'), *end = colon;
    unsigned number = colon ? (unsigned)strtoul(colon + 1, &end, 10) : 0;
    bool has_place = number && end[0] == ':' && end[1] == ' ';
    report->line = has_place ? number : 0;
    report->message = has_place ? end + 2 : file;
}

/* Sentences are broken into lines, each of which begins with blanks: join them in place. */
static void join_lines(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        size_t blanks = *at == '\n' ? strspn(at + 1, " ") : 0;
        bool goes_on = blanks == 6 || (blanks == 7 && at[8] != '|');
        if (goes_on)
            at += blanks;
        *to++ = goes_on ? ' ' : *at;
        at++;
    }
    *to = 0;
}

/* Of the lines from the title, which holds the kernel's name, whatever its length, to "  try: ". */
static size_t widest_line(const char *text)
{
    size_t widest = 0;
    const char *end = strstr(text, "\n  try: ");
    const char *title = strstr(text, "simgpu: ");
    for (const char *at = title ? strchr(title, '\n') + 1 : NULL; end && at && at < end; at++) {
        size_t width = strcspn(at, "\n");
        widest = width > widest ? width : widest;
        at += width;
    }
    return widest;
}

static void take_apart(struct report *report)
{
    static const char START[] = "simgpu: ", TRY[] = "  try: ";
    static const char KERNEL[] = " in kernel ", COPIES[] = " between copies, sets and frees";
    char *rest = report->text, *line;
    join_lines(report->text);
    report->title = report->message = report->advice = "";
    while ((line = strsep(&rest, "\n"))) {
        char *kernel = strstr(line, KERNEL), *bar = strstr(line, " | ");
        if (!kernel)
            kernel = strstr(line, COPIES);
        if (!*report->title && kernel && strncmp(line, START, strlen(START)) == 0) {
            *kernel = 0;
            report->title = line + strlen(START);
            if (rest && (line = strsep(&rest, "\n")))
                take_message(report, line);
        } else if (strncmp(line, TRY, strlen(TRY)) == 0) {
            report->advice = line + strlen(TRY);
            return; /* behind it stands the profile */
        } else if (*report->title && bar) {
            take_quote(report, line, bar);
        }
    }
}

/* --- Comparing -------------------------------------------------------------------------------- */

static bool miss(char *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, MOST_REASON, format, arguments);
    va_end(arguments);
    return false;
}

/* A long line is cut, which three dots tell. */
static bool is_line(const char *quoted, const char *line)
{
    size_t size = strlen(quoted);
    bool is_cut = size > 3 && strcmp(quoted + size - 3, "...") == 0;
    return is_cut ? strncmp(quoted, line, size - 3) == 0 : strcmp(quoted, line) == 0;
}

/* Is the line quoted, with the caret where it should be? Then label gets what stands there. */
static bool is_quoted(const struct report *report, const struct quotation *asked,
                      const char **label, char *reason)
{
    for (size_t i = 0; i < report->quote_count; i++) {
        if (report->quote[i].line != asked->line)
            continue;
        const char *text = report->quote[i].text;
        *label = report->quote[i].label;
        if (!is_line(text + strspn(text, " "), asked->text))
            return miss(reason, "line %u is quoted as something else", asked->line);
        if (asked->caret != NO_CARET && report->quote[i].caret != asked->caret)
            return miss(reason, "the caret of line %u stands at column %zu, not %zu", asked->line,
                        report->quote[i].caret, asked->caret);
        return true;
    }
    return miss(reason, "line %u is not quoted", asked->line);
}

/* The two parties may stand at one line: then it is quoted once for each. */
static bool shows_parties(const struct expectation *asked, const struct report *report,
                          char *reason)
{
    const char *label = "", *other = "";
    if (asked->at.text && report->line != asked->at.line)
        return miss(reason, "names line %u, not %u", report->line, asked->at.line);
    if (asked->at.text && !is_quoted(report, &asked->at, &label, reason))
        return false;
    if (asked->other.text && !is_quoted(report, &asked->other, &other, reason))
        return false;
    if (asked->other.text && report->quote_count < 2)
        return miss(reason, "the other party is not quoted");
    if (asked->other.text)
        other = report->quote[report->quote_count - 1].label;
    if (asked->other_by && strncmp(other, asked->other_by, strlen(asked->other_by)) != 0)
        return miss(reason, "the other party is '%s'", other);
    return true;
}

/* The library through which the runtime looks its caller up (client/caller.c): welcome, not
 * needed. */
static bool has_line_tables(void)
{
    static void *library;
    static bool tried;
    if (!tried && !(library = dlopen("libdw.so.1", RTLD_LAZY)))
        puts("  note  there is no libdw here: no message names the line of an allocation");
    tried = true;
    return library;
}

static bool names_allocation(const struct expectation *asked, const char *message, char *reason)
{
    static const char AT[] = "allocated at ";
    const char *at = strstr(message, AT), *colon = at ? strchr(at, ':') : NULL;
    if (!asked->made.text || !has_line_tables())
        return true;
    unsigned line = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
    return line == asked->made.line ||
           miss(reason, "allocated at line %u, not %u", line, asked->made.line);
}

static bool is_one_sentence(const char *advice)
{
    size_t size = strlen(advice);
    return size > 0 && !strstr(advice, ". ") && advice[size - 1] != '.';
}

/* The message, and for a fault that is refused all that was said. */
static bool is_met(const struct expectation *asked, const struct report *report, char *reason)
{
    bool refused = strcmp(asked->title, "refused") == 0;
    if (strcmp(refused ? "" : asked->title, report->title) != 0)
        return miss(reason, "reported as '%s'", *report->title ? report->title : "nothing");
    if (!shows_parties(asked, report, reason) || !names_allocation(asked, report->message, reason))
        return false;
    if (asked->by && strncmp(report->message, asked->by, strlen(asked->by)) != 0)
        return miss(reason, "it is not %s", asked->by);
    for (size_t i = 0; i < asked->say_count; i++)
        if (!strstr(refused ? report->said : report->message, asked->says[i]) &&
            !strstr(report->advice, asked->says[i]))
            return miss(reason, "does not say '%s'", asked->says[i]);
    return refused || is_one_sentence(report->advice) ||
           miss(reason, "what to try is not one sentence: '%s'", report->advice);
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static struct kind {
    const char *title;
    size_t planted, found;
} kinds[MOST_KINDS];

static void count_kind(const char *title, bool found)
{
    struct kind *kind = kinds;
    while (kind < kinds + MOST_KINDS - 1 && kind->title && strcmp(kind->title, title) != 0)
        kind++;
    kind->title = title;
    kind->planted++;
    kind->found += found;
}

static void print_kinds(void)
{
    printf("  %-44s planted  found\n", "kind");
    for (const struct kind *kind = kinds; kind < kinds + MOST_KINDS && kind->title; kind++)
        printf("  %-44s %7zu  %5zu\n", kind->title, kind->planted, kind->found);
}

/* --- All of them ------------------------------------------------------------------------------ */

static void print_first_lines(const char *text)
{
    for (int i = 0; i < MOST_PRINTED_LINES && *text; i++) {
        size_t size = strcspn(text, "\n");
        printf("          %.*s\n", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

static bool verify(const struct expectation *asked, char **words, FILE *table)
{
    static struct report report;
    char reason[MOST_REASON] = "";
    memset(&report, 0, sizeof report);
    if (!run(words[1], words[2], asked->name, report.said))
        miss(report.said, "cannot be run");
    memcpy(report.text, report.said, sizeof report.text);
    take_apart(&report);
    size_t widest = widest_line(report.said);
    bool met = is_met(asked, &report, reason) &&
               (widest <= PIPE_COLUMNS || miss(reason, "a line has %zu columns", widest));
    if (!met) {
        printf("  FAIL  %s: %s\n", asked->name, reason);
        print_first_lines(report.said);
    }
    fprintf(table, "%s\t%s\t%s\t%u\t%s\n", asked->name, *report.title ? report.title : asked->title,
            asked->file, report.line, asked->sanitizer ? asked->sanitizer : "none");
    return met;
}

int main(int count, char **words)
{
    size_t planted = 0, found = 0;
    FILE *table = count > 4 ? fopen(words[3], "w") : NULL;
    if (!table) {
        fputs("usage: verify SIMGPU PLANTED TABLE source...\n", stderr);
        return 64;
    }
    for (int i = 4; i < count; i++) {
        const struct expectation *asked = expectations_read(words[i]);
        if (!asked)
            return 1;
        for (; asked; asked = asked->next, planted++) {
            bool met = verify(asked, words, table);
            count_kind(asked->title, met);
            found += met;
        }
    }
    print_kinds();
    printf("  %-5s faults  %zu of %zu planted faults found and told right\n",
           found == planted ? "ok" : "FAIL", found, planted);
    return fclose(table) != 0 || found != planted;
}
