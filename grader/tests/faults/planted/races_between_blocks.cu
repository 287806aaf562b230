// races_between_blocks.cu - global memory that two blocks touch with nothing to order them.
#include "planted.h"

#include <cooperative_groups.h>

namespace races_between_blocks {

namespace cg = cooperative_groups;
enum { THREADS = 64, BLOCKS = 4, COUNT = THREADS * BLOCKS };

struct memory { // all zero but for the numbers
    int *numbers, *out;
    unsigned *count;
    memory()
    {
        int values[COUNT];
        for (int i = 0; i < COUNT; i++)
            values[i] = 7 * i % 100 + 1;
        CHECK(cudaMalloc(&numbers, sizeof values));
        CHECK(cudaMalloc(&out, sizeof values));
        CHECK(cudaMalloc(&count, sizeof values));
        CHECK(cudaMemcpy(numbers, values, sizeof values, cudaMemcpyHostToDevice));
        CHECK(cudaMemset(out, 0, sizeof values));
        CHECK(cudaMemset(count, 0, sizeof values));
    }
};

// fault every_block_writes_one_row: global memory race
//     out[threadIdx.x] = (int)blockIdx.x;
//     ^
// by thread (0,0,0) of block (1,0,0)
// other thread (0,0,0)
//     out[threadIdx.x] = (int)blockIdx.x;
//     ^
// says writes byte 0 of
// says wrote at line
__global__ void every_block_writes_one_row(int *out)
{
    out[threadIdx.x] = (int)blockIdx.x;
}

PLANTED(every_block_writes_one_row)
{
    memory m;
    every_block_writes_one_row<<<BLOCKS, THREADS>>>(m.out);
}

// fault a_dimension_is_forgotten: global memory race
//     x[i] += a[i * 4 + j];
//     ^
__global__ void a_dimension_is_forgotten(float *x, const float *a)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 4; j++)
        x[i] += a[i * 4 + j];
}

PLANTED(a_dimension_is_forgotten)
{
    memory m;
    a_dimension_is_forgotten<<<2, dim3(32, 8)>>>((float *)m.out, (const float *)m.numbers);
}

// fault every_block_does_the_rest: global memory race
//     x[i] = 3 * x[i];
//     ^
__global__ void every_block_does_the_rest(int *x, int count)
{
    int first = count / 4 * 4, i = first + (int)threadIdx.x;
    if (i < count)
        x[i] = 3 * x[i];
}

PLANTED(every_block_does_the_rest)
{
    memory m;
    every_block_does_the_rest<<<BLOCKS, THREADS>>>(m.numbers, 35);
}

// fault neighbours_change_in_place: global memory race
//     x[i] = (x[i - 1] + x[i + 1]) / 2;
//     ^
__global__ void neighbours_change_in_place(int *x)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i > 0 && i < COUNT - 1)
        x[i] = (x[i - 1] + x[i + 1]) / 2;
}

PLANTED(neighbours_change_in_place)
{
    memory m;
    neighbours_change_in_place<<<BLOCKS, THREADS>>>(m.numbers);
}

// fault sum_is_read_too_early: global memory race
//     atomicAdd(sum, in[blockIdx.x * THREADS + threadIdx.x]);
//     ^
// other
//     out[threadIdx.x] = sum[0] + 1;
//     ^
// says updates byte 0 of
__global__ void sum_is_read_too_early(const int *in, int *sum, int *out)
{
    atomicAdd(sum, in[blockIdx.x * THREADS + threadIdx.x]);
    __syncthreads();
    if (blockIdx.x == 0)
        out[threadIdx.x] = sum[0] + 1;
}

PLANTED(sum_is_read_too_early)
{
    memory m;
    sum_is_read_too_early<<<BLOCKS, THREADS>>>(m.numbers, (int *)m.count, m.out);
}

// fault the_last_block_without_a_fence: global memory race
//     total += sums[b];
//     ^
// other
//     sums[blockIdx.x] = in[blockIdx.x] + 1;
//     ^
__global__ void the_last_block_without_a_fence(const int *in, int *sums, unsigned *count, int *out)
{
    if (threadIdx.x > 0)
        return;
    sums[blockIdx.x] = in[blockIdx.x] + 1;
    int total = 0;
    if (atomicAdd(count, 1u) == gridDim.x - 1)
        for (unsigned b = 0; b < gridDim.x; b++)
            total += sums[b];
    if (total)
        out[0] = total;
}

PLANTED(the_last_block_without_a_fence)
{
    memory m;
    the_last_block_without_a_fence<<<BLOCKS, THREADS>>>(m.numbers, m.out, m.count, m.out + 100);
}

// fault one_thread_fences_for_all: global memory race
//     total += between[i];
//     ^
__global__ void one_thread_fences_for_all(int *between, unsigned *count, int *out)
{
    __shared__ bool s_last;
    between[blockIdx.x * THREADS + threadIdx.x] = (int)threadIdx.x + 1;
    if (threadIdx.x == 0) { // the other warps may still be writing
        __threadfence();
        s_last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (s_last && threadIdx.x == 0) {
        int total = 0;
        for (int i = 0; i < COUNT; i++)
            total += between[i];
        out[0] = total;
    }
}

PLANTED(one_thread_fences_for_all)
{
    memory m;
    one_thread_fences_for_all<<<BLOCKS, THREADS>>>(m.numbers, m.count, m.out);
}

// fault the_flag_comes_first: global memory race
//     out[0] = *data;
//     ^
__global__ void the_flag_comes_first(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *flag = 1;
        __threadfence();
        *data = 42;
    } else {
        while (!*flag)
            ;
        __threadfence();
        out[0] = *data;
    }
}

PLANTED(the_flag_comes_first)
{
    memory m;
    the_flag_comes_first<<<2, 1>>>(m.numbers, (int *)m.count, m.out);
}

// fault a_flag_without_a_fence: global memory race
//     out[1] = *data;
//     ^
// other
//     *data = 43;
//     ^
__global__ void a_flag_without_a_fence(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 43;
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        out[1] = *data;
    }
}

PLANTED(a_flag_without_a_fence)
{
    memory m;
    a_flag_without_a_fence<<<2, 1>>>(m.numbers, (int *)m.count, m.out);
}

// fault a_fence_of_the_block_only: global memory race
//     out[2] = *data;
//     ^
__global__ void a_fence_of_the_block_only(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 44;
        __threadfence_block();
        *flag = 1;
    } else {
        while (!*flag)
            ;
        __threadfence();
        out[2] = *data;
    }
}

PLANTED(a_fence_of_the_block_only)
{
    memory m;
    a_fence_of_the_block_only<<<2, 1>>>(m.numbers, (int *)m.count, m.out);
}

// fault a_lock_without_fences: global memory race
//     *sum = *sum + 2;
//     ^
__global__ void a_lock_without_fences(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *sum = *sum + 2;
    atomicExch(lock, 0);
}

PLANTED(a_lock_without_fences)
{
    memory m;
    a_lock_without_fences<<<BLOCKS, 1>>>((int *)m.count, m.out);
}

// fault two_locks_for_one_sum: global memory race
//     *sum = *sum + 3;
//     ^
__global__ void two_locks_for_one_sum(int *locks, int *sum)
{
    int *lock = &locks[64 * (blockIdx.x % 2)];
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *sum = *sum + 3;
    __threadfence();
    atomicExch(lock, 0);
}

PLANTED(two_locks_for_one_sum)
{
    memory m;
    two_locks_for_one_sum<<<2, 1>>>((int *)m.count, m.out);
}

// fault the_first_block_clears_the_count: global memory race
//     atomicAdd(count, 5u);
//     ^
__global__ void the_first_block_clears_the_count(unsigned *count)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *count = 0;
    __syncthreads();
    atomicAdd(count, 5u);
}

PLANTED(the_first_block_clears_the_count)
{
    memory m;
    the_first_block_clears_the_count<<<BLOCKS, THREADS>>>(m.count);
}

// fault bins_without_atomics: global memory race
//     bins[in[blockIdx.x]]++;
//     ^
__global__ void bins_without_atomics(const int *in, unsigned *bins)
{
    bins[in[blockIdx.x]]++;
}

PLANTED(bins_without_atomics)
{
    memory m;
    int same[BLOCKS] = {3, 3, 3, 3};
    CHECK(cudaMemcpy(m.numbers, same, sizeof same, cudaMemcpyHostToDevice));
    bins_without_atomics<<<BLOCKS, 1>>>(m.numbers, m.count);
}

// fault look_back_without_a_fence: global memory race
//     before = sums[blockIdx.x - 1];
//     ^
__global__ void look_back_without_a_fence(const int *in, int *sums, volatile int *ready)
{
    int before = 0;
    if (blockIdx.x > 0) {
        while (!ready[blockIdx.x - 1])
            ;
        __threadfence();
        before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + in[blockIdx.x];
    ready[blockIdx.x] = 1;
}

PLANTED(look_back_without_a_fence)
{
    memory m;
    look_back_without_a_fence<<<BLOCKS, 1>>>(m.numbers, m.out, (int *)m.count);
}

static void launch_together(const void *kernel, int *a, int *b)
{
    void *arguments[2] = {&a, &b};
    CHECK(cudaLaunchCooperativeKernel(kernel, BLOCKS, THREADS, arguments, 0, 0));
}

// fault the_grid_does_not_meet: global memory race
//     out[i] = between[(i + THREADS) % COUNT];
//     ^
__global__ void the_grid_does_not_meet(int *between, int *out)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    cg::this_grid().sync();
    between[i] = (int)i + 100;
    cg::this_thread_block().sync();
    out[i] = between[(i + THREADS) % COUNT];
}

PLANTED(the_grid_does_not_meet)
{
    memory m;
    launch_together((const void *)the_grid_does_not_meet, m.numbers, m.out);
}

// fault the_grid_meets_once_a_step: global memory race
//     x[i] = was + 9;
//     ^
__global__ void the_grid_meets_once_a_step(int *x, int *)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    for (int step = 0; step < 3; step++) {
        int was = x[(i + THREADS) % COUNT];
        x[i] = was + 9;
        cg::this_grid().sync();
    }
}

PLANTED(the_grid_meets_once_a_step)
{
    memory m;
    launch_together((const void *)the_grid_meets_once_a_step, m.numbers, m.out);
}

// fault atomics_of_the_block: global memory race
//     atomicAdd_block(sum, 6);
//     ^
__global__ void atomics_of_the_block(int *sum)
{
    atomicAdd_block(sum, 6);
}

PLANTED(atomics_of_the_block)
{
    memory m;
    atomics_of_the_block<<<BLOCKS, THREADS>>>(m.out);
}

// fault two_bytes_where_one_was_meant: global memory race
//     *(short *)(bytes + (i & ~1u)) = (short)(i + 1);
//     ^
__global__ void two_bytes_where_one_was_meant(char *bytes)
{
    unsigned i = blockIdx.x * 33 + threadIdx.x;
    *(short *)(bytes + (i & ~1u)) = (short)(i + 1);
}

PLANTED(two_bytes_where_one_was_meant)
{
    memory m;
    two_bytes_where_one_was_meant<<<BLOCKS, 33>>>((char *)m.out);
}

struct flags {
    unsigned low : 4, high : 4;
};

// fault bit_fields_of_one_byte: global memory race
//     if (blockIdx.x == 0) // nvcc makes one store of both
//     ^
__global__ void bit_fields_of_one_byte(struct flags *flags)
{
    if (blockIdx.x == 0) // nvcc makes one store of both
        flags->high = 6;
    else
        flags->low = 5;
}

PLANTED(bit_fields_of_one_byte)
{
    memory m;
    bit_fields_of_one_byte<<<2, 1>>>((struct flags *)m.out);
}

// fault bits_without_atomics: global memory race
//     bits[i / 128] |= 1u << i % 32;
//     ^
__global__ void bits_without_atomics(unsigned *bits)
{
    unsigned i = blockIdx.x * 32 + blockIdx.x;
    bits[i / 128] |= 1u << i % 32;
}

PLANTED(bits_without_atomics)
{
    memory m;
    bits_without_atomics<<<3, 1>>>(m.count);
}

// fault an_item_is_taken_before_it_is_there: global memory race
//     out[blockIdx.x] = queue[blockIdx.x - 1];
//     ^
__global__ void an_item_is_taken_before_it_is_there(int *queue, unsigned *count, int *out)
{
    if (blockIdx.x == 0) {
        for (unsigned i = 1; i < BLOCKS; i++)
            queue[atomicAdd(count, 1u)] = (int)i * 50;
    } else {
        while (atomicAdd(count, 0u) < BLOCKS - 1)
            ;
        out[blockIdx.x] = queue[blockIdx.x - 1];
    }
}

PLANTED(an_item_is_taken_before_it_is_there)
{
    memory m;
    an_item_is_taken_before_it_is_there<<<BLOCKS, 1>>>(m.numbers, m.count, m.out);
}

// fault the_largest_without_atomics: global memory race
//     *best = in[i];
//     ^
__global__ void the_largest_without_atomics(const int *in, int *best)
{
    unsigned i = blockIdx.x * THREADS;
    if (in[i] > *best)
        *best = in[i];
}

PLANTED(the_largest_without_atomics)
{
    memory m;
    int rising[COUNT];
    for (int i = 0; i < COUNT; i++)
        rising[i] = i + 1;
    CHECK(cudaMemcpy(m.numbers, rising, sizeof rising, cudaMemcpyHostToDevice));
    the_largest_without_atomics<<<BLOCKS, 1>>>(m.numbers, m.out);
}

// fault rows_that_overlap: global memory race
//     out[blockIdx.x * 60 + threadIdx.x] = (int)(1000 * blockIdx.x + threadIdx.x);
//     ^
__global__ void rows_that_overlap(int *out)
{
    out[blockIdx.x * 60 + threadIdx.x] = (int)(1000 * blockIdx.x + threadIdx.x);
}

PLANTED(rows_that_overlap)
{
    memory m;
    rows_that_overlap<<<BLOCKS, THREADS>>>(m.out);
}

// fault each_pair_is_exchanged_twice: global memory race
//     x[column * 16 + row] = here;
//     ^
__global__ void each_pair_is_exchanged_twice(int *x)
{
    unsigned row = blockIdx.x, column = threadIdx.x;
    int here = x[row * 16 + column], there = x[column * 16 + row];
    x[column * 16 + row] = here;
    x[row * 16 + column] = there;
}

PLANTED(each_pair_is_exchanged_twice)
{
    memory m;
    each_pair_is_exchanged_twice<<<16, 16>>>(m.numbers);
}

// fault a_ticket_without_a_fence: global memory race
//     *sum = *sum + 11;
//     ^
__global__ void a_ticket_without_a_fence(unsigned *next, volatile unsigned *serving, int *sum)
{
    unsigned mine = atomicAdd(next, 1u);
    while (*serving != mine)
        ;
    *sum = *sum + 11;
    *serving = mine + 1;
}

PLANTED(a_ticket_without_a_fence)
{
    memory m;
    a_ticket_without_a_fence<<<BLOCKS, 1>>>(m.count, m.count + 64, m.out);
}

// fault a_part_sum_joins_out_of_turn: global memory race
//     out[threadIdx.x] += in[blockIdx.x * THREADS + threadIdx.x];
//     ^
__global__ void a_part_sum_joins_out_of_turn(const int *in, int *out, volatile unsigned *turn)
{
    if (threadIdx.x == 0)
        while (*turn < blockIdx.x)
            ;
    __syncthreads();
    out[threadIdx.x] += in[blockIdx.x * THREADS + threadIdx.x];
    if (threadIdx.x == 0) { // the other warp may not have added yet
        __threadfence();
        *turn = blockIdx.x + 1;
    }
}

PLANTED(a_part_sum_joins_out_of_turn)
{
    memory m;
    a_part_sum_joins_out_of_turn<<<BLOCKS, THREADS>>>(m.numbers, m.out, m.count);
}

} // namespace races_between_blocks
