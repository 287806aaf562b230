/* layers.cu - layers of networks: softmax, norms, products with an ending, attention, positions. */
#include "../bank.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

/* One pass over a row for its largest and its sum together, a second for the result. */
__global__ void softmax_online(const float *x, float *out, int columns)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    size_t row = ((size_t)blockIdx.x * (blockDim.x / 32) + warp.meta_group_rank()) * columns;
    float most = -INFINITY, sum = 0;
    for (int j = warp.thread_rank(); j < columns; j += 32) {
        float v = x[row + j], larger = fmaxf(most, v);
        sum = sum * __expf(most - larger) + __expf(v - larger);
        most = larger;
    }
    float all = cg::reduce(warp, most, cg::greater<float>());
    sum = cg::reduce(warp, sum * __expf(most - all), cg::plus<float>());
    for (int j = warp.thread_rank(); j < columns; j += 32)
        out[row + j] = __expf(x[row + j] - all) / sum;
}

/* One thread for each row, as a first version is often written. */
__global__ void softmax_by_thread(const float *x, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float most = x[row * columns], sum = 0;
    for (int j = 1; j < columns; j++)
        most = fmaxf(most, x[row * columns + j]);
    for (int j = 0; j < columns; j++)
        sum += expf(x[row * columns + j] - most);
    for (int j = 0; j < columns; j++)
        out[row * columns + j] = expf(x[row * columns + j] - most) / sum;
}

static __device__ __forceinline__ float block_sum(float v, float *s_part)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        s_part[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (int j = 0; j < blockDim.x / 32; j++)
        v += s_part[j];
    return v;
}

/* A row of 4 vectors a thread stays in registers; mean first, then the variance. */
__global__ void __launch_bounds__(256)
    layer_norm(const float4 *x, const float4 *weight, const float4 *bias, float4 *out)
{
    __shared__ float s_part[8];
    float4 v[4];
    float sum = 0, squares = 0;
    for (int k = 0; k < 4; k++) {
        v[k] = x[blockIdx.x * 1024 + k * 256 + threadIdx.x];
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    float mean = block_sum(sum, s_part) / 4096;
    for (int k = 0; k < 4; k++) {
        v[k].x -= mean, v[k].y -= mean, v[k].z -= mean, v[k].w -= mean;
        squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    float scale = rsqrtf(block_sum(squares, s_part) / 4096 + 1e-5f);
    for (int k = 0; k < 4; k++) {
        float4 w = weight[k * 256 + threadIdx.x], b = bias[k * 256 + threadIdx.x];
        out[blockIdx.x * 1024 + k * 256 + threadIdx.x] =
            make_float4(v[k].x * scale * w.x + b.x, v[k].y * scale * w.y + b.y,
                        v[k].z * scale * w.z + b.z, v[k].w * scale * w.w + b.w);
    }
}

/* What the norm's weights learn: a column for each thread, all rows by strips, atomics at last. */
__global__ void layer_norm_backward(const float *gradient, const float *x, const float *moments,
                                    float *to_weight, float *to_bias, int columns, int rows)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float weight = 0, bias = 0;
    for (int row = blockIdx.y * rows; row < (blockIdx.y + 1) * rows; row++) {
        float g = gradient[row * columns + column];
        weight += g * (x[row * columns + column] - moments[2 * row]) * moments[2 * row + 1];
        bias += g;
    }
    atomicAdd(&to_weight[column], weight);
    atomicAdd(&to_bias[column], bias);
}

/* A product of 64 x 64 tiles and its ending, chosen once for each call; z is kept where asked. */
template <int ENDING>
__global__ void __launch_bounds__(256)
    product_with_ending(const float *a, const float *b, const float *bias, float *y, float *z,
                        int n, int k)
{
    __shared__ float s_a[16][65], s_b[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, left = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int p = 0; p < k; p += 16) {
        for (int j = threadIdx.x; j < 1024; j += 256) {
            s_a[j % 16][j / 16] = a[(row + j / 16) * k + p + j % 16];
            s_b[j / 64][j % 64] = b[(p + j / 64) * n + left + j % 64];
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; q++)
#pragma unroll
            for (int i = 0; i < 16; i++)
                sum[i / 4][i % 4] += s_a[q][ty + i / 4 * 16] * s_b[q][tx + i % 4 * 16];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 16; i++) {
        int at = (row + ty + i / 4 * 16) * n + left + tx + i % 4 * 16;
        float v = sum[i / 4][i % 4] + bias[left + tx + i % 4 * 16];
        if (z)
            z[at] = v;
        y[at] = ENDING == 0   ? fmaxf(v, 0)
                : ENDING == 1 ? 0.5f * v * (1 + erff(0.70710678f * v))
                              : v / (1 + expf(-v));
    }
}

/* A separate pass over the product for its bias and its activation, a switch for each element. */
__global__ void ending_by_switch(const float *x, const float *bias, float *out, int columns, int n,
                                 int activation)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i] + bias[i % columns];
    switch (activation) {
    case 1: v = fmaxf(v, 0); break;
    case 2: v = v > 0 ? v : 0.01f * v; break;
    case 3: v = 1 / (1 + expf(-v)); break;
    case 4: v = tanhf(v); break;
    case 5: v = 0.5f * v * (1 + erff(v * 0.70710678f)); break;
    }
    out[i] = v;
}

/* Scores of attention on tensor cores, one warp: 16 queries against all keys, their largest. */
__global__ void largest_scores(const __half *q, const __half *keys, float *out, int length)
{
    __shared__ __align__(32) float s_score[4][16][20];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    size_t head = (size_t)blockIdx.y * length * 64;
    int row = (blockIdx.x * 4 + warp) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> u[4];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> v;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> score;
    float most = -INFINITY;
    for (int d = 0; d < 4; d++)
        wmma::load_matrix_sync(u[d], q + head + row * 64 + d * 16, 64);
    for (int t = 0; t < length; t += 16) {
        wmma::fill_fragment(score, 0.0f);
        for (int d = 0; d < 4; d++) {
            wmma::load_matrix_sync(v, keys + head + t * 64 + d * 16, 64);
            wmma::mma_sync(score, u[d], v, score);
        }
        wmma::store_matrix_sync(&s_score[warp][0][0], score, 20, wmma::mem_row_major);
        __syncwarp();
        for (int j = 0; j < 8; j++)
            most = fmaxf(most, s_score[warp][lane / 2][lane % 2 * 8 + j]);
        __syncwarp();
    }
    most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFu, most, 1));
    if (lane % 2 == 0)
        out[blockIdx.y * length + row + lane / 2] = most;
}

/* One query for each block against the keys before it, all in plain loops over shared memory. */
__global__ void attention_causal(const float *q, const float *keys, const float *values,
                                 float *out, int length)
{
    __shared__ float s_score[1024], s_part[4];
    int query = blockIdx.x, head = blockIdx.y, count = query + 1;
    const float *k = keys + head * length * 32, *v = values + head * length * 32;
    float most = -INFINITY, sum = 0;
    for (int t = threadIdx.x; t < count; t += 128) {
        float score = 0;
        for (int d = 0; d < 32; d++)
            score += q[(head * length + query) * 32 + d] * k[t * 32 + d];
        s_score[t] = score * 0.17677669f;
    }
    __syncthreads();
    for (int t = 0; t < count; t++)
        most = fmaxf(most, s_score[t]);
    __syncthreads();
    for (int t = threadIdx.x; t < count; t += 128)
        sum += s_score[t] = __expf(s_score[t] - most);
    sum = block_sum(sum, s_part);
    if (threadIdx.x < 32) {
        float total = 0;
        for (int t = 0; t < count; t++)
            total += s_score[t] * v[t * 32 + threadIdx.x];
        out[(head * length + query) * 32 + threadIdx.x] = total / sum;
    }
}

/* What rows of a table learn: added up where the same word comes again. */
__global__ void table_backward(const int *words, const float *gradient, float *table, int width)
{
    int word = words[blockIdx.x] & 0x3FFF;
    for (int j = threadIdx.x; j < width; j += blockDim.x)
        atomicAdd(&table[word * width + j], gradient[blockIdx.x * width + j]);
}

/* A residual added, and the sum's root mean square taken, on halves. */
__global__ void add_and_norm(const __half2 *x, const __half2 *residual, __half2 *sums,
                             __half2 *out, int pairs)
{
    __shared__ float s_part[16];
    float squares = 0;
    for (int j = threadIdx.x; j < pairs; j += blockDim.x) {
        float2 v = __half22float2(__hadd2(x[blockIdx.x * pairs + j],
                                          residual[blockIdx.x * pairs + j]));
        squares += v.x * v.x + v.y * v.y;
        sums[blockIdx.x * pairs + j] = __float22half2_rn(v);
    }
    float scale = rsqrtf(block_sum(squares, s_part) / (2 * pairs) + 1e-6f);
    for (int j = threadIdx.x; j < pairs; j += blockDim.x) {
        float2 v = __half22float2(sums[blockIdx.x * pairs + j]);
        out[blockIdx.x * pairs + j] = __floats2half2_rn(v.x * scale, v.y * scale);
    }
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define ENDING(name, grid, kernel, z, n, k)                                                        \
    EACH(name, grid, 256, kernel, data->x, data->y, data->y + 32 * MI, data->out, z, n, k)

static const struct bank_row ROWS[] = {
    EACH("softmax_online_4096x3000", 512, 256, softmax_online, data->x, data->out, 3000),
    EACH("softmax_by_thread_16384x100", 128, 128, softmax_by_thread, data->x, data->out, 16 * KI,
         100),
    EACH("layer_norm_4096x4096", 4 * KI, 256, layer_norm, (const float4 *)data->x,
         (const float4 *)data->y, (const float4 *)(data->y + MI), (float4 *)data->out),
    EACH("layer_norm_backward_4096x1024", dim3(4, 32), 256, layer_norm_backward, data->x, data->y,
         data->y + 32 * MI, data->out, data->out + MI, KI, 128),
    ENDING("product_relu_2048x2048x128", dim3(32, 32), product_with_ending<0>, nullptr, 2 * KI,
           128),
    ENDING("product_gelu_kept_4096x4096x32", dim3(64, 64), product_with_ending<1>,
           data->out + 32 * MI, 4 * KI, 32),
    ENDING("product_silu_4096x4096x16", dim3(64, 64), product_with_ending<2>, nullptr, 4 * KI, 16),
    ENDING("product_gelu_512x4096x256", dim3(64, 8), product_with_ending<1>, nullptr, 4 * KI, 256),
    EACH("ending_by_switch_16M_gelu", 64 * KI, 256, ending_by_switch, data->x, data->y, data->out,
         4 * KI, 16 * MI, 5),
    EACH("ending_by_switch_16M_relu", 32 * KI, 512, ending_by_switch, data->x, data->y, data->out,
         3072, 16 * MI, 1),
    EACH("largest_scores_16x1024", dim3(16, 16), 128, largest_scores, data->half_x, data->half_y,
         data->out, KI),
    EACH("attention_causal_8x512", dim3(512, 8), 128, attention_causal, data->x, data->y,
         data->x + MI, data->out, 512),
    EACH("table_backward_8192x256", 8 * KI, 128, table_backward, data->shuffled, data->x,
         data->out, 256),
    EACH("add_and_norm_4096x2048", 4 * KI, 512, add_and_norm, (const __half2 *)data->half_x,
         (const __half2 *)data->half_y, (__half2 *)data->out, (__half2 *)data->out + 8 * MI, KI),
};
BANK_FAMILY(layers)
