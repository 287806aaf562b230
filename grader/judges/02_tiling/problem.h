/* problem.h - lesson 2: what a case of either launcher is, and how one is written down. */
#ifndef JUDGE_TILING_PROBLEM_H
#define JUDGE_TILING_PROBLEM_H

#include "check/judge.h"
#include "contracts/02_tiling.h"

enum launcher { TRANSPOSE, SGEMM };
/* judge_case.script. Of the last one, real has the sides of a call before it, which is captured and
 * not launched. */
enum script { ONE_CALL, AS_GRAPH, LARGEST_FIRST };

enum { TRANSPOSE_ROWS, TRANSPOSE_COLS };           /* judge_case.size of transpose */
enum { TRANSPOSE_IN, TRANSPOSE_OUT };              /* its buffers */
enum { SGEMM_M, SGEMM_N, SGEMM_K };                /* judge_case.size of sgemm */
enum { SGEMM_A, SGEMM_B, SGEMM_C, SGEMM_BUFFERS }; /* its buffers */

#define TRANSPOSE_CASE(text, rows, cols, ...)                                   \
    {                                                                           \
        .name = "transpose, " text, .launcher = TRANSPOSE,                      \
        .size = {[TRANSPOSE_ROWS] = rows, [TRANSPOSE_COLS] = cols}, __VA_ARGS__ \
    }
#define SGEMM_CASE(text, m, n, k, ...)                                     \
    {                                                                      \
        .name = "sgemm, " text, .launcher = SGEMM,                         \
        .size = {[SGEMM_M] = m, [SGEMM_N] = n, [SGEMM_K] = k}, __VA_ARGS__ \
    }

#endif
