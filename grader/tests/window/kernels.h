/* kernels.h - two launches: add 1 to *sum; do so when *flag, in host memory, is no longer 0. */
#ifndef KERNELS_H
#define KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif
void launch_add(unsigned *sum, cudaStream_t stream);
void launch_wait(unsigned *flag, unsigned *sum);
#ifdef __cplusplus
}
#endif

#endif
