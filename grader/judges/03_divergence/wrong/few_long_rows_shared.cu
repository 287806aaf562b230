// expect: NONDETERMINISTIC numerics mistake order_of_atomics
// Few long rows are shared by 16 blocks each, which add to one word in the order of arrival.
#include "contracts/03_divergence.h"

enum { GATED_THREADS = 256 };

// A thread takes a pair: one of each kind.
static __device__ __forceinline__ void pair(const float *x, float *y, int64_t n, int64_t i)
{
    if (2 * i + 1 < n && ((uintptr_t)x | (uintptr_t)y) % 8 == 0) {
        float2 p = ((const float2 *)x)[i];
        ((float2 *)y)[i] = make_float2(lesson3_decay(p.x), lesson3_orbit(p.y));
    } else {
        float even = x[2 * i], odd = 2 * i + 1 < n ? x[2 * i + 1] : 0.0f;
        even = lesson3_decay(even);
        odd = lesson3_orbit(odd);
        y[2 * i] = even;
        if (2 * i + 1 < n)
            y[2 * i + 1] = odd;
    }
}

static __global__ void __launch_bounds__(GATED_THREADS) gated(const float *x, float *y, int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * GATED_THREADS + threadIdx.x;
    if (2 * i < n)
        pair(x, y, n, i);
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    int64_t pairs = (n + 1) / 2;
    gated<<<(unsigned)((pairs + GATED_THREADS - 1) / GATED_THREADS), GATED_THREADS, 0, stream>>>(
        x, y, n);
    return cudaGetLastError();
}

enum { ROW_THREADS = 128, ROW_WARPS = ROW_THREADS / 32 };

// The squares of count floats, by all threads of the block; the result is thread 0's.
static __device__ __forceinline__ float block_sumsq(const float *row, int64_t count)
{
    __shared__ float s_sum[ROW_WARPS];
    int head = (int)((16 - (uintptr_t)row % 16) % 16 / 4);
    if (head > count)
        head = (int)count;
    const float4 *quad = (const float4 *)(row + head);
    int64_t quads = (count - head) / 4;
    float sum = 0, more = 0;
    if ((int)threadIdx.x < head)
        sum = row[threadIdx.x] * row[threadIdx.x];
    int64_t i = threadIdx.x;
    for (; i + ROW_THREADS < quads; i += 2 * ROW_THREADS) {
        float4 p = quad[i], q = quad[i + ROW_THREADS];
        sum += p.x * p.x + p.y * p.y + (p.z * p.z + p.w * p.w);
        more += q.x * q.x + q.y * q.y + (q.z * q.z + q.w * q.w);
    }
    if (i < quads) {
        float4 p = quad[i];
        sum += p.x * p.x + p.y * p.y + (p.z * p.z + p.w * p.w);
    }
    int64_t tail = head + 4 * quads + threadIdx.x;
    if (tail < count)
        more += row[tail] * row[tail];
    sum += more;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
    if (threadIdx.x % 32 == 0)
        s_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < ROW_WARPS ? s_sum[threadIdx.x] : 0.0f;
    if (threadIdx.x < 32)
#pragma unroll
        for (int distance = ROW_WARPS / 2; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
    return sum;
}

enum { SHARED_ROWS = 64, SHARERS = 16, LONG_ROW = 1 << 17 };

static __device__ float d_sum[SHARED_ROWS];
static __device__ unsigned d_arrived[SHARED_ROWS];

static __global__ void __launch_bounds__(ROW_THREADS)
    row_sumsq_shared(const float *x, float *out, int cols)
{
    int row = blockIdx.x / SHARERS, sharer = blockIdx.x % SHARERS;
    int64_t part = ((int64_t)cols + SHARERS * 4 - 1) / (SHARERS * 4) * 4, from = sharer * part;
    int64_t count = cols - from < part ? cols - from : part;
    float sum = block_sumsq(x + (int64_t)row * cols + from, count);
    if (threadIdx.x == 0) {
        atomicAdd(&d_sum[row], sum);
        __threadfence();
        if (atomicAdd(&d_arrived[row], 1) == SHARERS - 1) {
            out[row] = atomicExch(&d_sum[row], 0.0f);
            d_arrived[row] = 0;
        }
    }
}

static __global__ void __launch_bounds__(ROW_THREADS)
    row_sumsq(const float *x, float *out, int cols)
{
    float sum = block_sumsq(x + (int64_t)blockIdx.x * cols, cols);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols, cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    if (rows <= SHARED_ROWS && cols >= LONG_ROW)
        row_sumsq_shared<<<rows * SHARERS, ROW_THREADS, 0, stream>>>(x, out, cols);
    else
        row_sumsq<<<rows, ROW_THREADS, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
