/* parts.h - lesson 7: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_LAYOUT_PARTS_H
#define JUDGE_LAYOUT_PARTS_H

#include "check/judge.h"

extern const struct judge_clauses LAYOUT_CLAUSES;
extern const char *const LAYOUT_CONTEXT[];
extern const struct judge_regimes LAYOUT_REGIMES;
extern const struct judge_mistakes LAYOUT_MISTAKES;

size_t layout_draw(uint64_t seed, struct judge_case *cases, size_t room);
size_t layout_draw_large(uint64_t seed, struct judge_case *cases, size_t room);
void layout_nearby(uint64_t seed, struct judge_case *problem);

void layout_truth(const struct judge_case *problem, struct judge_host *host);
void layout_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed);

#endif
