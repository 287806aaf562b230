/* field.h - text of others, written into a file such that it stays within its field.
 *
 * Names, reasons and file names are whatever a student made them. Each function writes one text as
 * part of one line: line ends and control characters, directional overrides of Unicode, characters
 * that XML forbids and invalid UTF-8 are replaced, and "::" at the start of a word and "##[", which
 * begin commands to GitHub Actions, are broken by a space. Each then escapes what ends a field of
 * its kind of file. None of them fails by itself: ferror(out) tells of a full disk.
 */
#ifndef LIB_FIELD_H
#define LIB_FIELD_H

#include <stdio.h>

/* As it is otherwise, for text files. */
void field_line(FILE *out, const char *text);
/* Quoted where needed, and never read as a formula by a spreadsheet. */
void field_csv(FILE *out, const char *text);
/* For content of an element and for the value of an attribute in double quotes. */
void field_xml(FILE *out, const char *text);
/* The description of a test point of TAP 14, in which # begins a directive. */
void field_tap(FILE *out, const char *text);
/* A scalar of YAML with its double quotes. */
void field_yaml(FILE *out, const char *text);
/* One segment of a URI's path: percent-encoded bytes, and never "", "." or "..". */
void field_uri(FILE *out, const char *text);
/* With two decimals at most and a point in every locale; 0 when it is not finite. */
void field_number(FILE *out, double number);
/* The number in hundredths, rounded; 0 when it is not finite, or too large. */
long long field_hundredths(double number);

#endif
