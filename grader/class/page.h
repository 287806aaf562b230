/* page.h - the HTML pages of a graded class: one of the class, one for each student.
 *
 *     page.c                escaping, head and foot, names of files
 *     page_style.c          the style sheet
 *     page_record.c         what a mark and its record say, in words
 *     student_page.c        the page of a student; its parts are in student_page_*.c
 *     class_page.c          the page of the class; its parts are in class_page_*.c
 *
 * A page is one file that needs no script and no network. Void elements are closed, so that it is
 * XML as well and xmllint can check it. All text from elsewhere is written by page_put and its
 * kin: none of it can add an element, end an attribute or turn the direction of what is after it.
 */
#ifndef CLASS_PAGE_H
#define CLASS_PAGE_H

#include "class/marks.h"
#include "lib/files.h"

#include <stdio.h>

/* "ann.html". No two ids have the same name, on disks that do not tell "Ann" from "ann" either. */
struct path student_page_name(const struct student *student);

/* False when memory or the disk is exhausted. A student's page has neither the flags nor the
 * folders of the instructor. */
bool student_page_write(const struct marks *marks, const struct student *student, FILE *out);
bool class_page_write(const struct marks *marks, FILE *out);

/* --- page.c: for the pages alone -------------------------------------------------------------- */

extern const char page_style[];

/* Up to the first element in <main>. */
void page_begin(FILE *out, const char *title);
/* False when something of the page could not be written. */
bool page_end(FILE *out);

/* Text that came from elsewhere, in an element or in an attribute between quotes. Characters that
 * control something are shown instead of obeyed. */
void page_put(FILE *out, const char *text);
/* A person's name or id, which cannot change the order of the text around it. At most 255
 * characters: an id comes from the name of a file. */
void page_put_name(FILE *out, const char *name);
/* The first of a long text, and the rest when it is opened. Not within <p>. */
void page_put_long(FILE *out, const char *text);
/* With a capital letter, where the text begins with a word, and a full stop. */
void page_put_sentence(FILE *out, const char *text);
/* "2026-11-20T10:00:00Z" as a date and a time; anything else as it is. */
void page_put_time(FILE *out, const char *time);
/* Two decimals at most: "66.67", "100". */
void page_put_number(FILE *out, double number);

/* --- page_record.c ---------------------------------------------------------------------------- */

/* The name to show: that of the roster, or the id. */
const char *page_student(const struct student *student);
/* "Lesson 3: Warp divergence" */
void page_put_lesson(FILE *out, const struct mark *mark);
/* The state of a mark as a symbol and a word, in a style of its own: "✗ slow". */
void page_put_state(FILE *out, const struct mark *mark);
/* "40 of 100" */
void page_put_points(FILE *out, const struct mark *mark);
/* "Your code gives wrong results." */
void page_put_verdict(FILE *out, const json_t *record);
/* What helps next; "" when nothing is known. */
const char *page_hint(const json_t *record);
/* The case in which the gate failed; "" for none. */
const char *page_failed_case(const json_t *gate);
/* The mark of a student in a lesson, or NULL. */
const struct mark *page_mark(const struct marks *marks, const struct student *student,
                             const char *lesson);
/* Any mark of the lesson, for its title and number, or NULL. */
const struct mark *page_lesson(const struct marks *marks, const char *lesson);

#endif
