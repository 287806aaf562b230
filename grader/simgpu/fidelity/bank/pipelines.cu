/* pipelines.cu - tiles that are passed through shared memory, and what the threads wait at: the
 * block's own barrier, one that lies in shared memory (an mbarrier), or copies under way. */
#include "bank.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

#pragma nv_diag_suppress static_var_with_dynamic_init

enum { TILE = 256 };

using shared_barrier = cuda::barrier<cuda::thread_scope_block>;

static __device__ const float *own_tiles(const float *x, int tiles)
{
    return x + (int)blockIdx.x * tiles * TILE + threadIdx.x;
}

/* Eight words of the tile, that other threads have put there. */
static __device__ float use(const float *s_tile, float sum)
{
    for (int j = 1; j < TILE; j += TILE / 8)
        sum += s_tile[(threadIdx.x + j) % TILE];
    return sum;
}

/* One buffer is filled while the other is used: one barrier for each tile. */
__global__ void handed_on(const float *x, float *out, int tiles)
{
    __shared__ float s_tile[2][TILE];
    const float *own = own_tiles(x, tiles);
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        s_tile[k % 2][threadIdx.x] = own[k * TILE];
        __syncthreads();
        sum = use(s_tile[k % 2], sum);
    }
    out[thread_index()] = sum;
}

/* The same with a barrier in shared memory: an arrival by each thread, and a wait. */
__global__ void handed_on_by_mbarrier(const float *x, float *out, int tiles)
{
    __shared__ float s_tile[2][TILE];
    __shared__ shared_barrier s_filled;
    const float *own = own_tiles(x, tiles);
    float sum = 0;
    if (threadIdx.x == 0)
        init(&s_filled, TILE);
    __syncthreads();
    for (int k = 0; k < tiles; k++) {
        s_tile[k % 2][threadIdx.x] = own[k * TILE];
        s_filled.arrive_and_wait();
        sum = use(s_tile[k % 2], sum);
    }
    out[thread_index()] = sum;
}

/* Between the arrival and the wait the tile before is used, so that few wait at all. Of three
 * buffers one is filled, one full, one used. */
__global__ void handed_on_arriving_early(const float *x, float *out, int tiles)
{
    __shared__ float s_tile[3][TILE];
    __shared__ shared_barrier s_filled;
    const float *own = own_tiles(x, tiles);
    float sum = 0;
    if (threadIdx.x == 0)
        init(&s_filled, TILE);
    s_tile[2][threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < tiles; k++) {
        s_tile[k % 3][threadIdx.x] = own[k * TILE];
        shared_barrier::arrival_token token = s_filled.arrive();
        sum = use(s_tile[(k + 2) % 3], sum);
        s_filled.wait(std::move(token));
    }
    out[thread_index()] = use(s_tile[(tiles + 2) % 3], sum);
}

/* Copies of the next DEPTH tiles are under way, or with 1 only that of the tile that is needed. */
template <int DEPTH> __global__ void copied_ahead(const float *x, float *out, int tiles)
{
    __shared__ float s_tile[DEPTH + 1][TILE];
    const float *own = own_tiles(x, tiles);
    auto pipeline = cuda::make_pipeline();
    float sum = 0;
    for (int k = 0, ahead = 0; k < tiles; k++) {
        for (; ahead < k + DEPTH; ahead++) {
            pipeline.producer_acquire();
            if (ahead < tiles)
                cuda::memcpy_async(&s_tile[ahead % (DEPTH + 1)][threadIdx.x], own + ahead * TILE,
                                   sizeof(float), pipeline);
            pipeline.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<DEPTH - 1>(pipeline);
        __syncthreads();
        sum = use(s_tile[k % (DEPTH + 1)], sum);
        pipeline.consumer_release();
    }
    out[thread_index()] = sum;
}

/* The same with a pipeline of the block, which tells by mbarriers what is full and what is free. */
template <int DEPTH> __global__ void staged_ahead(const float *x, float *out, int tiles)
{
    __shared__ float s_tile[DEPTH][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, DEPTH> s_state;
    const float *own = own_tiles(x, tiles);
    auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &s_state);
    float sum = 0;
    for (int k = 0, ahead = 0; k < tiles; k++) {
        for (; ahead < tiles && ahead < k + DEPTH; ahead++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&s_tile[ahead % DEPTH][threadIdx.x], own + ahead * TILE,
                               sizeof(float), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum = use(s_tile[k % DEPTH], sum);
        pipeline.consumer_release();
    }
    out[thread_index()] = sum;
}

#define PASSED(name, kernel) BANK_ROW(name, BANK_COLD, 528, TILE, 0, kernel, data->x, data->out, 32)

static const struct bank_row ROWS[] = {
    PASSED("handed_on_4M", handed_on),
    PASSED("handed_on_by_mbarrier_4M", handed_on_by_mbarrier),
    PASSED("handed_on_arriving_early_4M", handed_on_arriving_early),
    PASSED("copied_ahead_1_4M", copied_ahead<1>),
    PASSED("copied_ahead_2_4M", copied_ahead<2>),
    PASSED("copied_ahead_4_4M", copied_ahead<4>),
    PASSED("staged_ahead_2_4M", staged_ahead<2>),
    PASSED("staged_ahead_4_4M", staged_ahead<4>),
};
BANK_FAMILY(pipelines)
