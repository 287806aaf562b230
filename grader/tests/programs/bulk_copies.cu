/* bulk_copies.cu - bulk copies of sm_90: cuda::barrier that counts bytes, cuda::memcpy_async,
 * cuda::ptx, and CUB's transform, which chooses such copies by itself.
 */
#include "program.h"

#include <cub/device/device_transform.cuh>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
#pragma nv_diag_suppress static_var_with_dynamic_init

using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { TILE = 256, TILES = 12, STAGES = 3, COUNT = TILE * TILES };

/* cuda::barrier: the bytes are told to it, and come with memcpy_async_tx. */
__global__ void by_transactions(const int *from, int *to)
{
    __shared__ alignas(16) int s_tile[TILE];
    __shared__ barrier s_come;
    if (threadIdx.x == 0) {
        init(&s_come, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    for (int tile = blockIdx.x; tile < TILES; tile += gridDim.x) {
        barrier::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(s_tile, from + tile * TILE,
                                          cuda::aligned_size_t<16>(sizeof s_tile), s_come);
            token = cuda::device::barrier_arrive_tx(s_come, 1, sizeof s_tile);
        } else {
            token = s_come.arrive();
        }
        s_come.wait(std::move(token));
        to[tile * TILE + threadIdx.x] = s_tile[threadIdx.x] + 1;
        __syncthreads();
    }
}

/* cuda::memcpy_async of aligned bytes: bulk copies since sm_90. */
__global__ void by_memcpy_async(const int *from, int *to)
{
    __shared__ alignas(16) int s_tile[TILE];
    __shared__ barrier s_come;
    if (threadIdx.x == 0)
        init(&s_come, blockDim.x);
    __syncthreads();
    for (int tile = blockIdx.x; tile < TILES; tile += gridDim.x) {
        if (threadIdx.x == 0)
            cuda::memcpy_async(s_tile, from + tile * TILE,
                               cuda::aligned_size_t<16>(sizeof s_tile), s_come);
        s_come.arrive_and_wait();
        to[tile * TILE + threadIdx.x] = s_tile[threadIdx.x] + 1;
        __syncthreads();
    }
}

/* A ring of stages, and bulk copies both ways: cuda::ptx. */
__global__ void there_and_back(const int *from, int *to)
{
    __shared__ alignas(128) int s_in[STAGES][TILE], s_out[TILE];
    __shared__ uint64_t s_come[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            ptx::mbarrier_init(&s_come[s], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    auto request = [&](int tile, int s) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &s_come[s], sizeof s_in[s]);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_in[s], from + tile * TILE,
                           sizeof s_in[s], &s_come[s]);
    };
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++)
            request(s, s);
    for (int tile = 0; tile < TILES; tile++) {
        int s = tile % STAGES;
        while (!ptx::mbarrier_try_wait_parity(&s_come[s], tile / STAGES % 2)) {
        }
        s_out[threadIdx.x] = s_in[s][threadIdx.x] + 1;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to + tile * TILE, s_out,
                               sizeof s_out);
            ptx::cp_async_bulk_commit_group();
            if (tile + STAGES < TILES)
                request(tile + STAGES, s);
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}

struct Next {
    __device__ int operator()(int x, int y) const { return x + y + 1; }
};


static int *d_from, *d_to;

/* What came is the number that was there, and one more. */
static void expect_next(int step)
{
    static int came[COUNT];
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(came, d_to, sizeof came, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(d_to, 0, sizeof came));
    for (int i = 0; i < COUNT; i++)
        EXPECT(came[i] == step * i + 1);
}

int main()
{
    static int numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    CHECK(cudaMalloc(&d_from, sizeof numbers));
    CHECK(cudaMalloc(&d_to, sizeof numbers));
    CHECK(cudaMemcpy(d_from, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    by_transactions<<<2, TILE>>>(d_from, d_to);
    expect_next(1);
    by_memcpy_async<<<2, TILE>>>(d_from, d_to);
    expect_next(1);
    there_and_back<<<1, TILE>>>(d_from, d_to);
    expect_next(1);
    CHECK(cub::DeviceTransform::Transform(cuda::std::make_tuple(d_from, d_from), d_to, (int)COUNT,
                                          Next()));
    expect_next(2);
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    return 0;
}
