/* nearby.h - a timed case costs what its neighbours cost.
 *
 * The size that is timed is the same in every check, so that figures compare; so it can be known,
 * and who is fast there alone is not fast. A case of a size close to it, which is drawn, has to
 * cost as much for each unit of work, and so has the timed case when it comes again: how often and
 * in which order the two come is drawn as well.
 */
#ifndef EXAMINE_NEARBY_H
#define EXAMINE_NEARBY_H

#include "check/examine/measure.h"

/* The same launcher's case, of a size nearby. False when the judge has none. */
bool nearby_case(const struct lab *lab, const struct judge_case *problem, struct judge_case *near);

/* timed was right, and time_ns was modelled. False with a finding when another call is not right,
 * breaks what holds for every call, costs clearly more, or cannot be sampled. */
bool nearby_is_alike(struct lab *lab, const struct timed *timed,
                     const struct figures_reference *reference, uint64_t budget, double time_ns,
                     struct finding *finding);

#endif
