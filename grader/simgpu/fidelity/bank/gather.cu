/* gather.cu - addresses that come from memory: permuted within reach of a cache, or beyond. */
#include "bank.h"

/* out[i] = x[index[i]]: the pattern is the index array's. */
__global__ void gather(const int *index, const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[index[i]];
}

/* Elements of a table so large that each lies in a sector of its own. */
__global__ void gather_apart(const int *index, const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[index[i] * 16];
}

/* Whole rows of 16 bytes by random number. */
__global__ void gather_float4(const int *index, const float4 *x, float4 *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[index[i]];
}

/* An embedding table: a warp copies a row of 64 floats together. */
__global__ void gather_rows(const int *index, const float2 *table, float2 *out, int rows)
{
    int row = thread_index() / 32, lane = (int)(threadIdx.x % 32);
    if (row < rows)
        out[row * 32 + lane] = table[index[row] * 32 + lane];
}

/* All lanes of a warp want the same element. */
__global__ void gather_same(const int *index, const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[index[i / 32]];
}

/* out[index[i]] = x[i]. */
__global__ void scatter(const int *index, const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[index[i]] = x[i];
}

/* Each element into a sector of its own: every sector is written in part. */
__global__ void scatter_apart(const int *index, const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[index[i] * 16] = x[i];
}

static const struct bank_row ROWS[] = {
    BANK_ROW("gather_in_order_4M", BANK_COLD, 16 * KI, 256, 0, gather, data->in_order, data->x,
             data->out, 4 * MI),
    BANK_ROW("gather_nearby_4M", BANK_COLD, 16 * KI, 256, 0, gather, data->nearby, data->x,
             data->out, 4 * MI),
    BANK_ROW("gather_shuffled_1M", BANK_COLD, 4 * KI, 256, 0, gather, data->shuffled, data->x,
             data->out, 1 * MI),
    BANK_ROW("gather_shuffled_4M", BANK_COLD, 16 * KI, 256, 0, gather, data->shuffled, data->x,
             data->out, 4 * MI),
    BANK_ROW("gather_apart_2M", BANK_COLD, 8 * KI, 256, 0, gather_apart, data->shuffled, data->x,
             data->out, 2 * MI),
    BANK_ROW("gather_float4_shuffled_4M", BANK_COLD, 16 * KI, 256, 0, gather_float4, data->shuffled,
             (float4 *)data->x, (float4 *)data->out, 4 * MI),
    BANK_ROW("gather_rows_128K", BANK_COLD, 16 * KI, 256, 0, gather_rows, data->nearby,
             (float2 *)data->x, (float2 *)data->out, 128 * KI),
    BANK_ROW("gather_same_4M", BANK_COLD, 16 * KI, 256, 0, gather_same, data->shuffled, data->x,
             data->out, 4 * MI),
    BANK_ROW("scatter_nearby_4M", BANK_COLD, 16 * KI, 256, 0, scatter, data->nearby, data->x,
             data->out, 4 * MI),
    BANK_ROW("scatter_shuffled_4M", BANK_COLD, 16 * KI, 256, 0, scatter, data->shuffled, data->x,
             data->out, 4 * MI),
    BANK_ROW("scatter_apart_2M", BANK_COLD, 8 * KI, 256, 0, scatter_apart, data->shuffled, data->x,
             data->out, 2 * MI),
};
BANK_FAMILY(gather)
