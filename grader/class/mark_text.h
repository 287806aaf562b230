/* mark_text.h - one mark in words, as all exports say it.
 *
 * Every line of a text begins with words of ours: nothing of a student's does.
 */
#ifndef CLASS_MARK_TEXT_H
#define CLASS_MARK_TEXT_H

#include "class/marks.h"

#include <stdio.h>

/* Judged or decided: its points count. */
bool mark_stands(const struct mark *mark);
/* The verdict is PASS, or the instructor gave points. */
bool mark_passed(const struct mark *mark);
/* "PASS", "SLOW", ... of the record; "DECIDED" by the instructor, "UNDECIDED", "ABSENT". */
const char *mark_verdict(const struct mark *mark);
/* A sentence, which may hold text of a student's: why it is what it is. */
const char *mark_reason(const struct mark *mark);
/* On the mistake that was recognised, or on the verdict; "" where there is none. */
const char *mark_hint(const struct mark *mark);
/* The line of the source to look at; 0 where none is known. */
int mark_line(const struct mark *mark);

/* Points, verdict, reason, line and hint: for the student, a line each. */
void mark_write(const struct mark *mark, FILE *out);
/* The same; the caller frees it. NULL when memory is exhausted. */
char *mark_text(const struct mark *mark);

/* Of one student, in order of marks->lessons, as many as there are; NULL if they are not in it. */
const struct mark *marks_of(const struct marks *marks, const struct student *student);
/* Does any mark of the student at an index of marks->students stand? */
bool has_standing_mark(const struct marks *marks, size_t student);
/* Of the lesson at an index of marks->lessons. */
const struct mark *mark_at(const struct marks *marks, size_t student, size_t lesson);
const char *lesson_title(const struct marks *marks, size_t lesson);
double lesson_points(const struct marks *marks, size_t lesson);

#endif
