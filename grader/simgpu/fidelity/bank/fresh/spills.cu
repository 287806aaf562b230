/* spills.cu - more values than registers: where the assembler puts the words decides the cost. */
#include "../bank.h"

/* Every value is used in every turn: spilled words travel in the loop. */
template <int VALUES>
static __device__ __forceinline__ float mix_all(const float *x, int steps)
{
    float v[VALUES], sum = 0;
#pragma unroll
    for (int j = 0; j < VALUES; j++)
        v[j] = x[thread_index() + 32 * j];
#pragma unroll 1
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int j = 0; j < VALUES; j++)
            v[j] = v[j] * v[(j + 5) % VALUES] + 0.125f;
#pragma unroll
    for (int j = 0; j < VALUES; j++)
        sum += v[j];
    return sum;
}

__global__ void __launch_bounds__(256, 8) spill_some(const float *x, float *out, int steps)
{
    out[thread_index()] = mix_all<36>(x, steps);
}

__global__ void __launch_bounds__(256, 5) spill_many(const float *x, float *out, int steps)
{
    out[thread_index()] = mix_all<96>(x, steps);
}

__global__ void __launch_bounds__(256, 4) spill_two_hundred(const float *x, float *out, int steps)
{
    out[thread_index()] = mix_all<240>(x, steps);
}

/* Values that are loaded first and wanted last: the loop between does without them. */
__global__ void __launch_bounds__(256, 8) spill_at_ends(const float *x, float *out, int steps)
{
    float v[40], chain[8], sum = 0;
#pragma unroll
    for (int j = 0; j < 40; j++)
        v[j] = x[thread_index() + 32 * j];
#pragma unroll
    for (int j = 0; j < 8; j++)
        chain[j] = v[j];
#pragma unroll 1
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            chain[j] = chain[j] * chain[(j + 1) % 8] + 0.5f;
#pragma unroll
    for (int j = 0; j < 40; j++)
        sum += v[j] * chain[j % 8];
    out[thread_index()] = sum;
}

/* A product with 8 x 8 results a thread; BLOCKS of them to a multiprocessor leave too few
 * registers. Tiles of 128 x 128, 8 deep; A is turned round on its way in. */
template <int BLOCKS>
__global__ void __launch_bounds__(256, BLOCKS)
    spill_product(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[8][128], s_b[8][128];
    int thread = threadIdx.x, x = thread % 16 * 8, y = thread / 16 * 8;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {{0}};
    for (int k0 = 0; k0 < k; k0 += 8) {
        for (int i = thread; i < 1024; i += 256) {
            s_a[i % 8][i / 8] = a[(row0 + i / 8) * k + k0 + i % 8];
            s_b[i / 128][i % 128] = b[(k0 + i / 128) * n + column0 + i % 128];
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < 8; p++)
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    sum[i][j] += s_a[p][y + i] * s_b[p][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            c[(row0 + y + i) * n + column0 + x + j] = sum[i][j];
}

static const struct bank_row ROWS[] = {
    BANK_ROW("spill_some", BANK_COLD, 1056, 256, 0, spill_some, data->x, data->out, 24),
    BANK_ROW("spill_many", BANK_COLD, 660, 256, 0, spill_many, data->x, data->out, 12),
    BANK_ROW("spill_two_hundred", BANK_COLD, 264, 256, 0, spill_two_hundred, data->x, data->out,
             8),
    BANK_ROW("spill_at_ends", BANK_COLD, 1056, 256, 0, spill_at_ends, data->x, data->out, 96),
    BANK_ROW("spill_product_64_registers", BANK_COLD, dim3(8, 8), 256, 0, spill_product<4>, data->x,
             data->y, data->out, 1024, 256),
    BANK_ROW("spill_product_80_registers", BANK_COLD, dim3(16, 16), 256, 0, spill_product<3>,
             data->x, data->y, data->out, 2048, 64),
};
BANK_FAMILY(spills)
