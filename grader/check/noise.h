/* noise.h - how often is a verdict on speed wrong on this machine's GPU? `make noise`.
 *
 * Parts, of which each is one run of examine's stage "noise":
 *
 *     padded              a submission that does an eighth of its work again; the bar is put so
 * that                         its true ratio is 0.90, 0.95, 1.00 and 1.02 of it
 *     same                the reference against itself, at the bar
 *     padded-disturbed    both beside a program that uses the GPU in ways that change all the time
 *     same-disturbed
 *
 * build/noise/ has what they run: once.so, padded.so, disturb (check/build.mk). What a part found
 * is kept in OUT/noise-PART.json, and the part is not run again, so that an interrupted run goes on
 * where it was. Wrong is: fast enough at 0.95 of the bar or less, too slow at 1.00 or more, forged.
 */
#ifndef CHECK_NOISE_H
#define CHECK_NOISE_H

#include "check/check.h"
#include "lib/terminal.h"

struct noise_request {
    const struct course *course;
    const char *part;          /* NULL: all */
    const char *out;           /* a folder; NULL: build/noise */
    uint64_t verdicts;         /* for each row; 0: 200 */
    uint64_t block_us;         /* how long blocks are; 0: as in a check */
    uint64_t seconds;          /* that a part may take: then its rows have fewer verdicts; 0: 600 */
};

/* Prints a table. The exit status is 0 when at most one verdict in a thousand was wrong alone and
 * none beside the disturber, 1 when not, that of a verdict when a part could not be run. */
int noise(const struct noise_request *request, const struct terminal *terminal);

#endif
