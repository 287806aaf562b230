// copies.cu - cp.async copies that are read before they have arrived, or before others may see
// them.
#include "planted.h"

#include <cuda_pipeline.h>

namespace copies {

enum { THREADS = 64 };

// fault copy_never_waited_for: missing cp.async wait
//     out[i] = s_row[i];
//     ^
// by thread (32,0,0) of block (0,0,0)
// other thread (32,0,0)
//     __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
//     ^
// sanitizer racecheck Race reported
__global__ void copy_never_waited_for(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    out[i] = s_row[i];
}

// fault waited_for_the_group_before: missing cp.async wait
//     out[i] = s_row[1][i ^ 1];
//     ^
// other
//     __pipeline_memcpy_async(&s_row[1][i], &in[i + THREADS], sizeof(int));
//     ^
// sanitizer racecheck Race reported
__global__ void waited_for_the_group_before(const int *in, int *out)
{
    __shared__ int s_row[2][THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[0][i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_memcpy_async(&s_row[1][i], &in[i + THREADS], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i] = s_row[1][i ^ 1];
}

// fault never_committed: missing cp.async wait
//     out[i] = s_row[i];
//     ^
// other
//     asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + i));
//     ^
// sanitizer racecheck Race reported
__global__ void never_committed(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x, to = (unsigned)__cvta_generic_to_shared(&s_row[i]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + i));
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[i] = s_row[i];
}

// fault waited_but_not_synchronised: shared memory race
//     out[i] = s_row[(i + 32) & 63];
//     ^
// other
//     __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
//     ^
// sanitizer racecheck hazard
__global__ void waited_but_not_synchronised(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (i >= 32)
        out[i] = s_row[(i + 32) & 63];
}

// fault synchronised_before_the_wait: shared memory race
//     out[i] = s_row[i ^ 32];
//     ^
// other
//     __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
//     ^
// sanitizer racecheck Race reported
__global__ void synchronised_before_the_wait(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    if (i < 32)
        out[i] = s_row[i ^ 32];
}

// fault buffer_still_read: shared memory race
//     sum += s_row[step & 1][i ^ 32];
//     ^
// other
//     __pipeline_memcpy_async(&s_row[step & 1][i], &in[step * THREADS + i], sizeof(int));
//     ^
// sanitizer racecheck hazard
__global__ void buffer_still_read(const int *in, int *out)
{
    __shared__ int s_row[2][THREADS];
    unsigned i = threadIdx.x;
    int sum = 0;
#pragma unroll 1
    for (int step = 0; step < 4; step += 2) {
        __pipeline_memcpy_async(&s_row[step & 1][i], &in[step * THREADS + i], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += s_row[step & 1][i ^ 32];
    }
    out[i] = sum;
}

// fault zeroed_while_it_arrives: missing cp.async wait
//     s_row[i] = 0;
//     ^
// other
//     __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
//     ^
// says writes shared memory
// sanitizer racecheck Race reported
__global__ void zeroed_while_it_arrives(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    if (i > 32)
        s_row[i] = 0;
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = s_row[i];
}

static void launch(void (*kernel)(const int *, int *))
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 4 * THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, 4 * THREADS * sizeof(int)));
    kernel<<<1, THREADS>>>(d_in, d_out);
}

// fault copied_past_end: out of bounds
//     __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
//     ^
// by thread (60,0,0) of block (0,0,0)
// says just past the end of the 240-byte buffer
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void copied_past_end(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = s_row[i ^ 1];
}

PLANTED(copied_past_end)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 60 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, 60 * sizeof(int)));
    copied_past_end<<<1, THREADS>>>(d_in, d_out);
}

PLANTED(copy_never_waited_for)
{
    launch(copy_never_waited_for);
}

PLANTED(waited_for_the_group_before)
{
    launch(waited_for_the_group_before);
}

PLANTED(never_committed)
{
    launch(never_committed);
}

PLANTED(waited_but_not_synchronised)
{
    launch(waited_but_not_synchronised);
}

PLANTED(synchronised_before_the_wait)
{
    launch(synchronised_before_the_wait);
}

PLANTED(buffer_still_read)
{
    launch(buffer_still_read);
}

PLANTED(zeroed_while_it_arrives)
{
    launch(zeroed_while_it_arrives);
}

} // namespace copies
