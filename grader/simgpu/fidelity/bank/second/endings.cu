/* endings.cu - what follows a product of matrices: bias and activation by every road, and dropout
 * with its random numbers. */
#include "../bank.h"

static __device__ __forceinline__ float gelu_by_tanh(float z)
{
    return 0.5f * z * (1 + tanhf(0.7978845608f * (z + 0.044715f * z * z * z)));
}

/* The column by a remainder, an element a thread. */
__global__ void bias_gelu_plain(const float *z, const float *bias, float *out, int n, int total)
{
    int i = thread_index();
    if (i < total)
        out[i] = gelu_by_tanh(z[i] + bias[i % n]);
}

/* The same in vectors, with what goes into the activation saved as well. */
__global__ void bias_gelu_saved(const float4 *z, const float4 *bias, float4 *out, float4 *saved,
                                int n, int total)
{
    for (int i = thread_index(); i < total; i += thread_count()) {
        float4 v = z[i], b = bias[i % n];
        v = make_float4(v.x + b.x, v.y + b.y, v.z + b.z, v.w + b.w);
        saved[i] = v;
        out[i] = make_float4(gelu_by_tanh(v.x), gelu_by_tanh(v.y), gelu_by_tanh(v.z),
                             gelu_by_tanh(v.w));
    }
}

/* Rows by blocks in y, the bias in shared memory; SiLU. */
__global__ void bias_silu_rows(const float *z, const float *bias, float *out, int n)
{
    __shared__ float s_bias[256];
    int column = blockIdx.x * 256 + threadIdx.x;
    s_bias[threadIdx.x] = bias[column];
    __syncthreads();
    for (int row = blockIdx.y * 16; row < (int)blockIdx.y * 16 + 16; row++) {
        float v = z[(size_t)row * n + column] + s_bias[threadIdx.x];
        out[(size_t)row * n + column] = v / (1.0f + expf(-v));
    }
}

/* The slope of GELU by the error function, for training. */
__global__ void gelu_backward(const float *z, const float *grad, float *out, int total)
{
    int i = thread_index();
    if (i >= total)
        return;
    float v = z[i], below = 0.5f * (1 + erff(v * 0.70710678f));
    out[i] = grad[i] * (below + v * 0.39894228f * expf(-0.5f * v * v));
}

/* The product and its ending in one kernel: 64 x 64 a block, 4 x 4 a thread. */
template <bool SAVED>
__global__ void product_bias_gelu(const float *a, const float *b, const float *bias, float *out,
                                  float *saved, int n, int k)
{
    __shared__ float s_a[64][17], s_b[16][64];
    int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 4;
    int row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int p = 0; p < k; p += 16) {
        for (int j = threadIdx.x; j < 1024; j += 256) {
            s_a[j / 16][j % 16] = a[(row + j / 16) * k + p + j % 16];
            s_b[j / 64][j % 64] = b[(p + j / 64) * n + column + j % 64];
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; q++) {
            float4 v = *(const float4 *)&s_b[q][x];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float u = s_a[y + i][q];
                sum[i][0] += u * v.x, sum[i][1] += u * v.y;
                sum[i][2] += u * v.z, sum[i][3] += u * v.w;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            size_t at = (size_t)(row + y + i) * n + column + x + j;
            float v = sum[i][j] + bias[column + x + j];
            if (SAVED)
                saved[at] = v;
            out[at] = gelu_by_tanh(v);
        }
}

/* Philox 4x32 with ten rounds (Salmon and others, 2011). */
static __device__ __forceinline__ uint4 philox(uint4 counter, uint2 key)
{
#pragma unroll
    for (int round = 0; round < 10; round++) {
        unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
        unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

/* Four elements for each group of random words. */
__global__ void dropout_vectors(const float4 *x, float4 *out, float p, int n)
{
    float scale = 1 / (1 - p);
    unsigned limit = (unsigned)(p * 4294967296.0);
    for (int i = thread_index(); i < n; i += thread_count()) {
        uint4 word = philox(make_uint4(i, 0, 9, 0), make_uint2(12345, 0));
        float4 v = x[i];
        out[i] = make_float4(word.x >= limit ? v.x * scale : 0, word.y >= limit ? v.y * scale : 0,
                             word.z >= limit ? v.z * scale : 0, word.w >= limit ? v.w * scale : 0);
    }
}

/* A group of random words for each element, of which one is used. */
__global__ void dropout_plain(const float *x, float *out, float p, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    uint4 word = philox(make_uint4(i / 4, 0, 9, 0), make_uint2(12345, 0));
    unsigned mine = i % 4 == 0 ? word.x : i % 4 == 1 ? word.y : i % 4 == 2 ? word.z : word.w;
    out[i] = mine * 2.3283064e-10f >= p ? x[i] / (1 - p) : 0.0f;
}

/* A cheap hash instead, and the mask as bytes beside the result. */
__global__ void dropout_with_mask(const float *x, float *out, unsigned char *mask, float p, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    unsigned h = (unsigned)i * 0x9E3779B1u ^ 12345;
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    bool kept = (h ^ h >> 16) * 2.3283064e-10f >= p;
    mask[i] = kept;
    out[i] = kept ? x[i] * (1 / (1 - p)) : 0;
}

/* Pairs of normal numbers by Box and Muller. */
__global__ void normal_numbers(float2 *out, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    uint4 word = philox(make_uint4(i, 1, 0, 0), make_uint2(7, 8));
    float radius = sqrtf(-2 * logf((word.x + 1.0f) * 2.3283064e-10f)), sine, cosine;
    sincosf(word.y * 1.4629181e-9f, &sine, &cosine);
    out[i] = make_float2(radius * cosine, radius * sine);
}

/* Points in a circle: a generator in registers, one atomic a warp. */
__global__ void points_in_circle(int *count, int steps)
{
    unsigned state = thread_index() * 2654435761u + 1;
    int inside = 0;
    for (int k = 0; k < steps; k++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * 5.9604645e-8f;
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * 5.9604645e-8f;
        if (x * x + y * y <= 1)
            inside++;
    }
    inside = __reduce_add_sync(0xFFFFFFFFu, inside);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, inside);
}

#define PRODUCT(name, grid, kernel, n, k)                                                          \
    BANK_ROW(name, BANK_COLD, grid, 256, 0, kernel, data->x, data->y, data->y, data->out,          \
             data->out + 32 * MI, n, k)

static const struct bank_row ROWS[] = {
    BANK_ROW("bias_gelu_plain_4096x4096", BANK_COLD, 64 * KI, 256, 0, bias_gelu_plain, data->x,
             data->y, data->out, 4 * KI, 16 * MI),
    BANK_ROW("bias_gelu_saved_4096x4096", BANK_COLD, 1056, 256, 0, bias_gelu_saved,
             (const float4 *)data->x, (const float4 *)data->y, (float4 *)data->out,
             (float4 *)(data->out + 32 * MI), KI, 4 * MI),
    BANK_ROW("bias_silu_rows_4096x4096", BANK_COLD, dim3(16, 256), 256, 0, bias_silu_rows, data->x,
             data->y, data->out, 4 * KI),
    BANK_ROW("gelu_backward_8M", BANK_COLD, 16 * KI, 512, 0, gelu_backward, data->x, data->y,
             data->out, 8 * MI),
    PRODUCT("product_gelu_saved_1024x1024x32", dim3(16, 16), product_bias_gelu<true>, KI, 32),
    PRODUCT("product_gelu_4096x2048x64", dim3(32, 64), product_bias_gelu<false>, 2 * KI, 64),
    PRODUCT("product_gelu_saved_4096x4096x32", dim3(64, 64), product_bias_gelu<true>, 4 * KI, 32),
    BANK_ROW("dropout_vectors_64M", BANK_COLD, 1056, 256, 0, dropout_vectors,
             (const float4 *)data->x, (float4 *)data->out, 0.1f, 16 * MI),
    BANK_ROW("dropout_vectors_64M_all_blocks", BANK_COLD, 64 * KI, 256, 0, dropout_vectors,
             (const float4 *)data->x, (float4 *)data->out, 0.1f, 16 * MI),
    BANK_ROW("dropout_plain_12M", BANK_COLD, 48 * KI, 256, 0, dropout_plain, data->x, data->out,
             0.1f, 12 * MI),
    BANK_ROW("dropout_plain_2100000", BANK_COLD, 8204, 256, 0, dropout_plain, data->x, data->out,
             0.1f, 2100000),
    BANK_ROW("dropout_with_mask_32M", BANK_COLD, 128 * KI, 256, 0, dropout_with_mask, data->x,
             data->out, (unsigned char *)(data->out + 32 * MI), 0.3f, 32 * MI),
    BANK_ROW("normal_numbers_4M", BANK_COLD, 8 * KI, 256, 0, normal_numbers, (float2 *)data->out,
             2 * MI),
    BANK_ROW("points_in_circle", BANK_COLD, 264, 512, 0, points_in_circle, data->counters + 3 * KI,
             400),
};
BANK_FAMILY(endings)
