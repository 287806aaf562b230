/* reference.h - the reference's figures in the timed cases, counted alone, before any submission
 * runs.
 */
#ifndef EXAMINE_REFERENCE_H
#define EXAMINE_REFERENCE_H

#include "check/examine/measure.h"

/* Get what is known about the reference in that case: kept is the "reference" that reference_stage
 * made. False with a finding; or without one if its blocks cannot be sampled: then timed says
 * why. */
bool reference_of(const json_t *kept, struct timed *timed, struct figures_reference *reference,
                  struct finding *finding);

#endif
