// races_in_a_warp.cu - shared memory that two lanes of one warp touch with no __syncwarp() in
// between: since Volta the lanes of a warp may run apart.
#include "planted.h"

namespace races_in_a_warp {

enum { LANES = 32 };

// fault written_for_the_neighbour: shared memory race
//     out[i] = s_row[i ^ 1];
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (1,0,0)
//     s_row[i] = in[i];
//     ^
// says __syncwarp()
// sanitizer racecheck hazard
__global__ void written_for_the_neighbour(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    out[i] = s_row[i ^ 1];
}

// fault shifted_in_place: shared memory race
//     s_row[i] = next;
//     ^
// other
//     int next = s_row[(i + 1) & 31];
//     ^
// says __syncwarp()
// sanitizer racecheck hazard
__global__ void shifted_in_place(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    __syncwarp();
    int next = s_row[(i + 1) & 31];
    s_row[i] = next;
    __syncwarp();
    out[i] = s_row[31 - i];
}

// fault own_word_read_last: shared memory race
//     s_row[i] = left + s_row[i];
//     ^
// says __syncwarp()
// sanitizer none: racecheck knows the last reader only
__global__ void own_word_read_last(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    __syncwarp();
    int left = s_row[(i + 31) & 31];
    s_row[i] = left + s_row[i];
    __syncwarp();
    out[i] = s_row[i];
}

// fault pairs_write_one_word: shared memory race
//     s_half[i / 2] = (int)i;
//     ^
// by thread (1,0,0) of block (0,0,0)
// other thread (0,0,0)
//     s_half[i / 2] = (int)i;
//     ^
// sanitizer racecheck hazard
__global__ void pairs_write_one_word(const int *, int *out)
{
    __shared__ int s_half[LANES / 2];
    unsigned i = threadIdx.x;
    s_half[i / 2] = (int)i;
    __syncwarp();
    out[i] = s_half[i / 2];
}

// fault volatile_is_no_barrier: shared memory race
//     s_sum[i] += s_sum[i + half];
//     ^
// other
//     s_sum[i] += s_sum[i + half];
//     ^
// sanitizer racecheck hazard
__global__ void volatile_is_no_barrier(const int *in, int *out)
{
    __shared__ volatile int s_sum[2 * LANES];
    unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    s_sum[i + LANES] = in[i];
    __syncwarp();
#pragma unroll
    for (unsigned half = LANES; half > 0; half /= 2)
        s_sum[i] += s_sum[i + half];
    if (i == 0)
        *out = s_sum[0];
}

// fault halves_meet_apart: shared memory race
//     out[i] = s_row[i ^ 16];
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (16,0,0)
//     s_row[i] = in[i];
//     ^
// sanitizer racecheck Race reported
__global__ void halves_meet_apart(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    __syncwarp(i < 16 ? 0x0000ffff : 0xffff0000);
    out[i] = s_row[i ^ 16];
}

// fault shuffle_is_no_barrier: shared memory race
//     out[i] = s_row[i ^ 1] + from;
//     ^
// other
//     s_row[i] = in[i];
//     ^
// sanitizer racecheck hazard
__global__ void shuffle_is_no_barrier(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    int from = __shfl_xor_sync(0xffffffff, (int)i, 1);
    out[i] = s_row[i ^ 1] + from;
}

// fault branch_writes_what_the_other_reads: shared memory race
//     s_row[i] = in[i] + 1;
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (16,0,0)
//     out[i] = s_row[i & 15];
//     ^
// sanitizer racecheck hazard
__global__ void branch_writes_what_the_other_reads(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = 0;
    __syncwarp();
    if (i < 16)
        s_row[i] = in[i] + 1;
    else
        out[i] = s_row[i & 15];
}

// fault zero_not_seen_by_all: shared memory race
//     atomicAdd(&s_sum, in[i]);
//     ^
// by thread (1,0,0) of block (0,0,0)
// other thread (0,0,0)
//     s_sum = 0;
//     ^
// says __syncwarp()
// sanitizer none: the atomic of the same thread hides the store from racecheck
__global__ void zero_not_seen_by_all(const int *in, int *out)
{
    __shared__ int s_sum;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_sum = 0;
    atomicAdd(&s_sum, in[i]);
    __syncwarp();
    out[i] = s_sum;
}

static void launch(void (*kernel)(const int *, int *))
{
    int in[4 * LANES], *d_in, *d_out;
    for (int i = 0; i < 4 * LANES; i++)
        in[i] = 3 * i + 1;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof in));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    kernel<<<1, LANES>>>(d_in, d_out);
}

PLANTED(written_for_the_neighbour)
{
    launch(written_for_the_neighbour);
}

PLANTED(shifted_in_place)
{
    launch(shifted_in_place);
}

PLANTED(own_word_read_last)
{
    launch(own_word_read_last);
}

PLANTED(pairs_write_one_word)
{
    launch(pairs_write_one_word);
}

PLANTED(volatile_is_no_barrier)
{
    launch(volatile_is_no_barrier);
}

PLANTED(halves_meet_apart)
{
    launch(halves_meet_apart);
}

PLANTED(shuffle_is_no_barrier)
{
    launch(shuffle_is_no_barrier);
}

PLANTED(branch_writes_what_the_other_reads)
{
    launch(branch_writes_what_the_other_reads);
}

PLANTED(zero_not_seen_by_all)
{
    launch(zero_not_seen_by_all);
}

} // namespace races_in_a_warp
