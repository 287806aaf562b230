/* drawn.h - a judge whose lists end with the cases that it draws for this check. */
#ifndef EXAMINE_DRAWN_H
#define EXAMINE_DRAWN_H

#include "check/judge.h"

/* The same judge with the cases that the seed gives added after its own, so that each stage finds
 * them by index and by name; the first of them is one of its pairs (judge_case.after) in reverse
 * order; for its large ones, coefficients are drawn. The judge itself if it draws none, or memory
 * is exhausted. Valid until the next call. */
const struct judge *drawn_judge(const struct judge *judge, uint64_t seed);

/* Draw what affects the results of a timed case, but not its time. */
void drawn_anew(const struct judge *judge, uint64_t seed, struct judge_case *problem);

#endif
