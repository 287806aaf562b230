/* measure.h - one timed case, run once on the simulated device, verified, and counted.
 *
 * The device counts the same PTX everywhere, so these figures are the same on every machine. The
 * launch that is counted is verified like any other, and must have been observed (observed.h), so
 * fast nonsense does not pass.
 */
#ifndef EXAMINE_MEASURE_H
#define EXAMINE_MEASURE_H

#include "check/examine/figures.h"
#include "check/examine/lab.h"

struct measured {
    struct figures figures;
    struct simgpu_report *report; /* the figures' texts are in it */
    struct simgpu_timeline time_line;
};

/* A timed case, and how it is run. */
struct timed {
    const struct judge_case *problem;
    uint64_t seed;
    bool sampled; /* only some blocks of each launch run, or why not: */
    char unsampled[128];
    bool all;                /* all blocks run, since some of them prove nothing */
    bool too_long;           /* it is not sampled; its blocks, or all of them, take too long */
    bool timed_alone;        /* its results prove nothing, and its time is known all the same */
    bool reference_is_whole; /* the reason is the reference, so it holds for all */
    bool reference_is_timed; /* that reason, and the time of the reference is known */
    uint64_t draw;           /* seed of the blocks that chance chooses; 0: MEASURE_DRAW */
    bool checked;            /* with all safety checks on, warps in a drawn order */
    bool two;          /* two calls, of which only the host's part counts; if sampled, two more */
    bool brief;        /* fewer blocks, and less of what they wrote is compared */
    bool whole_device; /* not on the judge's slice */
};

/* A kernel's cost must not depend on luck, and the reference's figures may come from an earlier
 * check: the same blocks are counted in every check. */
enum { MEASURE_DRAW = 1 };

/* Does the case compute much per byte, so that each of its blocks takes long? */
bool measure_is_long(const struct lab *lab, const struct judge_case *problem);

/* Thread instructions that a case may take: a multiple of the reference's, plus a constant. */
uint64_t measure_patience(const struct figures_reference *reference);
/* Options for launches that may take that many thread instructions; 0 for any number. */
void measure_options(struct lab *lab, const struct timed *timed, bool what_if,
                     uint64_t step_budget);
/* Run the case once on link, verify what it left, and read the counters. False with a finding, or
 * without one if some blocks cannot represent all: then timed says why. */
bool measure(struct lab *lab, struct link *link, struct timed *timed,
             const struct figures_reference *reference, struct measured *measured,
             struct finding *finding);
/* The same for the time alone, by some blocks of each launch, whose results may prove nothing:
 * timed->timed_alone says whether it is known. */
void measure_alone(struct lab *lab, struct timed *timed, uint64_t step_budget,
                   const struct figures_reference *reference, struct measured *measured);
/* The case cannot be sampled, although the timed one could: what was not observed is not proved.
 * advice: what the submission could do. Returns false. */
bool measure_say_unsampled(const struct timed *timed, const char *advice, struct finding *finding);
void measure_forget(struct lab *lab, struct measured *measured);

/* The case that a GPU is timed with, of the same launcher as small. It is in cases, which has room
 * for MOST_TIMED_CASES; NULL if there is none, or if it cannot be sampled. */
const struct judge_case *measure_real_size(const struct lab *lab, const struct judge_case *small,
                                           struct judge_case *cases);

#endif
