/* 01_coalescing.h - contract of lesson 1: a scaled sum of two arrays.
 *
 *     out[i] = a * x[i] + b * y[i]        for i in [0, n)
 *
 * x, y, out   device pointers to n floats each, 4-byte aligned and no more than that. out may be x
 *             itself; otherwise nothing overlaps. x and y are not written, unless out is x.
 * n           0 or more; may exceed 2^31. n = 0 does nothing and succeeds.
 * a, b        any floats. The formula holds as IEEE arithmetic has it: 0 * NaN is NaN, what no
 *             float can hold is infinite, and what is subnormal is not set to 0.
 * stream      the work goes there and is not waited for. One kernel launch; nothing is allocated.
 *
 * Returns cudaSuccess, or the error of the launch.
 */
#ifndef CONTRACTS_01_COALESCING_H
#define CONTRACTS_01_COALESCING_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
#endif
    cudaError_t
    lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                  cudaStream_t stream);

#endif
