/* problem.h - lesson 8: what a case is, and the derivatives in double. */
#ifndef JUDGE_BACKWARD_PROBLEM_H
#define JUDGE_BACKWARD_PROBLEM_H

#include "check/judge.h"
#include "contracts/08_backward.h"

enum { M, N, K, ACTIVATION, WITH_BIAS };         /* judge_case.size */
enum { SLOPE, LARGEST_M, LARGEST_N, LARGEST_K }; /* judge_case.real; the sides of a large call */
/* Buffers. Data that favours the first or the second input (judge.h) favours gY, whose rows are
 * summed into gA, or A, whose columns are summed into gB. */
enum { GY, A, B, Z, GA, GB, GBIAS, BUFFERS };
enum { ACTIVATIONS = QUEST_ACT_GELU_TANH + 1 };

/* From TRANSPOSED_A on, arguments that a call must not have: with any of them, everything is
 * refused. */
enum script {
    ONE_CALL,
    BY_TURNS,      /* captured and launched by the graph, and the next time called */
    MORE_ROOM,     /* than was asked for */
    IN_TURN,       /* with another call, each launch between two of the other's */
    LARGEST_FIRST, /* a large call is captured, which is never launched; then comes this one */
    TRANSPOSED_A,
    TRANSPOSED_B,
    Z_NOT_SAVED,
    NO_BIAS_SAID, /* there is a gBias, and the flag says no */
    BIAS_MISSING,
    ONE_BYTE_LESS, /* than was asked for, of workspace */
};

#define FIRST_SLOPE 0.01 /* of all cases but a few */

/* The largest workspace that the contract allows a launcher to ask for. */
static inline double backward_most_workspace(double m, double n, double k)
{
    return 0x1p20 + 32 * (m * n + m * k + k * n);
}

/* A launcher that asks for more, or for bytes that are no multiple of 16, or for some where it
 * needs none, is not called: the judge returns this in its place. */
#define BACKWARD_BAD_WORKSPACE cudaErrorNotPermitted
/* The same for one that asks the device how much it needs. */
#define BACKWARD_ASKS_DEVICE cudaErrorNotSupported

/* The contract lets these be off by some units of 1. */
bool backward_is_curved(enum quest_activation activation);
double backward_derivative(double z, enum quest_activation activation, double slope);
/* The largest term of the derivative's formula: a few units in its last place may be lost. */
double backward_largest_term(double z, enum quest_activation activation);
/* The activation itself, of which tests take finite differences. */
double backward_activate(double z, enum quest_activation activation, double slope);

#endif
