// clusters.cu - mistakes of blocks that form clusters, in each other's shared memory.
#include "../planted/planted.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace clusters {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
enum { THREADS = 64, SIZE = 4 };

struct memory {
    int *out;
    memory()
    {
        CHECK(cudaMalloc(&out, SIZE * THREADS * sizeof(int)));
        CHECK(cudaMemset(out, 0, SIZE * THREADS * sizeof(int)));
    }
};

// fault a_peer_writes_while_the_owner_reads: shared memory race
//     out[blockIdx.x * THREADS + threadIdx.x] = s_box[threadIdx.x];
//     ^
// other
//     there[threadIdx.x] = 5;
//     ^
// says reads shared memory of block 0 of its cluster
// says no barrier of the cluster in between
__global__ void __cluster_dims__(SIZE) a_peer_writes_while_the_owner_reads(int *out)
{
    __shared__ int s_box[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    s_box[threadIdx.x] = 4;
    cluster.sync();
    int *there = cluster.map_shared_rank(s_box, (cluster.block_rank() + 1) % SIZE);
    there[threadIdx.x] = 5;
    __syncthreads(); // of the block only
    out[blockIdx.x * THREADS + threadIdx.x] = s_box[threadIdx.x];
    cluster.sync();
}

PLANTED(a_peer_writes_while_the_owner_reads)
{
    memory m;
    a_peer_writes_while_the_owner_reads<<<SIZE, THREADS>>>(m.out);
}

// fault the_next_turn_overwrites: shared memory race
//     s_value = step;
//     ^
// other
//     sum += *cluster.map_shared_rank(&s_value, (cluster.block_rank() + 1) % SIZE);
//     ^
__global__ void __cluster_dims__(SIZE) the_next_turn_overwrites(int *out)
{
    __shared__ int s_value;
    cg::cluster_group cluster = cg::this_cluster();
    int sum = 0;
    for (int step = 1; step < 4; step++) {
        if (threadIdx.x == 0)
            s_value = step;
        cluster.sync();
        sum += *cluster.map_shared_rank(&s_value, (cluster.block_rank() + 1) % SIZE);
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
    cluster.sync();
}

PLANTED(the_next_turn_overwrites)
{
    memory m;
    the_next_turn_overwrites<<<SIZE, THREADS>>>(m.out);
}

// fault peers_add_without_atomics: shared memory race
//     *sum = *sum + 1;
//     ^
__global__ void __cluster_dims__(SIZE) peers_add_without_atomics(int *out)
{
    __shared__ int s_sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        s_sum = 0;
    cluster.sync();
    int *sum = cluster.map_shared_rank(&s_sum, 0);
    if (threadIdx.x == 0)
        *sum = *sum + 1;
    cluster.sync();
    if (blockIdx.x == 0)
        out[threadIdx.x] = s_sum;
}

PLANTED(peers_add_without_atomics)
{
    memory m;
    peers_add_without_atomics<<<SIZE, THREADS>>>(m.out);
}

// fault a_relaxed_arrival_hands_nothing_on: shared memory race
//     out[blockIdx.x * THREADS + threadIdx.x] = there[threadIdx.x];
//     ^
__global__ void __cluster_dims__(SIZE) a_relaxed_arrival_hands_nothing_on(int *out)
{
    __shared__ int s_box[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    s_box[threadIdx.x] = 9;
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;");
    int *there = cluster.map_shared_rank(s_box, (cluster.block_rank() + 1) % SIZE);
    out[blockIdx.x * THREADS + threadIdx.x] = there[threadIdx.x];
    cluster.sync();
}

PLANTED(a_relaxed_arrival_hands_nothing_on)
{
    memory m;
    a_relaxed_arrival_hands_nothing_on<<<SIZE, THREADS>>>(m.out);
}

// fault a_peer_arrives_before_the_mbarrier_is_made: uninitialised read
//     ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
//     ^
__global__ void __cluster_dims__(2) a_peer_arrives_before_the_mbarrier_is_made(int *out)
{
    __shared__ alignas(8) uint64_t s_come;
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) {
        uint64_t *there = cluster.map_shared_rank(&s_come, 1);
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
    } else {
        ptx::mbarrier_init(&s_come, 1);
        while (!ptx::mbarrier_try_wait_parity(&s_come, 0))
            ;
        out[0] = 1;
    }
    cluster.sync();
}

PLANTED(a_peer_arrives_before_the_mbarrier_is_made)
{
    memory m;
    a_peer_arrives_before_the_mbarrier_is_made<<<2, 1>>>(m.out);
}

// fault st_async_is_not_waited_for: shared memory race
//     ptx::st_async(cluster.map_shared_rank(s_box, 1) + threadIdx.x, 8,
//     ^
// other
//     out[threadIdx.x] = s_box[threadIdx.x];
//     ^
__global__ void __cluster_dims__(2) st_async_is_not_waited_for(int *out)
{
    __shared__ int s_box[THREADS];
    __shared__ alignas(8) uint64_t s_come;
    cg::cluster_group cluster = cg::this_cluster();
    s_box[threadIdx.x] = 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_come, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &s_come,
                                       sizeof s_box);
    }
    cluster.sync();
    if (cluster.block_rank() == 0) {
        ptx::st_async(cluster.map_shared_rank(s_box, 1) + threadIdx.x, 8,
                      cluster.map_shared_rank(&s_come, 1));
    } else {
        out[threadIdx.x] = s_box[threadIdx.x];
        while (!ptx::mbarrier_try_wait_parity(&s_come, 0))
            ;
    }
    cluster.sync();
}

PLANTED(st_async_is_not_waited_for)
{
    memory m;
    st_async_is_not_waited_for<<<2, THREADS>>>(m.out);
}

// fault a_peer_has_written_nothing: uninitialised read
//     if (there[threadIdx.x] > 3)
//     ^
// says the shared memory of block
__global__ void __cluster_dims__(2) a_peer_has_written_nothing(int *out)
{
    __shared__ int s_box[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0)
        s_box[threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    int *there = cluster.map_shared_rank(s_box, cluster.block_rank() ^ 1);
    if (there[threadIdx.x] > 3)
        out[threadIdx.x] = 7;
    cluster.sync();
}

PLANTED(a_peer_has_written_nothing)
{
    memory m;
    a_peer_has_written_nothing<<<2, THREADS>>>(m.out);
}

// fault a_block_leaves_too_early: shared memory of an exited block
//     out[threadIdx.x] = there[threadIdx.x];
//     ^
// says of block 1 of its cluster, which has exited
__global__ void __cluster_dims__(2) a_block_leaves_too_early(int *out)
{
    __shared__ int s_box[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    s_box[threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    int *there = cluster.map_shared_rank(s_box, 1);
    if (cluster.block_rank() == 1)
        return;
    for (int i = 0; i < 20000; i++)
        asm volatile("");
    for (volatile int i = 0; i < 20000; i = i + 1)
        ;
    out[threadIdx.x] = there[threadIdx.x];
}

PLANTED(a_block_leaves_too_early)
{
    memory m;
    a_block_leaves_too_early<<<2, THREADS>>>(m.out);
}

// fault past_the_end_of_a_peer: out of bounds
//     there[threadIdx.x + 1] = 1;
//     ^
// says writes 4 bytes at offset 256 of the shared memory of block 0 of its cluster
__global__ void __cluster_dims__(2) past_the_end_of_a_peer(int *out)
{
    __shared__ int s_box[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    s_box[threadIdx.x] = 0;
    cluster.sync();
    int *there = cluster.map_shared_rank(s_box, 0);
    if (cluster.block_rank() == 1)
        there[threadIdx.x + 1] = 1;
    cluster.sync();
    out[threadIdx.x] = s_box[threadIdx.x];
}

PLANTED(past_the_end_of_a_peer)
{
    memory m;
    past_the_end_of_a_peer<<<2, THREADS>>>(m.out);
}

// fault one_block_does_not_meet: deadlock
//     cluster.sync();
//     ^
// says never come at the cluster's barrier: in block (1,0,0)
__global__ void __cluster_dims__(2) one_block_does_not_meet(volatile int *out)
{
    __shared__ alignas(8) uint64_t s_never;
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 1) {
        if (threadIdx.x == 0)
            ptx::mbarrier_init(&s_never, 1);
        __syncthreads();
        while (!ptx::mbarrier_try_wait_parity(&s_never, 0))
            ;
        return;
    }
    cluster.sync();
    out[threadIdx.x] = 2;
}

PLANTED(one_block_does_not_meet)
{
    memory m;
    one_block_does_not_meet<<<2, THREADS>>>(m.out);
}

// fault global_memory_of_a_peer_without_a_barrier: global memory race
//     out[threadIdx.x] = out[(cluster.block_rank() ^ 1) * THREADS + threadIdx.x];
//     ^
__global__ void __cluster_dims__(2) global_memory_of_a_peer_without_a_barrier(int *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    out[cluster.block_rank() * THREADS + threadIdx.x] = 3;
    __syncthreads();
    if (cluster.block_rank() == 0)
        out[threadIdx.x] = out[(cluster.block_rank() ^ 1) * THREADS + threadIdx.x];
    cluster.sync();
}

PLANTED(global_memory_of_a_peer_without_a_barrier)
{
    memory m;
    global_memory_of_a_peer_without_a_barrier<<<2, THREADS>>>(m.out);
}

} // namespace clusters
