/* quest.h - types that the contracts of several lessons share. */
#ifndef QUEST_H
#define QUEST_H

#include <stdbool.h>
#include <stdint.h>

/* What is done with every element z of a product. The formulas hold in IEEE arithmetic: each of
 * them turns NaN into NaN (a plain maximum would lose it: fmaxf(NaN, 0) is 0). */
enum quest_activation {
    QUEST_ACT_NONE,       /* z */
    QUEST_ACT_RELU,       /* z where z > 0 or NaN, else 0 */
    QUEST_ACT_LEAKY_RELU, /* z where z > 0, else leaky_slope z */
    QUEST_ACT_SIGMOID,    /* 1 / (1 + exp(-z)) */
    QUEST_ACT_TANH,       /* tanh(z) */
    QUEST_ACT_GELU_ERF,   /* z / 2 (1 + erf(z / sqrt(2))): the exact form */
    QUEST_ACT_GELU_TANH,  /* z / 2 (1 + tanh(sqrt(2 / pi) (z + 0.044715 z^3))): up to 0.00047 off */
};

/* Y = act(op(A) op(B) + bias), where op transposes or not. A call that takes one says which of its
 * fields it uses. */
struct quest_gemm {
    int64_t m, n, k;  /* op(A) is m x k, op(B) is k x n, Y is m x n */
    bool transpose_a; /* A is stored as k x m */
    bool transpose_b; /* B is stored as n x k */
    bool with_bias;   /* of n elements, added to every row; else the pointer is NULL */
    bool save_z;      /* also store the activation's argument; else Z is NULL */
    enum quest_activation activation;
    float leaky_slope; /* of QUEST_ACT_LEAKY_RELU */
};

/* Which stream of random words: two separate words, so that nothing needs to be mixed and no two
 * layers get the same stream. It is used directly as the key of Philox4x32. */
struct quest_rng_key {
    uint32_t seed;  /* of the whole run */
    uint32_t layer; /* the place in the network that draws */
};

#endif
