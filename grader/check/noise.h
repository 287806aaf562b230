/* noise.h - how often is a verdict on speed wrong on this machine's GPU? `make noise`.
 *
 * Each part is one run of examine's stage "noise":
 *
 *     padded              a submission that repeats an eighth of its work; the bar is set so
 * that                         its true ratio is 0.90, 0.95, 1.00 and 1.02 of it
 *     same                the reference against itself, at the bar
 *     padded-disturbed    both next to a program that uses the GPU in ways that change all the time
 *     same-disturbed
 *
 * build/noise/ has what they run: once.so, padded.so, disturb (check/build.mk). The result of a
 * part is kept in OUT/noise-PART.json, and the part is not run again, so that an interrupted run
 * resumes. A verdict is wrong if it is fast enough at 0.95 of the bar or less, too slow at 1.00 or
 * more, or forged.
 */
#ifndef CHECK_NOISE_H
#define CHECK_NOISE_H

#include "check/check.h"
#include "lib/terminal.h"

struct noise_request {
    const struct course *course;
    const char *part;  /* NULL: all */
    const char *out;   /* a folder; NULL: build/noise */
    uint64_t verdicts; /* for each row; 0: 200 */
    uint64_t block_us; /* how long blocks are; 0: as in a check */
    uint64_t seconds;  /* that a part may take: then its rows have fewer verdicts; 0: 600 */
};

/* Prints a table. The exit status is 0 when at most one verdict in a thousand was wrong alone and
 * none next to the disturber, 1 when not, and a verdict's when a part could not be run. */
int noise(const struct noise_request *request, const struct terminal *terminal);

#endif
