/* problem.h - lesson 7: what a case is. */
#ifndef JUDGE_LAYOUT_PROBLEM_H
#define JUDGE_LAYOUT_PROBLEM_H

#include "check/judge.h"
#include "contracts/07_layout.h"

/* judge_case.size. LD_MORE: by how much ldy is more than the length of a stored row. */
enum { M, N, K, TRANSPOSE_A, TRANSPOSE_B, Y_TRANSPOSED, LD_MORE, WITH_BIAS };
enum { A, B, BIAS, Y, BUFFERS }; /* buffers */

/* judge_case.real of LARGEST_FIRST: the large call's sides, and its leading dimension. */
enum { LARGEST_M, LARGEST_N, LARGEST_K, LARGEST_LD };

/* After the first three, arguments that a call must not have: with any of them, everything is
 * refused. */
enum script {
    ONE_CALL,
    AS_GRAPH,      /* captured, and launched by the graph */
    LARGEST_FIRST, /* a large call is captured, which is never launched; then comes this one */
    RELU_ASKED,    /* an activation, and there is none in this lesson */
    UNKNOWN_ASKED, /* one that no lesson has */
    Z_ASKED,
    NO_BIAS_SAID, /* there is a bias, and the flag says no */
    BIAS_MISSING,
};

/* Y as it is stored. */
static inline int64_t layout_rows(const struct judge_case *problem)
{
    return problem->size[problem->size[Y_TRANSPOSED] ? N : M];
}

static inline int64_t layout_row_length(const struct judge_case *problem)
{
    return problem->size[problem->size[Y_TRANSPOSED] ? M : N];
}

static inline int64_t layout_ld(const struct judge_case *problem)
{
    return layout_row_length(problem) + problem->size[LD_MORE];
}

/* Are there elements between rows, which the launcher must leave alone? */
static inline bool layout_has_gaps(const struct judge_case *problem)
{
    return problem->size[LD_MORE] > 0 && layout_rows(problem) > 1;
}

#endif
