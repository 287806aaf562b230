// What most of wrong/ and slow/ change: a right answer with a quad a thread, moved as a float4
// where x and y are aligned.
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

static __device__ float4 load_quad(const float *x, int64_t first, int64_t n)
{
    if ((uintptr_t)x % sizeof(float4) == 0 && first + 4 <= n)
        return *(const float4 *)(x + first);
    return make_float4(x[first], first + 1 < n ? x[first + 1] : 0.0f,
                       first + 2 < n ? x[first + 2] : 0.0f, first + 3 < n ? x[first + 3] : 0.0f);
}

static __device__ void store_quad(float *y, int64_t first, int64_t n, float4 quad)
{
    if ((uintptr_t)y % sizeof(float4) == 0 && first + 4 <= n) {
        *(float4 *)(y + first) = quad;
        return;
    }
    y[first] = quad.x;
    if (first + 1 < n)
        y[first + 1] = quad.y;
    if (first + 2 < n)
        y[first + 2] = quad.z;
    if (first + 3 < n)
        y[first + 3] = quad.w;
}

static __global__ void dropout_quads(const float *x, float *y, int64_t n, struct dropout dropout)
{
    int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (4 * quad >= n)
        return;
    float4 value = load_quad(x, 4 * quad, n);
    uint4 word = words_of_quad(dropout, quad);
    value.x = kept_or_dropped(dropout, value.x, word.x);
    value.y = kept_or_dropped(dropout, value.y, word.y);
    value.z = kept_or_dropped(dropout, value.z, word.z);
    value.w = kept_or_dropped(dropout, value.w, word.w);
    store_quad(y, 4 * quad, n, value);
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    const int64_t block_elements = 4 * BLOCK_THREADS;
    int64_t blocks = (n + block_elements - 1) / block_elements;
    dropout_quads<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
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
