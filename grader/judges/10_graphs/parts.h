/* parts.h - lesson 10: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_GRAPHS_PARTS_H
#define JUDGE_GRAPHS_PARTS_H

#include "check/judge.h"

extern const struct judge_clauses GRAPHS_CLAUSES;
extern const char *const GRAPHS_CONTEXT[];
extern const struct judge_mistakes GRAPHS_MISTAKES;

/* judge.scratch_bytes and judge.workspace_bytes. */
enum { GRAPHS_SCRATCH_BYTES = 256, GRAPHS_WORKSPACE_BYTES = 16 << 20 };

size_t graphs_draw(uint64_t seed, struct judge_case *cases, size_t room);
void graphs_redraw(uint64_t seed, struct judge_case *problem);

void graphs_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                 uint64_t seed);
void graphs_truth(const struct judge_case *problem, struct judge_host *host);
cudaError_t graphs_launch(const struct judge_call *call);

#endif
