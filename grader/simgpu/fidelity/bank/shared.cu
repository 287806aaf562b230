/* shared.cu - shared memory alone: the ladder of bank conflicts, wide accesses, tiles fetched in
 * the background. */
#include "bank.h"

#include <cuda_pipeline.h>

/* Lanes read words STRIDE apart; STRIDE of them share a bank. */
template <int STRIDE> __global__ void conflict_loads(float *out, int steps)
{
    __shared__ float s_word[1024];
    for (int i = threadIdx.x; i < 1024; i += 256)
        s_word[i] = (float)i;
    __syncthreads();
    unsigned word = threadIdx.x % 32 * STRIDE;
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        sum += s_word[word];
        word = (word + 32) & 1023;
    }
    out[thread_index()] = sum;
}

/* Lanes write words STRIDE apart, each warp into words of its own. */
template <int STRIDE> __global__ void conflict_stores(float *out, int steps)
{
    __shared__ float s_word[8][1024];
    float *own = s_word[threadIdx.x / 32];
    unsigned word = threadIdx.x % 32 * STRIDE;
    for (int k = 0; k < steps; k++) {
        own[word] = (float)k;
        word = (word + 32 * STRIDE) & 1023; /* never another lane's word */
    }
    out[thread_index()] = own[threadIdx.x % 32 * STRIDE];
}

/* 16 bytes a lane: four wavefronts, each full. */
__global__ void float4_loads(float *out, int steps)
{
    __shared__ float4 s_four[256];
    s_four[threadIdx.x] = make_float4(1, 2, 3, (float)threadIdx.x);
    __syncthreads();
    unsigned at = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        float4 v = s_four[at];
        sum += v.x + v.y + v.z + v.w;
        at = (at + 32) & 255;
    }
    out[thread_index()] = sum;
}

/* All lanes read one word: a single wavefront serves them. */
__global__ void broadcast_loads(float *out, int steps)
{
    __shared__ float s_word[256];
    s_word[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    unsigned at = blockIdx.x & 255;
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        sum += s_word[at];
        at = (at * 5 + 1) & 255;
    }
    out[thread_index()] = sum;
}

enum { FOUR_TILE = 256 }; /* float4s of a tile: one for each thread */

static __device__ float use(const float4 *s_tile, float sum)
{
    for (int k = 0; k < 8; k++) {
        float4 v = s_tile[(threadIdx.x + 8 * k) % FOUR_TILE];
        sum += v.x * v.y + v.z * v.w;
    }
    return sum;
}

/* Fetch a tile, wait, use it: memory idles while the block computes. */
__global__ void tiles_in_turn(const float4 *x, float *out, int tiles)
{
    __shared__ float4 s_tile[FOUR_TILE];
    const float4 *own = x + (int)blockIdx.x * tiles * FOUR_TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        s_tile[threadIdx.x] = own[k * FOUR_TILE];
        __syncthreads();
        sum = use(s_tile, sum);
        __syncthreads();
    }
    out[thread_index()] = sum;
}

/* cp.async: the next tile is on its way while this one is used. */
__global__ void tiles_ahead(const float4 *x, float *out, int tiles)
{
    __shared__ float4 s_tile[2][FOUR_TILE];
    const float4 *own = x + (int)blockIdx.x * tiles * FOUR_TILE + threadIdx.x;
    float sum = 0;
    __pipeline_memcpy_async(&s_tile[0][threadIdx.x], own, sizeof *own);
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            __pipeline_memcpy_async(&s_tile[(k + 1) % 2][threadIdx.x], own + (k + 1) * FOUR_TILE,
                                    sizeof *own);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum = use(s_tile[k % 2], sum);
        __syncthreads();
    }
    out[thread_index()] = sum;
}

/* Five neighbours of every cell straight from global memory; L1 serves four of them. */
__global__ void stencil_global(const float *in, float *out, int n)
{
    int column = blockIdx.x * 32 + threadIdx.x + 1, row = blockIdx.y * 8 + threadIdx.y + 1;
    const float *cell = in + row * n + column;
    if (column < n - 1 && row < n - 1)
        out[row * n + column] = 0.5f * cell[0] + 0.125f * (cell[-1] + cell[1] + cell[-n] + cell[n]);
}

/* The same through a tile with a rim. */
__global__ void stencil_shared(const float *in, float *out, int n)
{
    __shared__ float s_cell[10][34];
    int x = threadIdx.x, y = threadIdx.y, column0 = blockIdx.x * 32, row0 = blockIdx.y * 8;
    for (int j = y; j < 10; j += 8)
        for (int i = x; i < 34; i += 32)
            if (row0 + j < n && column0 + i < n)
                s_cell[j][i] = in[(row0 + j) * n + column0 + i];
    __syncthreads();
    if (column0 + x + 1 < n - 1 && row0 + y + 1 < n - 1)
        out[(row0 + y + 1) * n + column0 + x + 1] =
            0.5f * s_cell[y + 1][x + 1] + 0.125f * (s_cell[y + 1][x] + s_cell[y + 1][x + 2] +
                                                    s_cell[y][x + 1] + s_cell[y + 2][x + 1]);
}

#define LOADS(stride)                                                                              \
    BANK_ROW("conflict_loads_" #stride, BANK_COLD, 1056, 256, 0, conflict_loads<stride>,           \
             data->out, 128)

static const struct bank_row ROWS[] = {
    LOADS(1),
    LOADS(2),
    LOADS(4),
    LOADS(8),
    LOADS(16),
    LOADS(32),
    BANK_ROW("conflict_stores_1", BANK_COLD, 528, 256, 0, conflict_stores<1>, data->out, 128),
    BANK_ROW("conflict_stores_8", BANK_COLD, 528, 256, 0, conflict_stores<8>, data->out, 128),
    BANK_ROW("float4_loads", BANK_COLD, 1056, 256, 0, float4_loads, data->out, 64),
    BANK_ROW("broadcast_loads", BANK_COLD, 1056, 256, 0, broadcast_loads, data->out, 128),
    BANK_ROW("tiles_in_turn_16M", BANK_COLD, 528, FOUR_TILE, 0, tiles_in_turn, (float4 *)data->x,
             data->out, 31),
    BANK_ROW("tiles_ahead_16M", BANK_COLD, 528, FOUR_TILE, 0, tiles_ahead, (float4 *)data->x,
             data->out, 31),
    BANK_ROW("stencil_global_2048", BANK_COLD, dim3(64, 256), dim3(32, 8), 0, stencil_global,
             data->x, data->out, 2048),
    BANK_ROW("stencil_shared_2048", BANK_COLD, dim3(64, 256), dim3(32, 8), 0, stencil_shared,
             data->x, data->out, 2048),
};
BANK_FAMILY(shared)
