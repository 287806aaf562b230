/* verify.h - the checks that authors and CI run on the course itself. */
#ifndef CHECK_VERIFY_H
#define CHECK_VERIFY_H

#include "check/check.h"
#include "lib/terminal.h"

struct verify_request {
    const struct course *course;
    const char *lesson; /* NULL: all */
    enum device_choice device;
    uint64_t seed; /* of every check; 0: drawn now */
    size_t sample; /* this many of each folder, drawn by the seed; 0: all */
};

/* Prints one line for each claim; the last names the seed, which reproduces a failure. The exit
 * status is 0 when all hold, 1 when not, 130 when interrupted. */
int verify_course(const struct verify_request *request, const struct terminal *terminal);
int verify_corpus(const struct verify_request *request, const struct terminal *terminal);
/* Only this: the exercises get what their judges say they get as shipped. */
int verify_exercises(const struct verify_request *request, const struct terminal *terminal);

#endif
