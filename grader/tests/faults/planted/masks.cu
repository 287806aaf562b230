// masks.cu - warp-wide operations whose member mask does not name those who come.
#include "planted.h"

namespace masks {

enum { LANES = 32 };

// fault half_a_warp_full_mask: wrong member mask
//     value += __shfl_down_sync(0xffffffff, value, 8);
//     ^
// says 0xffffffff
// sanitizer none: it waits for ever
__global__ void half_a_warp_full_mask(int *out)
{
    unsigned i = threadIdx.x;
    int value = (int)i;
    if (i < 16) {
        value += __shfl_down_sync(0xffffffff, value, 8);
        out[i] = value;
    }
    __syncwarp();
    out[i] += 1;
}

// fault half_a_warp_that_goes_on: wrong member mask
//     value += __shfl_down_sync(0xffffffff, value, 8); // the other half only stores
//     ^
// says 0xffffffff
// sanitizer none: not asked of one yet
__global__ void half_a_warp_that_goes_on(int *out)
{
    unsigned i = threadIdx.x;
    int value = (int)i;
    if (i < 16)
        value += __shfl_down_sync(0xffffffff, value, 8); // the other half only stores
    out[i] = value;
}

// fault half_a_warp_before_a_barrier: wrong member mask
//     value += __shfl_down_sync(0xffffffff, value, 8); // the other half is at the barrier
//     ^
// says 0xffffffff
// sanitizer none: not asked of one yet
__global__ void half_a_warp_before_a_barrier(int *out)
{
    unsigned i = threadIdx.x;
    int value = (int)i;
    if (i < 16)
        value += __shfl_down_sync(0xffffffff, value, 8); // the other half is at the barrier
    __syncthreads();
    out[i] = value;
}

// fault half_a_mask_full_warp: wrong member mask
//     value += __shfl_xor_sync(0x0000ffff, value, 8);
//     ^
// by thread (16,0,0) of block (0,0,0)
// says member mask 0x0000ffff leaves it out
// sanitizer none: synccheck says nothing of it
__global__ void half_a_mask_full_warp(int *out)
{
    unsigned i = threadIdx.x;
    int value = (int)i;
    value += __shfl_xor_sync(0x0000ffff, value, 8);
    out[i] = value;
}

// fault ballot_inside_the_branch: wrong member mask
//     out[i] = (int)__ballot_sync(0xffffffff, i > 3);
//     ^
// sanitizer synccheck
__global__ void ballot_inside_the_branch(int *out)
{
    unsigned i = threadIdx.x;
    out[i] = 0;
    if (i & 1)
        out[i] = (int)__ballot_sync(0xffffffff, i > 3);
    __syncwarp();
    out[i] += 1;
}

// fault syncwarp_of_absent_lanes: wrong member mask
//     __syncwarp(); // of all: its other lanes met the eight before
//     ^
// sanitizer none: synccheck says nothing of it
__global__ void syncwarp_of_absent_lanes(int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    if (i < 8) {
        __syncwarp();
        out[i] = s_row[i ^ 1];
    } else {
        __syncwarp(0xffffff00);
        out[i] = s_row[i ^ 1];
    }
    __syncwarp(); // of all: its other lanes met the eight before
    out[i] += 1;
}

// fault match_without_oneself: wrong member mask
//     out[i] = (int)__match_any_sync(0xfffffffe, i / 4);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says member mask 0xfffffffe leaves it out
// sanitizer none: synccheck says nothing of it
__global__ void match_without_oneself(int *out)
{
    unsigned i = threadIdx.x;
    out[i] = (int)__match_any_sync(0xfffffffe, i / 4);
}

// fault reduction_of_the_absent: wrong member mask
//     out[i] = __reduce_add_sync(0xffffffff, (int)i);
//     ^
// sanitizer synccheck
__global__ void reduction_of_the_absent(int *out)
{
    unsigned i = threadIdx.x;
    if (i < 20)
        out[i] = __reduce_add_sync(0xffffffff, (int)i);
    __syncwarp();
    out[i] += 1;
}

// fault from_a_lane_outside: wrong member mask
//     out[i] = __shfl_sync(0x000000ff, (int)i, 20);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says lane 20
// sanitizer none
__global__ void from_a_lane_outside(int *out)
{
    unsigned i = threadIdx.x;
    if (i < 8)
        out[i] = __shfl_sync(0x000000ff, (int)i, 20);
}

// fault half_a_warp_launched: wrong member mask
//     value += __shfl_down_sync(0xffffffff, value, 16);
//     ^
// by thread (32,0,0) of block (0,0,0)
// says lane 16
// sanitizer none
__global__ void half_a_warp_launched(int *out)
{
    unsigned i = threadIdx.x;
    int value = (int)i;
    value += __shfl_down_sync(0xffffffff, value, 16);
    out[i] = value;
}

// fault left_before_the_shuffle: wrong member mask
//     out[i] = __shfl_sync(0xffffffff, (int)i * 2, 0);
//     ^
// by thread (1,0,0) of block (0,0,0)
// says lane 0
// sanitizer none
__global__ void left_before_the_shuffle(int *out)
{
    unsigned i = threadIdx.x;
    if (i == 0)
        return;
    out[i] = __shfl_sync(0xffffffff, (int)i * 2, 0);
}

// fault sum_of_twenty_lanes: wrong member mask
//     value += __shfl_down_sync(0xffffffff, value, by);
//     ^
// other thread (0,0,0)
//     out[0] = value; // of lanes 20 and up, too
//     ^
// says which does not exist: the block's last warp is not full; what is made of it is stored in
// sanitizer none
__global__ void sum_of_twenty_lanes(int *out)
{
    unsigned i = threadIdx.x;
    int value = (int)i;
    for (int by = 16; by; by /= 2)
        value += __shfl_down_sync(0xffffffff, value, by);
    if (i == 0)
        out[0] = value; // of lanes 20 and up, too
}

// fault scan_that_asks_the_dead: wrong member mask
//     int below = __shfl_up_sync(0xffffffff, value, 1);
//     ^
// by thread (8,0,0) of block (0,0,0)
// other thread (8,0,0)
//     if (below > 3)
//     ^
// says lane 7, which takes no part; what is made of it decides a branch
// sanitizer none
__global__ void scan_that_asks_the_dead(int *out)
{
    unsigned i = threadIdx.x;
    int value = out[i] + (int)i;
    if (i < 8)
        return;
    int below = __shfl_up_sync(0xffffffff, value, 1);
    if (below > 3)
        __nanosleep(20);
    out[i] = value;
}

static void launch(void (*kernel)(int *), unsigned threads = LANES)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, 2 * LANES * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, 2 * LANES * sizeof(int)));
    kernel<<<1, threads>>>(d_out);
}

PLANTED(half_a_warp_full_mask)
{
    launch(half_a_warp_full_mask);
}

PLANTED(half_a_warp_that_goes_on)
{
    launch(half_a_warp_that_goes_on);
}

PLANTED(half_a_warp_before_a_barrier)
{
    launch(half_a_warp_before_a_barrier);
}

PLANTED(half_a_mask_full_warp)
{
    launch(half_a_mask_full_warp);
}

PLANTED(ballot_inside_the_branch)
{
    launch(ballot_inside_the_branch);
}

PLANTED(syncwarp_of_absent_lanes)
{
    launch(syncwarp_of_absent_lanes);
}

PLANTED(match_without_oneself)
{
    launch(match_without_oneself);
}

PLANTED(reduction_of_the_absent)
{
    launch(reduction_of_the_absent);
}

PLANTED(from_a_lane_outside)
{
    launch(from_a_lane_outside);
}

PLANTED(half_a_warp_launched)
{
    launch(half_a_warp_launched, LANES + 16);
}

PLANTED(left_before_the_shuffle)
{
    launch(left_before_the_shuffle);
}

PLANTED(sum_of_twenty_lanes)
{
    launch(sum_of_twenty_lanes, 20);
}

PLANTED(scan_that_asks_the_dead)
{
    launch(scan_that_asks_the_dead);
}

} // namespace masks
