// expect: PASS
// Each lane draws four words for four neighbours, and stores single floats side by side: the words
// go to the lanes that want them by shuffles. More instructions than float4, but no more bytes.
#include "contracts/05_dropout.h"

enum { BLOCK_THREADS = 256, PHILOX_ROUNDS = 10, WARP_LANES = 32 };

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

static __device__ uint4 words_of_quad(const struct dropout &dropout, int64_t quad)
{
    uint64_t step = *dropout.step;
    return philox(make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step,
                             (uint32_t)(step >> 32)),
                  dropout.key);
}

static __device__ float kept_or_dropped(const struct dropout &dropout, float value, uint32_t word)
{
    return word >= dropout.threshold ? value * dropout.scale : 0.0f;
}

// What lane from drew as its word number: all four are exchanged, and one is taken.
static __device__ uint32_t word_of_lane(uint4 word, int from, int number)
{
    uint32_t x = __shfl_sync(~0u, word.x, from), y = __shfl_sync(~0u, word.y, from);
    uint32_t z = __shfl_sync(~0u, word.z, from), w = __shfl_sync(~0u, word.w, from);
    return number == 0 ? x : number == 1 ? y : number == 2 ? z : w;
}

// Lane l draws for elements 4 l to 4 l + 3 of its warp's 128, but loads and stores l, l + 32,
// l + 64 and l + 96. No lane leaves before the end, so all can exchange words.
static __global__ void dropout_by_warps(const float *x, float *y, int64_t n, struct dropout dropout)
{
    int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    int lane = threadIdx.x % WARP_LANES;
    int64_t first = 4 * (quad - lane) + lane;
    float value[4];
    for (int k = 0; k < 4; k++)
        value[k] = first + k * WARP_LANES < n ? x[first + k * WARP_LANES] : 0.0f;
    uint4 word = words_of_quad(dropout, quad);
    for (int k = 0; k < 4; k++) {
        uint32_t own = word_of_lane(word, (k * WARP_LANES + lane) / 4, lane % 4);
        if (first + k * WARP_LANES < n)
            y[first + k * WARP_LANES] = kept_or_dropped(dropout, value[k], own);
    }
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    const int64_t block_elements = 4 * BLOCK_THREADS;
    int64_t blocks = (n + block_elements - 1) / block_elements;
    dropout_by_warps<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
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
