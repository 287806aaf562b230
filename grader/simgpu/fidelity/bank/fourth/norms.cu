/* norms.cu - rows of a network: softmax, norms, small attention and what stands around them. */
#include "../bank.h"

#include <cstdint>

static __device__ __forceinline__ float warp_total(float v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    return v;
}

static __device__ __forceinline__ float warp_most(float v)
{
    for (int d = 16; d; d >>= 1)
        v = fmaxf(v, __shfl_xor_sync(0xFFFFFFFFu, v, d));
    return v;
}

/* A warp to a row of 128 halves, four to a lane. */
__global__ void softmax_128_halves(const uint2 *in, uint2 *out)
{
    int i = thread_index();
    uint2 v = in[i];
    float2 a = __half22float2(*(__half2 *)&v.x), b = __half22float2(*(__half2 *)&v.y);
    float most = warp_most(fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y)));
    a = make_float2(__expf(a.x - most), __expf(a.y - most));
    b = make_float2(__expf(b.x - most), __expf(b.y - most));
    float scale = 1 / warp_total(a.x + a.y + b.x + b.y);
    *(__half2 *)&v.x = __floats2half2_rn(a.x * scale, a.y * scale);
    *(__half2 *)&v.y = __floats2half2_rn(b.x * scale, b.y * scale);
    out[i] = v;
}

/* A block to a row of any length: three loops and two trees in shared memory. */
__global__ void softmax_three_loops(const float *in, float *out, int cols)
{
    __shared__ float s_tree[256];
    const float *x = in + (size_t)blockIdx.x * cols;
    float *y = out + (size_t)blockIdx.x * cols;
    int t = threadIdx.x;
    float most = -INFINITY, sum = 0;
    for (int c = t; c < cols; c += 256)
        most = fmaxf(most, x[c]);
    s_tree[t] = most;
    __syncthreads();
    for (int s = 128; s; s >>= 1) {
        if (t < s)
            s_tree[t] = fmaxf(s_tree[t], s_tree[t + s]);
        __syncthreads();
    }
    most = s_tree[0];
    __syncthreads();
    for (int c = t; c < cols; c += 256)
        sum += expf(x[c] - most);
    s_tree[t] = sum;
    __syncthreads();
    for (int s = 128; s; s >>= 1) {
        if (t < s)
            s_tree[t] += s_tree[t + s];
        __syncthreads();
    }
    sum = s_tree[0];
    for (int c = t; c < cols; c += 256)
        y[c] = expf(x[c] - most) / sum;
}

/* The gradient of a softmax: a warp to a row of 32 n. */
__global__ void softmax_gradient(const float *p, const float *dp, float *dx, int cols)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32)
        sum += p[row * cols + c] * dp[row * cols + c];
    sum = warp_total(sum);
    for (int c = threadIdx.x; c < cols; c += 32)
        dx[row * cols + c] = p[row * cols + c] * (dp[row * cols + c] - sum);
}

/* A row of 1024 stays in the registers of 256 threads, with mean and spread in one pass each. */
__global__ void __launch_bounds__(256)
    layer_norm_1024(const float4 *in, const float4 *gain, const float4 *bias, float4 *out)
{
    __shared__ float s_sum[2][8];
    int t = threadIdx.x, warp = t / 32;
    float4 v = in[blockIdx.x * 256 + t], g = gain[t], b = bias[t];
    float sum = warp_total(v.x + v.y + v.z + v.w);
    if (t % 32 == 0)
        s_sum[0][warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++)
        sum += s_sum[0][w];
    float mean = sum / 1024;
    v = make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
    float spread = warp_total(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    if (t % 32 == 0)
        s_sum[1][warp] = spread;
    __syncthreads();
    spread = 0;
    for (int w = 0; w < 8; w++)
        spread += s_sum[1][w];
    float r = rsqrtf(spread / 1024 + 1e-5f);
    out[blockIdx.x * 256 + t] = make_float4(v.x * r * g.x + b.x, v.y * r * g.y + b.y,
                                            v.z * r * g.z + b.z, v.w * r * g.w + b.w);
}

/* Divided by the root of the mean square: rows of 2 n halves by a block, a residual kept. */
__global__ void rms_norm_halves(const __half2 *in, const __half2 *residual, const __half2 *gain,
                                __half2 *out, __half2 *kept, int pairs)
{
    __shared__ float s_sum[32];
    extern __shared__ float2 s_row[];
    float sum = 0;
    for (int c = threadIdx.x; c < pairs; c += blockDim.x) {
        int i = blockIdx.x * pairs + c;
        float2 a = __half22float2(in[i]), b = __half22float2(residual[i]);
        a = make_float2(a.x + b.x, a.y + b.y);
        kept[i] = __float22half2_rn(a);
        s_row[c] = a;
        sum += a.x * a.x + a.y * a.y;
    }
    sum = warp_total(sum);
    if (threadIdx.x % 32 == 0)
        s_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = warp_total(threadIdx.x % 32 < blockDim.x / 32 ? s_sum[threadIdx.x % 32] : 0);
    float r = rsqrtf(sum / (2 * pairs) + 1e-6f);
    for (int c = threadIdx.x; c < pairs; c += blockDim.x) {
        float2 g = __half22float2(gain[c]), a = s_row[c];
        out[blockIdx.x * pairs + c] = __floats2half2_rn(a.x * r * g.x, a.y * r * g.y);
    }
}

/* A thread to a row of 64: neighbours read a row's length apart. */
__global__ void unit_rows_by_thread(const float *in, float *out, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int c = 0; c < 64; c++)
        sum += in[row * 64 + c] * in[row * 64 + c];
    float r = rsqrtf(sum + 1e-12f);
    for (int c = 0; c < 64; c++)
        out[row * 64 + c] = in[row * 64 + c] * r;
}

/* Channels of images by saved means and spreads. */
__global__ void batch_norm_applied(const float *in, const float *mean, const float *spread,
                                   const float *gain, const float *bias, float *out, int channels,
                                   int pixels, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = i / pixels % channels;
    float v = (in[i] - mean[c]) * rsqrtf(fabsf(spread[c]) + 1e-5f) * gain[c] + bias[c];
    out[i] = v > 0 ? v : 0.01f * v;
}

/* Queries of 32 numbers over 64 keys of their own head: a warp to a query, a lane to two keys. */
__global__ void attention_of_64_keys(const float *q, const float *k, const float *v, float *out)
{
    __shared__ float s_k[64][33], s_v[64][32], s_p[8][64];
    int lane = threadIdx.x, warp = threadIdx.y, head = blockIdx.x;
    for (int j = warp; j < 64; j += 8) {
        s_k[j][lane] = k[(head * 64 + j) * 32 + lane];
        s_v[j][lane] = v[(head * 64 + j) * 32 + lane];
    }
    __syncthreads();
    for (int row = warp; row < 64; row += 8) {
        float mine = q[(head * 64 + row) * 32 + lane] * 0.17677669f, a = 0, b = 0;
#pragma unroll
        for (int d = 0; d < 32; d++) {
            float one = __shfl_sync(~0u, mine, d);
            a += one * s_k[lane][d];
            b += one * s_k[lane + 32][d];
        }
        float most = warp_most(fmaxf(a, b));
        a = __expf(a - most);
        b = __expf(b - most);
        float scale = 1 / warp_total(a + b), sum = 0;
        s_p[warp][lane] = a * scale;
        s_p[warp][lane + 32] = b * scale;
        __syncwarp();
        for (int j = 0; j < 64; j++)
            sum += s_p[warp][j] * s_v[j][lane];
        out[(head * 64 + row) * 32 + lane] = sum;
        __syncwarp();
    }
}

/* A gate by the sigmoid of one half of each row times its other half. */
__global__ void swish_gate(const float *in, float *out, int half)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (c >= half)
        return;
    float gate = in[row * 2 * half + c], up = in[row * 2 * half + half + c];
    out[row * half + c] = gate / (1 + expf(-gate)) * up;
}

/* Pairs half a row apart are turned by an angle of place and depth, computed anew. */
__global__ void turn_by_place(const float *in, float *out, int depth)
{
    int pair = threadIdx.x, place = blockIdx.x, half = depth / 2;
    for (int head = threadIdx.y; head < 16; head += blockDim.y) {
        int at = (place * 16 + head) * depth + pair;
        float angle = place * powf(10000.0f, -2.0f * pair / depth), sine, cosine;
        sincosf(angle, &sine, &cosine);
        float a = in[at], b = in[at + half];
        out[at] = a * cosine - b * sine;
        out[at + half] = a * sine + b * cosine;
    }
}

#define SHARED(name, grid, block, shared_bytes, kernel, ...)                                       \
    BANK_ROW(name, BANK_COLD, grid, block, shared_bytes, kernel, __VA_ARGS__)
#define EACH(name, grid, block, kernel, ...) SHARED(name, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("softmax_128_halves_64K_rows", 8 * KI, 256, softmax_128_halves,
         (const uint2 *)data->half_x, (uint2 *)data->out),
    EACH("softmax_three_loops_4096x1000", 4 * KI, 256, softmax_three_loops, data->x, data->out,
         1000),
    EACH("softmax_three_loops_128x50257", 128, 256, softmax_three_loops, data->x, data->out,
         50257),
    EACH("softmax_gradient_16384x256", 4 * KI, dim3(32, 4), softmax_gradient, data->x, data->y,
         data->out, 256),
    EACH("layer_norm_1024_16K_rows", 16 * KI, 256, layer_norm_1024, (const float4 *)data->x,
         (const float4 *)data->y, (const float4 *)data->y + 256, (float4 *)data->out),
    SHARED("rms_norm_halves_4096x3072", 4 * KI, 384, 12 * KI, rms_norm_halves,
           (const __half2 *)data->half_x, (const __half2 *)data->half_y,
           (const __half2 *)data->half_y, (__half2 *)data->out,
           (__half2 *)data->out + 16 * MI, 1536),
    EACH("unit_rows_by_thread_60000", 469, 128, unit_rows_by_thread, data->x, data->out, 60000),
    EACH("batch_norm_applied_32x64x56x56", 25088, 256, batch_norm_applied, data->x, data->y,
         data->y + 64, data->y + 128, data->y + 192, data->out, 64, 56 * 56, 32 * 64 * 56 * 56),
    EACH("attention_of_64_keys_600", 600, dim3(32, 8), attention_of_64_keys, data->x, data->y,
         data->x + 4 * MI, data->out),
    EACH("swish_gate_2048x11008", dim3(22, 2 * KI), 256, swish_gate, data->x, data->out, 5504),
    EACH("turn_by_place_2048x16x128", 2 * KI, dim3(64, 4), turn_by_place, data->x, data->out, 128),
};
BANK_FAMILY(norms)
