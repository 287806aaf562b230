/* verify.h - the checks that authors and CI run on the course itself. */
#ifndef CHECK_VERIFY_H
#define CHECK_VERIFY_H

#include "check/check.h"
#include "check/terminal.h"

/* lesson NULL means all. One line a claim; the exit status is 0 when all hold, 130 when
 * interrupted. */
int verify_course(const struct course *course, const char *lesson, enum device_choice device,
                  const struct terminal *terminal);
int verify_corpus(const struct course *course, const char *lesson, enum device_choice device,
                  const struct terminal *terminal);
/* Only: the exercises, as they lie there, get what their judges say they get as shipped. */
int verify_exercises(const struct course *course, const char *lesson, enum device_choice device,
                     const struct terminal *terminal);

#endif
