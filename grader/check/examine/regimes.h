/* regimes.h - tests that calls unlike the timed case, which the contract allows, are not much
 * slower.
 *
 * Timed sizes are large, nearly square and suit vectors and tiles. A launcher that has another path
 * for odd sides, for few long rows, for a long sum or for an output over an input may be fast where
 * it is timed, and take many times as long where it is not. So a judge lists regimes
 * (judge.h), and each is one call of the case that a GPU is timed with, turned into that regime.
 */
#ifndef EXAMINE_REGIMES_H
#define EXAMINE_REGIMES_H

#include "check/examine/measure.h"

#include <jansson.h>

/* All blocks of a regime's call run, on the slice of the device that the judge's own timed case
 * has, or on the whole device if the regime asks for it: where launches read each other's results,
 * a few blocks do not represent all. Then the regime is made from that case, not from the GPU's. */
bool regimes_are_whole(const struct lab *lab);
/* The case of that regime for problem, a case that is timed on a GPU. False when the regime is not
 * of its launcher, the device has no memory for it, or problem is NULL or has no work. */
bool regimes_case(const struct lab *lab, const struct judge_regime *regime,
                  const struct judge_case *problem, struct judge_case *its);
/* The same regime of a smaller case, drawn for each regime as judge->nearby does: so a submission
 * cannot know its sizes, where they come from the timed case. The time of regimes_case shrinks with
 * the work. */
struct judge_case regimes_draw(const struct lab *lab, const struct judge_regime *regime,
                               const struct judge_case *problem);
/* How its case is run, by the reference and by submissions: few blocks, and few instructions,
 * unless regimes are whole. */
struct timed regimes_timed(const struct lab *lab, const struct judge_regime *regime,
                           const struct judge_case *its);

/* timed was right, could be sampled, and reached speed, a share of the reference's: a submission
 * that is slow in the timed case is not judged here. kept: the reference's figures, from
 * reference_stage. outcome gets the result of each regime. False with a finding at the first regime
 * in which the call is not right, breaks a rule for every call, or is too slow: then slow has what
 * was measured, for measure_forget. */
bool regimes_are_fast(struct lab *lab, const struct timed *timed, double speed, const json_t *kept,
                      json_t *outcome, struct measured *slow, struct finding *finding);

#endif
