/* tiny.h - the contract of every lesson of the fixture course: out[i] = 2 x[i] for n floats. */
#ifndef TINY_H
#define TINY_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
#endif
    cudaError_t
    tiny(const float *x, float *out, int n, cudaStream_t stream);

#endif
