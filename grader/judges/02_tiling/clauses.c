/* clauses.c - lesson 2: the contract's words, and what tests them besides cases. */
#include "judges/02_tiling/clauses.h"

#include "judges/02_tiling/parts.h"

static const struct judge_clause CLAUSES[] = {
    [LAYOUT] = {"layout", "matrices are row-major, without gaps between rows;"},
    [ALIGNMENT] = {"alignment", "pointers are device pointers, aligned to 4 bytes and no better;"},
    [OLD_OUTPUT] = {"old_output", "what the output held before does not matter.",
                    .always = "every case runs over two kinds of poison"},
    [STREAM] = {"stream", "Only the given stream is used;",
                .always = "every launch: on no stream but that one"},
    [HOST] = {"host", "nothing is allocated, copied or waited for,",
              .counters = JUDGE_ASKS(JUDGE_ALLOCATIONS) | JUDGE_ASKS(JUDGE_COPIES) |
                          JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [GRAPH] = {"graph", "so a call can be captured into a graph,"},
    [ONE_LAUNCH] = {"one_launch", "and a call is one kernel launch.",
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},
    [SIDES] = {"sides", "Each side is 0 to LESSON2_LARGEST_SIDE;"},
    [REFUSED] = {"refused", "for any other a launcher returns cudaErrorInvalidValue."},
    [EMPTY] = {"empty", "An output without elements launches nothing and succeeds."},
    [RETURNS] = {"returns", "Otherwise they return what the launch returned.",
                 .always = "every case: what the launcher returns is looked at"},
    [TURNED] = {"turned", "out[col][row] = in[row][col], bit for bit. in rows x cols floats. "
                          "out cols x rows floats."},
    [PRODUCT] = {"product", "C[row][col] = the sum over i of A[row][i] * B[i][col]. A m x k "
                            "floats. B k x n floats. C m x n floats;"},
    [ZEROS] = {"zeros", "zeros when k is 0."},
    [ANY_ORDER] = {"any_order", "FP32 arithmetic, in any order, but"},
    [SAME_BITS] = {"same_bits", "the same bits each time it is called:",
                   .always = "every case runs twice, its warps and blocks in another order"},
    [PRECISION] = {"precision", "inputs are not rounded to a narrower type, and what is "
                                "subnormal is not set to 0."},
    [SPREAD] = {"spread", "A NaN or an infinity spreads as the formula says, to its row or "
                          "column of C and no further."},
};

const struct judge_clauses TILING_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const TILING_CONTEXT[] = {
    "02_tiling.h - contract of lesson 2: two launchers that fetch once and use often. Both:",
    "nothing overlaps;",
    "So that a grid of tiles fits in its limits, and an offset inside a tile in 32 bits.",
    NULL,
};
