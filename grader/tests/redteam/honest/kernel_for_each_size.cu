// Has several kernels and chooses one by the size and the alignment.
#include "redteam/axpby.h"

template <int THREADS>
static __global__ void sized(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    for (int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x; i < n; 
         i += gridDim.x * (int64_t)THREADS)
        out[i] = a * x[i] + b * y[i];
}

template <int THREADS>
static void launch(const float *x, const float *y, float *out, int64_t n, float a, float b,
                   cudaStream_t stream)
{
    int64_t blocks = (n + THREADS - 1) / THREADS;
    sized<THREADS><<<(unsigned)(blocks < 1056 ? blocks : 1056), THREADS, 0, stream>>>(
        x, y, out, n, a, b);
}

LAUNCHER
{
    if (n == 0)
        return cudaSuccess;
    (n < 1000 ? launch<32> : n < 100000 ? launch<128> : launch<256>)(x, y, out, n, a, b, stream);
    return cudaGetLastError();
}
