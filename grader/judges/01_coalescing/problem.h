/* problem.h - lesson 1: what a case is, and what mistakes.c gives judge.c. */
#ifndef JUDGE_COALESCING_PROBLEM_H
#define JUDGE_COALESCING_PROBLEM_H

#include "check/judge.h"
#include "contracts/01_coalescing.h"

enum { N };                  /* judge_case.size */
enum { A, B };               /* judge_case.real */
enum { X, Y, OUT, BUFFERS }; /* buffers */

extern const struct judge_mistakes COALESCING_MISTAKES;

#endif
