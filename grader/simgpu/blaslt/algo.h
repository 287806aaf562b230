/* algo.h - what a cublasLtMatmulAlgo_t says, and whether it can do a problem.
 *
 * An algorithm is a kernel family and how it is set up: the tile of D that a block computes, into
 * how many parts the sum over k is split, and how the parts are brought together. To a program it
 * is 64 opaque bytes, which it may keep in a file. So the bytes carry a seal, by which damaged
 * ones, or those of another version of this library, are recognised.
 *
 * Both the library (which answers at once) and the device (which trusts no program) use these
 * checks.
 */
#ifndef BLASLT_ALGO_H
#define BLASLT_ALGO_H

#include "matmul.h"

#include <stddef.h>

enum algo_math { ALGO_FMA, ALGO_TENSOR, ALGO_DOUBLE }; /* which units multiply */

/* A row of FAMILIES in algo.c. */
struct algo_family {
    uint32_t id;
    const char *name; /* how it reads memory */
    enum algo_math math;
    uint32_t alignment; /* bytes that must divide every pointer and leading dimension */
    uint32_t stages_id; /* cublasLtMatmulStages_t */
    double rate;        /* of the rate that its units sustain: see algo.c */
};

struct algo_tile {
    uint32_t id;            /* cublasLtMatmulTile_t */
    uint32_t rows, columns; /* of D */
};

/* What the 64 bytes hold: the attributes of cublasLtMatmulAlgoConfigAttributes_t. */
struct algo {
    uint32_t family, tile, stages, splits, reduction, swizzle, custom, inner, cluster;
    uint32_t signature; /* the types it was made for */
};

/* A number for a combination of types; 0 when no family computes it. */
uint32_t algo_signature(uint32_t compute, uint32_t scale_type, uint32_t a, uint32_t b, uint32_t c,
                        uint32_t d);
/* Can that family compute that combination? */
bool algo_family_fits(const struct algo_family *family, uint32_t signature);

const struct algo_family *algo_families(size_t *count);
const struct algo_family *algo_family(uint32_t id); /* NULL when there is none */
const struct algo_tile *algo_tiles(size_t *count);
const struct algo_tile *algo_tile(uint32_t id);

/* FNV-1a of 64 bits: of bytes that come after those of before, which is ALGO_HASH at first. */
#define ALGO_HASH UINT64_C(0xcbf29ce484222325)
uint64_t algo_hash(uint64_t before, const void *bytes, size_t count);

void algo_seal(const struct algo *algo, uint64_t words[MATMUL_ALGO_WORDS]);
/* False when the seal is broken. */
bool algo_open(const uint64_t words[MATMUL_ALGO_WORDS], struct algo *algo);

/* cublasStatus_t, as far as a check can end in it. */
enum algo_status { ALGO_OK = 0, ALGO_INVALID = 7, ALGO_UNSUPPORTED = 15 };

/* Sizes, types and epilogue, whatever the algorithm. */
enum algo_status algo_check_problem(const struct matmul_problem *problem);
/* Can algo do problem? workspace_bytes gets what it needs. Pointers are not checked. */
enum algo_status algo_check(const struct matmul_problem *problem, const struct algo *algo,
                            uint64_t *workspace_bytes);
/* Are bias and activation a second kernel, on the product as it was rounded to D's type? On an H200
 * (CUDA 13.0), GELU is, with or without a bias, where pieces of less than 16 bytes are fetched;
 * every epilogue is where bfloat16 is fetched element by element. */
bool algo_finishes_apart(const struct algo_family *family, const struct matmul_problem *problem);
/* Are the strides of the problem, and pointers aligned like that, enough for the family? */
bool algo_aligned(const struct matmul_problem *problem, const struct algo_family *family,
                  uint64_t a, uint64_t b, uint64_t c, uint64_t d);

enum { ALGO_MOST_SPLITS = 32 };

#endif
