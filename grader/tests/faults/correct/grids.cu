// grids.cu - blocks that work together: flags, locks, counters and barriers over a whole grid.
//
// What racecheck takes for races here, because it knows no fences:
// racecheck reports a_flag_between_warps a_flag_that_releases a_flag_in_global_memory
// racecheck reports a_lock_for_shared_memory
#include "correct.h"

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace grids {

namespace cg = cooperative_groups;
enum { THREADS = 64, BLOCKS = 6 };

/* The block that is last to count itself adds up what all have written. */
__global__ void the_last_block_sums(const int *in, int *sums, unsigned *done, int *out)
{
    __shared__ int s_sum;
    __shared__ bool s_last;
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, in[blockIdx.x * THREADS + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = s_sum;
        __threadfence();
        s_last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (s_last && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += ((volatile int *)sums)[b];
        *out = sum;
    }
}

CORRECT(the_last_block_sums)
{
    ints in = numbers(BLOCKS * THREADS);
    device_ints d_in(in), d_sums(BLOCKS), d_out(1);
    device_array<unsigned> d_done(std::vector<unsigned>(1));
    the_last_block_sums<<<BLOCKS, THREADS>>>(d_in, d_sums, d_done, d_out);
    return d_out.values()[0] == sum_of(in);
}

/* Each block waits for the sum of the one before it: blocks start in order. */
__global__ void sums_handed_from_block_to_block(const int *in, volatile int *sums,
                                                volatile int *ready, int *out)
{
    __shared__ int s_before;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < THREADS; k++)
            sum += in[blockIdx.x * THREADS + k];
        if (blockIdx.x > 0)
            while (!ready[blockIdx.x - 1])
                ;
        __threadfence();
        s_before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
        sums[blockIdx.x] = s_before + sum;
        __threadfence();
        ready[blockIdx.x] = 1;
    }
    __syncthreads();
    out[i] = s_before + in[i];
}

CORRECT(sums_handed_from_block_to_block)
{
    ints in = numbers(BLOCKS * THREADS);
    device_ints d_in(in), d_sums(BLOCKS), d_ready(ints(BLOCKS, 0)), d_out(in.size());
    sums_handed_from_block_to_block<<<BLOCKS, THREADS>>>(d_in, d_sums, d_ready, d_out);
    return d_out.values() == made_of(in.size(), [&](int i) {
               int sum = in[i];
               for (int k = 0; k < i / THREADS * THREADS; k++)
                   sum += in[k];
               return sum;
           });
}

__global__ void grid_meets_by_group(const int *in, int *between, int *out)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank(), count = grid.size();
    between[i] = in[i];
    grid.sync();
    out[i] = between[(i + 3 * THREADS + 1) % count];
    grid.sync();
    between[i] = out[(i + 1) % count];
}

CORRECT(grid_meets_by_group)
{
    const int count = BLOCKS * THREADS;
    ints in = numbers(count);
    device_ints d_in(in), d_between(count), d_out(count);
    int *pointers[3] = {d_in, d_between, d_out};
    void *arguments[3] = {&pointers[0], &pointers[1], &pointers[2]};
    CHECK(cudaLaunchCooperativeKernel((const void *)grid_meets_by_group, BLOCKS, THREADS, arguments,
                                      0, 0));
    return d_between.values() ==
           made_of(count, [&](int i) { return in[(i + 3 * THREADS + 2) % count]; });
}

__global__ void grid_meets_by_counter(const int *in, int *between, unsigned *count, int *out)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    between[i] = in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(count, 1u);
        while (atomicAdd(count, 0u) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    out[i] = ((volatile int *)between)[(i + THREADS) % (gridDim.x * THREADS)];
}

CORRECT(grid_meets_by_counter)
{
    const int count = BLOCKS * THREADS;
    ints in = numbers(count);
    device_ints d_in(in), d_between(count), d_out(count);
    device_array<unsigned> d_count(std::vector<unsigned>(1));
    grid_meets_by_counter<<<BLOCKS, THREADS>>>(d_in, d_between, d_count, d_out);
    return d_out.values() == made_of(count, [&](int i) { return in[(i + THREADS) % count]; });
}

__global__ void one_lock_for_all(int *lock, int *sum)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)sum = *(volatile int *)sum + (int)threadIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

CORRECT(one_lock_for_all)
{
    device_ints d_lock(ints(1, 0)), d_sum(ints(1, 0));
    one_lock_for_all<<<BLOCKS, THREADS>>>(d_lock, d_sum);
    return d_sum.values()[0] == BLOCKS * THREADS * (THREADS - 1) / 2;
}

/* Since Volta a lane may wait for another of its warp. */
__global__ void a_lock_in_a_loop(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *(volatile int *)sum = *(volatile int *)sum + 1;
    __threadfence();
    atomicExch(lock, 0);
}

CORRECT(a_lock_in_a_loop)
{
    device_ints d_lock(ints(1, 0)), d_sum(ints(1, 0));
    a_lock_in_a_loop<<<2, 32>>>(d_lock, d_sum);
    return d_sum.values()[0] == 64;
}

__global__ void a_lock_for_shared_memory(int *out)
{
    __shared__ int s_lock, s_sum;
    if (threadIdx.x == 0) {
        s_lock = 0;
        s_sum = 0;
    }
    __syncthreads();
    bool done = false;
    while (!done)
        if (atomicCAS(&s_lock, 0, 1) == 0) {
            __threadfence_block();
            s_sum += (int)threadIdx.x;
            __threadfence_block();
            atomicExch(&s_lock, 0);
            done = true;
        }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = s_sum;
}

CORRECT(a_lock_for_shared_memory)
{
    device_ints d_out(1);
    a_lock_for_shared_memory<<<1, THREADS>>>(d_out);
    return d_out.values()[0] == THREADS * (THREADS - 1) / 2;
}

__global__ void a_flag_between_warps(const int *in, int *out)
{
    __shared__ int s_data;
    __shared__ volatile int s_ready;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_ready = 0;
    __syncthreads();
    if (i == 0) {
        s_data = in[0] + 1;
        __threadfence_block();
        s_ready = 1;
    }
    if (i == 32) {
        while (!s_ready)
            ;
        __threadfence_block();
        *out = s_data;
    }
}

CORRECT(a_flag_between_warps)
{
    ints in = numbers(1);
    device_ints d_in(in), d_out(1);
    a_flag_between_warps<<<1, THREADS>>>(d_in, d_out);
    return d_out.values()[0] == in[0] + 1;
}

__global__ void a_flag_that_releases(const int *in, int *out)
{
    __shared__ int s_data;
    __shared__ int s_flag;
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(s_flag);
    unsigned i = threadIdx.x;
    if (i == 0)
        s_flag = 0;
    __syncthreads();
    if (i == 0) {
        s_data = in[0] + 2;
        ready.store(1, cuda::memory_order_release);
    }
    if (i == 32) {
        while (!ready.load(cuda::memory_order_acquire))
            ;
        *out = s_data;
    }
}

CORRECT(a_flag_that_releases)
{
    ints in = numbers(1);
    device_ints d_in(in), d_out(1);
    a_flag_that_releases<<<1, THREADS>>>(d_in, d_out);
    return d_out.values()[0] == in[0] + 2;
}

/* The flag may lie in global memory, and order shared memory all the same. */
__global__ void a_flag_in_global_memory(const int *in, int *flag, int *out)
{
    __shared__ int s_data;
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(*flag);
    unsigned i = threadIdx.x;
    if (i == 0) {
        s_data = in[0] + 3;
        ready.store(1, cuda::memory_order_release);
    }
    if (i == 32) {
        while (!ready.load(cuda::memory_order_acquire))
            ;
        *out = s_data;
    }
}

CORRECT(a_flag_in_global_memory)
{
    ints in = numbers(1);
    device_ints d_in(in), d_flag(ints(1)), d_out(1);
    a_flag_in_global_memory<<<1, THREADS>>>(d_in, d_flag, d_out);
    return d_out.values()[0] == in[0] + 3;
}

/* Thread 0 waits for the other blocks while the rest of its warp waits for it. */
__global__ void one_thread_waits_for_long(const int *in, unsigned *count, int *out)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    int value = in[i];
    if (threadIdx.x == 0) {
        if (blockIdx.x == gridDim.x - 1)
            for (int k = 0; k < 20000; k++)
                value = (value * 5 + k) % 1009;
        atomicAdd(count, 1u);
        while (*(volatile unsigned *)count < gridDim.x)
            ;
    }
    __syncthreads();
    out[i] = threadIdx.x ? value : -1;
}

CORRECT(one_thread_waits_for_long)
{
    ints in = numbers(4 * THREADS);
    device_ints d_in(in), d_out(4 * THREADS);
    device_array<unsigned> d_count(std::vector<unsigned>(1));
    one_thread_waits_for_long<<<4, THREADS>>>(d_in, d_count, d_out);
    return d_out.values() == made_of(4 * THREADS, [&](int i) { return i % THREADS ? in[i] : -1; });
}

__global__ void work_from_a_queue(const int *in, int count, unsigned *next, int *out)
{
    __shared__ unsigned s_item;
    for (;;) {
        if (threadIdx.x == 0)
            s_item = atomicAdd(next, 1u);
        __syncthreads();
        unsigned item = s_item;
        __syncthreads();
        if ((int)(item * THREADS) >= count)
            return;
        unsigned i = item * THREADS + threadIdx.x;
        if ((int)i < count)
            out[i] = in[i] + 1;
    }
}

CORRECT(work_from_a_queue)
{
    ints in = numbers(1000);
    device_ints d_in(in), d_out(1000);
    device_array<unsigned> d_next(std::vector<unsigned>(1));
    work_from_a_queue<<<3, THREADS>>>(d_in, 1000, d_next, d_out);
    return d_out.values() == made_of(1000, [&](int i) { return in[i] + 1; });
}

__global__ void histogram_of_the_grid(const int *in, int count, int *bins)
{
    __shared__ int s_bins[100];
    for (int b = threadIdx.x; b < 100; b += THREADS)
        s_bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
        atomicAdd(&s_bins[in[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 100; b += THREADS)
        if (s_bins[b])
            atomicAdd(&bins[b], s_bins[b]);
}

CORRECT(histogram_of_the_grid)
{
    ints in = numbers(2000), bins(100);
    for (int value : in)
        bins[value]++;
    device_ints d_in(in), d_bins(ints(100, 0));
    histogram_of_the_grid<<<BLOCKS, THREADS>>>(d_in, 2000, d_bins);
    return d_bins.values() == bins;
}

__global__ void a_hash_table_filled_by_all(const int *keys, int count, int *slots, int room)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    int at = keys[i] * 7 % room;
    for (;;) {
        int was = atomicCAS(&slots[at], -1, keys[i]);
        if (was == -1 || was == keys[i])
            return;
        at = (at + 1) % room;
    }
}

CORRECT(a_hash_table_filled_by_all)
{
    ints keys = numbers(300), seen(100);
    device_ints d_keys(keys), d_slots(ints(256, -1));
    a_hash_table_filled_by_all<<<5, THREADS>>>(d_keys, 300, d_slots, 256);
    for (int key : keys)
        seen[key] |= 1;
    for (int key : d_slots.values())
        if (key >= 0)
            seen[key] ^= 2; // twice would be one too many
    for (int flags : seen)
        if (flags != 0 && flags != 3)
            return false;
    return true;
}

__global__ void largest_by_compare_and_swap(const int *in, int count, unsigned long long *best)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    unsigned long long mine = (unsigned long long)in[i] << 32 | (unsigned)i, was = *best;
    while (was < mine) {
        unsigned long long found = atomicCAS(best, was, mine);
        if (found == was)
            break;
        was = found;
    }
}

CORRECT(largest_by_compare_and_swap)
{
    ints in = numbers(400);
    int best = 0;
    for (int i = 0; i < 400; i++)
        best = in[i] >= in[best] ? i : best;
    device_ints d_in(in);
    device_array<unsigned long long> d_best(std::vector<unsigned long long>(1));
    largest_by_compare_and_swap<<<7, THREADS>>>(d_in, 400, d_best);
    return d_best.values()[0] == ((unsigned long long)in[best] << 32 | (unsigned)best);
}

} // namespace grids
