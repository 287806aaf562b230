/* alike.h - files of a class that are the same, or the same but for names, comments and layout.
 *
 * It proves nothing: short kernels have few ways to be right. It says where to look.
 */
#ifndef CLASS_ALIKE_H
#define CLASS_ALIKE_H

#include "class/marks.h"
#include "check/course.h"
#include "lib/hash.h"

/* Of a source without comments and white space, each name replaced by the number of its first use:
 * two sources with one print differ in nothing else. */
void alike_print(const char *source, char print[HASH_TEXT]);

/* Flags each mark whose file is another student's or the course's own solution, or near one of them
 * (nearly.h). */
void alike_flag(struct marks *marks, const struct course *course);

#endif
