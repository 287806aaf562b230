// barriers.cu - barriers that not all threads come to, or not all to the same.
#include "planted.h"

#include <cooperative_groups.h>

namespace barriers {

enum { THREADS = 64 };

// fault barrier_for_a_few: divergent barrier
//     __syncthreads();
//     ^
// says 16 of the 32
// sanitizer none: synccheck looks at whole warps
__global__ void barrier_for_a_few(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    if (i % 32 < 16) {
        __syncthreads();
        out[i] = s_row[i ^ 1];
    }
    __syncthreads(); // the others come here
    out[i] += s_row[i ^ 32];
}

// fault as_many_barriers_as_elements: divergent barrier
//     __syncthreads();
//     ^
// sanitizer none: synccheck looks at whole warps
__global__ void as_many_barriers_as_elements(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = 0;
    for (unsigned k = 0; k < 1 + i % 4; k++) {
        __syncthreads();
        s_row[i] += (int)k;
    }
    __syncthreads(); // after the loop
    out[i] = s_row[i ^ 1];
}

// fault early_way_out_of_a_loop: divergent barrier
//     __syncthreads();
//     ^
// sanitizer none: synccheck looks at whole warps
__global__ void early_way_out_of_a_loop(int *out)
{
    __shared__ volatile int s_row[THREADS];
    unsigned i = threadIdx.x;
    for (int step = 0; step < 8; step++) {
        s_row[i] = step + (int)(i & 1);
        if (s_row[i] == 4)
            break;
        __syncthreads();
    }
    __syncthreads(); // after the loop
    out[i] = s_row[i ^ 1];
}

// fault fewer_and_fewer: divergent barrier
//     __syncthreads(); // of half as many each time
//     ^
// says of its warp do not come to
// sanitizer none: synccheck looks at whole warps
__global__ void fewer_and_fewer(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2)
        if (i < half) {
            s_row[i] += s_row[i + half];
            __syncthreads(); // of half as many each time
        }
    if (i == 0)
        *out = s_row[0];
}

// fault both_sides_have_one: divergent barrier
//     __syncthreads(); // of the second half
//     ^
// says line
// sanitizer synccheck Divergent thread(s) in block
__global__ void both_sides_have_one(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    if (i < 32) {
        s_row[i] += 1;
        __syncthreads(); // of the first half
    } else {
        out[i] = 0;
        __syncthreads(); // of the second half
    }
    out[i] = s_row[i ^ 32];
}

// fault count_of_a_few: divergent barrier
//     out[i] = __syncthreads_count(s_row[i] > 8);
//     ^
// sanitizer none: synccheck looks at whole warps
__global__ void count_of_a_few(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    if (i & 1)
        out[i] = __syncthreads_count(s_row[i] > 8);
    __syncthreads(); // the others come here
    out[i] += s_row[i ^ 32];
}

// fault barrier_of_one_warp: divergent barrier
//     __syncthreads(); // of all
//     ^
// says line
// sanitizer synccheck Divergent thread(s) in block
__global__ void barrier_of_one_warp(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    if (i < 32)
        __syncthreads(); // of one warp
    s_row[i] += 1;
    __syncthreads(); // of all
    out[i] = s_row[i ^ 32];
}

// fault numbers_differ: deadlock
//     asm volatile("bar.sync 1, 64;" ::: "memory");
//     ^
// says thread (32,0,0) waits at line
// sanitizer none
__global__ void numbers_differ(int *out)
{
    unsigned i = threadIdx.x;
    if (i < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[i] = (int)i;
}

// fault one_warp_too_few: deadlock
//     asm volatile("bar.sync 1, 96;" ::: "memory");
//     ^
// says waits here for threads that never come: 64 of 96 have come
// sanitizer none
__global__ void one_warp_too_few(int *out)
{
    unsigned i = threadIdx.x;
    asm volatile("bar.sync 1, 96;" ::: "memory");
    out[i] = (int)i;
}

// fault consumer_alone: deadlock
//     asm volatile("bar.sync 1, 64;" ::: "memory");
//     ^
// says waits here for threads that never come
// sanitizer none
__global__ void consumer_alone(int *out)
{
    __shared__ int s_row[32];
    unsigned i = threadIdx.x;
    if (i < 32) {
        s_row[i] = (int)i;
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[i] = s_row[i - 32];
    }
}

// fault grid_barrier_without_cooperation: trap
//     cooperative_groups::this_grid().sync();
//     ^
// sanitizer memcheck Trace/breakpoint trap
__global__ void grid_barrier_without_cooperation(int *out)
{
    out[threadIdx.x] = 1;
    cooperative_groups::this_grid().sync();
}

// fault halves_of_warps_meet_by_a_helper: divergent barrier
//     __syncthreads(); // of one line, but twice in the kernel
//     ^
// says 16 of the 32
// sanitizer none: synccheck looks at whole warps
static __device__ __forceinline__ void meet()
{
    __syncthreads(); // of one line, but twice in the kernel
}

__global__ void halves_of_warps_meet_by_a_helper(int *out)
{
    unsigned i = threadIdx.x;
    if (out[i] + (int)i & 1) {
        out[i] = 1;
        meet();
        out[i] += 7;
    } else {
        atomicAdd(&out[i], 2);
        meet();
        out[i] -= 3;
    }
}

// fault halves_of_warps_call_a_barrier: divergent barrier
//     __syncthreads(); // in a function
//     ^
// says 16 of the 32
// sanitizer none: synccheck looks at whole warps
static __device__ __noinline__ int next_after_meeting(int number)
{
    __syncthreads(); // in a function
    return number + 1;
}

__global__ void halves_of_warps_call_a_barrier(int *out)
{
    unsigned i = threadIdx.x;
    if (i & 1)
        out[i] = next_after_meeting(out[i]) + 7;
    else
        out[i] = next_after_meeting(out[i] * 3);
}

// fault not_in_every_round: divergent barrier
//     __syncthreads(); // now and then
//     ^
// says of its warp do not come to
// sanitizer none: synccheck looks at whole warps
__global__ void not_in_every_round(int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = (int)i;
    for (unsigned round = 0; round < 4; round++)
        if ((i + round) % 8) {
            s_row[i] += (int)round;
            __syncthreads(); // now and then
        }
    out[i] = s_row[i];
}

// fault calls_in_some_rounds: divergent barrier
//     __syncthreads(); // now and then, too
//     ^
// says of its warp do not come to
// sanitizer none: synccheck looks at whole warps
static __device__ __noinline__ int twice_after_meeting(int number)
{
    __syncthreads(); // now and then, too
    return number * 2;
}

__global__ void calls_in_some_rounds(int *out)
{
    unsigned i = threadIdx.x, rounds = 4 + (unsigned)out[i];
    int number = (int)i;
    for (unsigned round = 0; round < rounds; round++)
        if ((i + round) % 8)
            number = twice_after_meeting(number);
    out[i] = number;
}

// fault barrier_of_forty: bad barrier operand
//     asm volatile("bar.sync 2, 40;" ::: "memory");
//     ^
// says 40 threads, which is not a whole number of warps
// sanitizer none
__global__ void barrier_of_forty(int *out)
{
    asm volatile("bar.sync 2, 40;" ::: "memory");
    out[threadIdx.x] = 1;
}

// fault barrier_of_a_number_too_large: bad barrier operand
//     asm volatile("bar.sync %0, 64;" ::"r"(16 + out[0]) : "memory");
//     ^
// says comes to barrier 16
// sanitizer none
__global__ void barrier_of_a_number_too_large(int *out)
{
    asm volatile("bar.sync %0, 64;" ::"r"(16 + out[0]) : "memory");
    out[threadIdx.x] = 1;
}

static void launch(void (*kernel)(int *))
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, THREADS * sizeof(int)));
    kernel<<<1, THREADS>>>(d_out);
}

PLANTED(barrier_for_a_few)
{
    launch(barrier_for_a_few);
}

PLANTED(as_many_barriers_as_elements)
{
    launch(as_many_barriers_as_elements);
}

PLANTED(early_way_out_of_a_loop)
{
    launch(early_way_out_of_a_loop);
}

PLANTED(fewer_and_fewer)
{
    launch(fewer_and_fewer);
}

PLANTED(both_sides_have_one)
{
    launch(both_sides_have_one);
}

PLANTED(count_of_a_few)
{
    launch(count_of_a_few);
}

PLANTED(barrier_of_one_warp)
{
    launch(barrier_of_one_warp);
}

PLANTED(halves_of_warps_meet_by_a_helper)
{
    launch(halves_of_warps_meet_by_a_helper);
}

PLANTED(halves_of_warps_call_a_barrier)
{
    launch(halves_of_warps_call_a_barrier);
}

PLANTED(not_in_every_round)
{
    launch(not_in_every_round);
}

PLANTED(calls_in_some_rounds)
{
    launch(calls_in_some_rounds);
}

PLANTED(barrier_of_forty)
{
    launch(barrier_of_forty);
}

PLANTED(barrier_of_a_number_too_large)
{
    launch(barrier_of_a_number_too_large);
}

PLANTED(numbers_differ)
{
    launch(numbers_differ);
}

PLANTED(one_warp_too_few)
{
    launch(one_warp_too_few);
}

PLANTED(consumer_alone)
{
    launch(consumer_alone);
}

PLANTED(grid_barrier_without_cooperation)
{
    launch(grid_barrier_without_cooperation);
}

} // namespace barriers
