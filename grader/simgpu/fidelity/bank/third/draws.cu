/* draws.cu - random numbers: dropout at the size that its lesson is timed with, generators that
 * keep a state, and what is computed by chance. */
#include "../bank.h"

#include <cstdint>

static __device__ __forceinline__ uint4 philox(uint4 c, uint2 key)
{
#pragma unroll
    for (int round = 0; round < 10; round++) {
        uint32_t high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        uint32_t high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return c;
}

/* Four words of one draw for four neighbours that a vector holds; 64-bit counters. */
__global__ void drop_vectors(const float4 *x, float4 *y, long long quads, uint32_t threshold,
                             float scale, uint2 key, const unsigned long long *step)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= quads)
        return;
    unsigned long long now = *step;
    uint4 word = philox(make_uint4((uint32_t)i, (uint32_t)(i >> 32), (uint32_t)now,
                                   (uint32_t)(now >> 32)), key);
    float4 v = x[i];
    v.x = word.x >= threshold ? v.x * scale : 0;
    v.y = word.y >= threshold ? v.y * scale : 0;
    v.z = word.z >= threshold ? v.z * scale : 0;
    v.w = word.w >= threshold ? v.w * scale : 0;
    y[i] = v;
}

/* Four neighbours a thread, word by word, since pointers may be odd. */
__global__ void drop_four_words(const float *x, float *y, int n, uint32_t threshold, float scale)
{
    int quad = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 word = philox(make_uint4(quad, 0, 7, 0), make_uint2(1, 2));
    const uint32_t words[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int i = quad * 4 + j;
        if (i < n)
            y[i] = words[j] >= threshold ? x[i] * scale : 0;
    }
}

/* A whole draw for each element, of which one word is used, chosen by its number. */
__global__ void drop_one_word(const float *x, float *y, int n, uint32_t threshold, float scale)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 word = philox(make_uint4(i / 4, 0, 7, 0), make_uint2(1, 2));
        uint32_t mine = i % 4 == 0 ? word.x : i % 4 == 1 ? word.y : i % 4 == 2 ? word.z : word.w;
        y[i] = mine >= threshold ? x[i] * scale : 0.0f;
    }
}

/* A lane draws for its quad; the four words reach the elements of a warp by shuffles. */
__global__ void drop_by_shuffles(const float *x, float *y, uint32_t threshold, float scale)
{
    int lane = threadIdx.x % 32, base = (blockIdx.x * blockDim.x + threadIdx.x - lane) * 4;
    uint4 word = philox(make_uint4(base / 4 + lane, 0, 7, 0), make_uint2(3, 4));
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int from = j * 8 + lane / 4;
        uint32_t a = __shfl_sync(0xFFFFFFFFu, word.x, from);
        uint32_t b = __shfl_sync(0xFFFFFFFFu, word.y, from);
        uint32_t c = __shfl_sync(0xFFFFFFFFu, word.z, from);
        uint32_t d = __shfl_sync(0xFFFFFFFFu, word.w, from);
        uint32_t mine = lane & 2 ? (lane & 1 ? d : c) : (lane & 1 ? b : a);
        float v = x[base + j * 32 + lane];
        y[base + j * 32 + lane] = mine >= threshold ? v * scale : 0;
    }
}

/* A cheap hash in place of a generator, and a residual added. */
__global__ void drop_and_add(const float2 *x, const float2 *residual, float2 *y, int n,
                             float p, uint32_t seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t h = i ^ seed;
    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 15) * 0x846CA68Bu;
    h ^= h >> 16;
    float2 v = x[i], r = residual[i];
    v.x = (h & 0xFFFF) * 0x1p-16f >= p ? v.x / (1 - p) + r.x : r.x;
    v.y = (h >> 16) * 0x1p-16f >= p ? v.y / (1 - p) + r.y : r.y;
    y[i] = v;
}

/* Generators of the xorwow kind that live in memory, five words and a counter each. */
struct generator {
    uint32_t v[5], d;
};
__global__ void draw_from_states(const struct generator *states, float *out, int count, int draws)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    struct generator g = states[i];
    for (int k = 0; k < draws; k++) {
        uint32_t t = g.v[0] ^ g.v[0] >> 2;
        g.v[0] = g.v[1], g.v[1] = g.v[2], g.v[2] = g.v[3], g.v[3] = g.v[4];
        g.v[4] = g.v[4] ^ g.v[4] << 4 ^ t ^ t << 1;
        g.d += 362437;
        out[i + k * count] = (g.v[4] + g.d) * 0x1p-32f;
    }
}

/* The price of an option by chance: paths of normal steps, two at a time. */
__global__ void option_paths(float *out, int steps, float drift, float spread)
{
    uint32_t id = blockIdx.x * blockDim.x + threadIdx.x;
    float price = 0, other = 0;
    for (int k = 0; k < steps; k += 2) {
        uint4 word = philox(make_uint4(id, k, 0, 0), make_uint2(5, 6));
        float r = sqrtf(-2 * __logf((word.x + 0.5f) * 0x1p-32f)), sine, cosine;
        __sincosf(word.y * (6.2831853f * 0x1p-32f), &sine, &cosine);
        price += 2 * drift + spread * r * (sine + cosine);
        other += 2 * drift - spread * r * (sine + cosine);
    }
    out[id] = fmaxf(__expf(price) - 1, 0) + fmaxf(__expf(other) - 1, 0);
}

/* A pick from eight weights for each thread, by the running sum. */
__global__ void pick_by_weight(const float *weights, int *out, int choices, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t h = i * 2654435761u;
    float rest = (h >> 8) * 0x1p-24f * choices * 0.5f;
    int pick = 0;
    while (pick + 1 < choices && (rest -= fabsf(weights[i / 1024 * choices + pick])) > 0)
        pick++;
    out[i] = pick;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("drop_vectors_32M", 32 * KI, 256, drop_vectors, (const float4 *)data->x,
         (float4 *)data->out, 8 * MI, 1u << 30, 4.0f / 3, make_uint2(7, 8),
         (const unsigned long long *)data->zeros),
    EACH("drop_vectors_700000", 684, 256, drop_vectors, (const float4 *)data->x,
         (float4 *)data->out, 175000, 1u << 30, 4.0f / 3, make_uint2(7, 8),
         (const unsigned long long *)data->zeros),
    EACH("drop_four_words_16M", 32 * KI, 128, drop_four_words, data->x + 1, data->out + 1,
         16 * MI - 2, 1u << 31, 2.0f),
    EACH("drop_one_word_4M", 1056, 256, drop_one_word, data->x, data->out, 4 * MI, 1u << 31, 2.0f),
    EACH("drop_by_shuffles_16M", 16 * KI, 256, drop_by_shuffles, data->x, data->out, 1u << 29,
         8.0f / 7),
    EACH("drop_and_add_32M", 64 * KI, 256, drop_and_add, (const float2 *)data->x,
         (const float2 *)data->y, (float2 *)data->out, 16 * MI, 0.1f, 99u),
    EACH("draw_from_states_512K_16", 2 * KI, 256, draw_from_states,
         (const struct generator *)data->x, data->out, 512 * KI, 16),
    EACH("option_paths_128K_64", 512, 256, option_paths, data->out, 64, 0.001f, 0.05f),
    EACH("pick_by_weight_1M_of_24", 4 * KI, 256, pick_by_weight, data->x, (int *)data->out, 24,
         MI),
};
BANK_FAMILY(draws)
