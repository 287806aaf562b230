/* aside.h - the contract of the fixture lesson whose cases take two processes: the first stores a
 * factor; the next is told where, and computes out[i] = factor x[i] for n floats. */
#ifndef ASIDE_H
#define ASIDE_H

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t put_aside(float factor, const char *path);
/* cudaErrorInvalidValue when nothing has been put aside. */
cudaError_t take_up(const char *path, const float *x, float *out, int n, cudaStream_t stream);
#ifdef __cplusplus
}
#endif

#endif
