// expect: PASS
// CUB loads and stores for a block: four neighbours a thread, vectors where that is allowed.
#include "contracts/05_dropout.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

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

enum { BLOCK_THREADS = 256, BLOCK_ELEMENTS = 4 * BLOCK_THREADS };

static __device__ void choose_four(float (&value)[4], int64_t quad, const struct dropout &dropout)
{
    uint4 word = words_of_quad(dropout, quad);
    value[0] = choose(dropout, value[0], word.x);
    value[1] = choose(dropout, value[1], word.y);
    value[2] = choose(dropout, value[2], word.z);
    value[3] = choose(dropout, value[3], word.w);
}

template <bool WIDE>
static __global__ void quads(float *x, float *y, int64_t n, struct dropout dropout)
{
    typedef cub::BlockLoad<float, BLOCK_THREADS, 4,
                           WIDE ? cub::BLOCK_LOAD_VECTORIZE : cub::BLOCK_LOAD_TRANSPOSE> load;
    typedef cub::BlockStore<float, BLOCK_THREADS, 4,
                            WIDE ? cub::BLOCK_STORE_VECTORIZE : cub::BLOCK_STORE_TRANSPOSE> store;
    __shared__ union {
        typename load::TempStorage load;
        typename store::TempStorage store;
    } room;
    int64_t first = (int64_t)blockIdx.x * BLOCK_ELEMENTS, left = n - first;
    float value[4];
    if (left >= BLOCK_ELEMENTS)
        load(room.load).Load(x + first, value);
    else
        load(room.load).Load(x + first, value, (int)left, 0.0f);
    choose_four(value, first / 4 + threadIdx.x, dropout);
    __syncthreads();
    if (left >= BLOCK_ELEMENTS)
        store(room.store).Store(y + first, value);
    else
        store(room.store).Store(y + first, value, (int)left);
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    int64_t blocks = (n + BLOCK_ELEMENTS - 1) / BLOCK_ELEMENTS;
    auto kernel = ((uintptr_t)x | (uintptr_t)y) % sizeof(float4) == 0 ? quads<true> : quads<false>;
    kernel<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>((float *)x, y, n, dropout);
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
    struct dropout dropout = {(uint32_t)((double)p * 0x1p32), 1.0f / (1.0f - p),
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
