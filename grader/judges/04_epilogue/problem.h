/* problem.h - lesson 4: what a case is, and the activations in double. */
#ifndef JUDGE_EPILOGUE_PROBLEM_H
#define JUDGE_EPILOGUE_PROBLEM_H

#include "check/judge.h"
#include "contracts/04_epilogue.h"

enum { M, N, K, ACTIVATION, WITH_BIAS, SAVE_Z }; /* judge_case.size */
/* judge_case.real. The last three are the sides of the call that LARGEST_FIRST captures. */
enum { SLOPE, LARGEST_M, LARGEST_N, LARGEST_K };
enum { A, B, BIAS, Y, Z, BUFFERS }; /* buffers */
enum { ACTIVATIONS = QUEST_ACT_GELU_TANH + 1 };

/* After the first three, arguments that a call must not have: with any of them, everything is
 * refused. */
enum script {
    ONE_CALL,
    AS_GRAPH,      /* captured, and launched by the graph */
    LARGEST_FIRST, /* after a larger call, which is captured and not launched */
    TRANSPOSED_A,
    TRANSPOSED_B,
    NO_BIAS_SAID, /* there is a bias, and the flag says no */
    BIAS_MISSING,
    NO_Z_SAID,
    Z_MISSING,
};

#define FIRST_SLOPE 0.01 /* of all cases but a few */

/* The contract lets these be off by some units of 1. */
bool epilogue_is_curved(enum quest_activation activation);
double epilogue_activate(double z, enum quest_activation activation, double slope);

#endif
