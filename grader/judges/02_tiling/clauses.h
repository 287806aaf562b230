/* clauses.h - the contract of lesson 2, clause by clause. Cases are in transpose.h and sgemm.h. */
#ifndef JUDGE_TILING_CLAUSES_H
#define JUDGE_TILING_CLAUSES_H

#include "check/judge.h"
#include "contracts/02_tiling.h"

/* clang-format off */
enum clause { LAYOUT, ALIGNMENT, OLD_OUTPUT, STREAM, HOST, GRAPH, ONE_LAUNCH, SIDES, REFUSED, EMPTY,
              RETURNS, TURNED, PRODUCT, ZEROS, ANY_ORDER, SAME_BITS, PRECISION, SPREAD };
/* clang-format on */

enum script { ONE_CALL, AS_GRAPH }; /* judge_case.script */

/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1

#define ASK(clause) .asks = JUDGE_ASKS(clause)

/* Two sides that long have 2^34 elements: as many as are drawn. */
enum { MOST_OF_A_SIDE = 1 << 17 };

/* From least on, each size as often as twice that, and with side at most as many elements. */
static inline int64_t draw_other(uint64_t *seed, int64_t least, int64_t side)
{
    int64_t most = (INT64_C(1) << 34) / side;
    return judge_draw_size(seed, least, most < LESSON2_LARGEST_SIDE ? most : LESSON2_LARGEST_SIDE);
}

#define CLAUSES_OF_BOTH                                                                 \
    [LAYOUT] = {"layout", "matrices are row-major, without gaps between rows;"},        \
    [ALIGNMENT] = {"alignment",                                                         \
                   "pointers are device pointers, aligned to 4 bytes and no better;"},  \
    [OLD_OUTPUT] = {"old_output", "what the output held before does not matter.",       \
                    .always = "every case runs over two kinds of poison"},              \
    [STREAM] = {"stream", "Only the given stream is used;",                             \
                .always = "every launch: not on the default stream"},                   \
    [HOST] = {"host", "nothing is allocated, copied or waited for,",                    \
              .counters = JUDGE_ASKS(JUDGE_ALLOCATIONS) | JUDGE_ASKS(JUDGE_COPIES) |    \
                          JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},                          \
    [GRAPH] = {"graph", "so a call can be captured into a graph,"},                     \
    [ONE_LAUNCH] = {"one_launch", "and a call is one kernel launch.",                   \
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},                            \
    [SIDES] = {"sides", "Each side is 0 to LESSON2_LARGEST_SIDE;"},                     \
    [REFUSED] = {"refused", "for any other a launcher returns cudaErrorInvalidValue."}, \
    [EMPTY] = {"empty", "An output without elements launches nothing and succeeds."},   \
    [RETURNS] = {"returns", "Otherwise they return what the launch returned.",          \
                 .always = "every case: what the launcher returns is looked at"}

#define CLAUSES_OF_TRANSPOSE                                                                   \
    [TURNED] = {"turned", "out[col][row] = in[row][col], bit for bit. in rows x cols floats. " \
                          "out cols x rows floats."}

#define CLAUSES_OF_SGEMM                                                                      \
    [PRODUCT] = {"product", "C[row][col] = the sum over i of A[row][i] * B[i][col]. A m x k " \
                            "floats. B k x n floats. C m x n floats;"},                       \
    [ZEROS] = {"zeros", "zeros when k is 0."},                                                \
    [ANY_ORDER] = {"any_order", "FP32 arithmetic, in any order, but"},                        \
    [SAME_BITS] = {"same_bits", "the same bits each time it is called:",                      \
                   .always = "every case runs twice, its warps and blocks in another order"}, \
    [PRECISION] = {"precision", "inputs are not rounded to a narrower type, and what is "     \
                                "subnormal is not set to 0."},                                \
    [SPREAD] = {"spread", "A NaN or an infinity spreads as the formula says, to its row or "  \
                          "column of C and no further."}

static const char *const CONTEXT[] = {
    "02_tiling.h - contract of lesson 2: two launchers that fetch once and use often. Both:",
    "nothing overlaps;",
    "So that a grid of tiles fits in its limits, and an offset inside a tile in 32 bits.",
    NULL,
};

#endif
