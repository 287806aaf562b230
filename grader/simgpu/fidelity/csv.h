/* csv.h - read a table of comma-separated values.
 *
 * The first line names the columns; cells may be quoted, where a doubled quote means one. Lines
 * that begin with '#' are comments, lines that begin with "==" a profiler's remarks: both are
 * skipped.
 *
 * Usual order of calls: csv_read, csv_column, then csv_text and csv_number for each row; csv_free.
 */
#ifndef FIDELITY_CSV_H
#define FIDELITY_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct csv {
    char *text;         /* the file; the cells point into it */
    const char **cells; /* row by row, the header first */
    size_t columns;
    size_t rows; /* without the header */
};

enum { CSV_ERROR_BYTES = 300 };

/* False with a sentence in error when path cannot be read, has no header, a quote is never closed,
 * or a line has another number of cells than the header. The caller frees with csv_free, which may
 * be called in either case. */
bool csv_read(struct csv *csv, const char *path, char error[CSV_ERROR_BYTES]);
void csv_free(struct csv *csv);

/* The column's index, or -1. */
int csv_column(const struct csv *csv, const char *name);

/* The cell, or "" where there is none (row or column out of range). */
const char *csv_text(const struct csv *csv, size_t row, int column);

/* The cell as a number; commas between its digits are taken out. False when it is none. */
bool csv_number(const struct csv *csv, size_t row, int column, double *number);

/* Write text as one cell, quoted when it has to be. */
void csv_write(FILE *file, const char *text);

#endif
