/* problem.h - lesson 3: what a case is, and what mistakes.c gives judge.c. */
#ifndef JUDGE_DIVERGENCE_PROBLEM_H
#define JUDGE_DIVERGENCE_PROBLEM_H

#include "check/judge.h"
#include "contracts/03_divergence.h"

enum launcher { GATED, ROW_SUMSQ };

enum { N = 0, ROWS = 0, COLS = 1 }; /* judge_case.size */
enum { GATED_X, GATED_Y };          /* buffers of gated */
enum { SUMSQ_X, SUMSQ_OUT };        /* buffers of row_sumsq */
enum { ONE_FLOAT = sizeof(float), IN_PLACE = 1 + GATED_X };

extern const struct judge_mistakes DIVERGENCE_MISTAKES;

#endif
