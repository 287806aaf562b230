// expect: PASS
// cuda::pipeline: each thread has two stages of its own under way.
#include "contracts/01_coalescing.h"

#include <cuda/pipeline>

static const int THREADS = 256, TURNS = 8;

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    __shared__ float s_x[2][THREADS], s_y[2][THREADS];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    int64_t i = blockIdx.x * (int64_t)(TURNS * THREADS) + t;
#pragma unroll
    for (int turn = 0; turn <= TURNS; turn++, i += THREADS) {
        if (turn < TURNS) {
            pipe.producer_acquire();
            if (i < n) {
                cuda::memcpy_async(&s_x[turn % 2][t], x + i, sizeof(float), pipe);
                cuda::memcpy_async(&s_y[turn % 2][t], y + i, sizeof(float), pipe);
            }
            pipe.producer_commit();
        }
        if (turn == 0)
            continue;
        if (turn < TURNS)
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        int before = (turn - 1) % 2;
        if (i - THREADS < n)
            out[i - THREADS] = a * s_x[before][t] + b * s_y[before][t];
        pipe.consumer_release();
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    int64_t a_block = TURNS * THREADS;
    if (n > 0)
        axpby<<<(unsigned)((n + a_block - 1) / a_block), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
