/* nearly.h - files of a class that are another's for the most part (passages.h).
 *
 * Two files are near when at least 0.8 of the shorter one's passages are in the other, and it has
 * 12 or more. What the exercise has to begin with does not count, nor does what more than ten files
 * and more than a tenth of all have: that is the lesson's. Of the right answers to lesson 1 in this
 * tree, which were written apart, no two are near, and a copy with other names and another end is
 * (grader/tests/check_nearly.c).
 */
#ifndef CLASS_NEARLY_H
#define CLASS_NEARLY_H

#include "class/marks.h"

/* Flags each mark whose file is near another's, or near the solution. All are of one lesson, and no
 * two are the same but for names and layout; exercise and solution are sources. */
void nearly_flag(struct mark *const *marks, size_t count, const char *exercise,
                 const char *solution);

#endif
