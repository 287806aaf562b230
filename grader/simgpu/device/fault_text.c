/* fault_text.c - a fault as people read it: what happened and where, the source line with a caret
 * under the place, the other party's line, and what to try. It is as wide as the terminal, or 80
 * columns in a pipe: sentences are wrapped, and source lines cut to the part around the caret.
 *
 *     simgpu: shared memory race in kernel sums
 *       sums.cu:12: thread (32,0,0) of block (0,0,0) reads shared memory at offset 0, which ...
 *          12 |     total += s_row[i ^ 32];
 *             |     ^ thread (32,0,0)
 *          11 |     s_row[i] = in[i];
 *             |     ^ thread (0,0,0)
 *       try: put a __syncthreads() between the two
 */
#include "lib/terminal.h"
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIPE_COLUMNS = 80, MARGIN_COLUMNS = 9, LABEL_COLUMNS = 26 };

static void name_thread(const struct sim_fault *fault, const uint32_t *thread, char *text,
                        size_t size)
{
    if (fault->kind == SIM_FAULT_UNORDERED)
        snprintf(text, size, "one of the two");
    else if (thread[0] == UINT32_MAX)
        snprintf(text, size, "a warp");
    else
        snprintf(text, size, "thread (%u,%u,%u)", thread[0], thread[1], thread[2]);
}

/* In a line with the head of a function, nvcc's columns are those of its rewritten head. */
static bool has_head(const char *line)
{
    return strchr(line, '{') && (strstr(line, "__global__") || strstr(line, "__device__"));
}

/* The part of a line that is shown: all of it, or what is around the column. */
static void print_part(const char *line, size_t first, size_t length, size_t room)
{
    size_t before = first ? 3 : 0, after = first + room < length ? 3 : 0;
    size_t shown = length - first < room ? length - first : room;
    fprintf(stderr, "%.*s%.*s%.*s\n", (int)before, "...", (int)(shown - before - after),
            line + first + before, (int)after, "...");
}

/* The blanks in front of column, with the tabs among them, so that the caret is at the right place
 * in any editor. */
static void print_caret(const char *line, size_t first, unsigned column, const char *label)
{
    fputs("       | ", stderr);
    for (size_t i = first; i + 1 < column && line[i]; i++)
        fputc(line[i] == '\t' ? '\t' : ' ', stderr);
    fprintf(stderr, "^ %s\n", label);
}

static void quote_line(const struct terminal *terminal, const char *line,
                       const struct sim_line *place, const char *label)
{
    size_t length = strlen(line), room = (size_t)(terminal->columns - MARGIN_COLUMNS), first = 0;
    unsigned indent = (unsigned)strspn(line, " \t");
    unsigned column = place->column > indent ? place->column : indent + 1;
    bool points = !has_head(line);
    if (length > room && points && column + LABEL_COLUMNS > room)
        first = column + LABEL_COLUMNS - room;
    first = first < length ? first : 0;
    fprintf(stderr, "  %4u | ", place->line);
    print_part(line, first, length, room);
    if (points)
        print_caret(line, first, column, label);
    else
        fprintf(stderr, "       | %*sby %s\n", (int)indent, "", label);
}

/* Quotes the source line, if it can still be read. */
static void quote(const struct terminal *terminal, const struct sim_fault *fault,
                  const struct sim_line *place, const uint32_t *thread)
{
    char *line = NULL, label[64];
    size_t room = 0;
    unsigned number = 0;
    FILE *file = place->line && place->file ? fopen(place->file, "r") : NULL;
    if (!file)
        return;
    while (number < place->line && getline(&line, &room, file) >= 0)
        number++;
    if (number == place->line) {
        line[strcspn(line, "\r\n")] = 0;
        name_thread(fault, thread, label, sizeof label);
        quote_line(terminal, line, place, label);
    }
    free(line);
    fclose(file);
}

void fault_print(const struct sim_fault *fault)
{
    char kernel[200], sentence[1024];
    struct terminal terminal = terminal_of(stderr);
    if (!isatty(STDERR_FILENO))
        terminal.columns = PIPE_COLUMNS;
    if (fault->kernel)
        sim_plain_name(fault->kernel, kernel, sizeof kernel);
    fprintf(stderr, "simgpu: %s%s%s\n", sim_fault_title(fault->kind),
            fault->kernel ? " in kernel " : " between copies, sets and frees",
            fault->kernel ? kernel : "");
    if (fault->line.line)
        snprintf(sentence, sizeof sentence, "%.500s:%u: %s", fault->line.file, fault->line.line,
                 fault->message);
    else
        snprintf(sentence, sizeof sentence, "%s", fault->message);
    fputs("  ", stderr);
    terminal_wrap(&terminal, sentence, 6, 2);
    quote(&terminal, fault, &fault->line, fault->thread);
    quote(&terminal, fault, &fault->other, fault->other_thread);
    if (fault->advice && *fault->advice) {
        fputs("  try: ", stderr);
        terminal_wrap(&terminal, fault->advice, 7, 7);
    }
}
