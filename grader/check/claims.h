/* claims.h - claims about lessons: listed first, then tested, several at a time, and reported in
 * the order of the list, one line each.
 *
 * Order of calls: claim_known, claim_expected, ... as often as needed; claims_test once, which also
 * frees the list. The strings given are copied; the course and the terminal are borrowed.
 */
#ifndef CHECK_CLAIMS_H
#define CHECK_CLAIMS_H

#include "check/check.h"
#include "check/corpus.h"
#include "lib/terminal.h"

struct claim;

struct claims {
    const struct course *course;
    const struct terminal *terminal;
    enum device_choice device;
    uint64_t seed;      /* of every check; 0: each draws its own */
    size_t sample;      /* verify.h */
    struct claim *list; /* the rest is the module's own; 0 at first */
    size_t count, room, failed;
};

/* A claim of which it is already known whether it holds; reason says why not. */
void claim_known(struct claims *claims, const struct lesson *lesson, const char *what, bool holds,
                 const char *reason);
/* The submission at path gets what is expected. */
void claim_expected(struct claims *claims, const struct lesson *lesson, const char *what,
                    const char *path, const struct expectation *expectation);
/* It compiles, and does not pass. */
void claim_fails(struct claims *claims, const struct lesson *lesson, const char *what,
                 const char *path);
/* If it wrote zeros only, the numerics gate would say WRONG. */
void claim_zeros_fail(struct claims *claims, const struct lesson *lesson, const char *what,
                      const char *path);

/* Prints a line for each claim and one for all. Returns an exit status: 0 when all hold, 1, or 130
 * when interrupted. */
int claims_test(struct claims *claims);

#endif
