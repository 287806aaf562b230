// expect: SLOW counters mistake words_in_memory
// One kernel draws all words into memory, another reads them: two launches, and 16 bytes an
// element where 8 are needed.
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

static const int64_t CHUNK_ELEMENTS = 1 << 21;

static __device__ uint32_t d_word[CHUNK_ELEMENTS];

static __device__ uint4 words_of_quad(const struct dropout &dropout, int64_t quad)
{
    uint64_t step = *dropout.step;
    return philox(make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step,
                             (uint32_t)(step >> 32)),
                  dropout.key);
}

static __global__ void draw(int64_t first_quad, int64_t quads, struct dropout dropout)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i < quads)
        ((uint4 *)d_word)[i] = words_of_quad(dropout, first_quad + i);
}

static __global__ void keep_or_drop(const float *x, float *y, int64_t elements,
                                    struct dropout dropout)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i < elements)
        y[i] = d_word[i] >= dropout.threshold ? x[i] * dropout.scale : 0.0f;
}

static unsigned blocks_for(int64_t threads)
{
    return (unsigned)((threads + BLOCK_THREADS - 1) / BLOCK_THREADS);
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    for (int64_t first = 0; first < n; first += CHUNK_ELEMENTS) {
        int64_t rest = n - first, elements = rest < CHUNK_ELEMENTS ? rest : CHUNK_ELEMENTS;
        int64_t quads = (elements + 3) / 4;
        draw<<<blocks_for(quads), BLOCK_THREADS, 0, stream>>>(first / 4, quads, dropout);
        keep_or_drop<<<blocks_for(elements), BLOCK_THREADS, 0, stream>>>(x + first, y + first,
                                                                         elements, dropout);
    }
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
