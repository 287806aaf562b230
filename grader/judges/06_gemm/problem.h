/* problem.h - lesson 6: what a case is, and the mix of products that is timed. */
#ifndef JUDGE_GEMM_PROBLEM_H
#define JUDGE_GEMM_PROBLEM_H

#include "check/judge.h"
#include "check/verdict.h"
#include "contracts/06_gemm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum launcher { CREATE, GEMM, SAVE, LOAD, DESTROY };

enum script {
    ONE_CALL,
    NEW_CONTEXT,  /* the same, by a context that knows nothing; the cases behind it share it */
    CAPTURED,     /* the first call of its kind, as a graph that is launched twice */
    OTHER_BIAS,   /* two calls that differ in the pointer to the bias alone */
    RELOADED,     /* one process saves, the next one loads: the same result */
    SPOILT,       /* what load says of files that it must not believe */
    SERVED,       /* the mix, by a process that has loaded its plans; see serve() */
    STEADY,       /* the mix, by a context that has run it before */
};

enum { M, N, K, TRANSPOSE, BIAS_AND_SUCH, ACTIVATION, TYPE, SPARSE }; /* judge_case.size */
enum { TA = 1, TB = 2 };                                             /* TRANSPOSE */
enum { WITH_BIAS = 1 };

/* Buffers of a case; those behind Y only of some scripts. */
enum { A, B, BIAS, Y, BIAS_2, Y_2, ANSWERS };
/* Of the timed case: a set for each type, then one whose rows are of odd length. */
enum { SET = 4, ODD_A = 2 * SET, ODD_B, ODD_Y };

/* What load is asked to believe. */
enum { GOOD, FLIPPED, CUT_SHORT, LENGTHENED, OTHER_VERSION, OTHER_DEVICE, EMPTY, MISSING, FILES };

static inline enum judge_type buffer_type(int64_t type)
{
    return type == LESSON6_F16 ? JUDGE_F16 : JUDGE_BF16;
}

/* --- The mix ---------------------------------------------------------------------------------- */

/* Rows of A and Y, one call behind the other: a token, a few, many, a prompt. B and bias are the
 * layer's, and the same for all. The last call is the one that is new when plans are loaded. */
enum { CALLS = 5, NEW_CALL = CALLS - 1, NEW_RUNS = 5, ROUNDS = 2, ODD_ROWS = 64 };
static const int64_t DECODE_ROWS[] = {1, 8, 64};
enum { NEW_ROWS = 24 };

static inline int64_t rows_of_call(const struct judge_case *problem, int call)
{
    return call == NEW_CALL ? NEW_ROWS : call == NEW_CALL - 1 ? problem->size[M]
                                                              : DECODE_ROWS[call];
}

static inline int64_t all_rows(const struct judge_case *problem)
{
    int64_t rows = 0;
    for (int call = 0; call < CALLS; call++)
        rows += rows_of_call(problem, call);
    return rows;
}

static inline bool is_mix(const struct judge_case *problem)
{
    return problem->script == SERVED || problem->script == STEADY;
}

/* Rows that are no multiple of 16 bytes, and not of 4 either. */
static inline int64_t odd(int64_t side)
{
    return side / 2 - 3;
}

/* The counted launch has 2 x 2 x 4 calls of the mix, 2 with odd rows, 1 and 5 new ones: 24 in all.
 * Copies for the odd ones are at most 3 more each. */
enum { CALLS_COUNTED = 2 * ROUNDS * NEW_CALL + ROUNDS + 1 + NEW_RUNS, ODD_COPIES = 3 * ROUNDS };

#endif
