/* class_page.h - the parts of the page of a class; for class_page*.c alone. */
#ifndef CLASS_CLASS_PAGE_H
#define CLASS_CLASS_PAGE_H

#include "class/page.h"

/* A student's name, as a link to the page, and there to a lesson if its number is not negative. */
void class_put_student(FILE *out, const struct student *student, int lesson);
/* The id in small letters, where the name is another text: names are not unique. */
void class_put_id(FILE *out, const struct student *student);

/* class_page_first.c: what an instructor has to look at, with causes and evidence. */
void class_put_first(FILE *out, const struct marks *marks);
/* class_page_lesson.c: what came of a lesson. False without memory. */
bool class_put_lesson(FILE *out, const struct marks *marks, const char *lesson);
/* class_page_mistakes.c: which mistakes were made most, and by whom. False without memory. */
bool class_put_mistakes(FILE *out, const struct marks *marks, const char *lesson);

#endif
