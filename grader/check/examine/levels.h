/* levels.h - the three hints about a submission that did not pass: what was seen, with a question;
 * the causes that fit, and how to tell them apart; what to write, or where to look. */
#ifndef EXAMINE_LEVELS_H
#define EXAMINE_LEVELS_H

#include "check/judge.h"

#include <jansson.h>

enum { LEVELS = 3 };

/* [[sentences] of level 1, of level 2, of level 3]. mistake: the one that was recognised, or NULL.
 * After SLOW, the parts of the lesson's hints follow that the submission has not already done. The
 * caller frees it. */
json_t *levels_of(const struct judge *judge, const struct judge_evidence *evidence,
                  const struct judge_mistake *mistake);

#endif
