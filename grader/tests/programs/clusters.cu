/* clusters.cu - blocks that form clusters: they read, write and count in each other's shared
 * memory, meet at the cluster's barrier and at mbarriers of each other, and are launched in every
 * way.
 */
#include "program.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum { THREADS = 128, BINS = 64 };

/* --- A histogram: each block of the cluster has a part of the bins ---------------------------- */

__global__ void histogram(const int *values, int count, int *bins)
{
    extern __shared__ int s_bins[];
    cg::cluster_group cluster = cg::this_cluster();
    const int share = BINS / (int)cluster.num_blocks();
    for (int i = threadIdx.x; i < share; i += THREADS)
        s_bins[i] = 0;
    cluster.sync();
    const int first = (int)(blockIdx.x * THREADS + threadIdx.x), step = (int)gridDim.x * THREADS;
    for (int i = first; i < count; i += step) {
        int *there = cluster.map_shared_rank(s_bins, values[i] / share);
        atomicAdd(there + values[i] % share, 1);
    }
    cluster.sync(); /* no block may end before its peers are done with its bins */
    for (int i = threadIdx.x; i < share; i += THREADS)
        atomicAdd(bins + cluster.block_rank() * share + i, s_bins[i]);
}

static void check_histogram(unsigned blocks, unsigned cluster)
{
    const int count = 10000;
    std::vector<int> values(count), expected(BINS), bins(BINS);
    for (int i = 0; i < count; i++)
        expected[values[i] = i * i % 61 % BINS]++;
    int *d_values, *d_bins;
    CHECK(cudaMalloc(&d_values, count * sizeof(int)));
    CHECK(cudaMalloc(&d_bins, BINS * sizeof(int)));
    CHECK(cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(int)));
    cudaLaunchAttribute attribute[2] = {};
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    attribute[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    attribute[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = THREADS;
    config.dynamicSmemBytes = BINS / cluster * sizeof(int);
    config.attrs = attribute;
    config.numAttrs = 2;
    CHECK(cudaLaunchKernelEx(&config, histogram, (const int *)d_values, count, d_bins));
    CHECK(cudaMemcpy(bins.data(), d_bins, BINS * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(bins == expected);
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_bins));
}

/* --- A ring: each block adds what it has to what its neighbour hands on ----------------------- */

template <int SIZE> __global__ void __cluster_dims__(SIZE, 1, 1) ring(const int *in, int *out)
{
    __shared__ int s_box[2][THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % SIZE;
    const int mine = in[blockIdx.x * THREADS + threadIdx.x];
    int sum = mine, passed = mine;
    for (int step = 0; step < SIZE - 1; step++) {
        cluster.map_shared_rank(s_box[step % 2], next)[threadIdx.x] = passed;
        cluster.sync();
        passed = s_box[step % 2][threadIdx.x];
        sum += passed;
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

template <int SIZE> static void check_ring()
{
    const int clusters = 3, count = clusters * SIZE * THREADS;
    std::vector<int> in(count), out(count);
    std::iota(in.begin(), in.end(), 1);
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, count * sizeof(int)));
    CHECK(cudaMalloc(&d_out, count * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    ring<SIZE><<<clusters * SIZE, THREADS>>>(d_in, d_out);
    CHECK(cudaMemcpy(out.data(), d_out, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++) {
        int first = i / (SIZE * THREADS) * SIZE * THREADS + i % THREADS, sum = 0;
        for (int block = 0; block < SIZE; block++)
            sum += in[first + block * THREADS];
        EXPECT(out[i] == sum);
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}

/* --- Mbarriers of other blocks ---------------------------------------------------------------- */

/* Rank 1 is told by an arrival that rank 0 has written to it, and copies that on in bulk to rank 2,
 * where the bytes are counted. Rank 3 stores into rank 0 with st.async. */
__global__ void __cluster_dims__(4) hand_on(int *out)
{
    __shared__ alignas(16) int s_tile[THREADS];
    __shared__ alignas(8) uint64_t s_come;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_come, rank == 1 ? THREADS : 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    s_tile[threadIdx.x] = -1;
    cluster.sync();
    if (rank == 0) {
        cluster.map_shared_rank(s_tile, 1)[threadIdx.x] = 7 * (int)threadIdx.x;
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             cluster.map_shared_rank(&s_come, 1));
    }
    if (rank == 3)
        ptx::st_async(cluster.map_shared_rank(s_tile, 0) + threadIdx.x, 1000 + (int)threadIdx.x,
                      cluster.map_shared_rank(&s_come, 0));
    if ((rank == 0 || rank == 2) && threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared,
                                       &s_come, sizeof s_tile);
    while (rank < 3 &&
           !ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s_come, 0))
        ;
    if (rank == 1 && threadIdx.x == 0) {
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                           cluster.map_shared_rank(s_tile, 2), s_tile, sizeof s_tile,
                           cluster.map_shared_rank(&s_come, 2));
    }
    out[rank * THREADS + threadIdx.x] = s_tile[threadIdx.x];
    cluster.sync();
}

/* One block's copy goes to several, each of which counts its bytes. */
__global__ void __cluster_dims__(4) multicast(const int *in, int *out)
{
    __shared__ alignas(16) int s_tile[THREADS];
    __shared__ alignas(8) uint64_t s_come;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), mask = 0xD; /* all but rank 1 */
    s_tile[threadIdx.x] = -1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_come, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        if (mask >> rank & 1)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &s_come, sizeof s_tile);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    cluster.sync();
    if (rank == 2 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(s_tile)),
                     "l"(in), "r"((unsigned)sizeof s_tile),
                     "r"((unsigned)__cvta_generic_to_shared(&s_come)), "h"((uint16_t)mask)
                     : "memory");
    while (mask >> rank & 1 && !ptx::mbarrier_try_wait_parity(&s_come, 0))
        ;
    out[rank * THREADS + threadIdx.x] = s_tile[threadIdx.x];
    cluster.sync();
}

static void check_mbarriers()
{
    std::vector<int> out(4 * THREADS), in(THREADS);
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, in.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(int)));
    hand_on<<<4, THREADS>>>(d_out);
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < THREADS; i++)
        EXPECT(out[i] == 1000 + i && out[THREADS + i] == 7 * i && out[2 * THREADS + i] == 7 * i &&
               out[3 * THREADS + i] == -1);
    std::iota(in.begin(), in.end(), 5);
    CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));
    multicast<<<4, THREADS>>>(d_in, d_out);
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4 * THREADS; i++)
        EXPECT(out[i] == (i / THREADS == 1 ? -1 : 5 + i % THREADS));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}

/* --- Where a block is ------------------------------------------------------------------------- */

__global__ void __cluster_dims__(2, 3, 1) places(int *wrong)
{
    __shared__ int s_word;
    cg::cluster_group cluster = cg::this_cluster();
    const dim3 at = cluster.block_index();
    bool ok = at.x == blockIdx.x % 2 && at.y == blockIdx.y % 3 && at.z == 0 &&
              cluster.block_rank() == at.y * 2 + at.x && cluster.num_blocks() == 6 &&
              cluster.dim_blocks().y == 3 && cluster.num_threads() == 6 * blockDim.x &&
              cluster.thread_rank() == cluster.block_rank() * blockDim.x + threadIdx.x;
    for (unsigned rank = 0; rank < 6; rank++) {
        int *there = cluster.map_shared_rank(&s_word, rank);
        ok = ok && cluster.query_shared_rank(there) == rank && __isClusterShared(there) &&
             __isShared(there) == (rank == cluster.block_rank());
    }
    ok = ok && cluster.query_shared_rank(&s_word) == cluster.block_rank();
    /* the parts of the barrier, and a block whose threads end before it */
    if (cluster.block_rank() == 5)
        return;
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    if (!ok)
        atomicAdd(wrong, 1);
}

/* A launch without clusters is one of clusters of one block. */
__global__ void alone(int *out)
{
    __shared__ int s_word;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&s_word, 0) = (int)blockIdx.x;
    cluster.sync();
    out[blockIdx.x * THREADS + threadIdx.x] = s_word + 10 * (int)cluster.num_blocks();
}

static void check_places()
{
    int *wrong, *d_out, h_wrong = 0;
    std::vector<int> out(2 * THREADS);
    CHECK(cudaMalloc(&wrong, sizeof *wrong));
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(int)));
    CHECK(cudaMemset(wrong, 0, sizeof *wrong));
    places<<<dim3(4, 6, 2), 64>>>(wrong);
    CHECK(cudaMemcpy(&h_wrong, wrong, sizeof h_wrong, cudaMemcpyDeviceToHost));
    EXPECT(h_wrong == 0);
    alone<<<2, THREADS>>>(d_out);
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * THREADS; i++)
        EXPECT(out[i] == i / THREADS + 10);
    CHECK(cudaFree(wrong));
    CHECK(cudaFree(d_out));
}

/* --- What the runtime says -------------------------------------------------------------------- */

__global__ void plain()
{
}

static void check_errors()
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 3;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 32;
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int blocks = 0, clusters = 0;
    FAILS(cudaLaunchKernelEx(&config, plain), cudaErrorInvalidClusterSize);
    attribute.val.clusterDim.x = 16;
    FAILS(cudaLaunchKernelEx(&config, plain), cudaErrorInvalidClusterSize);
    FAILS(cudaLaunchKernelEx(&config, ring<4>, (const int *)nullptr, (int *)nullptr),
          cudaErrorInvalidClusterSize);
    FAILS(cudaOccupancyMaxPotentialClusterSize(&blocks, plain, &config),
          cudaErrorInvalidClusterSize);
    attribute.val.clusterDim.x = 2;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, plain, &config));
    EXPECT(blocks == 8);
    attribute.val.clusterDim.x = 16;
    CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaLaunchKernelEx(&config, plain));
    CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, plain, &config));
    EXPECT(blocks == 16);
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
    EXPECT(clusters > 0);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, plain));
    EXPECT(attributes.nonPortableClusterSizeAllowed == 1 && attributes.requiredClusterWidth == 0);
    CHECK(cudaFuncGetAttributes(&attributes, ring<4>));
    EXPECT(attributes.requiredClusterWidth == 4 && attributes.requiredClusterHeight == 1 &&
           attributes.nonPortableClusterSizeAllowed == 0);
    ring<4><<<6, THREADS>>>(nullptr, nullptr);
    FAILS(cudaGetLastError(), cudaErrorInvalidClusterSize);
    CHECK(cudaDeviceSynchronize());
    FAILS(cudaFuncSetAttribute(ring<4>, cudaFuncAttributeRequiredClusterWidth, 2),
          cudaErrorInvalidValue);
}

/* A graph keeps the clusters of what it captured. */
static void check_graph()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *d_in, *d_out, first = 0;
    const int count = 4 * THREADS;
    std::vector<int> in(count, 3);
    CHECK(cudaMalloc(&d_in, count * sizeof(int)));
    CHECK(cudaMalloc(&d_out, count * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ring<4><<<4, THREADS, 0, stream>>>(d_in, d_out);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&first, d_out, sizeof first, cudaMemcpyDeviceToHost));
    EXPECT(first == 12);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}

int main()
{
    check_histogram(8, 2);
    check_histogram(16, 8);
    check_ring<4>();
    check_ring<8>();
    check_mbarriers();
    check_places();
    check_errors();
    check_graph();
    printf("all is as it should be\n");
    return 0;
}
