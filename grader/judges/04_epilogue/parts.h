/* parts.h - lesson 4: what the other files of this judge give judge.c; the fields of struct judge
 * say what each is. */
#ifndef JUDGE_EPILOGUE_PARTS_H
#define JUDGE_EPILOGUE_PARTS_H

#include "check/judge.h"

extern const struct judge_clauses EPILOGUE_CLAUSES;
extern const char *const EPILOGUE_CONTEXT[];
extern const struct judge_regimes EPILOGUE_REGIMES;
extern const struct judge_mistakes EPILOGUE_MISTAKES;

size_t epilogue_draw(uint64_t seed, struct judge_case *cases, size_t room);
size_t epilogue_draw_large(uint64_t seed, struct judge_case *cases, size_t room);
void epilogue_redraw(uint64_t seed, struct judge_case *problem);
void epilogue_nearby(uint64_t seed, struct judge_case *problem);

void epilogue_truth(const struct judge_case *problem, struct judge_host *host);
void epilogue_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                       size_t output, uint64_t first, uint64_t count, double *expected,
                       double *allowed);

#endif
