/* drawn.h - a judge whose lists end with the cases that it draws for this check. */
#ifndef EXAMINE_DRAWN_H
#define EXAMINE_DRAWN_H

#include "check/judge.h"

/* The same judge, with the cases that the seed gives after its own, so that each stage finds them
 * by their place and by their name; of its large ones, coefficients are drawn. The judge itself
 * where it draws none, or memory is out. Good until the next call. */
const struct judge *drawn_judge(const struct judge *judge, uint64_t seed);

/* What results of a timed case depend on and time does not is drawn. */
void drawn_anew(const struct judge *judge, uint64_t seed, struct judge_case *problem);

#endif
