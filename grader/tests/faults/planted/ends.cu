// ends.cu - kernels that never end, end too early, or cannot begin.
#include "planted.h"

#include <cassert>
#include <mma.h>

namespace ends {

enum { THREADS = 64 };

// fault recursion_without_end: stack overflow
//     return n == *limit ? 0 : 1 + depth_of(n + 1, limit) / 2;
//     ^
// says calls nest too deep
// sanitizer memcheck Stack overflow
__device__ __noinline__ int depth_of(int n, volatile int *limit)
{
    return n == *limit ? 0 : 1 + depth_of(n + 1, limit) / 2;
}

__global__ void recursion_without_end(int *out)
{
    *out = depth_of(1, out);
}

PLANTED(recursion_without_end)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    CHECK(cudaMemset(d_out, 0, sizeof(int)));
    recursion_without_end<<<1, 1>>>(d_out);
}

// fault frames_too_large: stack overflow
//     best = largest_of(row, count - 1, copy[count & 255] & 255);
//     ^
// says calls nest too deep
// sanitizer memcheck Stack overflow
__device__ __noinline__ int largest_of(const int *row, int count, int seed)
{
    int copy[256], best = seed;
    for (int i = 0; i < 256; i++)
        copy[(i * 7 + seed) & 255] = row[i % count] + i;
    if (count > 1)
        best = largest_of(row, count - 1, copy[count & 255] & 255);
    return best + copy[seed & 255];
}

__global__ void frames_too_large(const int *row, int *out)
{
    *out = largest_of(row, 100, 0);
}

PLANTED(frames_too_large)
{
    int *d_row, *d_out;
    CHECK(cudaMalloc(&d_row, 100 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    CHECK(cudaMemset(d_row, 0, 100 * sizeof(int)));
    frames_too_large<<<1, 1>>>(d_row, d_out);
}

// fault flag_nobody_sets: endless wait
//     while (*flag == 0)
//     ^
// says no thread is left that could change it
// sanitizer none
__global__ void flag_nobody_sets(volatile int *flag)
{
    while (*flag == 0)
        ;
}

PLANTED(flag_nobody_sets)
{
    int *d_flag;
    CHECK(cudaMalloc(&d_flag, sizeof(int)));
    CHECK(cudaMemset(d_flag, 0, sizeof(int)));
    flag_nobody_sets<<<1, THREADS>>>(d_flag);
}

// Twice as many as are resident at once, by any count: 2048 threads a multiprocessor.
// fault barrier_of_too_many_blocks: endless wait
//     while (*arrived < (int)gridDim.x)
//     ^
// says no thread is left that could change it
// sanitizer none
__global__ void barrier_of_too_many_blocks(volatile int *arrived)
{
    if (threadIdx.x == 0) {
        atomicAdd((int *)arrived, 1);
        while (*arrived < (int)gridDim.x)
            ;
    }
}

PLANTED(barrier_of_too_many_blocks)
{
    enum { WHOLE = 1024, EACH = 2 };
    int *d_arrived, multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&d_arrived, sizeof(int)));
    CHECK(cudaMemset(d_arrived, 0, sizeof(int)));
    barrier_of_too_many_blocks<<<2 * EACH * multiprocessors, WHOLE>>>(d_arrived);
}

// fault counts_down_past_zero: too many steps
//     out[k % count] = k;
//     ^
// sanitizer none
__global__ void counts_down_past_zero(volatile unsigned *out, unsigned count)
{
    for (unsigned k = count - 1; k >= 0; k--)
        out[k % count] = k;
}

PLANTED(counts_down_past_zero)
{
    unsigned *d_out;
    CHECK(cudaMalloc(&d_out, 8 * sizeof(unsigned)));
    counts_down_past_zero<<<1, 1>>>(d_out, 8);
}

// fault blocks_wait_for_one_more: endless wait
//     while (*arrived < gridDim.x + 1)
//     ^
// sanitizer none
__global__ void blocks_wait_for_one_more(unsigned *count, volatile unsigned *arrived)
{
    if (threadIdx.x == 0) {
        atomicAdd(count, 1u);
        while (*arrived < gridDim.x + 1)
            ;
    }
    __syncthreads();
}

PLANTED(blocks_wait_for_one_more)
{
    unsigned *d_count;
    CHECK(cudaMalloc(&d_count, sizeof(unsigned)));
    CHECK(cudaMemset(d_count, 0, sizeof(unsigned)));
    blocks_wait_for_one_more<<<4, 32>>>(d_count, d_count);
}

// fault lock_never_given_back: endless wait
//     while (atomicCAS(lock, 0, 1) != 0)
//     ^
// sanitizer none
__global__ void lock_never_given_back(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *sum += 1;
    if (threadIdx.x > 32)
        atomicExch(lock, 0);
}

PLANTED(lock_never_given_back)
{
    int *d_lock, *d_sum;
    CHECK(cudaMalloc(&d_lock, sizeof(int)));
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMemset(d_lock, 0, sizeof(int)));
    CHECK(cudaMemset(d_sum, 0, sizeof(int)));
    lock_never_given_back<<<1, THREADS>>>(d_lock, d_sum);
}

// fault trapped: trap
//     __trap();
//     ^
// by thread (5,0,0) of block (1,0,0)
// sanitizer memcheck Trace/breakpoint trap
__global__ void trapped(int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == THREADS + 5)
        __trap();
    out[i] = 0;
}

PLANTED(trapped)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, 2 * THREADS * sizeof(int)));
    trapped<<<2, THREADS>>>(d_out);
}

// fault assertion_fails: assertion failed
//     assert(i * i < 900);
//                   ^
// by thread (30,0,0) of block (0,0,0)
// says 'i * i < 900'
// sanitizer memcheck cudaErrorAssert
__global__ void assertion_fails(unsigned *out)
{
    unsigned i = threadIdx.x;
    assert(i * i < 900);
    out[i] = i;
}

PLANTED(assertion_fails)
{
    unsigned *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(unsigned)));
    assertion_fails<<<1, THREADS>>>(d_out);
}

// fault product_by_half_a_warp: incomplete warp
//     nvcuda::wmma::mma_sync(sum, a, a_too, sum);
//     ^
// sanitizer none
__global__ void product_by_half_a_warp(float *out)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, col_major> a_too;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(a, __float2half(1.0f));
    fill_fragment(a_too, __float2half(1.0f));
    fill_fragment(sum, 0.0f);
    if (threadIdx.x < 16)
        nvcuda::wmma::mma_sync(sum, a, a_too, sum);
    for (int k = 0; k < sum.num_elements; k++)
        out[threadIdx.x * sum.num_elements + k] = sum.x[k];
}

PLANTED(product_by_half_a_warp)
{
    float *d_out;
    CHECK(cudaMalloc(&d_out, 16 * 16 * sizeof(float)));
    product_by_half_a_warp<<<1, 32>>>(d_out);
}

__global__ void exchanges_halves(int *out)
{
    extern __shared__ int s_row[];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    __syncthreads();
    out[i] = s_row[i ^ 32];
}

// fault shared_memory_not_opted_in: refused
// says invalid argument
// says cudaFuncSetAttribute
// sanitizer memcheck cudaErrorInvalidValue
PLANTED(shared_memory_not_opted_in)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    exchanges_halves<<<1, THREADS, 64 * 1024>>>(d_out);
}

// fault block_too_large: refused
// says is not between 1 and 1024
// says 2048
// sanitizer memcheck cudaErrorInvalidValue
PLANTED(block_too_large)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, 2048 * sizeof(int)));
    exchanges_halves<<<1, 2048, 2048 * sizeof(int)>>>(d_out);
}

// fault grid_of_no_blocks: refused
// says a grid of 0 blocks
// sanitizer memcheck on CUDA API call to cudaLaunchKernel
PLANTED(grid_of_no_blocks)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    exchanges_halves<<<0, THREADS, THREADS * sizeof(int)>>>(d_out);
}

} // namespace ends
