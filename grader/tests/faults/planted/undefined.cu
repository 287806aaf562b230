// undefined.cu - values that nobody has written, and the lines where they decide something.
#include "planted.h"

#include <cassert>
#include <cstdio>
#include <cuda_fp16.h>

namespace undefined {

enum { THREADS = 64, TILE = 16 };

// A kernel of two int buffers: the first holds THREADS zeros, the second nothing.
typedef void kernel_of_two(const int *in, int *out);

static void launch(kernel_of_two *kernel)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(int)));
    kernel<<<1, THREADS>>>(d_in, d_out);
}

// fault branch_on_it: uninitialised read
//     int value = s_row[i];
//     ^
// by thread (32,0,0) of block (0,0,0)
// other thread (32,0,0)
//     if (value > 5)
//     ^
// says what is made of it decides a branch
// sanitizer none
__global__ void branch_on_it(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i < 32)
        s_row[i] = in[i];
    __syncthreads();
    int value = s_row[i];
    if (value > 5)
        atomicAdd(out + THREADS, 1);
    out[i] = 1;
}

PLANTED(branch_on_it)
{
    launch(branch_on_it);
}

// fault index_from_it: uninitialised read
//     int at = s_order[i];
//     ^
// by thread (40,0,0) of block (0,0,0)
// other thread (40,0,0)
//     out[i] = in[at & 63];
//     ^
// says what is made of it is used in an address
// sanitizer none
__global__ void index_from_it(const int *in, int *out)
{
    __shared__ int s_order[THREADS];
    unsigned i = threadIdx.x;
    if (i < 40)
        s_order[i] = (int)i;
    __syncthreads();
    int at = s_order[i];
    out[i] = in[at & 63];
}

PLANTED(index_from_it)
{
    launch(index_from_it);
}

// fault copied_to_the_output: uninitialised read
//     out[i] = s_row[THREADS - 1 - i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says reads shared memory at offset 252
// says that value is stored in global memory
// sanitizer none
__global__ void copied_to_the_output(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i != THREADS - 1)
        s_row[i] = in[i];
    __syncthreads();
    out[i] = s_row[THREADS - 1 - i];
}

PLANTED(copied_to_the_output)
{
    launch(copied_to_the_output);
}

// fault buffer_copied_before_it_is_filled: uninitialised read
//     out[i] = in[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says reads byte 0 of the 256-byte buffer
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__global__ void buffer_copied_before_it_is_filled(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[i];
}

PLANTED(buffer_copied_before_it_is_filled)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    buffer_copied_before_it_is_filled<<<1, THREADS>>>(d_in, d_out);
}

// fault rows_of_a_tile_missing: uninitialised read
//     out[x * TILE + y + by] = s_tile[y + by][x];
//     ^
// says that value is stored in global memory
// sanitizer none
__global__ void rows_of_a_tile_missing(const int *in, int *out)
{
    __shared__ int s_tile[TILE][TILE + 1];
    unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (unsigned by = 0; by < TILE - 4; by += 4)
        s_tile[y + by][x] = in[threadIdx.x] + (int)by;
    __syncthreads();
    for (unsigned by = 0; by < TILE; by += 4)
        out[x * TILE + y + by] = s_tile[y + by][x];
}

PLANTED(rows_of_a_tile_missing)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, TILE * TILE * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(int)));
    rows_of_a_tile_missing<<<1, THREADS>>>(d_in, d_out);
}

// fault shuffled_and_used: uninitialised read
//     int mine = s_row[i];
//     ^
// by thread (20,0,0) of block (0,0,0)
// other thread (4,0,0)
//     out[i] = sum;
//     ^
// sanitizer none
__global__ void shuffled_and_used(const int *in, int *out)
{
    __shared__ int s_row[32];
    unsigned i = threadIdx.x;
    if (i < 20)
        s_row[i] = in[i];
    __syncwarp();
    if (i >= 32)
        return;
    int mine = s_row[i];
    int sum = mine + __shfl_down_sync(0xffffffff, mine, 16);
    if (i < 16)
        out[i] = sum;
}

PLANTED(shuffled_and_used)
{
    launch(shuffled_and_used);
}

// fault sum_over_a_warp_that_is_short: uninitialised read
//     int sum = i < 32 ? s_sums[i] : 0;
//     ^
// says what is made of it is stored in global memory
// sanitizer none
__global__ void sum_over_a_warp_that_is_short(const int *in, int *out)
{
    __shared__ int s_sums[32];
    unsigned i = threadIdx.x;
    if (i % 32 == 0)
        s_sums[i / 32] = in[i];
    __syncthreads();
    int sum = i < 32 ? s_sums[i] : 0;
    for (int by = 16; by; by /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, by);
    if (i == 0)
        *out = sum;
}

PLANTED(sum_over_a_warp_that_is_short)
{
    launch(sum_over_a_warp_that_is_short);
}

// fault lanes_chosen_by_it: uninitialised read
//     unsigned mask = s_mask;
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (0,0,0)
//     out[i] = __shfl_sync(mask, in[i], 0);
//     ^
// says decides which lanes take part
// sanitizer none
__global__ void lanes_chosen_by_it(const int *in, int *out)
{
    __shared__ volatile unsigned s_mask;
    unsigned i = threadIdx.x;
    unsigned mask = s_mask;
    out[i] = __shfl_sync(mask, in[i], 0);
}

PLANTED(lanes_chosen_by_it)
{
    launch(lanes_chosen_by_it);
}

// fault printed: uninitialised read
//     int value = in[i];
//     ^
// by thread (3,0,0) of block (0,0,0)
// other thread (3,0,0)
//     printf("%d\n", value);
//     ^
// says reads byte 12 of the 256-byte buffer
// says is an argument of a library function
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__global__ void printed(const int *in)
{
    unsigned i = threadIdx.x;
    int value = in[i];
    if (i == 3)
        printf("%d\n", value);
}

PLANTED(printed)
{
    int *d_in;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    printed<<<1, THREADS>>>(d_in);
}

// fault asserted: uninitialised read
//     int value = in[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (0,0,0)
//     assert(value != 77);
//     ^
// says what is made of it decides a branch
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__global__ void asserted(const int *in)
{
    unsigned i = threadIdx.x;
    int value = in[i];
    assert(value != 77);
}

PLANTED(asserted)
{
    int *d_in;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    asserted<<<1, THREADS>>>(d_in);
}

// fault loop_bound_not_set: uninitialised read
//     for (int k = 0; k < s_count; k++)
//     ^
// says decides a branch
// sanitizer none
__global__ void loop_bound_not_set(const int *in, int *out)
{
    __shared__ volatile int s_count;
    int sum = 0;
    for (int k = 0; k < s_count; k++)
        sum += in[k & 63];
    out[threadIdx.x] = sum;
}

PLANTED(loop_bound_not_set)
{
    launch(loop_bound_not_set);
}

// fault element_of_a_local_array: uninitialised read
//     out[i] = 2 * kept[(i + in[i]) % 8];
//     ^
// by thread (6,0,0) of block (0,0,0)
// says reads a variable of its own that it has not set
// sanitizer none
__global__ void element_of_a_local_array(const int *in, int *out)
{
    int kept[8];
    unsigned i = threadIdx.x;
    for (int k = 0; k < 6; k++)
        kept[(k + in[i]) % 8] = k;
    out[i] = 2 * kept[(i + in[i]) % 8];
}

PLANTED(element_of_a_local_array)
{
    launch(element_of_a_local_array);
}

// fault half_of_a_pair: uninitialised read
//     __half2 sum = __hadd2(s_pairs[i], s_pairs[i]);
//     ^
// says what is made of it is stored in global memory
// sanitizer none
__global__ void half_of_a_pair(const int *in, int *out)
{
    __shared__ __half2 s_pairs[THREADS];
    unsigned i = threadIdx.x;
    ((__half *)s_pairs)[2 * i] = __int2half_rn(in[i]);
    __syncthreads();
    __half2 sum = __hadd2(s_pairs[i], s_pairs[i]);
    out[i] = (int)__half2float(__high2half(sum));
}

PLANTED(half_of_a_pair)
{
    launch(half_of_a_pair);
}

struct record {
    int kind;
    float weight;
};

// fault member_that_is_used: uninitialised read
//     total += copies[i].weight;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says reads byte 4 of the 512-byte buffer
// other thread (0,0,0)
//     *out = (int)total;
//     ^
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__global__ void copy_records(const record *in, record *copies)
{
    copies[threadIdx.x] = in[threadIdx.x];
}

__global__ void kinds_only(record *all)
{
    all[threadIdx.x].kind = 1;
}

__global__ void member_that_is_used(const record *copies, int *out)
{
    float total = 0;
    for (int i = 0; i < THREADS; i++)
        total += copies[i].weight;
    *out = (int)total;
}

PLANTED(member_that_is_used)
{
    record *d_all, *d_copies;
    int *d_out;
    CHECK(cudaMalloc(&d_all, THREADS * sizeof(record)));
    CHECK(cudaMalloc(&d_copies, THREADS * sizeof(record)));
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    kinds_only<<<1, THREADS>>>(d_all);
    copy_records<<<1, THREADS>>>(d_all, d_copies);
    member_that_is_used<<<1, 1>>>(d_copies, d_out);
}

// fault through_two_tiles: uninitialised read
//     s_second[i] = s_first[i];
//     ^
// by thread (50,0,0) of block (0,0,0)
// other thread (50,0,0)
//     out[i] = s_second[i] + 1;
//     ^
// says reads shared memory at offset
// sanitizer none
__global__ void through_two_tiles(const int *in, int *out)
{
    __shared__ int s_first[THREADS], s_second[THREADS];
    unsigned i = threadIdx.x;
    if (i < 50)
        s_first[i] = in[i];
    __syncthreads();
    s_second[i] = s_first[i];
    __syncthreads();
    out[i] = s_second[i] + 1;
}

PLANTED(through_two_tiles)
{
    launch(through_two_tiles);
}

// fault returned_by_a_function: uninitialised read
//     return row[(i + 1) % THREADS];
//     ^
// by thread (9,0,0) of block (0,0,0)
// other thread (9,0,0)
//     out[i] = neighbour(between, i) / 3;
//     ^
// says reads byte 40 of the 256-byte buffer
// sanitizer initcheck Uninitialized __global__ memory read of size 4 bytes
__device__ __noinline__ int neighbour(const int *row, unsigned i)
{
    return row[(i + 1) % THREADS];
}

__global__ void all_but_the_tenth(int *between)
{
    if (threadIdx.x != 10)
        between[threadIdx.x] = (int)threadIdx.x;
}

__global__ void returned_by_a_function(const int *between, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = neighbour(between, i) / 3;
}

PLANTED(returned_by_a_function)
{
    int *d_between, *d_out;
    CHECK(cudaMalloc(&d_between, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    all_but_the_tenth<<<1, THREADS>>>(d_between);
    returned_by_a_function<<<1, THREADS>>>(d_between, d_out);
}

// fault added_to_a_sum_of_all: uninitialised read
//     atomicAdd(out, s_row[i]);
//     ^
// says that value is stored in global memory
// sanitizer none
__global__ void added_to_a_sum_of_all(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i == 0)
        *out = 0;
    if (i < 60)
        s_row[i] = in[i];
    __syncthreads();
    atomicAdd(out, s_row[i]);
}

PLANTED(added_to_a_sum_of_all)
{
    launch(added_to_a_sum_of_all);
}

// fault old_value_of_an_exchange: uninitialised read
//     int before = atomicExch(&s_word, (int)i);
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (0,0,0)
//     out[i] = before + 1;
//     ^
// says reads shared memory at offset 0
// sanitizer none
__global__ void old_value_of_an_exchange(const int *, int *out)
{
    __shared__ int s_word;
    unsigned i = threadIdx.x;
    int before = atomicExch(&s_word, (int)i);
    out[i] = before + 1;
}

PLANTED(old_value_of_an_exchange)
{
    launch(old_value_of_an_exchange);
}

} // namespace undefined
