/* sparse.cu - what goes through indices: sparse matrices, embeddings, graphs and tables. */
#include "../bank.h"

#include <cstdint>

/* Rows begin every 32 entries and have a length of 1 to 32, which neighbours do not share. */
static __device__ __forceinline__ int row_length(const int *any, int row)
{
    return (any[row] & 31) + 1;
}

/* A row of a sparse matrix to each thread. */
__global__ void csr_scalar(const int *any, const int *col, const float *val, const float *x,
                           float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float dot = 0;
        int start = row * 32, end = start + row_length(any, row);
        for (int j = start; j < end; j++)
            dot += val[j] * x[col[j]];
        y[row] = dot;
    }
}

/* A row to each eight lanes. */
__global__ void csr_vector_8(const int *any, const int *col, const float *val, const float *x,
                             float *y)
{
    int row = thread_index() / 8, lane = threadIdx.x & 7;
    int start = row * 32, end = start + row_length(any, row);
    float dot = 0;
    for (int j = start + lane; j < end; j += 8)
        dot += val[j] * x[col[j]];
    for (int d = 4; d; d >>= 1)
        dot += __shfl_down_sync(~0u, dot, d, 8);
    if (lane == 0)
        y[row] = dot;
}

/* Entries of a row lie a column's length apart, as many for each row. */
__global__ void ell_columns(const int *col, const float *val, const float *x, float *y, int rows,
                            int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float dot = 0;
    for (int k = 0; k < width; k++)
        dot += val[k * rows + row] * x[col[k * rows + row]];
    y[row] = dot;
}

/* Entries with their row and column, added up by atomics. */
__global__ void coo_atomics(const int *row, const int *col, const float *val, const float *x,
                            float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&y[row[i] >> 4], val[i] * x[col[i]]);
}

/* A sparse matrix times 32 dense columns: a warp to a row, a lane to a column. */
__global__ void csr_times_dense(const int *any, const int *col, const float *val, const float *B,
                                float *C)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    float sum = 0;
    int end = row * 32 + row_length(any, row);
    for (int j = row * 32; j < end; j++)
        sum += val[j] * B[(col[j] & 0xFFFF) * 32 + lane];
    C[row * 32 + lane] = sum;
}

/* Rows of a table for tokens, with the row of the place added. */
__global__ void token_and_place(const int *token, const float4 *table, const float4 *place,
                                float4 *out, int vectors, int length)
{
    int i = blockIdx.x, t = token[i] & 0x3FFF;
    for (int j = threadIdx.x; j < vectors; j += blockDim.x) {
        float4 a = table[t * vectors + j], b = place[i % length * vectors + j];
        out[i * vectors + j] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
}

/* Bags of ten rows of 64, added up. */
__global__ void bags_of_ten(const int *index, const float *table, float *out, int bags)
{
    int bag = blockIdx.x * blockDim.y + threadIdx.y;
    if (bag >= bags)
        return;
    float sum = 0;
    for (int k = 0; k < 10; k++)
        sum += table[(index[bag * 10 + k] & 0xFFFF) * 64 + threadIdx.x];
    out[bag * 64 + threadIdx.x] = sum;
}

/* Gradients of rows are added to the table that they came from. */
__global__ void rows_added_back(const int *index, const float *grad, float *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 64, c = i % 64;
    if (row < n)
        atomicAdd(&table[(index[row] & 0x3FFF) * 64 + c], grad[i]);
}

/* A step of a search: who is new on the frontier is marked by those who have it as neighbour. */
__global__ void search_step(const int *neighbour, const int *level, int *next, int degree, int now)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if ((level[v] & 7) != now)
        return;
    for (int k = 0; k < degree; k++)
        next[neighbour[v * degree + k]] = now + 1;
}

/* A page's rank is drawn from the pages that lead to it. */
__global__ void rank_pulled(const int *from, const float *rank, const int *any, float *out,
                            float damping)
{
    int page = blockIdx.x * blockDim.x + threadIdx.x;
    int degree = (any[page] & 15) + 1;
    float sum = 0;
    for (int k = 0; k < degree; k++)
        sum += __ldg(&rank[from[page * 16 + k]]);
    out[page] = (1 - damping) + damping * sum / degree;
}

/* The least distance over each edge, by atomics. */
__global__ void relax_edges(const int *head, const int *tail, const float *length, unsigned *best)
{
    int e = thread_index();
    unsigned through = (unsigned)(head[e] & 1023) + (unsigned)(fabsf(length[e]) * 1000);
    atomicMax(&best[tail[e] >> 3], through);
}

/* Keys are looked for in a table with eight words to a bucket. */
__global__ void probe_buckets(const int *key, const int4 *bucket, int *out, int mask)
{
    int i = thread_index(), k = key[i];
    uint32_t at = ((uint32_t)k * 2654435761u >> 7) & mask;
    int4 a = bucket[at * 2], b = bucket[at * 2 + 1];
    int found = (a.x == k) + (a.y == k) * 2 + (a.z == k) * 3 + (a.w == k) * 4;
    found += (b.x == k) * 5 + (b.y == k) * 6 + (b.z == k) * 7 + (b.w == k) * 8;
    out[i] = found;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("csr_scalar_120K", 469, 256, csr_scalar, data->shuffled, data->nearby, data->y, data->x,
         data->out, 120000),
    EACH("csr_vector_8_128K", 4 * KI, 256, csr_vector_8, data->shuffled, data->nearby, data->y,
         data->x, data->out),
    EACH("csr_vector_8_128K_far", 4 * KI, 256, csr_vector_8, data->shuffled, data->shuffled,
         data->y, data->x, data->out),
    EACH("ell_columns_256Kx16", KI, 256, ell_columns, data->nearby, data->y, data->x, data->out,
         256 * KI, 16),
    EACH("coo_atomics_2M", 7813, 256, coo_atomics, data->in_order, data->shuffled, data->y,
         data->x, (float *)(data->counters + 2 * MI), 2000000),
    EACH("csr_times_dense_60K", 7500, dim3(32, 8), csr_times_dense, data->shuffled, data->shuffled,
         data->y, data->x, data->out),
    EACH("token_and_place_8192x768", 8 * KI, 192, token_and_place, data->shuffled,
         (const float4 *)data->x, (const float4 *)data->y, (float4 *)data->out, 192, KI),
    EACH("bags_of_ten_100K", 25000, dim3(64, 4), bags_of_ten, data->shuffled, data->x, data->out,
         100000),
    EACH("rows_added_back_20000", 5000, 256, rows_added_back, data->shuffled, data->y,
         (float *)(data->counters + 2 * MI), 20000),
    EACH("search_step_512Kx8", 2 * KI, 256, search_step, data->shuffled, data->shuffled,
         (int *)data->out, 8, 3),
    EACH("rank_pulled_256K", 2 * KI, 128, rank_pulled, data->shuffled, data->y, data->nearby,
         data->out, 0.85f),
    EACH("relax_edges_2M", 8 * KI, 256, relax_edges, data->nearby, data->shuffled, data->y,
         (unsigned *)data->counters + 2 * MI),
    EACH("probe_buckets_1M", 4 * KI, 256, probe_buckets, data->shuffled,
         (const int4 *)data->shuffled, (int *)data->out, 512 * KI - 1),
};
BANK_FAMILY(sparse)
