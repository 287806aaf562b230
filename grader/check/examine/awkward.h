/* awkward.h - what a contract allows besides the timed case is not much slower.
 *
 * Timed sizes suit vectors and tiles. A launcher that has another path for odd sides, for addresses
 * that no vector fits, or for outputs over inputs may be fast where it is timed, and read a sector
 * for each element where it is not.
 */
#ifndef EXAMINE_AWKWARD_H
#define EXAMINE_AWKWARD_H

#include "check/examine/measure.h"

#include <jansson.h>

/* The awkward case beside problem, which a GPU is timed with. False when the judge has none. */
bool awkward_case(const struct lab *lab, const struct judge_case *problem,
                  struct judge_case *awkward);

/* timed was right, could be sampled, and reached speed, a share of the reference's: what is slow
 * there too is not judged here. kept: what the reference takes, as reference_stage says. outcome
 * gets what was found. False with a finding when the call is not right, breaks what holds
 * for every call, cannot be sampled where the reference could, or is too slow: then slow has what
 * was measured, for measure_forget. */
bool awkward_is_fast(struct lab *lab, const struct timed *timed, double speed, const json_t *kept,
                     uint64_t budget, json_t *outcome, struct measured *slow,
                     struct finding *finding);

#endif
