/* student_page.h - the parts of a student's page; for student_page*.c alone. */
#ifndef CLASS_STUDENT_PAGE_H
#define CLASS_STUDENT_PAGE_H

#include "class/page.h"

/* A copy of the record without the names of folders, or NULL without memory or without a record.
 * The caller frees it. */
json_t *student_record(const json_t *record);
/* text without the names of folders: "/home/me/ann.cu cannot be read" is "ann.cu cannot be read".
 * The caller frees it; NULL without memory. */
char *student_text(const char *text);
/* What a check prints in a terminal, to be opened. False without memory. */
bool student_put_report(FILE *out, const json_t *record);

/* student_page_gates.c: each gate, with what was found and what is asked for. */
void student_put_gates(FILE *out, const json_t *record);
/* "3.5 % of the reference's speed [3.4 %, 3.6 %]; at least 75 %" */
void student_put_ratio(FILE *out, const json_t *gate);
/* student_page_figures.c: the table of counters; student_page_speed.c: those of speed. */
void student_put_counters(FILE *out, const json_t *gate);
void student_put_speed(FILE *out, const json_t *gate);
/* Speed in cases besides the timed ones, to be opened. gate: counters, which judges it. */
void student_put_regimes(FILE *out, const json_t *gate);
/* student_page_lines.c: the source lines to look at, with those around them where the source is
 * known. */
void student_put_lines(FILE *out, const struct mark *mark, const json_t *record);

#endif
