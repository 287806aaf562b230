// expect: WRONG numerics mistake equal_is_dropped
// A word that is the threshold is kept in whole quads, and dropped in the last elements of the
// backward pass.
#include "contracts/05_dropout.h"

// A random word need not be stored, and neither need a generator: it is a function of where it is
// used. Philox is that function. It mixes a counter, which is different for every use, with a key.

enum { BLOCK_THREADS = 256, PHILOX_ROUNDS = 10 };

// Philox4x32-10, as in Random123: each round multiplies two words, crosses the halves over, and
// moves the key on by two odd constants (the golden ratio and sqrt(3) - 1).
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

// What is the same for all elements of a call.
struct dropout {
    uint32_t threshold; // words below it drop their element
    float scale;        // of those that stay
    float keep;         // 1 - p
    uint2 key;
    const uint64_t *step; // on the device: a graph replays the pointer, not the number
};

static __global__ void __launch_bounds__(BLOCK_THREADS)
    dropout_kernel(const float *x, float *y, int64_t n, struct dropout d, bool aligned)
{
    const int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    const int64_t i = quad * 4;
    if (i >= n)
        return;
    const uint64_t step = *d.step;
    const uint4 w = philox(
        make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step, (uint32_t)(step >> 32)),
        d.key);
    if (aligned && i + 4 <= n) {
        float4 v = *(const float4 *)(x + i);
        v.x = w.x >= d.threshold ? v.x * d.scale : 0.0f;
        v.y = w.y >= d.threshold ? v.y * d.scale : 0.0f;
        v.z = w.z >= d.threshold ? v.z * d.scale : 0.0f;
        v.w = w.w >= d.threshold ? v.w * d.scale : 0.0f;
        *(float4 *)(y + i) = v;
        return;
    }
    const uint32_t word[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (i + j < n)
            y[i + j] = word[j] >= d.threshold ? x[i + j] * d.scale : 0.0f;
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &d,
                         cudaStream_t stream)
{
    const bool aligned = (((uintptr_t)x | (uintptr_t)y) & 15) == 0;
    const int64_t quads = (n + 3) / 4;
    dropout_kernel<<<(unsigned)((quads + BLOCK_THREADS - 1) / BLOCK_THREADS), BLOCK_THREADS, 0,
                     stream>>>(x, y, n, d, aligned);
    return cudaGetLastError();
}

// gradients: d y / d x = 1 / (1 - p) where kept

static __global__ void __launch_bounds__(BLOCK_THREADS)
    dropout_bwd_kernel(const float *x, float *y, int64_t n, struct dropout d, bool aligned)
{
    const int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    const int64_t i = quad * 4;
    if (i >= n)
        return;
    const uint64_t step = *d.step;
    const uint4 w = philox(
        make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step, (uint32_t)(step >> 32)),
        d.key);
    if (aligned && i + 4 <= n) {
        float4 v = *(const float4 *)(x + i);
        v.x = w.x >= d.threshold ? v.x / d.keep : 0.0f;
        v.y = w.y >= d.threshold ? v.y / d.keep : 0.0f;
        v.z = w.z >= d.threshold ? v.z / d.keep : 0.0f;
        v.w = w.w >= d.threshold ? v.w / d.keep : 0.0f;
        *(float4 *)(y + i) = v;
        return;
    }
    const uint32_t word[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (i + j < n)
            y[i + j] = word[j] > d.threshold ? x[i + j] / d.keep : 0.0f;
}

static cudaError_t apply_bwd(const float *x, float *y, int64_t n, const struct dropout &d,
                             cudaStream_t stream)
{
    const bool aligned = (((uintptr_t)x | (uintptr_t)y) & 15) == 0;
    const int64_t quads = (n + 3) / 4;
    dropout_bwd_kernel<<<(unsigned)((quads + BLOCK_THREADS - 1) / BLOCK_THREADS), BLOCK_THREADS, 0,
                         stream>>>(x, y, n, d, aligned);
    return cudaGetLastError();
}

// Dropout is linear in x, so what the backward pass does to gradients is what the forward pass
// does to values: the same function, with the same mask.
static cudaError_t launch(const float *x, float *y, int64_t n, float p, struct quest_rng_key key,
                          const uint64_t *d_step, cudaStream_t stream, bool backward)
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
    dropout.keep = 1.0f - p;
    dropout.key = make_uint2(key.seed, key.layer);
    dropout.step = d_step;
    return backward ? apply_bwd(x, y, n, dropout, stream) : apply(x, y, n, dropout, stream);
}

cudaError_t lesson5_dropout_fwd(const float *x, float *y, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream)
{
    return launch(x, y, n, p, key, d_step, stream, false);
}

cudaError_t lesson5_dropout_bwd(const float *gy, float *gx, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream)
{
    return launch(gy, gx, n, p, key, d_step, stream, true);
}
