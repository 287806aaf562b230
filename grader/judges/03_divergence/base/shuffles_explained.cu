// The code of shuffles.cu with comments: the base of entries that have these, too.
#include "contracts/03_divergence.h"

// Two ways to waste the lanes of a warp. In `gated`, neighbours want different paths. In
// `row_sumsq`, a tree of additions keeps fewer lanes busy at each level.

enum { WARP_LANES = 32, BLOCK_THREADS = 256, BLOCK_WARPS = BLOCK_THREADS / WARP_LANES };

// A load of two neighbours at once, where the address allows it. All lanes agree on that, so the
// branch costs next to nothing: what hurts is lanes that disagree.
static __device__ float2 load_pair(const float *x, int64_t even, int64_t n)
{
    if ((uintptr_t)x % sizeof(float2) == 0 && even + 1 < n)
        return *(const float2 *)(x + even);
    return make_float2(x[even], even + 1 < n ? x[even + 1] : 0.0f);
}

static __device__ void store_pair(float *y, int64_t even, int64_t n, float2 pair)
{
    if ((uintptr_t)y % sizeof(float2) == 0 && even + 1 < n) {
        *(float2 *)(y + even) = pair;
        return;
    }
    y[even] = pair.x;
    if (even + 1 < n)
        y[even + 1] = pair.y;
}

// A thread takes an even element and the odd one behind it: two paths, no branch between them,
// and two independent chains for the scheduler to choose from.
static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t even = 2 * ((int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x);
    if (even >= n)
        return;
    float2 pair = load_pair(x, even, n);
    pair.x = lesson3_decay(pair.x);
    pair.y = lesson3_orbit(pair.y);
    store_pair(y, even, n, pair);
}

static int64_t blocks_for(int64_t n)
{
    const int64_t block_elements = 2 * BLOCK_THREADS;
    return (n + block_elements - 1) / block_elements;
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    gated<<<(unsigned)blocks_for(n), BLOCK_THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}

static const unsigned ALL_LANES = 0xFFFFFFFF;

// The sum over the warp, in lane 0: five exchanges between registers, and no lane that waits.
static __device__ float warp_sum(float sum)
{
    for (int distance = WARP_LANES / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, distance);
    return sum;
}

static __device__ float dot(float4 v)
{
    return (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
}

// What one thread adds up: every BLOCK_THREADS-th quad of the row, or element where the row does
// not start and end on a multiple of 16 bytes.
static __device__ float thread_sumsq(const float *row, int cols)
{
    float sum = 0.0f;
    if ((uintptr_t)row % sizeof(float4) == 0 && cols % 4 == 0) {
        const float4 *quads = (const float4 *)row;
#pragma unroll 4
        for (int i = threadIdx.x; i < cols / 4; i += BLOCK_THREADS)
            sum += dot(quads[i]);
    } else {
#pragma unroll 4
        for (int64_t i = threadIdx.x; i < cols; i += BLOCK_THREADS)
            sum += row[i] * row[i];
    }
    return sum;
}

// A block for a row: each thread sums alone, each warp by shuffles, and the first warp sums up.
static __global__ void row_sumsq(const float *x, float *out, int cols)
{
    __shared__ float s_warp_sum[BLOCK_WARPS];
    int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;

    float sum = warp_sum(thread_sumsq(x + (int64_t)blockIdx.x * cols, cols));
    if (lane == 0)
        s_warp_sum[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < BLOCK_WARPS ? s_warp_sum[lane] : 0.0f);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    row_sumsq<<<rows, BLOCK_THREADS, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
