// expect: RACE safety
// The last quad goes back to the last four elements, some of which another thread has, too: in
// place that is a race where this quad is the first of a warp.
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
    uint64_t threshold; // up to 2^32
    float scale;
    uint2 key;
    const uint64_t *step;
};

static __device__ __forceinline__ uint4 words(const struct dropout &dropout, uint64_t quad)
{
    const uint64_t step = *dropout.step;
    return philox(make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step,
                             (uint32_t)(step >> 32)),
                  dropout.key);
}

static __device__ __forceinline__ float chosen(uint32_t word, float x,
                                               const struct dropout &dropout)
{
    return word >= dropout.threshold ? x * dropout.scale : 0.0f;
}

// Every thread has four elements: the last one goes back to the last four.
static __global__ void __launch_bounds__(BLOCK_THREADS)
    apply(const float *x, float *y, int64_t n, struct dropout dropout, bool wide)
{
    const int64_t quad = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    const bool mine = 4 * quad < n;
    const int64_t i = n < 4 ? 0 : min(4 * quad, n - 4);
    const int shift = (int)(i % 4), count = (int)min(n - i, (int64_t)4);
    float v[4] = {};
    if (mine && wide && shift == 0 && count == 4) {
        float4 all = *(const float4 *)(x + i);
        v[0] = all.x;
        v[1] = all.y;
        v[2] = all.z;
        v[3] = all.w;
    } else if (mine) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (j < count)
                v[j] = x[i + j];
    }
    __syncwarp(); // all have loaded before any of them stores: y may be x
    if (!mine)
        return;
    const uint4 word = words(dropout, (uint64_t)(i / 4));
    uint32_t w[4] = {word.x, word.y, word.z, word.w};
    if (shift) {
        const uint4 next = words(dropout, (uint64_t)(i / 4 + 1));
        const uint32_t eight[8] = {word.x, word.y, word.z, word.w, next.x, next.y, next.z, next.w};
#pragma unroll
        for (int j = 0; j < 4; j++)
            w[j] = shift == 1 ? eight[j + 1] : shift == 2 ? eight[j + 2] : eight[j + 3];
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = chosen(w[j], v[j], dropout);
    if (wide && shift == 0 && count == 4) {
        *(float4 *)(y + i) = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (j < count)
            y[i + j] = v[j];
}

static cudaError_t launch(const float *x, float *y, int64_t n, float p, struct quest_rng_key key,
                          const uint64_t *d_step, cudaStream_t stream)
{
    if (n < 0 || !(p >= 0.0f && p <= 1.0f))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    struct dropout dropout;
    dropout.threshold = (uint64_t)((double)p * 0x1p32);
    dropout.scale = p < 1.0f ? 1.0f / (1.0f - p) : 0.0f;
    dropout.key = make_uint2(key.seed, key.layer);
    dropout.step = d_step;
    const int64_t quads = (n + 3) / 4;
    const bool wide = ((uintptr_t)x | (uintptr_t)y) % sizeof(float4) == 0;
    apply<<<(unsigned)((quads + BLOCK_THREADS - 1) / BLOCK_THREADS), BLOCK_THREADS, 0, stream>>>(
        x, y, n, dropout, wide);
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
