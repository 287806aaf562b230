/* steps.cu - barriers in short loops, of whole blocks, parts of blocks and warps. */
#include "../bank.h"

/* A product with 32 steps along k and four barriers for each eight: few turns, all of them
 * short. Tiles of 32 x 32, 8 deep, 256 threads, four results each. */
__global__ void short_product(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[8][33], s_b[8][32];
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float sum[4] = {0};
    for (int k0 = 0; k0 < k; k0 += 8) {
        s_a[threadIdx.x % 8][threadIdx.x / 8] =
            a[(row0 + threadIdx.x / 8) * k + k0 + threadIdx.x % 8];
        s_b[y][x] = b[(k0 + y) * n + column0 + x];
        __syncthreads();
#pragma unroll
        for (int p = 0; p < 8; p++)
            for (int i = 0; i < 4; i++)
                sum[i] += s_a[p][y + 8 * i] * s_b[p][x];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        c[(row0 + y + 8 * i) * n + column0 + x] = sum[i];
}

/* Results staged through shared memory, a stripe at a time: two barriers a stripe. */
__global__ void staged_epilogue(const float *x, float *out, float slope)
{
    __shared__ float4 s_stripe[256];
    float v[16];
#pragma unroll
    for (int j = 0; j < 16; j++)
        v[j] = x[(blockIdx.x * 16 + j) * 256 + threadIdx.x];
#pragma unroll
    for (int stripe = 0; stripe < 4; stripe++) {
        float *words = (float *)s_stripe;
#pragma unroll
        for (int j = 0; j < 4; j++)
            words[j * 256 + threadIdx.x] = v[stripe * 4 + j];
        __syncthreads();
        float4 w = s_stripe[threadIdx.x];
        w.x = w.x > 0 ? w.x : slope * w.x;
        w.y = w.y > 0 ? w.y : slope * w.y;
        w.z = w.z > 0 ? w.z : slope * w.z;
        w.w = w.w > 0 ? w.w : slope * w.w;
        ((float4 *)out)[(blockIdx.x * 4 + stripe) * 256 + threadIdx.x] = w;
        __syncthreads();
    }
}

/* Each half of a block at a barrier of its own. */
__global__ void named_halves(const float *x, float *out, int steps)
{
    __shared__ float s_word[256];
    int half = threadIdx.x / 128, at = threadIdx.x % 128;
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++) {
        s_word[threadIdx.x] = v;
        asm volatile("bar.sync %0, 128;" ::"r"(half + 1) : "memory");
        v = 0.5f * (v + s_word[half * 128 + (at + 1) % 128]);
        asm volatile("bar.sync %0, 128;" ::"r"(half + 1) : "memory");
    }
    out[thread_index()] = v;
}

/* Words handed round within a warp, through shared memory. */
__global__ void warp_steps(const float *x, float *out, int steps)
{
    __shared__ float s_word[256];
    int base = threadIdx.x / 32 * 32, lane = threadIdx.x % 32;
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++) {
        s_word[threadIdx.x] = v;
        __syncwarp();
        v = 0.5f * (v + s_word[base + (lane + 1) % 32]);
        __syncwarp();
    }
    out[thread_index()] = v;
}

/* A tree of sums with a barrier at each level, one after the other. */
__global__ void tree_each(const float *x, float *out, int repeats)
{
    __shared__ float s_sum[256];
    float total = 0;
    for (int k = 0; k < repeats; k++) {
        s_sum[threadIdx.x] = x[(blockIdx.x * repeats + k) * 256 + threadIdx.x];
        __syncthreads();
        for (int d = 128; d > 0; d /= 2) {
            if ((int)threadIdx.x < d)
                s_sum[threadIdx.x] += s_sum[threadIdx.x + d];
            __syncthreads();
        }
        total += s_sum[0];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}

/* Inclusive sums of 1024 elements a block, twice the distance each turn. */
__global__ void scan_doubling(const float *x, float *out)
{
    __shared__ float s_sum[2][1024];
    int from = 0;
    s_sum[0][threadIdx.x] = x[thread_index()];
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        float v = s_sum[from][threadIdx.x];
        if ((int)threadIdx.x >= d)
            v += s_sum[from][threadIdx.x - d];
        s_sum[1 - from][threadIdx.x] = v;
        from = 1 - from;
        __syncthreads();
    }
    out[thread_index()] = s_sum[from][threadIdx.x];
}

/* Blocks of two warps, a barrier in each of many turns: little else is there to hide it. */
__global__ void small_blocks_steps(const float *x, float *out, int steps)
{
    __shared__ float s_word[64];
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++) {
        s_word[threadIdx.x] = v;
        __syncthreads();
        v = v * 0.5f + s_word[63 - threadIdx.x];
        __syncthreads();
    }
    out[thread_index()] = v;
}

static const struct bank_row ROWS[] = {
    BANK_ROW("short_product_k32", BANK_COLD, dim3(64, 64), 256, 0, short_product, data->x, data->y,
             data->out, 2048, 32),
    BANK_ROW("short_product_k128", BANK_COLD, dim3(32, 32), 256, 0, short_product, data->x, data->y,
             data->out, 1024, 128),
    BANK_ROW("staged_epilogue", BANK_COLD, 2 * KI, 256, 0, staged_epilogue, data->x, data->out,
             0.1f),
    BANK_ROW("named_halves", BANK_COLD, 1056, 256, 0, named_halves, data->x, data->out, 64),
    BANK_ROW("warp_steps", BANK_COLD, 1056, 256, 0, warp_steps, data->x, data->out, 64),
    BANK_ROW("tree_each", BANK_COLD, 1056, 256, 0, tree_each, data->x, data->out, 8),
    BANK_ROW("scan_doubling", BANK_COLD, 2 * KI, 1024, 0, scan_doubling, data->x, data->out),
    BANK_ROW("small_blocks_steps", BANK_COLD, 4224, 64, 0, small_blocks_steps, data->x, data->out,
             64),
};
BANK_FAMILY(steps)
