// clusters.cu - blocks of a cluster that reach each other's shared memory as they may.
#include "../correct/correct.h"

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/ptx>

namespace clusters {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
enum { THREADS = 64, SIZE = 4, COUNT = SIZE * THREADS };

__global__ void __cluster_dims__(SIZE) a_value_for_each_turn(const int *in, int *out)
{
    __shared__ int s_value[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    int sum = 0, *there = cluster.map_shared_rank(s_value, (cluster.block_rank() + 1) % SIZE);
    for (int step = 0; step < 3; step++) {
        s_value[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x] + step;
        cluster.sync();
        sum += there[THREADS - 1 - threadIdx.x];
        cluster.sync();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

CORRECT(a_value_for_each_turn)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_out(COUNT);
    a_value_for_each_turn<<<SIZE, THREADS>>>(d_in, d_out);
    ints out = d_out.values();
    for (int i = 0; i < COUNT; i++) {
        int block = (i / THREADS + 1) % SIZE;
        if (out[i] != 3 * in[block * THREADS + THREADS - 1 - i % THREADS] + 3)
            return false;
    }
    return true;
}

// Two boxes in turn: one barrier a turn is enough. Work stands between arrival and wait.
__global__ void __cluster_dims__(SIZE) two_boxes_in_turn(const int *in, int *out)
{
    __shared__ int s_box[2][THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    int mine = in[blockIdx.x * THREADS + threadIdx.x], sum = 0;
    for (int step = 0; step < 5; step++) {
        cluster.map_shared_rank(s_box[step % 2], (cluster.block_rank() + 1) % SIZE)[threadIdx.x] =
            mine + step;
        auto token = cluster.barrier_arrive();
        sum += step;
        cluster.barrier_wait(std::move(token));
        sum += s_box[step % 2][threadIdx.x ^ 33];
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

CORRECT(two_boxes_in_turn)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_out(COUNT);
    two_boxes_in_turn<<<SIZE, THREADS>>>(d_in, d_out);
    ints out = d_out.values();
    for (int i = 0; i < COUNT; i++) {
        int block = (i / THREADS + SIZE - 1) % SIZE;
        if (out[i] != 5 * in[block * THREADS + (i % THREADS ^ 33)] + 20)
            return false;
    }
    return true;
}

// Atomics of all blocks on one block's bins; bytes side by side, each of another block.
__global__ void __cluster_dims__(SIZE) bins_and_bytes(const int *in, int *out)
{
    __shared__ int s_bins[10];
    __shared__ char s_bytes[SIZE];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 10)
        s_bins[threadIdx.x] = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(s_bins, 1) + in[blockIdx.x * THREADS + threadIdx.x] % 10, 1);
    if (threadIdx.x == 0)
        cluster.map_shared_rank(s_bytes, 1)[cluster.block_rank()] = (char)(5 + blockIdx.x);
    cluster.sync();
    if (cluster.block_rank() == 1 && threadIdx.x < 10 + SIZE)
        out[threadIdx.x] = threadIdx.x < 10 ? s_bins[threadIdx.x] : s_bytes[threadIdx.x - 10];
}

CORRECT(bins_and_bytes)
{
    ints in = numbers(COUNT), expected(10 + SIZE);
    device_ints d_in(in), d_out(10 + SIZE);
    for (int i = 0; i < COUNT; i++)
        expected[in[i] % 10]++;
    for (int i = 0; i < SIZE; i++)
        expected[10 + i] = 5 + i;
    bins_and_bytes<<<SIZE, THREADS>>>(d_in, d_out);
    return d_out.values() == expected;
}

// Threads of all blocks count themselves at one, and try again when another was faster.
__global__ void __cluster_dims__(SIZE) counted_by_compare_and_swap(int *out)
{
    __shared__ int s_count;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        s_count = 0;
    cluster.sync();
    int *count = cluster.map_shared_rank(&s_count, 0), expected, found = 0;
    do {
        expected = found;
        found = atomicCAS(count, expected, expected + 1);
    } while (found != expected);
    cluster.sync();
    if (cluster.block_rank() == 0)
        out[threadIdx.x] = s_count;
}

CORRECT(counted_by_compare_and_swap)
{
    device_ints d_out(THREADS);
    counted_by_compare_and_swap<<<SIZE, THREADS>>>(d_out);
    return d_out.values() == ints(THREADS, COUNT);
}

// A flag in a peer's shared memory, with fences of the cluster's scope.
__global__ void __cluster_dims__(2) a_flag_at_the_peer(int *out)
{
    __shared__ int s_value, s_flag;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        s_flag = 0;
    cluster.sync();
    int *flag = cluster.map_shared_rank(&s_flag, 1);
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        *cluster.map_shared_rank(&s_value, 1) = 77;
        cuda::atomic_ref<int, cuda::thread_scope_system> there(*flag);
        there.store(1, cuda::memory_order_release);
    }
    if (cluster.block_rank() == 1) {
        cuda::atomic_ref<int, cuda::thread_scope_system> here(*flag);
        while (here.load(cuda::memory_order_acquire) == 0)
            ;
        out[threadIdx.x] = s_value;
    }
    cluster.sync();
}

CORRECT(a_flag_at_the_peer)
{
    device_ints d_out(THREADS);
    a_flag_at_the_peer<<<2, THREADS>>>(d_out);
    return d_out.values() == ints(THREADS, 77);
}

// One block fills slots of the other, which hands them back by arriving over there.
__global__ void __cluster_dims__(2) slots_go_back_and_forth(const int *in, int *out)
{
    enum { SLOTS = 2, TILES = 6 };
    __shared__ alignas(16) int s_tile[SLOTS][THREADS];
    __shared__ alignas(8) uint64_t s_full[SLOTS], s_free[SLOTS];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < SLOTS; slot++) {
            ptx::mbarrier_init(&s_full[slot], THREADS);
            ptx::mbarrier_init(&s_free[slot], THREADS);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    for (int tile = 0; tile < TILES; tile++) {
        int slot = tile % SLOTS, round = tile / SLOTS;
        uint64_t *mine = cluster.block_rank() == 0 ? &s_free[slot] : &s_full[slot];
        uint64_t *there = cluster.map_shared_rank(
            cluster.block_rank() == 0 ? &s_full[slot] : &s_free[slot], cluster.block_rank() ^ 1);
        unsigned parity = (cluster.block_rank() == 0 ? round - 1 : round) & 1;
        while ((round > 0 || cluster.block_rank() == 1) &&
               !ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, mine, parity))
            ;
        if (cluster.block_rank() == 0)
            cluster.map_shared_rank(s_tile[slot], 1)[threadIdx.x] =
                in[tile * THREADS + threadIdx.x] * 2;
        else
            out[tile * THREADS + threadIdx.x] = s_tile[slot][THREADS - 1 - threadIdx.x];
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
    }
    cluster.sync();
}

CORRECT(slots_go_back_and_forth)
{
    ints in = numbers(6 * THREADS);
    device_ints d_in(in), d_out(6 * THREADS);
    slots_go_back_and_forth<<<2, THREADS>>>(d_in, d_out);
    ints out = d_out.values();
    for (int i = 0; i < 6 * THREADS; i++)
        if (out[i] != 2 * in[i / THREADS * THREADS + THREADS - 1 - i % THREADS])
            return false;
    return true;
}

// Global memory that the cluster's barrier hands on, and a block that leaves when it may.
__global__ void __cluster_dims__(SIZE) global_memory_by_the_barrier(const int *in, int *between,
                                                                    int *out)
{
    __shared__ int s_sum;
    cg::cluster_group cluster = cg::this_cluster();
    between[blockIdx.x * THREADS + threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x] + 1;
    if (threadIdx.x == 0)
        s_sum = 0;
    cluster.sync();
    if (cluster.block_rank() != 2)
        return; /* no peer touches its shared memory from here on */
    for (int i = (int)threadIdx.x; i < COUNT; i += THREADS)
        atomicAdd(&s_sum, between[i]);
    cluster.sync(); /* threads that have ended count as arrived */
    out[threadIdx.x] = s_sum;
}

CORRECT(global_memory_by_the_barrier)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_between(COUNT), d_out(THREADS);
    int sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += in[i] + 1;
    global_memory_by_the_barrier<<<SIZE, THREADS>>>(d_in, d_between, d_out);
    return d_out.values() == ints(THREADS, sum);
}

} // namespace clusters
