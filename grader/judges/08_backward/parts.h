/* parts.h - lesson 8: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_BACKWARD_PARTS_H
#define JUDGE_BACKWARD_PARTS_H

#include "check/judge.h"

extern const struct judge_clauses BACKWARD_CLAUSES;
extern const struct judge_regimes BACKWARD_REGIMES;
extern const char *const BACKWARD_CONTEXT[];
extern const struct judge_mistakes BACKWARD_MISTAKES;

size_t backward_draw(uint64_t seed, struct judge_case *cases, size_t room);
void backward_redraw(uint64_t seed, struct judge_case *problem);
void backward_nearby(uint64_t seed, struct judge_case *problem);

void backward_truth(const struct judge_case *problem, struct judge_host *host);
void backward_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                       size_t output, uint64_t first, uint64_t count, double *expected,
                       double *allowed);

/* In the runner. */
cudaError_t backward_launch(const struct judge_call *call);
enum { BACKWARD_WORKSPACE_BYTES = 320 << 20 };

#endif
