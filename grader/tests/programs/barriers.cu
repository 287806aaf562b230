// barriers.cu - warps of a block that wait for each other by other means than __syncthreads():
// cuda::barrier, cuda::pipeline, and groups of more than one warp; and a grid of hundreds of blocks
// that wait for each other.
#include "program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>
#include <vector>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
enum { THREADS = 128, TILES = 9, STAGES = 3, PRODUCERS = 32, BLOCKS = 512,
       ROUNDS = 12 };

/* A tile comes by an asynchronous copy that arrives at the barrier. */
__global__ void reversed_by_barrier(const int *in, int *out)
{
    __shared__ barrier s_copied;
    __shared__ int s_tile[THREADS];
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&s_copied, THREADS);
    block.sync();
    for (int tile = 0; tile < TILES; tile++) {
        cuda::memcpy_async(block, s_tile, in + tile * THREADS, sizeof s_tile, s_copied);
        s_copied.arrive_and_wait();
        out[tile * THREADS + threadIdx.x] = s_tile[THREADS - 1 - threadIdx.x];
        s_copied.arrive_and_wait();
    }
}

/* Between arriving and waiting there is time for something else; the second half of the block takes
 * part in one phase only. */
__global__ void arrives_early(const int *in, int *out)
{
    __shared__ barrier s_written;
    __shared__ int s_value[THREADS];
    if (threadIdx.x == 0)
        init(&s_written, THREADS);
    __syncthreads();
    s_value[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x >= THREADS / 2) {
        s_written.arrive_and_drop();
        return;
    }
    barrier::arrival_token token = s_written.arrive();
    int own = in[threadIdx.x] * 1000;
    s_written.wait(std::move(token));
    own += s_value[THREADS - 1 - threadIdx.x];
    s_written.arrive_and_wait();
    s_value[threadIdx.x] = own;
    s_written.arrive_and_wait();
    out[threadIdx.x] = s_value[THREADS / 2 - 1 - threadIdx.x];
}

/* All threads copy ahead and sum up behind. */
__global__ void sums_by_pipeline(const int *in, int *out)
{
    __shared__ int s_tile[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> s_state;
    cg::thread_block block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &s_state);
    int sum = 0;
    for (int tile = 0, ahead = 0; tile < TILES; tile++) {
        for (; ahead < TILES && ahead < tile + STAGES; ahead++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, s_tile[ahead % STAGES], in + ahead * THREADS,
                               cuda::aligned_size_t<16>(sizeof *s_tile), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += s_tile[tile % STAGES][THREADS - 1 - threadIdx.x];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

/* One warp copies, all others sum up. */
__global__ void sums_by_roles(const int *in, int *out)
{
    __shared__ int s_tile[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> s_state;
    bool copies = threadIdx.x < PRODUCERS;
    auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &s_state,
                                        copies ? cuda::pipeline_role::producer
                                               : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int tile = 0; tile < TILES; tile++) {
        if (copies) {
            pipeline.producer_acquire();
            for (int i = threadIdx.x; i < THREADS; i += PRODUCERS)
                cuda::memcpy_async(&s_tile[tile % STAGES][i], in + tile * THREADS + i, sizeof(int),
                                   pipeline);
            pipeline.producer_commit();
        } else {
            pipeline.consumer_wait();
            sum += s_tile[tile % STAGES][THREADS - 1 - threadIdx.x];
            pipeline.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}

/* Groups of two warps meet without the rest of the block. */
__global__ void sums_of_two_warps(const int *in, int *out)
{
    auto pair = cg::tiled_partition<64>(cg::this_thread_block());
    int sum = cg::reduce(pair, in[threadIdx.x], cg::plus<int>());
    pair.sync();
    out[threadIdx.x] = sum + pair.shfl(in[threadIdx.x], 40);
}

/* Every block sees what all others did in the round before. */
__global__ void rounds_of_a_grid(int *counts, int *out)
{
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < ROUNDS; round++) {
        if (threadIdx.x == 0)
            atomicAdd(&counts[round], 1);
        grid.sync();
        if (threadIdx.x == 0)
            out[blockIdx.x] += counts[round];
    }
}

static void grid_of_many_blocks()
{
    int *d_counts, *d_out;
    std::vector<int> out(BLOCKS);
    CHECK(cudaMalloc(&d_counts, ROUNDS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, BLOCKS * sizeof(int)));
    CHECK(cudaMemset(d_counts, 0, ROUNDS * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, BLOCKS * sizeof(int)));
    void *arguments[] = {&d_counts, &d_out};
    CHECK(cudaLaunchCooperativeKernel((const void *)rounds_of_a_grid, BLOCKS, 64, arguments, 0, 0));
    CHECK(cudaMemcpy(out.data(), d_out, BLOCKS * sizeof(int), cudaMemcpyDefault));
    for (int sum : out)
        EXPECT(sum == ROUNDS * BLOCKS);
}

static std::vector<int> numbers()
{
    std::vector<int> values(TILES * THREADS);
    for (size_t i = 0; i < values.size(); i++)
        values[i] = (int)(i * i % 1009) + 1;
    return values;
}

static std::vector<int> result_of(void (*kernel)(const int *, int *), const std::vector<int> &in)
{
    int *d_in, *d_out;
    size_t bytes = in.size() * sizeof(int);
    std::vector<int> out(in.size());
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyDefault));
    CHECK(cudaMemset(d_out, 0, bytes));
    kernel<<<1, THREADS>>>(d_in, d_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDefault));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return out;
}

static int column_sum(const std::vector<int> &in, int column)
{
    int sum = 0;
    for (int tile = 0; tile < TILES; tile++)
        sum += in[tile * THREADS + column];
    return sum;
}

int main()
{
    std::vector<int> in = numbers(), out = result_of(reversed_by_barrier, in);
    for (int i = 0; i < TILES * THREADS; i++)
        EXPECT(out[i] == in[i / THREADS * THREADS + THREADS - 1 - i % THREADS]);

    out = result_of(arrives_early, in);
    for (int i = 0; i < THREADS / 2; i++) {
        int other = THREADS / 2 - 1 - i;
        EXPECT(out[i] == in[other] * 1000 + in[THREADS - 1 - other]);
    }

    out = result_of(sums_by_pipeline, in);
    for (int i = 0; i < THREADS; i++)
        EXPECT(out[i] == column_sum(in, THREADS - 1 - i));

    out = result_of(sums_by_roles, in);
    for (int i = PRODUCERS; i < THREADS; i++)
        EXPECT(out[i] == column_sum(in, THREADS - 1 - i));

    out = result_of(sums_of_two_warps, in);
    for (int i = 0; i < THREADS; i++) {
        int first = i / 64 * 64, sum = in[first + 40];
        for (int k = 0; k < 64; k++)
            sum += in[first + k];
        EXPECT(out[i] == sum);
    }
    grid_of_many_blocks();
    return 0;
}
