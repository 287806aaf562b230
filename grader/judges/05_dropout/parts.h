/* parts.h - lesson 5: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_DROPOUT_PARTS_H
#define JUDGE_DROPOUT_PARTS_H

#include "check/judge.h"

extern const struct judge_clauses DROPOUT_CLAUSES;
extern const char *const DROPOUT_CONTEXT[];
extern const struct judge_regimes DROPOUT_REGIMES;
extern const struct judge_mistakes DROPOUT_MISTAKES;

size_t dropout_draw(uint64_t seed, struct judge_case *cases, size_t room);
size_t dropout_draw_large(uint64_t seed, struct judge_case *cases, size_t room);
void dropout_redraw(uint64_t seed, struct judge_case *problem);
void dropout_nearby(uint64_t seed, struct judge_case *problem);

void dropout_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                  uint64_t seed);
void dropout_truth(const struct judge_case *problem, struct judge_host *buffers);
void dropout_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                      size_t output, uint64_t first, uint64_t count, double *expected,
                      double *allowed);
cudaError_t dropout_launch(const struct judge_call *call);

#endif
