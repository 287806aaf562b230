/* parts.h - the launchers of a lesson, as a learner names them: make check-lesson2
 * ONLY=transpose. */
#ifndef CHECK_PARTS_H
#define CHECK_PARTS_H

#include "check/course.h"

/* "transpose" of "lesson2_transpose"; lives in name. */
const char *parts_short(const char *name);
/* The launcher that word names, short or in full; lives in the course. If there is none, NULL with
 * a sentence that lists them. */
const char *parts_named(const struct lesson *lesson, const char *word, char *reason,
                        size_t reason_bytes);

#endif
