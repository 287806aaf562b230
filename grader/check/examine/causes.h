/* causes.h - if no mistake is recognised: what fits the evidence, and how to tell the causes
 * apart. */
#ifndef EXAMINE_CAUSES_H
#define EXAMINE_CAUSES_H

#include "check/judge.h"

#include <stddef.h>

enum { CAUSES_MOST = 3 };

/* Of a wrong result: is it told in words ("the old file is not whole"), and not as elements? */
bool causes_is_in_words(const struct judge_evidence *evidence);

/* All wrong numbers are only a little off, as by rounding, or for lack of one term of many. */
bool causes_is_close(const struct judge_evidence *evidence);

/* The causes of one list, the likeliest first, whose claims hold in the evidence; at most
 * CAUSES_MOST. Returns how many. Texts are constants, for phrase_fill(). */
size_t causes_of(const struct judge_evidence *evidence, const char *causes[CAUSES_MOST]);

#endif
