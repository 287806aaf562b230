/* sets.h - one timed case in several places of device memory, made fresh for every block.
 *
 * A block of launches goes through all sets, each of which has its own inputs and a poisoned
 * output: nothing can be remembered from one launch to the next, and every launch of a block can be
 * verified. Inputs are copied on the device from a pool of random data, at an offset drawn anew for
 * each block; together the sets are much larger than the L2 cache, and filling them flushes it.
 *
 * Outputs are verified against the reference's on the same inputs: at this size the truth of a
 * matrix product would take the CPU minutes, and the reference has been held to the truth on the
 * small cases.
 */
#ifndef EXAMINE_SETS_H
#define EXAMINE_SETS_H

#include "check/examine/lab.h"

struct sets {
    const struct judge_case *problem;
    struct image image;                    /* the layout; its bytes are not made */
    size_t count;
    struct room rooms[RUNNER_MOST_SETS];
    unsigned char *pool[JUDGE_MOST_BUFFERS]; /* device memory; NULL for pure outputs */
    uint64_t slack[JUDGE_MOST_BUFFERS];    /* elements that a pool is longer than its buffer */
    unsigned char *wanted, *got;           /* device memory of one image each, or NULL */
    uint64_t blocks;                       /* made so far: the stream of offsets */
};

/* As many sets as fit, at most that many. */
bool sets_open(struct lab *lab, const struct judge_case *problem, size_t most, struct sets *sets,
               struct finding *finding);
void sets_close(struct lab *lab, struct sets *sets);
/* Tell a runner of them. */
void sets_show(struct sets *sets, struct link *link);
/* Let it forget all that it was shown. */
void sets_hide(struct link *link);

/* New inputs in every set. */
bool sets_refresh(struct lab *lab, struct sets *sets);
/* Poisoned outputs in every set; also leaves nothing of use in the L2 cache. */
bool sets_poison(struct lab *lab, struct sets *sets);
/* The launch command for so many launches over the sets. */
void sets_command(const struct sets *sets, uint32_t launches, struct runner_command *command);

/* Put aside what the reference (or the submission) left in set number index. */
bool sets_keep(struct lab *lab, struct sets *sets, size_t index, bool reference);
/* Hold what was last kept of the submission to what was last kept of the reference, on the device:
 * crossing to the host would take longer than all the launches. */
bool sets_verify(const struct sets *sets, struct finding *finding);

#endif
