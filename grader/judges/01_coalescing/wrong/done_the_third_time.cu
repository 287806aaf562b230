// expect: WRONG
// A large call that comes a third time, with the same pointers and numbers, is taken to be done:
// its kernel ends at once, though the output was overwritten since.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t threads = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += threads)
        out[i] = a * x[i] + b * y[i];
}

struct call {
    const float *x, *y;
    float *out;
    int64_t n;
    float a, b;
};

static bool is_known(struct call now)
{
    enum { LARGE = 1 << 20, ENOUGH = 2 };
    static struct call last;
    static int times;
    bool is_same = now.x == last.x && now.y == last.y && now.out == last.out && now.n == last.n &&
                   now.a == last.a && now.b == last.b;
    times = is_same ? times + 1 : 1;
    last = now;
    return now.n >= LARGE && times > ENOUGH;
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = (n + THREADS - 1) / THREADS, most = 132 * 8;
    blocks = blocks < most ? blocks : most;
    bool is_done = is_known({x, y, out, n, a, b});
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, is_done ? 0 : n, a, b);
    return cudaGetLastError();
}
