/* export.h - the marks of a class in the formats of other systems.
 *
 *     gradescope.c   results.json        Gradescope's autograder, one for each student
 *     autolab.c      the last line that Autolab reads {"scores": {...}}
 *     classroom.c    GitHub Classroom / Classroom 50: base64 of {version, status, max_score, tests}
 *     canvas.c       CSV for Canvas's gradebook import
 *     moodle.c       CSV for Moodle's grade import
 *     junit.c        JUnit XML      sarif.c  SARIF 2.1.0      tap.c  TAP 14
 *
 * Names and output of students are made harmless for each: no text of theirs can end a field, start
 * a formula, close an element or begin a line of its own.
 */
#ifndef CLASS_EXPORT_H
#define CLASS_EXPORT_H

#include "class/marks.h"

#include <stdio.h>

struct export_format {
    const char *name; /* "canvas": what --format says */
    const char *file; /* "canvas.csv"; in a folder of the student's when it is for each */
    bool for_each;    /* one file for each student; else one of the class */
    bool of_roster;   /* only students of the roster are in it */
    /* student: whose, when for_each; else NULL. False when memory or the disk is exhausted. */
    bool (*write)(const struct marks *marks, const struct student *student, FILE *out);
};

extern const struct export_format *const export_formats[]; /* ended by NULL */
const struct export_format *export_named(const char *name);

#endif
