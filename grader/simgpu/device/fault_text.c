/* fault_text.c - a fault as people read it: what happened and where, the source line with a caret
 * under the place, the other party's line, and what to try.
 *
 *     simgpu: shared memory race in kernel sums
 *       sums.cu:12: thread (32,0,0) of block (0,0,0) reads shared memory at offset 0, which ...
 *          12 |     total += s_row[i ^ 32];
 *             |     ^ thread (32,0,0)
 *          11 |     s_row[i] = in[i];
 *             |     ^ thread (0,0,0)
 *       try: put a __syncthreads() between the two
 */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name_thread(const uint32_t *thread, char *text, size_t size)
{
    if (thread[0] == UINT32_MAX)
        snprintf(text, size, "a warp");
    else
        snprintf(text, size, "thread (%u,%u,%u)", thread[0], thread[1], thread[2]);
}

/* The blanks in front of column, with the tabs among them, so that the caret stands where it
 * should in any editor. */
static void print_caret(const char *line, unsigned column, const char *label)
{
    fputs("       | ", stderr);
    for (unsigned i = 1; i < column && line[i - 1]; i++)
        fputc(line[i - 1] == '\t' ? '\t' : ' ', stderr);
    fprintf(stderr, "^ %s\n", label);
}

/* Quotes the source line, if it can still be read. */
static void quote(const struct sim_line *place, const uint32_t *thread)
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
        unsigned indent = (unsigned)strspn(line, " \t");
        name_thread(thread, label, sizeof label);
        fprintf(stderr, "  %4u | %s\n", place->line, line);
        print_caret(line, place->column > indent ? place->column : indent + 1, label);
    }
    free(line);
    fclose(file);
}

void fault_print(const struct sim_fault *fault)
{
    char kernel[200];
    sim_plain_name(fault->kernel, kernel, sizeof kernel);
    fprintf(stderr, "simgpu: %s in kernel %s\n", sim_fault_title(fault->kind), kernel);
    if (fault->line.line)
        fprintf(stderr, "  %s:%u: %s\n", fault->line.file, fault->line.line, fault->message);
    else
        fprintf(stderr, "  %s\n", fault->message);
    quote(&fault->line, fault->thread);
    quote(&fault->other, fault->other_thread);
    if (fault->advice && *fault->advice)
        fprintf(stderr, "  try: %s\n", fault->advice);
}
