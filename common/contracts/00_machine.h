/* 00_machine.h - contract of lesson 0: three probes that show what this machine can do.
 *
 * All launchers: device pointers; work goes to stream and is not waited for; nothing is allocated.
 * They return cudaSuccess or the error of the launch. A size of 0 is allowed and launches nothing.
 */
#ifndef CONTRACTS_00_MACHINE_H
#define CONTRACTS_00_MACHINE_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = in[i] for n floats: as many bytes a second as the memory gives. The arrays do not
 * overlap; either may lie at any multiple of 4 bytes. */
cudaError_t lesson0_copy(const float *in, float *out, int64_t n, cudaStream_t stream);

/* out[i] = in[i] after steps times v = LESSON0_FACTOR * v + LESSON0_ADDEND, each step one fused
 * multiply-add (rounded once): as many operations a second as the arithmetic units give. */
#define LESSON0_FACTOR -0.9990234375f
#define LESSON0_ADDEND 0.5f
cudaError_t lesson0_fma(const float *in, float *out, int64_t n, int32_t steps, cudaStream_t stream);

/* One kernel of one thread that does nothing: what a launch costs by itself. */
cudaError_t lesson0_empty(cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
