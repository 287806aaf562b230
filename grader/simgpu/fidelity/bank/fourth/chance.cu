/* chance.cu - numbers by chance and what is done with them, and optimisers. */
#include "../bank.h"

#include <cstdint>

/* Seven rounds of the Philox generator for four numbers. */
static __device__ __forceinline__ uint4 philox_seven(uint32_t counter, uint32_t stream,
                                                     uint32_t seed)
{
    uint4 c = make_uint4(counter, stream, 0, 0);
    uint32_t k0 = seed, k1 = 0xCAFE;
#pragma unroll
    for (int round = 0; round < 7; round++) {
        uint32_t high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        uint32_t high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k0, low1, high0 ^ c.w ^ k1, low0);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

/* The output function of a PCG as a hash. */
static __device__ __forceinline__ uint32_t pcg_hash(uint32_t v)
{
    uint32_t state = v * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

/* Dropout, four floats for the four words of a counter. */
__global__ void drop_by_seven_rounds(const float4 *x, float4 *out, float keep, uint32_t seed)
{
    int i = thread_index();
    uint4 r = philox_seven(i, 0, seed);
    float4 v = x[i];
    float scale = 1 / keep, limit = keep * 4294967296.0f;
    v.x = r.x < limit ? v.x * scale : 0;
    v.y = r.y < limit ? v.y * scale : 0;
    v.z = r.z < limit ? v.z * scale : 0;
    v.w = r.w < limit ? v.w * scale : 0;
    out[i] = v;
}

/* Dropout by a hash of the place, in halves, with a mask of bits by the warp's votes. */
__global__ void drop_by_hash(const __half *x, __half *out, uint32_t *mask, uint32_t limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool kept = i < n && pcg_hash(i) >= limit;
    unsigned votes = __ballot_sync(0xFFFFFFFFu, kept);
    if (i < n)
        out[i] = kept ? __hmul(x[i], __float2half(1.25f)) : __float2half(0.0f);
    if (threadIdx.x % 32 == 0)
        mask[i / 32] = votes;
}

/* A quarter of a circle by a linear congruence in each thread. */
__global__ void darts(int *hits, int throws)
{
    uint32_t state = pcg_hash(thread_index());
    int inside = 0;
    for (int k = 0; k < throws; k++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * 0x1p-24f;
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * 0x1p-24f;
        inside += x * x + y * y < 1;
    }
    inside = __reduce_add_sync(0xFFFFFFFFu, inside);
    if (threadIdx.x % 32 == 0)
        atomicAdd(hits, inside);
}

/* An option on the mean of a path's prices. */
__global__ void mean_price_option(float *out, int steps, float rate, float sigma, float dt)
{
    int path = thread_index();
    float log_price = 0, sum = 0, drift = (rate - 0.5f * sigma * sigma) * dt;
    float spread = sigma * sqrtf(dt);
    for (int k = 0; k < steps; k += 4) {
        uint4 r = philox_seven(k, path, 99);
        float u = sqrtf(-2 * logf((r.x + 1.0f) * 0x1p-32f));
        float v = sqrtf(-2 * logf((r.z + 1.0f) * 0x1p-32f));
        float sine, cosine;
        sincospif(r.y * 0x1p-31f, &sine, &cosine);
        log_price += drift + spread * u * sine;
        sum += expf(log_price);
        log_price += drift + spread * u * cosine;
        sum += expf(log_price);
        sincospif(r.w * 0x1p-31f, &sine, &cosine);
        log_price += drift + spread * v * sine;
        sum += expf(log_price);
        log_price += drift + spread * v * cosine;
        sum += expf(log_price);
    }
    out[path] = fmaxf(sum / steps - 1, 0.0f);
}

/* Half of a chess board of spins is flipped by chance, by the sum of four neighbours. */
__global__ void flip_spins(const float *spins, float *out, int side, float beta)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * side + x;
    float mine = spins[i] > 0 ? 1.0f : -1.0f;
    if (((x ^ y) & 1) == 0) {
        float sum = copysignf(1, spins[y * side + ((x + 1) & (side - 1))]) +
                    copysignf(1, spins[y * side + ((x - 1) & (side - 1))]) +
                    copysignf(1, spins[((y + 1) & (side - 1)) * side + x]) +
                    copysignf(1, spins[((y - 1) & (side - 1)) * side + x]);
        if (pcg_hash(i) * 0x1p-32f < __expf(-2 * beta * mine * sum))
            mine = -mine;
    }
    out[i] = mine;
}

/* Descent with momentum, in place. */
__global__ void sgd_momentum(float *w, float *m, const float *grad, float rate, float mu, int n)
{
    for (int i = thread_index(); i < n; i += thread_count()) {
        float v = mu * m[i] + grad[i];
        m[i] = v;
        w[i] -= rate * v;
    }
}

/* Adam with the bias of its first steps taken out by powers in every thread. */
__global__ void adam_by_the_paper(float *w, float *m, float *v, const float *grad, float rate,
                                  int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float g = grad[i];
    float a = 0.9f * m[i] + 0.1f * g, b = 0.999f * v[i] + 0.001f * g * g;
    m[i] = a;
    v[i] = b;
    w[i] -= rate * (a / (1 - powf(0.9f, step))) / (sqrtf(b / (1 - powf(0.999f, step))) + 1e-8f);
}

/* The sign of a mean of gradients is all that counts; four weights a thread. */
__global__ void lion(float4 *w, float4 *m, const float4 *grad, float rate)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = w[i], q = m[i], g = grad[i];
    p.x -= rate * (copysignf(1, 0.9f * q.x + 0.1f * g.x) + 0.01f * p.x);
    p.y -= rate * (copysignf(1, 0.9f * q.y + 0.1f * g.y) + 0.01f * p.y);
    p.z -= rate * (copysignf(1, 0.9f * q.z + 0.1f * g.z) + 0.01f * p.z);
    p.w -= rate * (copysignf(1, 0.9f * q.w + 0.1f * g.w) + 0.01f * p.w);
    q.x = 0.99f * q.x + 0.01f * g.x;
    q.y = 0.99f * q.y + 0.01f * g.y;
    q.z = 0.99f * q.z + 0.01f * g.z;
    q.w = 0.99f * q.w + 0.01f * g.w;
    w[i] = p;
    m[i] = q;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("drop_by_seven_rounds_16M", 16 * KI, 256, drop_by_seven_rounds, (const float4 *)data->x,
         (float4 *)data->out, 0.9f, 1234u),
    EACH("drop_by_hash_6000000", 23438, 256, drop_by_hash, data->half_x, (__half *)data->out,
         (uint32_t *)data->out + 32 * MI, 0x33333333u, 6000000),
    EACH("darts_8M", 264, 256, darts, data->counters + 3 * MI + 256, 128),
    EACH("mean_price_option_64K", 512, 128, mean_price_option, data->out, 64, 0.03f, 0.25f,
         0.015625f),
    EACH("flip_spins_4M", dim3(64, 256), dim3(32, 8), flip_spins, data->x, data->out, 2 * KI,
         0.44f),
    EACH("sgd_momentum_3000000", 528, 256, sgd_momentum, data->weights, data->momentum, data->y,
         1e-4f, 0.9f, 3000000),
    EACH("adam_by_the_paper_2M", 16 * KI, 128, adam_by_the_paper, data->weights, data->momentum,
         data->variance, data->y, 1e-4f, 10),
    EACH("lion_4M", 4 * KI, 256, lion, (float4 *)data->weights, (float4 *)data->momentum,
         (const float4 *)data->y, 1e-5f),
};
BANK_FAMILY(chance)
