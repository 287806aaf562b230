/* causes.h - if no mistake is recognised: the causes that fit the evidence, and how to tell them
 * apart. */
#ifndef EXAMINE_CAUSES_H
#define EXAMINE_CAUSES_H

#include "check/judge.h"

#include <stddef.h>

enum { CAUSES_MOST = 3 };

/* Is a wrong result described in words ("the old file is no longer whole"), not as elements? */
bool causes_is_in_words(const struct judge_evidence *evidence);

/* All wrong numbers are only a little off, as by rounding, or because one of many terms is
 * missing. */
bool causes_is_close(const struct judge_evidence *evidence);

/* The causes of one list whose claims hold in the evidence, the likeliest first; at most
 * CAUSES_MOST. Returns their number. Texts are constants, for phrase_fill(). */
size_t causes_of(const struct judge_evidence *evidence, const char *causes[CAUSES_MOST]);

#endif
