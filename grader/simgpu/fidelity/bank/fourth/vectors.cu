/* vectors.cu - one output for each input, or nearly: index styles, widths and types. */
#include "../bank.h"

#include <cstdint>
#include <cuda_bf16.h>

/* The triad of the STREAM benchmark, with 64-bit indices. */
__global__ void stream_triad(const float *b, const float *c, float *a, float scalar, size_t n)
{
    size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n)
        a[idx] = b[idx] + scalar * c[idx];
}

/* Every thread works on four elements that lie a whole grid apart. */
__global__ void mix_four_apart(const float *x, const float *y, float *out, float t)
{
    int i = thread_index(), step = thread_count();
    float a0 = x[i], a1 = x[i + step], a2 = x[i + 2 * step], a3 = x[i + 3 * step];
    float b0 = y[i], b1 = y[i + step], b2 = y[i + 2 * step], b3 = y[i + 3 * step];
    out[i] = a0 + t * (b0 - a0);
    out[i + step] = a1 + t * (b1 - a1);
    out[i + 2 * step] = a2 + t * (b2 - a2);
    out[i + 3 * step] = a3 + t * (b3 - a3);
}

/* A matrix is scaled and added to another, with an index for each axis. */
__global__ void add_matrices(const float *A, const float *B, float *C, float alpha, int width,
                             int height)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height)
        C[row * width + col] = alpha * A[row * width + col] + B[row * width + col];
}

/* Pairs of halves in a loop over the grid. */
__global__ void axpby_pairs_of_halves(const __half2 *x, const __half2 *y, __half2 *out, float a,
                                      float b, int n)
{
    const __half2 a2 = __float2half2_rn(a), b2 = __float2half2_rn(b);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = __hfma2(a2, x[i], __hmul2(b2, y[i]));
}

/* Eight brain floats a thread, computed in float. */
__global__ void gate_brain_floats(const uint4 *x, const uint4 *gate, uint4 *out)
{
    int i = thread_index();
    uint4 v = x[i], g = gate[i];
    __nv_bfloat162 *a = (__nv_bfloat162 *)&v, *b = (__nv_bfloat162 *)&g;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float2 p = __bfloat1622float2(a[k]), q = __bfloat1622float2(b[k]);
        a[k] = __floats2bfloat162_rn(p.x * q.x + 1, p.y * q.y + 1);
    }
    out[i] = v;
}

/* Doubles, with a guard and a remainder of threads. */
__global__ void daxpby(int n, double alpha, const double *x, double beta, const double *y,
                       double *z)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        z[i] = alpha * x[i] + beta * y[i];
}

/* Four bytes at a time are added, and stay within a byte's range. */
__global__ void add_bytes_saturated(const uint32_t *x, const uint32_t *y, uint32_t *out)
{
    int i = thread_index();
    out[i] = __vaddss4(x[i], y[i]);
}

/* Floats become bytes, four of them to a word. */
__global__ void pack_to_bytes(const float4 *x, char4 *out, float inverse_scale)
{
    int i = thread_index();
    float4 v = x[i];
    out[i] = make_char4((signed char)max(-127, min(127, __float2int_rn(v.x * inverse_scale))),
                        (signed char)max(-127, min(127, __float2int_rn(v.y * inverse_scale))),
                        (signed char)max(-127, min(127, __float2int_rn(v.z * inverse_scale))),
                        (signed char)max(-127, min(127, __float2int_rn(v.w * inverse_scale))));
}

/* A word has eight weights of four bits, and a scale is shared by 32 of them. */
__global__ void unpack_nibbles(const uint32_t *packed, const __half *scales, uint4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t w = packed[i];
    __half2 scale = __half2half2(scales[i >> 2]), h[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int low = (int)(w >> 8 * k & 15) - 8, high = (int)(w >> (8 * k + 4) & 15) - 8;
        h[k] = __hmul2(__halves2half2(__int2half_rn(low), __int2half_rn(high)), scale);
    }
    out[i] = *(uint4 *)h;
}

/* Vectors of three words are brought to length one. */
__global__ void unit_length(const float3 *in, float3 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 v = in[i];
    float r = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z + 1e-9f);
    out[i] = make_float3(v.x * r, v.y * r, v.z * r);
}

/* A library's sum of two tensors whose smaller one repeats along the outer axis. */
__global__ void add_broadcast(const float *x, const float *bias, float *out, int64_t n,
                              int64_t inner)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x)
        out[i] = x[i] + bias[i % inner];
}

/* Size and angle of complex numbers. */
__global__ void to_polar(const float2 *z, float *size, float *angle)
{
    int i = thread_index();
    float2 v = z[i];
    size[i] = hypotf(v.x, v.y);
    angle[i] = atan2f(v.y, v.x);
}

/* A value and its derivative at each point by the rule of Horner. */
__global__ void horner_twice(const float *x, float2 *out, int n)
{
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    if (tid >= n)
        return;
    const float c[8] = {0.125f, -0.5f, 0.75f, 1.5f, -2.25f, 0.375f, 1.0f, -0.0625f};
    float p = c[7], d = 0, v = x[tid];
#pragma unroll
    for (int k = 6; k >= 0; k--) {
        d = d * v + p;
        p = p * v + c[k];
    }
    out[tid] = make_float2(p, d);
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("stream_triad_64M", 64 * KI, KI, stream_triad, data->x, data->y, data->out, 3.0f,
         (size_t)64 * MI),
    EACH("stream_triad_1000003", 3907, 256, stream_triad, data->x, data->y, data->out, 3.0f,
         (size_t)1000003),
    EACH("mix_four_apart_32M", 32 * KI, 256, mix_four_apart, data->x, data->y, data->out, 0.25f),
    EACH("add_matrices_8192x8192", dim3(256, 1024), dim3(32, 8), add_matrices, data->x, data->y,
         data->out, 0.5f, 8 * KI, 8 * KI),
    EACH("add_matrices_3000x2000_squares", dim3(188, 125), dim3(16, 16), add_matrices, data->x,
         data->y, data->out, 0.5f, 3000, 2000),
    EACH("axpby_pairs_of_halves_16M", 528, 512, axpby_pairs_of_halves,
         (const __half2 *)data->half_x, (const __half2 *)data->half_y, (__half2 *)data->out, 2.5f,
         -1.5f, 8 * MI),
    EACH("gate_brain_floats_16M", 8 * KI, 256, gate_brain_floats, (const uint4 *)data->half_x,
         (const uint4 *)data->half_y, (uint4 *)data->out),
    EACH("daxpby_1M", 8 * KI, 128, daxpby, MI - 5, 1.5, data->double_x, -0.5,
         (const double *)data->double_x + 3, (double *)data->out),
    EACH("add_bytes_saturated_32M", 32 * KI, 256, add_bytes_saturated,
         (const uint32_t *)data->half_x, (const uint32_t *)data->half_y, (uint32_t *)data->out),
    EACH("pack_to_bytes_32M", 16 * KI, 512, pack_to_bytes, (const float4 *)data->x,
         (char4 *)data->out, 96.0f),
    EACH("unpack_nibbles_32M", 16 * KI, 256, unpack_nibbles, (const uint32_t *)data->shuffled,
         data->half_x, (uint4 *)data->out),
    EACH("unit_length_5M", 19532, 256, unit_length, (const float3 *)data->x, (float3 *)data->out,
         5000000),
    EACH("add_broadcast_12M_rows_of_3000", 1056, 256, add_broadcast, data->x, data->y, data->out,
         (int64_t)12000000, (int64_t)3000),
    EACH("to_polar_4M", 16 * KI, 256, to_polar, (const float2 *)data->x, data->out,
         data->out + 8 * MI),
    EACH("horner_twice_2M", 3334, 600, horner_twice, data->x, (float2 *)data->out, 2000000),
};
BANK_FAMILY(vectors)
