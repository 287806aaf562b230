// expect: WRONG numerics
// The sums of a call with many elements are kept, and handed out to the next call with the same
// arguments: x and y may hold something else by then.
#include "contracts/01_coalescing.h"

enum { BLOCK_THREADS = 256, LEAST_KEPT = 1 << 20, MOST_KEPT = 1 << 24 };

static __device__ float d_kept[MOST_KEPT];

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b, bool keeps, bool takes)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= n)
        return;
    out[i] = takes ? d_kept[i] : a * x[i] + b * y[i];
    if (keeps)
        d_kept[i] = out[i];
}

struct call {
    const float *x, *y, *out;
    int64_t n;
    float a, b;
};

static bool is_known(const struct call &call)
{
    static struct call last;
    bool alike = last.x == call.x && last.y == call.y && last.n == call.n && last.a == call.a &&
                 last.b == call.b;
    last = call;
    return alike;
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    bool fits = n >= LEAST_KEPT && n <= MOST_KEPT;
    bool takes = fits && is_known({x, y, out, n, a, b});
    int64_t blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
    axpby<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>(x, y, out, n, a, b, fits && !takes,
                                                          takes);
    return cudaGetLastError();
}
