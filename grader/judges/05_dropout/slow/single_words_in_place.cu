// expect: SLOW counters line 98
// Whole quads, but in place: there each thread of small blocks takes one element, and three of its
// four words are drawn for nothing.
#include "contracts/05_dropout.h"

// A random word need not be stored, and neither need a generator: it is a function of where it is
// used. Philox is that function. It mixes a counter, which is different for every use, with a key.

enum { BLOCK_THREADS = 256, SMALL_THREADS = 128, PHILOX_ROUNDS = 10 };

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
    uint32_t threshold;   // words below it drop their element
    float scale;          // of those that stay
    uint2 key;
    const uint64_t *step; // on the device: a graph replays the pointer, not the number
};

// Counters that differ for every quad and step, because each has words of its own: nothing is
// added or mixed that could come out the same twice.
static __device__ uint4 words_of_quad(const struct dropout &dropout, int64_t quad)
{
    uint64_t step = *dropout.step;
    return philox(make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step,
                             (uint32_t)(step >> 32)),
                  dropout.key);
}

// A choice, not a product with 0 or 1: NaN times 0 is NaN, and a dropped NaN is gone.
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

// A thread takes four elements, since Philox gives four words. The load starts first: the forty
// multiplications are done while it is on its way.
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

// A thread takes one element, and draws four words for it.
static __global__ void dropout_elements(const float *x, float *y, int64_t n,
                                        struct dropout dropout)
{
    int64_t i = (int64_t)blockIdx.x * SMALL_THREADS + threadIdx.x;
    if (i >= n)
        return;
    uint4 word = words_of_quad(dropout, i / 4);
    uint32_t own = i % 4 == 0 ? word.x : i % 4 == 1 ? word.y : i % 4 == 2 ? word.z : word.w;
    y[i] = kept_or_dropped(dropout, x[i], own);
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    const int64_t block_elements = 4 * BLOCK_THREADS;
    int64_t blocks = (n + block_elements - 1) / block_elements;
    int64_t small_blocks = (n + SMALL_THREADS - 1) / SMALL_THREADS;
    if (x == y)
        dropout_elements<<<(unsigned)small_blocks, SMALL_THREADS, 0, stream>>>(x, y, n, dropout);
    else
        dropout_quads<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
    return cudaGetLastError();
}

// Dropout is linear in x, so what the backward pass does to gradients is what the forward pass
// does to values: the same function, with the same mask.
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
