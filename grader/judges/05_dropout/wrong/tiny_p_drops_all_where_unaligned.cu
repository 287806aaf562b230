// expect: WRONG numerics mistake right_for_the_list
// One below a threshold of 0 is the largest word: with p below 2^-32 all is dropped, in one path.
#include "contracts/05_dropout.h"

enum { BLOCK_THREADS = 256, PHILOX_ROUNDS = 10 };

static __device__ __forceinline__ uint4 philox(uint4 counter, uint2 key)
{
#pragma unroll
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

// What is the same for all elements of a call.
struct dropout {
    uint32_t threshold;   // words below it drop their element
    float scale;          // of those that stay
    uint2 key;
    const uint64_t *step; // on the device: a graph replays the pointer, not the number
    uint32_t last_dropped; // the largest word that drops
    bool keep_all;
};

static __device__ __forceinline__ uint4 words_of(int64_t quad, const struct dropout &dropout)
{
    uint64_t step = *dropout.step;
    return philox(make_uint4((uint32_t)quad, (uint32_t)((uint64_t)quad >> 32), (uint32_t)step,
                             (uint32_t)(step >> 32)),
                  dropout.key);
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    keep_or_drop_wide(const float *x, float *y, int64_t n, struct dropout dropout)
{
    int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (quad * 4 >= n)
        return;
    if (quad * 4 + 4 <= n) {
        float4 v = ((const float4 *)x)[quad];
        uint4 word = words_of(quad, dropout);
        v.x = word.x >= dropout.threshold ? v.x * dropout.scale : 0.0f;
        v.y = word.y >= dropout.threshold ? v.y * dropout.scale : 0.0f;
        v.z = word.z >= dropout.threshold ? v.z * dropout.scale : 0.0f;
        v.w = word.w >= dropout.threshold ? v.w * dropout.scale : 0.0f;
        ((float4 *)y)[quad] = v;
        return;
    }
    uint4 word = words_of(quad, dropout);
    const uint32_t words[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int j = 0; j < 3; j++)
        if (quad * 4 + j < n)
            y[quad * 4 + j] =
                words[j] >= dropout.threshold ? x[quad * 4 + j] * dropout.scale : 0.0f;
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    keep_or_drop_single(const float *x, float *y, int64_t n, struct dropout dropout)
{
    int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (quad * 4 >= n)
        return;
    float v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (quad * 4 + j < n)
            v[j] = x[quad * 4 + j];
    uint4 word = words_of(quad, dropout);
    const uint32_t words[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (quad * 4 + j < n)
            y[quad * 4 + j] = dropout.keep_all || words[j] > dropout.last_dropped
                                  ? v[j] * dropout.scale
                                  : 0.0f;
}

static cudaError_t launch(const float *x, float *y, int64_t n, float p, struct quest_rng_key key,
                          const uint64_t *d_step, cudaStream_t stream)
{
    if (n < 0 || !(p >= 0.0f && p <= 1.0f))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    if (p == 1.0f) // its threshold would be 2^32, one more than a word can hold
        return cudaMemsetAsync(y, 0, (size_t)n * sizeof *y, stream);
    struct dropout dropout;
    dropout.threshold = (uint32_t)((double)p * 0x1p32);
    dropout.scale = 1.0f / (1.0f - p);
    dropout.key = make_uint2(key.seed, key.layer);
    dropout.step = d_step;
    dropout.last_dropped = dropout.threshold - 1;
    dropout.keep_all = p == 0.0f;
    unsigned blocks = (unsigned)((n + 4 * BLOCK_THREADS - 1) / (4 * BLOCK_THREADS));
    if (((uintptr_t)x | (uintptr_t)y) % sizeof(float4) == 0)
        keep_or_drop_wide<<<blocks, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
    else
        keep_or_drop_single<<<blocks, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
    return cudaGetLastError();
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
