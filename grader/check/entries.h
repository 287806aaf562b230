/* entries.h - all submissions that come with a lesson, each with the verdict it must get: the
 * exercise as shipped, the solution, and the corpus.
 */
#ifndef CHECK_ENTRIES_H
#define CHECK_ENTRIES_H

#include "check/corpus.h"
#include "check/course.h"

struct entry {
    struct lesson lesson;
    char name[80]; /* "exercise", "solution", "slow/one_block" */
    struct path path;
    bool has_expectation; /* a lesson may say of its exercise only that it fails */
    struct expectation expectation;
};

/* Of one lesson, or of all (lesson NULL). The caller frees the list. NULL with a sentence when
 * there is no such lesson, or an entry's first line is not sound. */
struct entry *entries_list(const struct course *course, const char *lesson, size_t *count,
                           char *reason, size_t reason_bytes);

#endif
