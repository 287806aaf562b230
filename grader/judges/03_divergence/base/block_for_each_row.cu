// What wrong/ and slow/ change where a size is at fault, or the end of a row: the right numbers, by
// a pair a thread and by a block of 512 threads for each row.
#include "contracts/03_divergence.h"

enum { THREADS = 256, PAIRS = 2 * THREADS, ROW_THREADS = 512, ROW_WARPS = ROW_THREADS / 32 };

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
        sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    return sum;
}

static __device__ float thread_sumsq(const float *row, int cols)
{
    float sum = 0;
    if (((uintptr_t)row / sizeof(float) | cols) % 4 == 0) {
        const float4 *quads = (const float4 *)row;
        for (int i = threadIdx.x; i < cols / 4; i += ROW_THREADS)
            sum += quads[i].x * quads[i].x + quads[i].y * quads[i].y + quads[i].z * quads[i].z +
                   quads[i].w * quads[i].w;
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
