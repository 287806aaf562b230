// expect: WRONG numerics mistake mask_of_the_grid
// Each thread has a generator of its own and draws for the elements it takes: which word an
// element gets depends on the number of threads.
#include "contracts/05_dropout.h"

enum { BLOCK_THREADS = 256, PHILOX_ROUNDS = 10 };

static __device__ uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t x = (uint64_t)0xD2511F53u * counter.x;
        uint64_t z = (uint64_t)0xCD9E8D57u * counter.z;
        counter = make_uint4((uint32_t)(z >> 32) ^ counter.y ^ key.x, (uint32_t)z,
                             (uint32_t)(x >> 32) ^ counter.w ^ key.y, (uint32_t)x);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

struct dropout {
    uint32_t threshold;
    float scale;
    uint2 key;
    const uint64_t *step;
};

enum { GRID_BLOCKS = 8 };

static __global__ void dropout_strided(const float *x, float *y, int64_t n, struct dropout dropout)
{
    uint64_t step = *dropout.step;
    uint32_t thread = blockIdx.x * BLOCK_THREADS + threadIdx.x, turn = 0;
    for (int64_t i = thread; i < n; i += GRID_BLOCKS * BLOCK_THREADS, turn++) {
        uint4 word = philox(make_uint4(thread, turn, (uint32_t)step, (uint32_t)(step >> 32)),
                            dropout.key);
        y[i] = word.x >= dropout.threshold ? x[i] * dropout.scale : 0.0f;
    }
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    dropout_strided<<<GRID_BLOCKS, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
    return cudaGetLastError();
}

static cudaError_t launch(const float *x, float *y, int64_t n, float p, struct quest_rng_key key,
                          const uint64_t *d_step, cudaStream_t stream)
{
    if (n < 0 || !(p >= 0.0f && p <= 1.0f))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    if (p == 1.0f)
        return cudaMemsetAsync(y, 0, (size_t)n * sizeof *y, stream);
    struct dropout dropout;
    dropout.threshold = (uint32_t)((double)p * 0x1p32);
    dropout.scale = 1.0f / (1.0f - p);
    dropout.key = make_uint2(key.seed, key.layer);
    dropout.step = d_step;
    return apply(x, y, n, dropout, stream);
}

cudaError_t lesson5_dropout_fwd(const float *x, float *y, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream)
{
    return launch(x, y, n, p, key, d_step, stream);
}

cudaError_t lesson5_dropout_bwd(const float *gy, float *gx, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream)
{
    return launch(gy, gx, n, p, key, d_step, stream);
}
