// expect: SLOW counters mistake computed_on_the_host
// The arrays are copied to the host, added up there, and copied back.
#include "contracts/01_coalescing.h"

#include <stdlib.h>

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    float *h_x = (float *)malloc(n * sizeof *h_x), *h_y = (float *)malloc(n * sizeof *h_y);
    cudaMemcpyAsync(h_x, x, n * sizeof *h_x, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(h_y, y, n * sizeof *h_y, cudaMemcpyDeviceToHost, stream);
    cudaError_t error = cudaStreamSynchronize(stream);
    for (int64_t i = 0; i < n && !error; i++)
        h_x[i] = a * h_x[i] + b * h_y[i];
    if (!error)
        cudaMemcpyAsync(out, h_x, n * sizeof *h_x, cudaMemcpyHostToDevice, stream);
    if (!error)
        error = cudaStreamSynchronize(stream);
    free(h_x);
    free(h_y);
    return error;
}
