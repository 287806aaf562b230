// expect: PASS
// cp.async: a block brings its elements to shared memory, 4 bytes a copy, and takes them there.
#include "contracts/01_coalescing.h"

static const int THREADS = 256, EACH = 8;

static __device__ void bring(float *s_to, const float *from)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(s_to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    __shared__ float s_x[EACH][THREADS], s_y[EACH][THREADS];
    int t = threadIdx.x;
    int64_t first = blockIdx.x * (int64_t)(EACH * THREADS) + t;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (first + i * THREADS < n) {
            bring(&s_x[i][t], x + first + i * THREADS);
            bring(&s_y[i][t], y + first + i * THREADS);
        }
    asm volatile("cp.async.wait_all;" ::: "memory"); // each thread reads what it brought itself
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (first + i * THREADS < n)
            out[first + i * THREADS] = a * s_x[i][t] + b * s_y[i][t];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    int64_t a_block = EACH * THREADS;
    if (n > 0)
        axpby<<<(unsigned)((n + a_block - 1) / a_block), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
