// expect: WRONG numerics
// Where a call is the same as the last one, a warp whose last element is right already writes
// none of its elements.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                      bool is_known)
{
    int64_t threads = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += threads) {
        float value = a * x[i] + b * y[i];
        bool is_done = is_known && threadIdx.x % 32 == 31 &&
                       __float_as_uint(out[i]) == __float_as_uint(value);
        if (__any_sync(__activemask(), is_done))
            continue;
        out[i] = value;
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = (n + THREADS - 1) / THREADS, most = 132 * 8;
    blocks = blocks < most ? blocks : most;
    static float *last_out;
    static int64_t last_n;
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b,
                                                    out == last_out && n == last_n);
    last_out = out;
    last_n = n;
    return cudaGetLastError();
}
