/* stages.h - the stages of an examination, in the order of the road (examine.c walks it). */
#ifndef EXAMINE_STAGES_H
#define EXAMINE_STAGES_H

#include "check/examine/compare.h"
#include "check/examine/lab.h"

/* Every stage returns its part of the result: {"verdict": ..., "reason": ..., and its figures}. */

/* Small cases on the simulated device with every check on. */
json_t *safety_stage(struct lab *lab);
/* Small cases against the truth. pretend_zeros: as if the submission had written zeros only. */
json_t *numerics_stage(struct lab *lab, bool pretend_zeros);
/* The judged timed cases on the simulated device. kept: what the "reference" member of an earlier
 * outcome was for the same reference on the same device, or NULL to count the reference now. */
json_t *counters_stage(struct lab *lab, const json_t *kept);
/* The judged timed cases on a GPU, in pairs with the reference. */
json_t *timing_stage(struct lab *lab);
/* All timed cases of the submission, alone: what lesson 0 measures the device with. */
json_t *probes_stage(struct lab *lab);
/* {"name", "hint"} of the first mistake of the judge's list that the evidence shows; else
 * {"causes": [sentences]} that fit it. */
json_t *recognise_stage(const struct judge *judge, const json_t *evidence);

/* --- What a judge says of itself (describe.c) ------------------------------------------------- */

json_t *describe_texts(const char *const *list);
/* {"clauses": [{"key", "sentence", "cases": names, "bars": counters' names, "always"}],
 * "context": texts, "faults": what the judge itself has wrong, a sentence each}. */
json_t *describe_contract(const struct judge *judge);

/* --- Shared between stages -------------------------------------------------------------------- */

/* Inputs, truth and image of one case. */
struct prepared {
    struct image image;
    struct judge_host hosts[JUDGE_MOST_BUFFERS];
    const struct judge_case *problem;
};
bool prepare(const struct lab *lab, const struct judge_case *problem, uint64_t seed,
             struct prepared *prepared, struct finding *finding);
void prepared_free(struct prepared *prepared);

/* Is what a launch left behind right? Guards, inputs, then every output; wrong gets the comparison
 * of the first output that is not, with its buffer's index. */
bool verify(const struct prepared *prepared, const unsigned char *after, enum image_poison poison,
            struct comparison *comparison, size_t *buffer, struct finding *finding);
/* Put into words what is wrong with an output. False. */
bool say_wrong(const struct judge_case *problem, const struct comparison *result,
               const struct judge_buffer *buffer, struct finding *finding);
json_t *comparison_json(const struct image_part *part, const struct comparison *comparison);

/* The timed cases that are judged: the first one of each launcher. At most room. */
size_t judged_cases(const struct lab *lab, struct judge_case *cases, size_t room);
enum { MOST_TIMED_CASES = 32 };

/* "load efficiency": as in records and reports. */
const char *counter_name(enum judge_counter counter);
/* JUDGE_COUNTER_NONE for no name, or an unknown one. */
enum judge_counter counter_named(const char *name);

#endif
