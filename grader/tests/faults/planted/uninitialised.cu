// uninitialised.cu - reads of shared and global memory that nobody has written.
#include "planted.h"

namespace uninitialised {

enum { THREADS = 64 };

// fault shared_never_written: uninitialised read
//     sum += s_row[(i + k) & 63];
//     ^
// by thread (1,0,0) of block (0,0,0)
// other thread (0,0,0)
//     out[i] = s_row[i ^ 1];
//     ^
// says reads shared memory at offset 8, which no thread of the block has written
// says what is made of it is stored in global memory
// sanitizer none
__global__ void shared_never_written(int *out, int count)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += s_row[(i + k) & 63];
    __syncthreads();
    s_row[i] = sum;
    __syncthreads();
    out[i] = s_row[i ^ 1];
}

PLANTED(shared_never_written)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    shared_never_written<<<1, THREADS>>>(d_out, 2);
}

// fault edge_of_tile_not_zeroed: uninitialised read
//     out[i] = s_tile[i] + s_tile[i + 1] + s_tile[i + 2];
//     ^
// by thread (62,0,0) of block (0,0,0)
// says reads shared memory at offset 256
// sanitizer none
__global__ void edge_of_tile_not_zeroed(const int *in, int *out)
{
    __shared__ int s_tile[THREADS + 2];
    unsigned i = threadIdx.x;
    s_tile[i] = in[i];
    __syncthreads();
    out[i] = s_tile[i] + s_tile[i + 1] + s_tile[i + 2];
}

PLANTED(edge_of_tile_not_zeroed)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(int)));
    edge_of_tile_not_zeroed<<<1, THREADS>>>(d_in, d_out);
}

// fault counter_not_zeroed: uninitialised read
//     atomicAdd(&s_count, in[i] > 0);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says updates shared memory at offset 0
// sanitizer none
__global__ void counter_not_zeroed(const int *in, int *out)
{
    __shared__ int s_count;
    unsigned i = threadIdx.x;
    atomicAdd(&s_count, in[i] > 0);
    __syncthreads();
    if (i == 0)
        *out = s_count;
}

PLANTED(counter_not_zeroed)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(int)));
    counter_not_zeroed<<<1, THREADS>>>(d_in, d_out);
}

// fault input_never_copied: uninitialised read
//     out[i] = 2 * in[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says reads byte 0 of the 256-byte buffer
// made
//     CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__global__ void input_never_copied(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = 2 * in[i];
}

PLANTED(input_never_copied)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    input_never_copied<<<1, THREADS>>>(d_in, d_out);
}

// fault last_element_missing: uninitialised read
//     out[i] = in[i] + 1;
//     ^
// by thread (63,0,0) of block (0,0,0)
// says reads byte 252 of the 256-byte buffer
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__global__ void all_but_the_last(int *out)
{
    unsigned i = threadIdx.x;
    if (i + 1 < blockDim.x)
        out[i] = (int)i;
}

__global__ void last_element_missing(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[i] + 1;
}

PLANTED(last_element_missing)
{
    int *d_between, *d_out;
    CHECK(cudaMalloc(&d_between, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    all_but_the_last<<<1, THREADS>>>(d_between);
    last_element_missing<<<1, THREADS>>>(d_between, d_out);
}

// fault adds_to_what_is_there: uninitialised read
//     out[i] += in[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// made
//     CHECK(cudaMalloc(&d_out, THREADS * sizeof(float)));
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__global__ void adds_to_what_is_there(const float *in, float *out)
{
    unsigned i = threadIdx.x;
    out[i] += in[i];
}

PLANTED(adds_to_what_is_there)
{
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(float)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(float)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(float)));
    adds_to_what_is_there<<<1, THREADS>>>(d_in, d_out);
}

// fault sum_never_zeroed: uninitialised read
//     atomicAdd(sum, in[i]);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says updates byte 0 of the 4-byte buffer
// sanitizer initcheck Uninitialized __global__ memory
__global__ void sum_never_zeroed(const float *in, float *sum)
{
    unsigned i = threadIdx.x;
    atomicAdd(sum, in[i]);
}

PLANTED(sum_never_zeroed)
{
    float *d_in, *d_sum;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(float)));
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(float)));
    sum_never_zeroed<<<1, THREADS>>>(d_in, d_sum);
}

// fault copy_of_nothing: uninitialised read
//     *out = in[half] + in[0];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says reads byte 128 of the 256-byte buffer
// sanitizer initcheck Uninitialized access
__global__ void copy_of_nothing(const int *in, int *out, int half)
{
    *out = in[half] + in[0];
}

PLANTED(copy_of_nothing)
{
    int *d_first, *d_second, *d_out;
    CHECK(cudaMalloc(&d_first, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_second, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    CHECK(cudaMemset(d_first, 0, THREADS / 2 * sizeof(int)));
    CHECK(cudaMemcpy(d_second, d_first, THREADS * sizeof(int), cudaMemcpyDeviceToDevice));
    copy_of_nothing<<<1, 1>>>(d_second, d_out, THREADS / 2);
}

// fault element_missing_from_a_copy: uninitialised read
//     out[i] = s_row[THREADS - 1 - i];
//     ^
// by thread (58,0,0) of block (0,0,0)
// says that value is stored in global memory
// sanitizer none
__global__ void element_missing_from_a_copy(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i != 5)
        s_row[i] = (int)i;
    __syncthreads();
    out[i] = s_row[THREADS - 1 - i];
}

PLANTED(element_missing_from_a_copy)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    element_missing_from_a_copy<<<1, THREADS>>>(d_out);
}

} // namespace uninitialised
