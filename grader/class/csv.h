/* csv.h - reads comma-separated values (RFC 4180), as spreadsheets and other systems write them.
 *
 * A byte order mark and line ends of any system are allowed. Where the first line has no comma, but
 * semicolons or tabs, these separate the fields, as spreadsheets do where the comma is the decimal
 * point. Nothing is said here of what the bytes of a field are.
 *
 *     struct csv csv;
 *     csv_open(&csv, text, bytes);
 *     while ((state = csv_next(&csv, &row)) == CSV_ROW) { ...; csv_row_free(&row); }
 */
#ifndef CLASS_CSV_H
#define CLASS_CSV_H

#include <stddef.h>

struct csv {
    const char *at, *end;
    unsigned line; /* of at, from 1 */
    char separator;
};

struct csv_row {
    char **fields; /* each ended by a zero */
    size_t count;
    unsigned line; /* where it starts; CSV_UNCLOSED: where the quote does */
};

enum csv_state {
    CSV_ROW,
    CSV_END,
    CSV_UNCLOSED, /* a quote is never closed */
    CSV_MEMORY    /* is exhausted */
};

/* text has to stay until the last row was read. */
void csv_open(struct csv *csv, const char *text, size_t bytes);
/* A row without any text has one empty field. Only after CSV_ROW has the row to be freed. */
enum csv_state csv_next(struct csv *csv, struct csv_row *row);
void csv_row_free(struct csv_row *row);

#endif
