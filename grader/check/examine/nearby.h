/* nearby.h - a timed case costs what its neighbours cost.
 *
 * The timed size is the same in every check, so that figures can be compared. So a submission can
 * know it, and a kernel that is fast only at that size is not fast. A case of a drawn size close to
 * it may cost no more per unit of work, nor may the timed case when it is repeated: how often and
 * in which order the two come is drawn as well.
 */
#ifndef EXAMINE_NEARBY_H
#define EXAMINE_NEARBY_H

#include "check/examine/measure.h"

/* The same launcher's case with a size nearby. False when the judge has none. */
bool nearby_case(const struct lab *lab, const struct judge_case *problem, struct judge_case *near);

/* The work of near as a share of that of problem, which is a larger case. */
double nearby_share(const struct lab *lab, const struct judge_case *near,
                    const struct judge_case *problem);

/* timed was right, and time_ns was modelled. False with a finding when another call is wrong,
 * breaks a rule for every call, costs clearly more, or cannot be sampled. */
bool nearby_is_alike(struct lab *lab, const struct timed *timed,
                     const struct figures_reference *reference, uint64_t budget, double time_ns,
                     struct finding *finding);

#endif
