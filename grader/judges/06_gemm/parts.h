/* parts.h - lesson 6: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_GEMM_PARTS_H
#define JUDGE_GEMM_PARTS_H

#include "check/judge.h"

extern const struct judge_clauses GEMM_CLAUSES;
extern const char *const GEMM_CONTEXT[];
extern const struct judge_sayings GEMM_SAYINGS;
extern const struct judge_mistakes GEMM_MISTAKES;

void gemm_tamper(const struct judge_case *problem, uint64_t seed, unsigned char *bytes,
                 size_t *size);
void gemm_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
               uint64_t seed);
void gemm_truth(const struct judge_case *problem, struct judge_host *host);
void gemm_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                   size_t output, uint64_t first, uint64_t count, double *expected,
                   double *allowed);
cudaError_t gemm_launch(const struct judge_call *call);

#endif
