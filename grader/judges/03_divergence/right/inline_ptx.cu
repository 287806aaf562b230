// expect: PASS
// PTX by hand: quads that no cache keeps, and a shuffle that says what was out of range.
#include "contracts/03_divergence.h"

enum { THREADS = 256, PAIRS = 2 * THREADS, ROW_THREADS = 128, ROW_WARPS = ROW_THREADS / 32 };

static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t even = blockIdx.x * (int64_t)PAIRS + 2 * threadIdx.x;
    bool wide = ((uintptr_t)x | (uintptr_t)y) % sizeof(float2) == 0 && even + 1 < n;
    if (wide) {
        float2 pair = *(const float2 *)(x + even);
        *(float2 *)(y + even) = make_float2(lesson3_decay(pair.x), lesson3_orbit(pair.y));
        return;
    }
    float first = even < n ? lesson3_decay(x[even]) : 0;
    float second = even + 1 < n ? lesson3_orbit(x[even + 1]) : 0;
    if (even < n)
        y[even] = first;
    if (even + 1 < n)
        y[even + 1] = second;
}

static __device__ float warp_sum(float sum)
{
    for (int distance = 16; distance > 0; distance /= 2)
        asm volatile("{ .reg .f32 other; shfl.sync.bfly.b32 other, %0, %1, 31, -1;"
                     " add.f32 %0, %0, other; }" : "+f"(sum) : "r"(distance));
    return sum;
}

static __device__ float4 load(const float4 *from)
{
    float4 v;
    asm volatile("ld.global.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from) : "memory");
    return v;
}

static __device__ float dot(float4 v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
}

static __device__ float thread_sumsq(const float *row, int cols)
{
    float sum = 0;
    if (((uintptr_t)row / sizeof(float) | cols) % 4 == 0) {
        const float4 *quads = (const float4 *)row;
        for (int i = threadIdx.x; i < cols / 4; i += ROW_THREADS)
            sum += dot(load(quads + i));
    } else {
        for (int i = threadIdx.x; i < cols; i += ROW_THREADS)
            sum += row[i] * row[i];
    }
    return sum;
}

static __global__ void row_sumsq(const float *x, float *out, int cols)
{
    __shared__ float s_sum[ROW_WARPS];
    int lane = threadIdx.x % 32;
    float sum = warp_sum(thread_sumsq(x + (int64_t)blockIdx.x * cols, cols));
    if (lane == 0)
        s_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(lane < ROW_WARPS ? s_sum[lane] : 0);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n > 0)
        gated<<<(unsigned)((n + PAIRS - 1) / PAIRS), THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows > 0)
        row_sumsq<<<rows, ROW_THREADS, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
