/* maps.cu - a result for each element: sums of arrays as they are handed in for the lesson about
 * neighbouring addresses, and small maps over other types. */
#include "../bank.h"

#include <cuda_bf16.h>
#include <cuda_pipeline.h>

/* Pairs of floats, one pair a thread. */
__global__ void sum_float2(const float2 *x, const float2 *y, float2 *out, float a, float b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 u = x[i], v = y[i];
        out[i] = make_float2(a * u.x + b * v.x, a * u.y + b * v.y);
    }
}

/* Two float4 a thread, a block's width apart, through the read-only path. */
__global__ void sum_two_float4(const float4 *__restrict__ x, const float4 *__restrict__ y,
                               float4 *__restrict__ out, float a, float b)
{
    int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    float4 u[2], v[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        u[k] = __ldg(&x[i + k * blockDim.x]);
        v[k] = __ldg(&y[i + k * blockDim.x]);
    }
#pragma unroll
    for (int k = 0; k < 2; k++)
        out[i + k * blockDim.x] = make_float4(a * u[k].x + b * v[k].x, a * u[k].y + b * v[k].y,
                                              a * u[k].z + b * v[k].z, a * u[k].w + b * v[k].w);
}

struct scaled_sum {
    float a, b;
    __device__ float operator()(float u, float v) const { return a * u + b * v; }
};

/* As a library writes it: any function of two values, over a grid that strides. */
template <typename F>
__global__ void zip_with(const float *x, const float *y, float *out, long long n, F f)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
        out[i] = f(x[i], y[i]);
}

/* A run of neighbouring elements for each thread: the lesson's mistake, in shorter runs. */
template <int RUN>
__global__ void sum_in_runs(const float *x, const float *y, float *out, long long n, float a)
{
    long long first = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * RUN;
    for (long long i = first; i < first + RUN && i < n; i++)
        out[i] = a * x[i] + y[i];
}

/* One element a thread of arrays that begin at odd words. */
__global__ void sum_plain(const float *x, const float *y, float *out, int n, float a, float b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

/* Both inputs come to shared memory by asynchronous copies, two tiles ahead. */
__global__ void sum_copied_ahead(const float4 *x, const float4 *y, float4 *out, int tiles)
{
    __shared__ float4 s_x[2][128], s_y[2][128];
    int first = blockIdx.x * tiles * 128 + threadIdx.x;
    for (int k = 0; k <= tiles; k++) {
        if (k < tiles) {
            __pipeline_memcpy_async(&s_x[k & 1][threadIdx.x], &x[first + k * 128], 16);
            __pipeline_memcpy_async(&s_y[k & 1][threadIdx.x], &y[first + k * 128], 16);
        }
        __pipeline_commit();
        if (k == 0)
            continue;
        __pipeline_wait_prior(1);
        float4 u = s_x[~k & 1][threadIdx.x], v = s_y[~k & 1][threadIdx.x];
        out[first + (k - 1) * 128] =
            make_float4(u.x + 2 * v.x, u.y + 2 * v.y, u.z + 2 * v.z, u.w + 2 * v.w);
    }
}

__global__ void add_bf16(const __nv_bfloat162 *x, const __nv_bfloat162 *y, __nv_bfloat162 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __hadd2(x[i], y[i]);
}

__global__ void multiply_complex(const float2 *x, const float2 *y, float2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 u = x[i], v = y[i];
    out[i] = make_float2(u.x * v.x - u.y * v.y, u.x * v.y + u.y * v.x);
}

/* Bytes with a scale for each row become floats. */
__global__ void bytes_to_floats(const signed char *q, const float *scale, float *out, int columns)
{
    int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < columns)
        out[row * columns + column] = q[row * columns + column] * scale[row];
}

/* A gate of a language model, on halves. */
__global__ void gate_halves(const __half2 *gate, const __half2 *up, __half2 *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 g = __half22float2(gate[i]), u = __half22float2(up[i]);
        g.x = g.x / (1 + __expf(-g.x)) * u.x;
        g.y = g.y / (1 + __expf(-g.y)) * u.y;
        out[i] = __float22half2_rn(g);
    }
}

/* Where a mask of bytes says so. */
__global__ void masked(const float *x, const unsigned char *mask, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = mask[i] & 1 ? x[i] : -INFINITY;
}

__global__ void polynomial_of_doubles(const double *x, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], sum = 1.0 / 5040;
    sum = sum * v + 1.0 / 720;
    sum = sum * v + 1.0 / 120;
    sum = sum * v + 1.0 / 24;
    sum = sum * v + 1.0 / 6;
    sum = sum * v + 0.5;
    out[i] = (sum * v + 1) * v + 1;
}

/* Brightness of pixels by a power, four channels at a time. */
__global__ void gamma_of_pixels(const uchar4 *in, uchar4 *out, float gamma, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 p = in[i];
    p.x = (unsigned char)(255 * powf(p.x / 255.0f, gamma) + 0.5f);
    p.y = (unsigned char)(255 * powf(p.y / 255.0f, gamma) + 0.5f);
    p.z = (unsigned char)(255 * powf(p.z / 255.0f, gamma) + 0.5f);
    out[i] = p;
}

/* A step of AdamW, in place. */
__global__ void adamw(float *weight, float *first, float *second, const float *gradient, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = gradient[i], m = 0.9f * first[i] + 0.1f * g, v = 0.999f * second[i] + 0.001f * g * g;
    first[i] = m;
    second[i] = v;
    weight[i] -= 1e-4f * (m * 10 / (sqrtf(v * 1000) + 1e-8f) + 0.01f * weight[i]);
}

/* The lesson about the machine: a copy, and chains of multiply-adds four at a time. */
__global__ void copy_plain(const float *in, float *out, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void four_chains(const float *in, float *out, int steps)
{
    int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = in[first + k * blockDim.x];
    for (int step = 0; step < steps; step++)
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = fmaf(v[k], -0.9990234375f, 0.5f);
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[first + k * blockDim.x] = v[k];
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("sum_float2_64M", 64 * KI, 512, sum_float2, (const float2 *)data->x,
         (const float2 *)data->y, (float2 *)data->out, 2.5f, -1.5f, 32 * MI),
    EACH("sum_two_float4_64M", 32 * KI, 256, sum_two_float4, (const float4 *)data->x,
         (const float4 *)data->y, (float4 *)data->out, 2.5f, -1.5f),
    EACH("zip_with_64M_of_2112_blocks", 2112, 128, zip_with<scaled_sum>, data->x, data->y,
         data->out, 64 * MI, scaled_sum{2.5f, -1.5f}),
    EACH("sum_in_runs_of_2_48M", 96 * KI, 256, sum_in_runs<2>, data->x, data->y, data->out,
         48 * MI, 2.5f),
    EACH("sum_in_runs_of_16_16M", 8 * KI, 128, sum_in_runs<16>, data->x, data->y, data->out,
         16 * MI - 5, 2.5f),
    EACH("sum_plain_from_odd_words_32M", 128 * KI, 256, sum_plain, data->x + 1, data->y + 2,
         data->out + 3, 32 * MI - 4, 2.5f, -1.5f),
    EACH("sum_plain_300K", 1172, 256, sum_plain, data->x, data->y, data->out, 300000, 2.5f, -1.5f),
    EACH("sum_copied_ahead_32M", 4 * KI, 128, sum_copied_ahead, (const float4 *)data->x,
         (const float4 *)data->y, (float4 *)data->out, 16),
    EACH("bf16_added_16M", 32 * KI, 256, add_bf16, (const __nv_bfloat162 *)data->half_x,
         (const __nv_bfloat162 *)data->x, (__nv_bfloat162 *)data->out),
    EACH("multiply_complex_16M", 64 * KI, 256, multiply_complex, (const float2 *)data->x,
         (const float2 *)data->y, (float2 *)data->out, 16 * MI),
    EACH("bytes_to_floats_4096x5000", dim3(20, 4096), 256, bytes_to_floats,
         (const signed char *)data->x, data->y, data->out, 5000),
    EACH("gate_halves_16M", 528, 256, gate_halves, (const __half2 *)data->half_x,
         (const __half2 *)data->half_y, (__half2 *)data->out, 8 * MI),
    EACH("masked_24M", 96 * KI, 256, masked, data->x, (const unsigned char *)data->y, data->out,
         24 * MI),
    EACH("double_polynomial_1M", 4 * KI, 256, polynomial_of_doubles, data->double_x,
         (double *)data->out, MI),
    EACH("gamma_of_pixels_2M", 8 * KI, 256, gamma_of_pixels, (const uchar4 *)data->x,
         (uchar4 *)data->out, 0.4545f, 2 * MI),
    EACH("adamw_4M", 16 * KI, 256, adamw, data->weights, data->momentum, data->variance, data->x,
         4 * MI),
    EACH("copy_plain_64M", 256 * KI, 256, copy_plain, data->x, data->out, 64 * MI),
    EACH("four_chains_1M_400", KI, 256, four_chains, data->x, data->out, 400),
};
BANK_FAMILY(maps)
