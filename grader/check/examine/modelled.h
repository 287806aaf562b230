/* modelled.h - what the model says of a timed case, for the record and the gate of utilization.
 *
 * In some lessons a call makes several launches, and each reads what the one before it wrote. If
 * only some blocks of each run, later ones find gaps: their results prove nothing. But what a block
 * takes does not depend on the numbers that it finds. So all blocks of a smaller case are run and
 * verified, and the time is that of the GPU's case, of which some blocks ran.
 */
#ifndef EXAMINE_MODELLED_H
#define EXAMINE_MODELLED_H

#include "check/examine/measure.h"

/* {"case", "time_ns", "reference_ns", "ratio", ...} of a case that was measured. */
json_t *modelled_json(const struct lab *lab, const struct judge_case *problem,
                      const struct measured *measured, const struct figures_reference *reference);

/* Put the time of real, the GPU's case, in place of the smaller one's in outcome, which has been
 * judged. If blocks of real take too long to be timed, and a smaller share of the multiprocessors
 * has one, the smaller case's time becomes longer in that proportion. Nothing changes if blocks of
 * real cannot be timed one by one for another reason (they share atomics, say), or do less work
 * than those of the smaller case. */
void modelled_at_real_size(struct lab *lab, const json_t *kept, struct timed *real,
                           json_t *outcome);

#endif
