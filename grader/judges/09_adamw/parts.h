/* parts.h - lesson 9: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_ADAMW_PARTS_H
#define JUDGE_ADAMW_PARTS_H

#include "check/judge.h"
#include "contracts/09_adamw.h"

extern const struct judge_clauses ADAMW_CLAUSES;
extern const char *const ADAMW_CONTEXT[];
extern const struct judge_regimes ADAMW_REGIMES;
extern const struct judge_mistakes ADAMW_MISTAKES;

size_t adamw_draw(uint64_t seed, struct judge_case *cases, size_t room);
size_t adamw_draw_large(uint64_t seed, struct judge_case *cases, size_t room);
void adamw_redraw(uint64_t seed, struct judge_case *problem);
void adamw_nearby(uint64_t seed, struct judge_case *problem);

void adamw_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                uint64_t seed);
void adamw_truth(const struct judge_case *problem, struct judge_host *buffers);
void adamw_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                    size_t output, uint64_t first, uint64_t count, double *expected,
                    double *allowed);
/* In the runner. Of the memory for workspaces, a call gets the last part. The others are for
 * another call that takes turns with it: p, m and v of that one, and its workspace. */
cudaError_t adamw_launch(const struct judge_call *call);
enum { ADAMW_WORKSPACE_BYTES = 3 * LESSON9_WORKSPACE_BYTES };

#endif
