// races_in_global_memory.cu - threads of one block that meet in global memory without a barrier.
#include "planted.h"

namespace races_in_global_memory {

enum { THREADS = 64 };

static int *zeros()
{
    int *at;
    CHECK(cudaMalloc(&at, 4096));
    CHECK(cudaMemset(at, 0, 4096));
    return at;
}

// fault another_warps_word: global memory race
//     x[threadIdx.x] = (int)threadIdx.x + 1;
//     ^
// other
//     y[threadIdx.x] = x[threadIdx.x ^ 32];
//     ^
__global__ void another_warps_word(int *x, int *y)
{
    x[threadIdx.x] = (int)threadIdx.x + 1;
    y[threadIdx.x] = x[threadIdx.x ^ 32];
}

PLANTED(another_warps_word)
{
    another_warps_word<<<1, THREADS>>>(zeros(), zeros());
}

// fault the_next_lanes_word: global memory race
//     y[threadIdx.x] = x[threadIdx.x ^ 1];
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (1,0,0)
//     x[threadIdx.x] = (int)threadIdx.x + 2;
//     ^
// says let all read before any writes
__global__ void the_next_lanes_word(int *x, int *y)
{
    x[threadIdx.x] = (int)threadIdx.x + 2;
    y[threadIdx.x] = x[threadIdx.x ^ 1];
}

PLANTED(the_next_lanes_word)
{
    the_next_lanes_word<<<1, 32>>>(zeros(), zeros());
}

// fault two_lanes_one_word: global memory race
//     x[threadIdx.x / 2] = (int)threadIdx.x + 3;
//     ^
__global__ void two_lanes_one_word(int *x)
{
    x[threadIdx.x / 2] = (int)threadIdx.x + 3;
}

PLANTED(two_lanes_one_word)
{
    two_lanes_one_word<<<1, 32>>>(zeros());
}

// fault lanes_far_apart_one_word: global memory race
//     x[threadIdx.x % 8] = (int)threadIdx.x + 4;
//     ^
__global__ void lanes_far_apart_one_word(int *x)
{
    x[threadIdx.x % 8] = (int)threadIdx.x + 4;
}

PLANTED(lanes_far_apart_one_word)
{
    lanes_far_apart_one_word<<<1, 32>>>(zeros());
}

// fault levels_without_a_barrier: global memory race
//     x[threadIdx.x] += x[threadIdx.x + half];
//     ^
__global__ void levels_without_a_barrier(int *x)
{
    x[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2)
        if (threadIdx.x < half)
            x[threadIdx.x] += x[threadIdx.x + half];
}

PLANTED(levels_without_a_barrier)
{
    levels_without_a_barrier<<<1, THREADS>>>(zeros());
}

// fault a_byte_inside_a_word: global memory race
//     y[threadIdx.x] = ((int *)x)[threadIdx.x];
//     ^
// says which thread (31,0,0) wrote at line
__global__ void a_byte_inside_a_word(char *x, int *y)
{
    if (threadIdx.x == 31)
        x[202] = 5;
    __syncwarp();
    if (threadIdx.x >= 32)
        y[threadIdx.x] = ((int *)x)[threadIdx.x];
}

PLANTED(a_byte_inside_a_word)
{
    a_byte_inside_a_word<<<1, THREADS>>>((char *)zeros(), zeros());
}

} // namespace races_in_global_memory
