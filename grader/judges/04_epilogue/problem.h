/* problem.h - lesson 4: what a case is, and the activations in double. */
#ifndef JUDGE_EPILOGUE_PROBLEM_H
#define JUDGE_EPILOGUE_PROBLEM_H

#include "check/judge_graph.h"
#include "check/verdict.h"
#include "contracts/04_epilogue.h"

#include <math.h>

enum { M, N, K, ACTIVATION, WITH_BIAS, SAVE_Z }; /* judge_case.size */
enum { SLOPE };                                  /* judge_case.real */
enum { A, B, BIAS, Y, Z, BUFFERS };              /* buffers */
enum { ACTIVATIONS = QUEST_ACT_GELU_TANH + 1 };

/* What a call says that it must not: with these everything is refused. */
enum script {
    ONE_CALL,
    TRANSPOSED_A,
    TRANSPOSED_B,
    NO_BIAS_SAID, /* there is a bias, and the flag says no */
    BIAS_MISSING,
    NO_Z_SAID,
    Z_MISSING,
};

#define FIRST_SLOPE 0.01 /* of all cases but a few */

/* The contract lets these be off by some units of 1. */
static inline bool is_curved(enum quest_activation activation)
{
    return activation != QUEST_ACT_NONE && activation != QUEST_ACT_RELU &&
           activation != QUEST_ACT_LEAKY_RELU;
}

static inline double activate(double z, enum quest_activation activation, double slope)
{
    switch (activation) {
    case QUEST_ACT_NONE: break;
    case QUEST_ACT_RELU: return z < 0 ? 0 : z;
    case QUEST_ACT_LEAKY_RELU: return z > 0 ? z : slope * z;
    case QUEST_ACT_SIGMOID: return 1 / (1 + exp(-z));
    case QUEST_ACT_TANH: return tanh(z);
    case QUEST_ACT_GELU_ERF: return z / 2 * (1 + erf(z * M_SQRT1_2));
    case QUEST_ACT_GELU_TANH:
        return z / 2 * (1 + tanh(M_2_SQRTPI * M_SQRT1_2 * (z + 0.044715 * z * z * z)));
    }
    return z;
}

#endif
