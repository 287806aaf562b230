/* uneven.cu - blocks that are not alike: the first is no guide to the others; and grids of few
 * blocks. */
#include "../bank.h"

static __device__ __forceinline__ float work(float v, int steps)
{
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        v = v * 0.75f + 0.125f;
    return v;
}

/* As many steps as the host says for the first block, and for the others. */
__global__ void first_differs(const float *x, float *out, int first_steps, int steps)
{
    int i = thread_index();
    out[i] = work(x[i], blockIdx.x == 0 ? first_steps : steps);
}

/* Later blocks have more to do, or less. */
__global__ void triangle(const float *x, float *out, int per_block, int turned)
{
    int i = thread_index(), at = turned ? (int)(gridDim.x - 1 - blockIdx.x) : (int)blockIdx.x;
    out[i] = work(x[i], at * per_block / 64);
}

/* Every 132nd block is heavy: the deal gives all of them to one multiprocessor. */
__global__ void heavy_by_deal(const float *x, float *out, int period, int heavy, int light)
{
    int i = thread_index();
    out[i] = work(x[i], blockIdx.x % (unsigned)period == 0 ? heavy : light);
}

/* Loads as uneven as the work above: the later the block, the more it reads. */
__global__ void triangle_reads(const float *x, float *out, int n)
{
    float sum = 0;
    int row = blockIdx.x;
    for (int j = threadIdx.x; j <= row; j += (int)blockDim.x)
        sum += x[(size_t)row * n + j];
    out[thread_index()] = sum;
}

/* Rows of a sparse matrix, a thread each: 0 to 63 elements, by data. */
__global__ void sparse_rows(const int *lengths, const int *columns, const float *x, float *out)
{
    int row = thread_index(), length = lengths[row] % 64;
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += x[columns[(row * 16 + k) & (4 * MI - 1)]];
    out[row] = sum;
}

/* A warp each. */
__global__ void sparse_rows_by_warp(const int *lengths, const int *columns, const float *x,
                                    float *out)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32, length = lengths[row] % 512;
    float sum = 0;
    for (int k = lane; k < length; k += 32)
        sum += x[columns[(row * 256 + k) & (4 * MI - 1)]];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (lane == 0)
        out[row] = sum;
}

/* The border of an image does something else: the first row of blocks is all border. */
__global__ void border_blocks(const float *in, float *out, int n)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    const float *cell = in + row * n + column;
    if (column < 8 || row < 8 || column >= n - 8 || row >= n - 8) {
        out[row * n + column] = 0;
        return;
    }
    float sum = 0;
#pragma unroll
    for (int d = -8; d <= 8; d++)
        sum += cell[d * n];
    out[row * n + column] = sum;
}

/* A grid of any size walks over n elements, eight turns under way at most as the compiler will. */
__global__ void few_blocks(const float *x, float *out, int n)
{
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count())
        sum += x[i];
    out[thread_index()] = sum;
}

/* The same with arithmetic in plenty. */
__global__ void few_blocks_work(const float *x, float *out, int steps)
{
    out[thread_index()] = work(x[thread_index()], steps);
}

#define FEW(name, blocks, elements)                                                                \
    BANK_ROW(name, BANK_COLD, blocks, 512, 0, few_blocks, data->x, data->out, elements)

static const struct bank_row ROWS[] = {
    BANK_ROW("first_heavy", BANK_COLD, 4 * KI, 256, 0, first_differs, data->x, data->out, 4096,
             32),
    BANK_ROW("first_idle", BANK_COLD, 4 * KI, 256, 0, first_differs, data->x, data->out, 0, 128),
    BANK_ROW("triangle_up", BANK_COLD, 4 * KI, 256, 0, triangle, data->x, data->out, 4, 0),
    BANK_ROW("triangle_down", BANK_COLD, 4 * KI, 256, 0, triangle, data->x, data->out, 4, 1),
    BANK_ROW("heavy_by_deal_132", BANK_COLD, 2112, 256, 0, heavy_by_deal, data->x, data->out, 132,
             2048, 16),
    BANK_ROW("heavy_by_deal_33", BANK_COLD, 2112, 256, 0, heavy_by_deal, data->x, data->out, 33,
             1024, 16),
    BANK_ROW("triangle_reads", BANK_COLD, 4 * KI, 256, 0, triangle_reads, data->x, data->out,
             4 * KI),
    BANK_ROW("sparse_rows", BANK_COLD, 1 * KI, 256, 0, sparse_rows, data->shuffled, data->nearby,
             data->x, data->out),
    BANK_ROW("sparse_rows_by_warp", BANK_COLD, 2 * KI, 256, 0, sparse_rows_by_warp, data->shuffled,
             data->nearby, data->x, data->out),
    BANK_ROW("border_blocks", BANK_COLD, dim3(64, 256), dim3(32, 8), 0, border_blocks, data->x,
             data->out, 2048),
    FEW("few_blocks_1", 1, 256 * KI),
    FEW("few_blocks_2", 2, 512 * KI),
    FEW("few_blocks_66", 66, 8 * MI),
    FEW("few_blocks_131", 131, 16 * MI),
    BANK_ROW("few_blocks_work_133", BANK_COLD, 133, 1024, 0, few_blocks_work, data->x, data->out,
             1024),
};
BANK_FAMILY(uneven)
