// expect: PASS
// Loads and stores of single floats side by side; between them the lanes of a warp exchange what
// they have, so that each has an even and an odd element.
#include "contracts/03_divergence.h"

enum { THREADS = 256, PAIRS = 2 * THREADS, ROW_THREADS = 128, ROW_WARPS = ROW_THREADS / 32 };

static const unsigned ALL = 0xFFFFFFFF;

// Element number place of a warp's 64, which lie in low and high, lane by lane.
static __device__ float taken(float low, float high, int place)
{
    float first = __shfl_sync(ALL, low, place % 32), second = __shfl_sync(ALL, high, place % 32);
    return place < 32 ? first : second;
}

static __global__ void gated(const float *x, float *y, int64_t n)
{
    int lane = threadIdx.x % 32;
    int64_t low = blockIdx.x * (int64_t)PAIRS + 2 * (threadIdx.x - lane) + lane, high = low + 32;
    float first = low < n ? x[low] : 0, second = high < n ? x[high] : 0;
    float even = lesson3_decay(taken(first, second, 2 * lane));
    float odd = lesson3_orbit(taken(first, second, 2 * lane + 1));
    float low_even = __shfl_sync(ALL, even, lane / 2), low_odd = __shfl_sync(ALL, odd, lane / 2);
    float high_even = __shfl_sync(ALL, even, 16 + lane / 2);
    float high_odd = __shfl_sync(ALL, odd, 16 + lane / 2);
    if (low < n)
        y[low] = lane % 2 ? low_odd : low_even;
    if (high < n)
        y[high] = lane % 2 ? high_odd : high_even;
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
