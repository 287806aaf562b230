/* large.h - the cases that are too large to verify whole, as a part of numerics. */
#ifndef EXAMINE_LARGE_H
#define EXAMINE_LARGE_H

#include "check/examine/compare.h"
#include "check/examine/lab.h"

struct large {
    size_t done, unjudged; /* cases that did not fail; of those, that could not be judged */
    double worst_share;
    const char *worst_case;
    /* The state of the current case: left open; all its blocks would take too long; every block
     * runs. */
    bool is_open, is_too_much, all_blocks;
    uint64_t whole_steps; /* thread instructions of the cases of which every block ran */
    json_t *cases;        /* {"case", and "blocks" and "blocks_run" or "unjudged"} each */
    json_t *crash; /* lab->apart: the first finding that was forgiven as the host's, and its case */
};

/* Judge all large cases of lab->judge. False with a finding at the first that fails, which is case
 * number done. The caller owns the JSON. */
bool large_judge(struct lab *lab, struct large *large, struct finding *finding);

/* For a verified case: does some block write each element (coverage.h)? False with a finding. */
struct spread;
bool large_is_covered(struct lab *lab, const struct simgpu_report *report,
                      const struct spread *spread, struct finding *finding);

/* Some blocks of each launch ran, and could not represent all. Judging by those that ran, would all
 * of them take far too long here? */
bool large_is_too_much(const struct simgpu_report *report);

/* How launches of a case are sampled: at least that many blocks of the commonest kind, and with the
 * step budget that the case's work allows. */
struct simgpu_options large_options(const struct lab *lab, const struct judge_case *problem,
                                    uint64_t seed);

/* How many elements of a case's outputs may be compared with the truth; if there are more, chance
 * chooses. */
uint64_t large_most_elements(const struct lab *lab, const struct judge_case *problem);

#endif
