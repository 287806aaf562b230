/* large.h - the cases whose sizes no test fills, as a part of numerics. */
#ifndef EXAMINE_LARGE_H
#define EXAMINE_LARGE_H

#include "check/examine/compare.h"
#include "check/examine/lab.h"

struct large {
    size_t done, unjudged;         /* cases that did not fail; of those, that could not be judged */
    double worst_share;
    const char *worst_case;
    json_t *cases;                 /* {"case", and "blocks" and "blocks_run" or "unjudged"} each */
};

/* Judge all large cases of lab->judge. False with a finding at the first that fails, which is case
 * number done. The caller owns the JSON. */
bool large_judge(struct lab *lab, struct large *large, struct finding *finding);

/* Of a case that was verified: is there no element that no block writes (coverage.h)? False with a
 * finding. */
struct spread;
bool large_is_covered(struct lab *lab, const struct simgpu_report *report,
                      const struct spread *spread, struct finding *finding);

/* How launches of a case are sampled: at least so many blocks of the commonest kind, and with the
 * step budget that the case's work allows. */
struct simgpu_options large_options(const struct lab *lab, const struct judge_case *problem,
                                    uint64_t seed);

/* So many elements of a case's outputs may be held to the truth; of more, chance chooses. */
uint64_t large_most_elements(const struct lab *lab, const struct judge_case *problem);

#endif
