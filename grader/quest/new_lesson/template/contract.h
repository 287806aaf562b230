/* @KEY@.h - contract of lesson @NUMBER@: an array, scaled.
 *
 *     out[i] = factor * x[i]        for i in [0, n)
 *
 * x, out      device pointers to n floats each, 4-byte aligned; they do not overlap.
 * n           0 or more. n = 0 does nothing and succeeds.
 * stream      the work goes there and is not waited for. One kernel launch; nothing is allocated.
 *
 * Returns cudaSuccess, or the error of the launch.
 */
#ifndef CONTRACTS_@GUARD@_H
#define CONTRACTS_@GUARD@_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
#endif
cudaError_t lesson@NUMBER@_@SLUG@(const float *x, float *out, int64_t n, float factor,
                           cudaStream_t stream);

#endif
