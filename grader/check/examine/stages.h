/* stages.h - the stages of an examination, in their order (examine.c runs them). */
#ifndef EXAMINE_STAGES_H
#define EXAMINE_STAGES_H

#include "check/examine/compare.h"
#include "check/examine/lab.h"

/* Every stage returns its part of the result: {"verdict": ..., "reason": ..., and its figures}. */

struct small_asked {
    bool safety, numerics; /* which outcomes */
    bool large;            /* numerics goes on to the large cases, when the small ones are right */
    bool pretend_zeros;    /* as if the submission had written only zeros; then without safety */
    unsigned half;         /* 1: every second case, from the first one on; 2: the others; 0: all */
};
/* Small cases against the truth (numerics), and on the simulated device with every check on as well
 * (safety): {"safety": ..., "numerics": ...}. */
json_t *small_stage(struct lab *lab, const struct small_asked *asked);
/* The large cases alone (check/halves.h): the part of numerics that is about them. If the host's
 * part of a call fails, that is in "crash", since it counts only where the small cases break no
 * rule; and what one leaves to a GPU is in "open". */
json_t *large_stage(struct lab *lab);
/* The rules that the calls so far have broken: calls.h. */
json_t *calls_stage(struct lab *lab);
/* The reference's figures in the judged timed cases on the simulated device: {"reference"}. */
json_t *reference_stage(struct lab *lab);
/* The judged timed cases on the simulated device. kept: the "reference" member of the outcome that
 * reference_stage had for the same reference on the same device. */
json_t *counters_stage(struct lab *lab, const json_t *kept);
/* The judged timed cases on a GPU, in pairs with the reference. */
json_t *timing_stage(struct lab *lab);
/* Many verdicts on speed, to see how often one is wrong; asked: see noise.c. It has one of the
 * "rows" for each place of the bar. */
json_t *noise_stage(struct lab *lab, const json_t *asked);
/* All timed cases of the submission, alone: lesson 0 measures the device with them. */
json_t *probes_stage(struct lab *lab);
/* {"name", "hint"} of the first mistake of the judge's list that the evidence shows; else
 * {"causes": [sentences]} that fit it; none where it is slow in another case than the timed one,
 * whose counters the evidence has. */
json_t *recognise_stage(const struct judge *judge, const json_t *evidence);

/* --- What a judge says about itself (describe.c)
 * ------------------------------------------------- */

json_t *describe_texts(const char *const *list);
/* {"clauses": [{"key", "sentence", "cases": names, "bars": counters' names, "always"}],
 * "context": texts, "faults": what is wrong with the judge itself, a sentence each}. */
json_t *describe_contract(const struct judge *judge);

/* --- Shared between stages -------------------------------------------------------------------- */

/* Inputs, truth and image of one case. */
struct prepared {
    struct image image;
    struct judge_host hosts[JUDGE_MOST_BUFFERS];
    const struct judge_case *problem;
    unsigned process; /* 1 + the process that it is for; 0: any process */
};
/* Is it an output, and one that this process has to write? */
bool prepared_asks(const struct prepared *prepared, const struct image_part *part);
bool prepare(const struct lab *lab, const struct judge_case *problem, uint64_t seed,
             struct prepared *prepared, struct finding *finding);
/* The same for an existing image, which is taken over. */
bool prepare_of(const struct lab *lab, const struct judge_case *problem, struct image *image,
                struct prepared *prepared, struct finding *finding);
/* The same without its truth, for a launch whose results are not used. */
bool prepare_unjudged(const struct lab *lab, const struct judge_case *problem, uint64_t seed,
                      struct prepared *prepared, struct finding *finding);
void prepared_free(struct prepared *prepared);

/* Is everything that a launch left right? Tests guards, inputs, then every output; wrong gets the
 * comparison of the first wrong output, with its buffer's index. */
bool verify(const struct prepared *prepared, const unsigned char *after,
            struct comparison *comparison, size_t *buffer, struct finding *finding);
/* Put into words what is wrong with an output. False. */
bool say_wrong(const struct judge_case *problem, const struct comparison *result,
               const struct judge_buffer *buffer, struct finding *finding);

/* The timed cases that are judged: the first one of each launcher. At most room. */
size_t judged_cases(const struct lab *lab, struct judge_case *cases, size_t room);
enum { MOST_TIMED_CASES = 32 };

/* "load efficiency": as in records and reports. */
const char *counter_name(enum judge_counter counter);
/* JUDGE_COUNTER_NONE for no name, or an unknown one. */
enum judge_counter counter_named(const char *name);

#endif
