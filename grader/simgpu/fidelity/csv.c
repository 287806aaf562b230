/* csv.c - the reader: one pass cuts the text into cells in place, another counts them off. */
#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A list of cells that grows. */
struct cells {
    const char **cell;
    size_t count, room;
};

static bool cells_add(struct cells *cells, const char *cell)
{
    if (cells->count == cells->room) {
        size_t room = cells->room ? 2 * cells->room : 1024;
        const char **more = realloc(cells->cell, room * sizeof *more);
        if (!more)
            return false;
        cells->cell = more;
        cells->room = room;
    }
    cells->cell[cells->count++] = cell;
    return true;
}

/* The whole file, zero-terminated; NULL with errno set. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0, room = 0;
    while (file && !ferror(file) && !feof(file)) {
        if (size + 1 >= room) {
            char *more = realloc(text, room = room ? 2 * room : 65536);
            if (!more)
                break;
            text = more;
        }
        size += fread(text + size, 1, room - size - 1, file);
    }
    bool complete = file && feof(file);
    if (file)
        fclose(file);
    if (!complete) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

/* Cut the cell at *at out of the text: it is unquoted in place, *at moves past its separator, and
 * the separator is returned. '"' when a quote is never closed. */
static char cut_cell(char **at, const char **cell)
{
    char *from = *at, *to = *at;
    bool quoted = *from == '"';
    *cell = to;
    if (quoted)
        from++;
    for (;; from++) {
        if (quoted && *from == '"' && from[1] == '"')
            from++;
        else if (quoted && *from == '"') {
            quoted = false;
            continue;
        } else if (*from == '\0' || (!quoted && (*from == ',' || *from == '\n')))
            break;
        if (*from != '\r')
            *to++ = *from;
    }
    char separator = quoted ? '"' : *from;
    *at = *from ? from + 1 : from;
    *to = '\0';
    return separator;
}

static bool is_remark(const char *line)
{
    return *line == '#' || *line == '\n' || *line == '\r' || strncmp(line, "==", 2) == 0;
}

/* Cut one line; false with an error when it does not fit the header. */
static bool cut_line(struct csv *csv, struct cells *cells, char **at, const char *path,
                     unsigned line, char error[CSV_ERROR_BYTES])
{
    size_t before = cells->count;
    char separator;
    do {
        const char *cell;
        separator = cut_cell(at, &cell);
        if (separator == '"' || !cells_add(cells, cell)) {
            snprintf(error, CSV_ERROR_BYTES, "%s:%u: %s.", path, line,
                     separator == '"' ? "a quote is never closed" : "out of memory");
            return false;
        }
    } while (separator == ',');
    if (!csv->columns)
        csv->columns = cells->count;
    if (cells->count - before != csv->columns) {
        snprintf(error, CSV_ERROR_BYTES, "%s:%u: the line has %zu cells, the header %zu.", path,
                 line, cells->count - before, csv->columns);
        return false;
    }
    return true;
}

bool csv_read(struct csv *csv, const char *path, char error[CSV_ERROR_BYTES])
{
    struct cells cells = {0};
    memset(csv, 0, sizeof *csv);
    csv->text = read_file(path);
    if (!csv->text) {
        snprintf(error, CSV_ERROR_BYTES, "%s cannot be read: %s.", path, strerror(errno));
        return false;
    }
    bool good = true;
    unsigned line = 1;
    for (char *at = csv->text; good && *at; line++) {
        if (is_remark(at))
            at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
        else
            good = cut_line(csv, &cells, &at, path, line, error);
    }
    csv->cells = cells.cell;
    if (good && !csv->columns) {
        snprintf(error, CSV_ERROR_BYTES, "%s has no table in it.", path);
        good = false;
    }
    csv->rows = good ? cells.count / csv->columns - 1 : 0;
    return good;
}

void csv_free(struct csv *csv)
{
    free(csv->cells);
    free(csv->text);
    memset(csv, 0, sizeof *csv);
}

int csv_column(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->columns; i++)
        if (strcmp(csv->cells[i], name) == 0)
            return (int)i;
    return -1;
}

const char *csv_text(const struct csv *csv, size_t row, int column)
{
    if (row >= csv->rows || column < 0 || (size_t)column >= csv->columns)
        return "";
    return csv->cells[(row + 1) * csv->columns + (size_t)column];
}

bool csv_number(const struct csv *csv, size_t row, int column, double *number)
{
    const char *cell = csv_text(csv, row, column);
    char digits[64], *end;
    size_t count = 0;
    for (; *cell && count + 1 < sizeof digits; cell++)
        if (*cell != ',')
            digits[count++] = *cell;
    digits[count] = '\0';
    *number = strtod(digits, &end);
    return count > 0 && *end == '\0';
}

void csv_write(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}
