// expect: PASS
// The block sorts its elements in shared memory: each thread takes an even and an odd one.
#include "contracts/03_divergence.h"

// Two ways to waste the lanes of a warp. In `gated`, neighbours want different paths. In
// `row_sumsq`, a tree of additions keeps fewer lanes busy at each level.

enum { WARP_LANES = 32, BLOCK_THREADS = 256, BLOCK_WARPS = BLOCK_THREADS / WARP_LANES };

// Each row starts 16 banks behind the one before, so that even and odd lanes do not meet in a bank.
enum { KIND_PITCH = BLOCK_THREADS + WARP_LANES / 2 };

static __global__ void gated(const float *x, float *y, int64_t n)
{
    __shared__ float s_kind[2][KIND_PITCH];
    int thread = threadIdx.x;
    int64_t first = 2 * (int64_t)blockIdx.x * BLOCK_THREADS + thread;
    int64_t second = first + BLOCK_THREADS;
    float *own = &s_kind[thread % 2][thread / 2];
    own[0] = first < n ? x[first] : 0.0f;
    own[BLOCK_THREADS / 2] = second < n ? x[second] : 0.0f;
    __syncthreads();
    s_kind[0][thread] = lesson3_decay(s_kind[0][thread]);
    s_kind[1][thread] = lesson3_orbit(s_kind[1][thread]);
    __syncthreads();
    if (first < n)
        y[first] = own[0];
    if (second < n)
        y[second] = own[BLOCK_THREADS / 2];
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

enum { ROW_THREADS = 128, ROW_WARPS = ROW_THREADS / WARP_LANES };

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

// What one thread adds up: every ROW_THREADS-th quad of the row, or element where the row does not
// start and end on a multiple of 16 bytes. Two loads are under way before the first is used. Few
// instructions stand before them, since while all warps of a launch come through those, nothing
// is. Nobody reads the row again, so the caches need not keep it: __ldcs() says so.
static __device__ float thread_sumsq(const float *row, unsigned cols)
{
    float sum = 0.0f;
    if (((uintptr_t)row / sizeof(float) | cols) % 4 == 0) {
        const float4 *quads = (const float4 *)row;
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < cols / 4; i += 2 * ROW_THREADS) {
            float4 first = __ldcs(&quads[i]), second = {};
            if (i + ROW_THREADS < cols / 4)
                second = __ldcs(&quads[i + ROW_THREADS]);
            sum += dot(first) + dot(second);
        }
    } else {
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < cols; i += ROW_THREADS)
            sum += row[i] * row[i];
    }
    return sum;
}

// A block for a row: each thread sums alone, each warp by shuffles, and the first warp sums up.
static __global__ void row_sumsq(const float *x, float *out, int cols)
{
    __shared__ float s_warp_sum[ROW_WARPS];
    int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;

    float sum = warp_sum(thread_sumsq(x + (int64_t)(int)blockIdx.x * cols, cols));
    if (lane == 0)
        s_warp_sum[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < ROW_WARPS ? s_warp_sum[lane] : 0.0f);
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
    row_sumsq<<<rows, ROW_THREADS, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
