/* csv.c - one row at a time; a field's quotes are removed, its line ends are kept. */
#include "class/csv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outside quotes, in the first line. */
static bool first_line_has(const struct csv *csv, char wanted)
{
    bool quoted = false;
    for (const char *at = csv->at; at < csv->end; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (!quoted && (*at == '\n' || *at == '\r'))
            return false;
        else if (!quoted && *at == wanted)
            return true;
    }
    return false;
}

void csv_open(struct csv *csv, const char *text, size_t bytes)
{
    static const char MARK[] = "\xEF\xBB\xBF";
    *csv = (struct csv){.at = text, .end = text + bytes, .line = 1, .separator = ','};
    if (bytes >= 3 && memcmp(text, MARK, 3) == 0)
        csv->at += 3;
    if (first_line_has(csv, ','))
        return;
    csv->separator = first_line_has(csv, ';') ? ';' : first_line_has(csv, '\t') ? '\t' : ',';
}

/* How many bytes the line end here has: CR LF is one end. */
static size_t line_end(const struct csv *csv)
{
    if (csv->at == csv->end || (*csv->at != '\n' && *csv->at != '\r'))
        return 0;
    return *csv->at == '\r' && csv->end - csv->at > 1 && csv->at[1] == '\n' ? 2 : 1;
}

/* From after the opening quote to after the closing one. */
static bool take_quoted(struct csv *csv, FILE *field)
{
    while (csv->at < csv->end) {
        size_t end = line_end(csv);
        if (*csv->at == '"' && (csv->end - csv->at < 2 || csv->at[1] != '"')) {
            csv->at++;
            return true;
        }
        csv->at += *csv->at == '"'; /* two of them are one */
        csv->line += end > 0;
        fwrite(csv->at, 1, end ? end : 1, field);
        csv->at += end ? end : 1;
    }
    return false;
}

/* Text after a closing quote is not foreseen by the RFC: it is kept. */
static enum csv_state take_field(struct csv *csv, struct csv_row *row)
{
    char *text = NULL;
    size_t bytes = 0;
    unsigned start = csv->line;
    FILE *field = open_memstream(&text, &bytes);
    if (!field)
        return CSV_MEMORY;
    bool closed = true;
    if (csv->at < csv->end && *csv->at == '"') {
        csv->at++;
        closed = take_quoted(csv, field);
    }
    for (; csv->at < csv->end && *csv->at != csv->separator && !line_end(csv); csv->at++)
        putc(*csv->at, field);
    bool written = fclose(field) == 0;
    char **fields = realloc(row->fields, (row->count + 1) * sizeof *fields);
    row->fields = fields ? fields : row->fields;
    if (!closed || !written || !fields) {
        free(text);
        row->line = start;
        return closed ? CSV_MEMORY : CSV_UNCLOSED;
    }
    fields[row->count++] = text;
    return CSV_ROW;
}

enum csv_state csv_next(struct csv *csv, struct csv_row *row)
{
    *row = (struct csv_row){.line = csv->line};
    if (csv->at == csv->end)
        return CSV_END;
    for (;;) {
        enum csv_state state = take_field(csv, row);
        unsigned line = row->line;
        if (state != CSV_ROW) {
            csv_row_free(row);
            row->line = line;
            return state;
        }
        if (csv->at == csv->end || *csv->at != csv->separator)
            break;
        csv->at++;
    }
    size_t end = line_end(csv);
    csv->at += end;
    csv->line += end > 0;
    return CSV_ROW;
}

void csv_row_free(struct csv_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        free(row->fields[i]);
    free(row->fields);
    *row = (struct csv_row){0};
}
