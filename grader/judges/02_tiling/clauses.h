/* clauses.h - lesson 2: the contract's promises, in its order, as cases name them. */
#ifndef JUDGE_TILING_CLAUSES_H
#define JUDGE_TILING_CLAUSES_H

/* clang-format off */
enum clause { LAYOUT, ALIGNMENT, OLD_OUTPUT, STREAM, HOST, GRAPH, ONE_LAUNCH, SIDES, REFUSED, EMPTY,
              RETURNS, TURNED, PRODUCT, ZEROS, ANY_ORDER, SAME_BITS, PRECISION, SPREAD };
/* clang-format on */

#endif
