/* parts.h - lesson 2: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_TILING_PARTS_H
#define JUDGE_TILING_PARTS_H

#include "check/judge.h"

extern const struct judge_clauses TILING_CLAUSES;
extern const char *const TILING_CONTEXT[];
extern const struct judge_regimes TILING_REGIMES;
extern const struct judge_mistakes TILING_MISTAKES;

size_t tiling_draw(uint64_t seed, struct judge_case *cases, size_t room);
size_t tiling_draw_large(uint64_t seed, struct judge_case *cases, size_t room);
void tiling_nearby(uint64_t seed, struct judge_case *problem);

void tiling_truth(const struct judge_case *problem, struct judge_host *host);
void tiling_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed);

#endif
