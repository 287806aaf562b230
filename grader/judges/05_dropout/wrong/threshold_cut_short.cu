// expect: WRONG numerics mistake threshold_cut_short
// The threshold has the 24 bits that a float has, and zeros below them.
#include "contracts/05_dropout.h"

static __device__ uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
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

static __device__ uint4 words_of_quad(const struct dropout &dropout, int64_t quad)
{
    uint64_t step = *dropout.step;
    return philox(make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step,
                             (uint32_t)(step >> 32)),
                  dropout.key);
}

static __device__ float choose(const struct dropout &dropout, float value, uint32_t word)
{
    return word >= dropout.threshold ? value * dropout.scale : 0.0f;
}

enum { BLOCK_THREADS = 512 };

static __device__ float4 chosen(const struct dropout &dropout, int64_t quad, float4 value)
{
    uint4 word = words_of_quad(dropout, quad);
    return make_float4(choose(dropout, value.x, word.x), choose(dropout, value.y, word.y),
                       choose(dropout, value.z, word.z), choose(dropout, value.w, word.w));
}

// Up to four elements, one by one.
static __device__ void drop_some(const float *x, float *y, int64_t n, int64_t quad,
                                 const struct dropout &dropout)
{
    uint4 word = words_of_quad(dropout, quad);
    const uint32_t words[4] = {word.x, word.y, word.z, word.w};
    for (int i = 0; i < 4; i++)
        if (4 * quad + i < n)
            y[4 * quad + i] = choose(dropout, x[4 * quad + i], words[i]);
}

static bool is_wide(const void *x, const void *y)
{
    return ((uintptr_t)x | (uintptr_t)y) % sizeof(float4) == 0;
}

template <bool WIDE>
static __global__ void quads(const float *x, float *y, int64_t n, struct dropout dropout)
{
    int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (WIDE && 4 * quad + 4 <= n)
        ((float4 *)y)[quad] = chosen(dropout, quad, ((const float4 *)x)[quad]);
    else
        drop_some(x, y, n, quad, dropout);
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    int64_t blocks = (n + 4 * BLOCK_THREADS - 1) / (4 * BLOCK_THREADS);
    auto kernel = is_wide(x, y) ? quads<true> : quads<false>;
    kernel<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
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
    struct dropout dropout = {(uint32_t)(p * 0x1p24f) << 8, 1.0f / (1.0f - p),
                              make_uint2(key.seed, key.layer), d_step};
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
