/* aside.h - the contract of the fixture lesson whose cases take two processes: a factor is put
 * aside in one; in the next, which is told where, out[i] = factor x[i] for n floats. */
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
