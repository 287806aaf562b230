/* dice.cu - dropout and other draws: Philox, XORWOW, hashes, LCGs, PCG. */
#include "../bank.h"

#include <cstdint>

static __device__ __forceinline__ uint4 philox(uint4 c, uint2 key, int rounds)
{
#pragma unroll
    for (int r = 0; r < rounds; r++) {
        uint32_t hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
        uint32_t hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
        c = make_uint4(hi1 ^ c.y ^ key.x, lo1, hi0 ^ c.w ^ key.y, lo0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return c;
}

static __device__ __forceinline__ float4 kept(float4 v, uint4 r, uint32_t least, float scale)
{
    return make_float4(r.x >= least ? v.x * scale : 0, r.y >= least ? v.y * scale : 0,
                       r.z >= least ? v.z * scale : 0, r.w >= least ? v.w * scale : 0);
}

/* Lesson 5's dropout: four words a counter for four neighbours, the step read from memory. */
__global__ void dropout_quads(const float4 *x, float4 *out, int quads, uint32_t least, float scale,
                              const int *d_step)
{
    uint32_t step = *d_step;
    for (int i = thread_index(); i < quads; i += thread_count()) {
        uint4 r = philox(make_uint4(i, 0, step, 0), make_uint2(12345u, 9u), 10);
        out[i] = kept(x[i], r, least, scale);
    }
}

/* A Philox for every element, of which three words are thrown away. */
__global__ void dropout_wasteful(const float *x, float *out, uint32_t least, float scale)
{
    int i = thread_index();
    uint4 r = philox(make_uint4(i, 0, 0, 0), make_uint2(12345u, 9u), 10);
    out[i] = r.x >= least ? x[i] * scale : 0.0f;
}

/* The element's own word of its quad is picked by a switch. */
__global__ void dropout_picked(const float *x, float *out, int n, uint32_t least, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint4 r = philox(make_uint4(i / 4, 0, 7, 0), make_uint2(1u, 2u), 10);
    uint32_t word;
    switch (i % 4) {
    case 0: word = r.x; break;
    case 1: word = r.y; break;
    case 2: word = r.z; break;
    default: word = r.w; break;
    }
    out[i] = word < least ? 0.0f : x[i] * scale;
}

/* Halves, eight a thread, with 16 bits of a word for each. */
__global__ void dropout_halves(const uint4 *x, uint4 *out, uint32_t least)
{
    int i = thread_index();
    uint4 v = x[i], r = philox(make_uint4(i, 0, 0, 0), make_uint2(5u, 6u), 7);
    uint32_t words[4] = {r.x, r.y, r.z, r.w};
    __half2 *h = (__half2 *)&v;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float low = (words[k] & 0xffff) >= least ? 1.25f : 0;
        float high = words[k] >> 16 >= least ? 1.25f : 0;
        h[k] = __hmul2(h[k], __floats2half2_rn(low, high));
    }
    out[i] = v;
}

/* XORWOW (Marsaglia), seeded by the thread, EACH draws a thread a grid apart. */
template <int EACH> __global__ void dropout_xorwow(const float *x, float *out, float p)
{
    uint32_t s = 1234567u ^ (uint32_t)thread_index() * 0x9E3779B9u;
    uint32_t a = 123456789u ^ s, b = 362436069u + s, c = 521288629u ^ s, d = 88675123u + s,
             e = 5783321u ^ s, count = 6615241u + s;
    int i = thread_index();
#pragma unroll 2
    for (int k = 0; k < EACH; k++, i += thread_count()) {
        uint32_t t = a ^ a >> 2;
        a = b;
        b = c;
        c = d;
        d = e;
        e = e ^ e << 4 ^ t ^ t << 1;
        count += 362437u;
        float u = (e + count) * 2.3283064e-10f;
        out[i] = u < p ? 0.0f : x[i] / (1.0f - p);
    }
}

/* A hash of the index (Jarzynski and Olano's choice of a PCG). */
__global__ void dropout_pcg(const float4 *x, float4 *out, uint32_t seed, uint32_t least)
{
    uint32_t i = thread_index();
    float4 v = x[i];
    float *f = (float *)&v;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint32_t state = (4 * i + k + seed) * 747796405u + 2891336453u;
        uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
        f[k] = (word >> 22 ^ word) >= least ? f[k] * 1.1111111f : 0;
    }
    out[i] = v;
}

/* A mask of bits made by votes, 32 elements a word. */
__global__ void mask_of_bits(uint32_t *mask, uint32_t least)
{
    uint32_t i = thread_index(), h = i * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    uint32_t word = __ballot_sync(~0u, (h ^ h >> 16) >= least);
    if (threadIdx.x % 32 == 0)
        mask[i / 32] = word;
}

/* Normal numbers by Box and Muller. */
__global__ void normals_by_quads(float4 *out)
{
    int i = thread_index();
    uint4 r = philox(make_uint4(i, 1, 0, 0), make_uint2(77u, 1u), 10);
    float u = (r.x + 0.5f) * 2.3283064e-10f, v = (r.z + 0.5f) * 2.3283064e-10f, s, c, s2, c2;
    float radius = sqrtf(-2 * logf(u)), radius_2 = sqrtf(-2 * logf(v));
    sincospif(2 * r.y * 2.3283064e-10f, &s, &c);
    sincospif(2 * r.w * 2.3283064e-10f, &s2, &c2);
    out[i] = make_float4(radius * c, radius * s, radius_2 * c2, radius_2 * s2);
}

/* A random walk of 64-bit LCG steps, some stopped by a wall. */
__global__ void walks_to_the_wall(int *out, int most, int wall)
{
    uint64_t state = 0x853c49e6748fea9bull + (uint64_t)thread_index() * 0xda3e39cb94b95bdbull;
    int place = 0, step = 0;
    while (step < most && abs(place) < wall) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        place += (state >> 63) ? 1 : -1;
        step++;
    }
    out[thread_index()] = step;
}

#define DRAW(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define TENTH 429496729u

static const struct bank_row ROWS[] = {
    DRAW("dropout_quads_16777216", 1056, 256, dropout_quads, (const float4 *)data->x,
         (float4 *)data->out, 4 * MI, TENTH, 1.1111111f, data->in_order + 3),
    DRAW("dropout_quads_1048576_of_blocks", KI, 256, dropout_quads, (const float4 *)data->x,
         (float4 *)data->out, 256 * KI, TENTH, 1.1111111f, data->in_order + 3),
    DRAW("dropout_wasteful_2M", 8 * KI, 256, dropout_wasteful, data->x, data->out, TENTH,
         1.1111111f),
    DRAW("dropout_picked_1999999", 7813, 256, dropout_picked, data->x, data->out, 1999999, TENTH,
         1.1111111f),
    DRAW("dropout_halves_16M", 8 * KI, 256, dropout_halves, (const uint4 *)data->half_x,
         (uint4 *)data->out, 13107u),
    DRAW("dropout_xorwow_8M_of_16", 2 * KI, 256, dropout_xorwow<16>, data->x, data->out, 0.1f),
    DRAW("dropout_xorwow_2M_of_2", 4 * KI, 256, dropout_xorwow<2>, data->x, data->out, 0.1f),
    DRAW("dropout_pcg_16M", 16 * KI, 256, dropout_pcg, (const float4 *)data->x, (float4 *)data->out,
         42u, TENTH),
    DRAW("mask_of_bits_8M", 16 * KI, 512, mask_of_bits, (uint32_t *)data->out, TENTH),
    DRAW("normals_by_quads_4M", 4 * KI, 256, normals_by_quads, (float4 *)data->out),
    DRAW("walks_to_the_wall_64K", 256, 256, walks_to_the_wall, (int *)data->out, 600, 20),
};
BANK_FAMILY(dice)
