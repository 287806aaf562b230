/* again_claims.h - which outcomes of an examination claim that the machine was at fault. */
#ifndef CHECK_AGAIN_CLAIMS_H
#define CHECK_AGAIN_CLAIMS_H

#include "check/verdict.h"

#include <jansson.h>
#include <stdbool.h>

/* DEVICE or INTERNAL. (INCONCLUSIVE comes from times alone.) */
bool again_is_claim(enum verdict verdict);
/* The outcome of a stage itself, or the first of its cases or parts, or of a result's stages, that
 * is a claim; NULL when none is. Borrowed. */
json_t *again_claim_in(json_t *outcome);
/* The same for EARLY_EXIT, CRASH and TIMEOUT: a process that did not finish may have had no chance
 * to. */
json_t *again_doubt_in(json_t *outcome);
/* The machine is at fault: the first doubt, or claim, is DEVICE. */
void again_excuse(json_t *outcome);
/* The submission caused it: every place that claims otherwise becomes DISTURBS, except where its
 * process was "starved": the kernel's own word says that it is not to blame (runner/starved.h). */
void again_blame(json_t *outcome);

#endif
