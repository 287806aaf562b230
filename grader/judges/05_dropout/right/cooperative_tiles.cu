// expect: PASS
// Warps as tiles of cooperative groups: each lane draws a quad's words, and they are exchanged.
#include "contracts/05_dropout.h"

#include <cooperative_groups.h>

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

namespace cg = cooperative_groups;

enum { BLOCK_THREADS = 256 };

// A tile has 128 elements: in round k its lanes load elements 32 k to 32 k + 31, whose words eight
// of them have drawn.
static __global__ void tiles(const float *x, float *y, int64_t n, struct dropout dropout)
{
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    int lane = (int)tile.thread_rank();
    int64_t first = 4 * (quad - lane) + lane;
    uint4 word = words_of_quad(dropout, quad);
    float value[4];
    for (int k = 0; k < 4; k++)
        value[k] = first + 32 * k < n ? x[first + 32 * k] : 0.0f;
    for (int k = 0; k < 4; k++) {
        int from = 8 * k + lane / 4, number = lane % 4;
        uint32_t words[4] = {tile.shfl(word.x, from), tile.shfl(word.y, from),
                             tile.shfl(word.z, from), tile.shfl(word.w, from)};
        uint32_t own = number == 0 ? words[0] : number == 1 ? words[1]
                     : number == 2 ? words[2] : words[3];
        if (first + 32 * k < n)
            y[first + 32 * k] = choose(dropout, value[k], own);
    }
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    int64_t blocks = (n + 4 * BLOCK_THREADS - 1) / (4 * BLOCK_THREADS);
    tiles<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>(x, y, n, dropout);
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
