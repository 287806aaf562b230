/* nets.cu - rows of a network: softmax, norms, losses, embeddings, rotary positions, gates. */
#include "../bank.h"

static __device__ __forceinline__ float lanes_sum(float v)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

static __device__ __forceinline__ float lanes_most(float v)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, mask));
    return v;
}

/* Over a block of up to 32 warps; every thread gets the result. */
template <bool MOST> static __device__ float over_block(float v, float *s_part)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    v = MOST ? lanes_most(v) : lanes_sum(v);
    __syncthreads();
    if (lane == 0)
        s_part[warp] = v;
    __syncthreads();
    v = lane < warps ? s_part[lane] : (MOST ? -INFINITY : 0.0f);
    return MOST ? lanes_most(v) : lanes_sum(v);
}

/* A block to a row that is read three times. */
__global__ void softmax_rows_block(const float *x, float *out, int cols)
{
    __shared__ float s_part[32];
    const float *row = x + (size_t)blockIdx.x * cols;
    float most = -INFINITY, sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        most = fmaxf(most, row[c]);
    most = over_block<true>(most, s_part);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        sum += expf(row[c] - most);
    sum = over_block<false>(sum, s_part);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        out[(size_t)blockIdx.x * cols + c] = expf(row[c] - most) / sum;
}

/* A warp to a row of 32 * EACH, which stays in registers. */
template <int EACH> __global__ void softmax_rows_warp(const float *x, float *out)
{
    int lane = threadIdx.x % 32;
    size_t at = (size_t)(thread_index() / 32) * 32 * EACH + lane;
    float v[EACH], most = -INFINITY, sum = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        most = fmaxf(most, v[k] = x[at + 32 * k]);
    most = lanes_most(most);
#pragma unroll
    for (int k = 0; k < EACH; k++)
        sum += v[k] = __expf(v[k] - most);
    float scale = __fdividef(1.0f, lanes_sum(sum));
#pragma unroll
    for (int k = 0; k < EACH; k++)
        out[at + 32 * k] = v[k] * scale;
}

/* The most and the sum in one pass, a warp to a row, corrected as the most grows. */
__global__ void softmax_rows_online(const float *x, float *out, int rows, int cols)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *from = x + (size_t)row * cols;
    float most = -INFINITY, sum = 0;
    for (int c = lane; c < cols; c += 32) {
        float v = from[c];
        if (v > most) {
            sum *= expf(most - v);
            most = v;
        }
        sum += expf(v - most);
    }
    float all = lanes_most(most);
    sum = lanes_sum(sum * expf(most - all));
    for (int c = lane; c < cols; c += 32)
        out[(size_t)row * cols + c] = expf(from[c] - all) / sum;
}

/* A causal mask: row t of a square sees t + 1 columns. */
__global__ void softmax_causal(const float *x, float *out, float scale, int T)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32, seen = row % T + 1;
    const float *from = x + (size_t)row * T;
    float most = -INFINITY, sum = 0;
    for (int c = lane; c < seen; c += 32)
        most = fmaxf(most, scale * from[c]);
    most = lanes_most(most);
    for (int c = lane; c < seen; c += 32)
        sum += expf(scale * from[c] - most);
    sum = 1 / lanes_sum(sum);
    for (int c = lane; c < T; c += 32)
        __stcs(&out[(size_t)row * T + c], c < seen ? expf(scale * from[c] - most) * sum : 0.0f);
}

/* LayerNorm: a block to a row, mean and then variance. */
__global__ void layernorm_two_passes(const float *x, const float *gain, const float *bias,
                                     float *out, int C)
{
    __shared__ float s_part[32];
    const float *row = x + (size_t)blockIdx.x * C;
    float sum = 0, squares = 0;
    for (int c = threadIdx.x; c < C; c += blockDim.x)
        sum += row[c];
    float mean = over_block<false>(sum, s_part) / C;
    for (int c = threadIdx.x; c < C; c += blockDim.x)
        squares += (row[c] - mean) * (row[c] - mean);
    float scale = rsqrtf(over_block<false>(squares, s_part) / C + 1e-5f);
    for (int c = threadIdx.x; c < C; c += blockDim.x)
        out[(size_t)blockIdx.x * C + c] = (row[c] - mean) * scale * gain[c] + bias[c];
}

/* LayerNorm of rows of 1024: a block of 256, a float4 a thread, one pass. */
__global__ void layernorm_one_quad(const float4 *x, const float4 *gain, const float4 *bias,
                                   float4 *out)
{
    __shared__ float s_part[32];
    size_t at = (size_t)blockIdx.x * 256 + threadIdx.x;
    float4 v = x[at], g = gain[threadIdx.x], b = bias[threadIdx.x];
    float sum = v.x + v.y + v.z + v.w;
    float squares = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    float mean = over_block<false>(sum, s_part) / 1024;
    float r = rsqrtf(over_block<false>(squares, s_part) / 1024 - mean * mean + 1e-5f);
    out[at] = make_float4((v.x - mean) * r * g.x + b.x, (v.y - mean) * r * g.y + b.y,
                          (v.z - mean) * r * g.z + b.z, (v.w - mean) * r * g.w + b.w);
}

/* RMSNorm after a residual, halves in and out, the sum kept: a warp to a row. */
__global__ void rmsnorm_residual(const __half2 *x, const __half2 *skip, const __half2 *gain,
                                 __half2 *out, __half2 *kept, int pairs)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    size_t from = (size_t)row * pairs;
    float squares = 0;
    for (int c = lane; c < pairs; c += 32) {
        float2 v = __half22float2(__hadd2(x[from + c], skip[from + c]));
        squares += v.x * v.x + v.y * v.y;
    }
    float scale = rsqrtf(lanes_sum(squares) / (2 * pairs) + 1e-6f);
    for (int c = lane; c < pairs; c += 32) {
        __half2 v = __hadd2(x[from + c], skip[from + c]);
        kept[from + c] = v;
        out[from + c] = __hmul2(__hmul2(v, __float2half2_rn(scale)), gain[c]);
    }
}

/* The loss of each row and its gradient in one kernel. */
__global__ void cross_entropy_with_gradient(const float *logits, const int *targets, float *loss,
                                            float *grad, int V)
{
    __shared__ float s_part[32];
    const float *row = logits + (size_t)blockIdx.x * V;
    float most = -INFINITY, sum = 0;
    for (int c = threadIdx.x; c < V; c += blockDim.x)
        most = fmaxf(most, row[c]);
    most = over_block<true>(most, s_part);
    for (int c = threadIdx.x; c < V; c += blockDim.x)
        sum += __expf(row[c] - most);
    sum = over_block<false>(sum, s_part);
    int target = targets[blockIdx.x] % V;
    for (int c = threadIdx.x; c < V; c += blockDim.x)
        grad[(size_t)blockIdx.x * V + c] = __expf(row[c] - most) / sum - (c == target);
    if (threadIdx.x == 0)
        loss[blockIdx.x] = logf(sum) + most - row[target];
}

/* Words' vectors of 768 floats from a table, and the place's added. */
__global__ void words_and_places(const int *words, const float4 *table, const float4 *places,
                                 float4 *out, int T)
{
    int token = blockIdx.x, c = threadIdx.x;
    float4 w = table[(size_t)(words[token] % 50257) * 192 + c], p = places[token % T * 192 + c];
    out[(size_t)token * 192 + c] = make_float4(w.x + p.x, w.y + p.y, w.z + p.z, w.w + p.w);
}

/* Rotary positions; angles are computed on the spot. */
__global__ void rotary(const float *x, float *out, int T, int D)
{
    int i = thread_index(), half = D / 2, d = i % half, row = i / half;
    float angle = (row % T) * exp2f(-13.287712f * d / half), s, c;
    sincosf(angle, &s, &c);
    float a = x[row * D + d], b = x[row * D + half + d];
    out[row * D + d] = a * c - b * s;
    out[row * D + half + d] = a * s + b * c;
}

#define NET(name, grid, block, kernel, ...)                                                        \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    NET("softmax_rows_blocks_1024x4096", 1024, 256, softmax_rows_block, data->x, data->out, 4096),
    NET("softmax_rows_block_4096x513", 4096, 128, softmax_rows_block, data->x, data->out, 513),
    NET("softmax_rows_block_32x50257", 32, KI, softmax_rows_block, data->x, data->out, 50257),
    NET("softmax_rows_warp_32768x512", 4096, 256, softmax_rows_warp<16>, data->x, data->out),
    NET("softmax_rows_warp_64K_of_128", 8192, 256, softmax_rows_warp<4>, data->x, data->out),
    NET("softmax_rows_online_2048_of_2000", 512, 128, softmax_rows_online, data->x, data->out, 2048,
        2000),
    NET("softmax_causal_8x1024", 1024, 256, softmax_causal, data->x, data->out, 0.125f, 1024),
    NET("layernorm_two_passes_4096_of_768", 4096, 256, layernorm_two_passes, data->x, data->y,
        data->y + MI, data->out, 768),
    NET("layernorm_two_passes_1024x4096", 1024, 512, layernorm_two_passes, data->x, data->y,
        data->y + MI, data->out, 4096),
    NET("layernorm_one_quad_4096x1024", 4096, 256, layernorm_one_quad, (const float4 *)data->x,
        (const float4 *)data->y, (const float4 *)data->y + KI, (float4 *)data->out),
    NET("rmsnorm_residual_4096x4096", 1024, 128, rmsnorm_residual, (const __half2 *)data->half_x,
        (const __half2 *)data->half_y, (const __half2 *)data->half_y + 5000, (__half2 *)data->out,
        (__half2 *)data->out + 16 * MI, 2048),
    NET("cross_entropy_with_gradient_256x32000", 256, 512, cross_entropy_with_gradient, data->x,
        data->shuffled, data->out, data->out + KI, 32000),
    NET("words_and_places_16384x768", 16384, 192, words_and_places, data->shuffled,
        (const float4 *)data->x, (const float4 *)data->y, (float4 *)data->out, 1024),
    NET("rotary_32768x64", 4096, 256, rotary, data->x, data->out, 2048, 64),
};
BANK_FAMILY(nets)
