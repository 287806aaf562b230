/* small_run.h - one run of one small case: memory, a launch, and the proof that it was right.
 *
 * A run is checked (every check of the simulated device is on, and outputs are not written before,
 * so that reads of unwritten memory are found) or plain (outputs hold poison). A submission cannot
 * tell which: on the simulated device memory has the same layout, with a separate allocation of
 * exactly its length for each buffer, so that the device notices the first byte outside. On a GPU,
 * where runs are plain, the buffers lie in one image between guards.
 *
 * Each process of a case finds other inputs, and unwritten outputs, and its results are verified
 * before the next one starts. One of the plain runs calls again with the same arguments: with other
 * inputs, and over what a call has left (history.h).
 */
#ifndef EXAMINE_SMALL_RUN_H
#define EXAMINE_SMALL_RUN_H

#include "check/examine/stages.h"

/* A case, from its first run to its last. */
struct small_case {
    const struct judge_case *problem;
    uint64_t seed;
    struct prepared prepared;        /* for the case's last process */
    struct prepared *early;          /* for those before; NULL: not made */
    struct prepared afresh, changed; /* for the run that calls again, as long as that lasts */
    unsigned char *first;            /* the outputs of its first right run, as an image */
    bool is_prepared, is_prepared_again;
};

enum small_way { SMALL_CHECKED, SMALL_PLAIN, SMALL_ZEROS };

struct small_run {
    struct small_case *of;
    enum small_way way; /* SMALL_ZEROS: as if a launch had written zeros */
    unsigned number;    /* of the plain run: determines poison and the order of warps */
};

/* The result of a run. If there is no finding, it was right. */
struct small_result {
    struct finding finding;
    bool launched; /* the finding is about what the launch left, not the launch */
    bool differs;  /* ... and its bits differ from before */
    double worst_share;
};

/* Inputs and truths of the run, as far as they are not there yet. It depends on the seed alone, and
 * touches neither the device nor a runner, so it may be done before the run's turn (small_ahead.h).
 * False, with a finding, if memory is exhausted. */
bool small_prepare(const struct lab *lab, const struct small_run *run, struct finding *finding);
/* The submission's runner must be there, but for SMALL_ZEROS. */
void small_run(struct lab *lab, const struct small_run *run, struct small_result *result);
void small_case_free(struct small_case *of);
/* Is this a case that is not run on this device and counts as passed, since the simulated device
 * judges it? */
bool small_run_is_left_out(const struct lab *lab, const struct judge_case *problem);

#endif
