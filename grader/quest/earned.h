/* earned.h - what the checks in the progress file have earned. */
#ifndef QUEST_EARNED_H
#define QUEST_EARNED_H

#include "check/course.h"
#include "quest/earning.h"

/* All checks up to the one whose record this is, which is left out: before it is what was earned
 * already. NULL: all checks. key: of one lesson alone, or NULL. False, after a sentence, if they
 * cannot be read or that one is not among them. End earning with earning_free, whatever is
 * returned. */
bool earned_before(const struct course *course, const char *key, const json_t *record,
                   struct earning *earning);
/* The index of a lesson by its key; false if the course has none. */
bool earned_index(const struct course *course, const char *key, size_t *index);

#endif
