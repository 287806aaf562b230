/* 03_divergence.h - contract of lesson 3: two launchers that keep a warp's lanes together.
 *
 * Both: only the given stream is used; nothing is allocated, copied or waited for, so a call can
 * be captured into a graph; and it is one kernel launch. Pointers are device pointers, aligned to 4
 * bytes and no better. They return cudaErrorInvalidValue for a negative size, otherwise what the
 * launch returned; an empty problem (n, rows = 0) launches nothing and succeeds.
 */
#ifndef CONTRACTS_03_DIVERGENCE_H
#define CONTRACTS_03_DIVERGENCE_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A population of two kinds, interleaved: y[i] = lesson3_decay(x[i]) for even i and
 * lesson3_orbit(x[i]) for odd i, bit for bit (both are given below).
 *
 * x, y   n floats. y may be x itself; they do not overlap otherwise.
 * n      at least 0; beyond 2^31 is allowed. */
cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream);

/* out[row] = the sum over the columns of x[row][column]^2.
 *
 * x      rows x cols floats, row-major, no padding between rows.
 * out    rows floats; whatever they held before does not matter. Not overlapping x.
 * rows, cols  at least 0; the sum over 0 columns is 0. Their product may go beyond 2^31.
 *
 * FP32 arithmetic in any order, but the same bits each time it is called: at most cols roundings,
 * with the usual growth of sqrt(cols). What is subnormal is not set to 0. */
cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

/* The two paths: 256 multiply-adds, each waiting for the one before, and no branch. They are the
 * same on the device and on the host, to the last bit, and cannot be shortened without changing
 * bits. Call them as they are. */

enum { LESSON3_STEPS = 256 };

#ifdef __CUDACC__
#define LESSON3_PATH static __host__ __device__ __forceinline__
#else
#define LESSON3_PATH static inline
#endif
#ifdef __CUDA_ARCH__
#define LESSON3_UNROLL _Pragma("unroll")
#else
#define LESSON3_UNROLL
#endif

/* The even ones: a value that settles towards 1. */
LESSON3_PATH float lesson3_decay(float value)
{
    LESSON3_UNROLL
    for (int step = 0; step < LESSON3_STEPS; step++)
        value = fmaf(value, 0.99f, 0.01f);
    return value;
}

/* The odd ones: a value that wanders chaotically, bounded for |value| <= 1. */
LESSON3_PATH float lesson3_orbit(float value)
{
    LESSON3_UNROLL
    for (int step = 0; step < LESSON3_STEPS; step++)
        value = fmaf(value, value, -1.4f);
    return value;
}

#endif
