/* only.h - a judge with only the cases of one of its launchers.
 *
 * If a lesson has several launchers, each can be checked alone, and if one is wrong, the others are
 * still checked. No stage knows about this: it gets a judge with fewer cases.
 */
#ifndef EXAMINE_ONLY_H
#define EXAMINE_ONLY_H

#include "check/judge.h"

#include <jansson.h>

/* The launchers that a case is about, an array of names in their order: a lesson's parts. */
json_t *only_parts(const struct judge *judge);
/* The judge of that part alone, valid until the next call: only one at a time, since a judge's
 * timed() does not know the part. NULL when there is no such part, or no memory. */
const struct judge *only_judge(const struct judge *judge, const char *launcher);
/* Is something of the judge's parts timed? */
bool only_is_timed(const struct judge *judge, const struct judge_device *device);

#endif
