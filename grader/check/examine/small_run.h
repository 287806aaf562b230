/* small_run.h - one run of one small case: memory, a launch, and the proof that it was right.
 *
 * A run is checked (every check of the simulated device is on, and outputs are left as they come,
 * so that reads of what nobody wrote are seen) or plain (outputs hold poison). A submission cannot
 * tell which: on the simulated device memory is laid out alike, each buffer an allocation of its
 * own and exactly as long, so that the device sees the first byte outside. On a GPU, where runs are
 * plain, the buffers lie in one image between guards.
 *
 * Each process of a case finds other inputs and outputs that nobody has written, and what it left
 * is verified before the next one starts.
 */
#ifndef EXAMINE_SMALL_RUN_H
#define EXAMINE_SMALL_RUN_H

#include "check/examine/stages.h"

/* A case, from its first run to its last. */
struct small_case {
    const struct judge_case *problem;
    uint64_t seed;
    struct prepared prepared;      /* for the case's last process */
    unsigned char *first;          /* the outputs of its first run that was right, as an image */
    bool is_prepared;
};

enum small_way { SMALL_CHECKED, SMALL_PLAIN, SMALL_ZEROS };

struct small_run {
    struct small_case *of;
    enum small_way way;            /* SMALL_ZEROS: as if a launch had written zeros */
    unsigned number;               /* of the plain ones: poison and the order of warps follow it */
};

/* What came of it. Without a finding it was right. */
struct small_result {
    struct finding finding;
    bool launched;                 /* the finding is about what the launch left, not about itself */
    bool differs;                  /* ... and that is other bits than before */
    double worst_share;
};

/* The submission's runner must be there, but for SMALL_ZEROS. */
void small_run(struct lab *lab, const struct small_run *run, struct small_result *result);
void small_case_free(struct small_case *of);
/* A case that this device is not asked, and that passes on it: the simulated device judges it. */
bool small_run_is_left_out(const struct lab *lab, const struct judge_case *problem);

#endif
