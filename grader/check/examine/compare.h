/* compare.h - is this output right? Every element, against the truth, in double.
 *
 * Equal must be proved: |got - expected| <= allowed has to hold, so a NaN never passes unless NaN
 * is expected, and then any NaN does. An infinity passes only for one of its own sign. -0 passes
 * for 0, unless allowed is JUDGE_WITH_SIGN. Where the truth requires the same bits
 * (JUDGE_SAME_BITS, judge_host.same_bits), all of them count.
 */
#ifndef EXAMINE_COMPARE_H
#define EXAMINE_COMPARE_H

#include "check/judge.h"

/* The pattern of the wrong elements, for a sentence that helps more than a list of them. */
enum compare_pattern {
    COMPARE_SCATTERED,
    COMPARE_ALL,
    COMPARE_TAIL,    /* all after the last right one, of those that were compared */
    COMPARE_HEAD,    /* all before the first right one */
    COMPARE_STRIDED, /* every stride-th, from the first wrong one to the last */
};

struct comparison {
    uint64_t total; /* elements of the output */
    uint64_t looked_at, wrong;
    uint64_t first_wrong, last_wrong;
    uint64_t first_right, last_right;
    uint64_t stride;    /* of COMPARE_STRIDED */
    uint64_t unwritten; /* of the wrong ones: still hold the poison */
    uint64_t zeros;     /* of the wrong ones: are zero */
    enum compare_pattern pattern;
    double got, want, allowed; /* of the first wrong one */
    double largest_error;      /* |got - want| of the wrong ones; infinite if one is not finite */
    double worst_share;        /* largest |error| / allowed of right ones that are not exact */
    uint64_t worst_at;
};

/* The bits of the float that a double holds, a signalling NaN's too (judge_of_float). */
uint32_t compare_float_bits(double value);

/* One element. */
bool compare_equal(double got, double expected, double allowed);

/* Count element i of an output, right or wrong, in result, which was zeros at first. */
void compare_note(struct comparison *result, uint64_t i, double got, double expected,
                  double allowed, bool is_unwritten);

/* The pattern of the wrong elements among all that were compared. */
enum compare_pattern compare_pattern_of(const struct comparison *result);

/* Compare count elements of one output. poison: what was there before the launch, which is no
 * answer; NULL if the output is also an input. */
void compare_output(const void *output, enum judge_type type, const struct judge_host *host,
                    const void *poison, struct comparison *result);

#endif
