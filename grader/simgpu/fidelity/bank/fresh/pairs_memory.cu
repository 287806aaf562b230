/* pairs_memory.cu - kernels before and after one mend of how they reach memory. The line that is
 * mended is marked "mend:" with the pair's name in the kernel before; pairs.csv says of each what
 * kind of mend it is. A pair shares its grid and its work. */
#include "../bank.h"

/* Eight elements a thread: first a run of its own, then a block's width apart. */
template <bool AFTER> __global__ void coalesce_runs(const float *x, float *out)
{
    float sum = 0;
    int base = blockIdx.x * 2048;
    for (int k = 0; k < 8; k++) {
        if (AFTER)
            sum += x[base + k * 256 + threadIdx.x];
        else
            sum += x[base + threadIdx.x * 8 + k]; /* mend: pair_coalesce_runs */
    }
    out[thread_index()] = sum;
}

/* A matrix scaled, lanes down a column or along a row. */
template <bool AFTER> __global__ void coalesce_tile(const float *x, float *out, int n)
{
    int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
    int row = AFTER ? b : a, column = AFTER ? a : b;
    float v = x[row * n + column]; /* mend: pair_coalesce_tile */
    if (v > 3)
        out[thread_index()] = v;
}

/* Every fourth element, or neighbours. */
template <int STRIDE> __global__ void stride(const float *x, float *out)
{
    out[thread_index()] = 2 * x[thread_index() * STRIDE]; /* mend: pair_stride_2, pair_stride_8 */
}

/* One field of eight: structures in an array, or arrays. */
struct particle {
    float x, y, z, mass, u, v, w, charge;
};
__global__ void field_of_structures(const struct particle *particles, float *out)
{
    out[thread_index()] = 0.5f * particles[thread_index()].mass; /* mend: pair_soa_field */
}
__global__ void field_of_arrays(const float *mass, float *out)
{
    out[thread_index()] = 0.5f * mass[thread_index()];
}

/* Three words of a colour, one after the other, or from three planes. */
__global__ void grey_interleaved(const float *colour, float *out)
{
    const float *pixel = colour + 3 * thread_index();
    float sum = 0.3f * pixel[0] + 0.6f * pixel[1] + 0.1f * pixel[2]; /* mend: pair_soa_colour */
    out[thread_index()] = sum;
}
__global__ void grey_planar(const float *colour, float *out, int plane)
{
    const float *pixel = colour + thread_index();
    out[thread_index()] = 0.3f * pixel[0] + 0.6f * pixel[plane] + 0.1f * pixel[2 * plane];
}

/* A transposition through a tile whose columns lie in one bank, or not. */
template <int WIDTH> __global__ void transpose_tile(const float *in, float *out, int n)
{
    __shared__ float s_tile[32][WIDTH];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        s_tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * n + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x;
    row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(row + j) * n + column] =
            s_tile[threadIdx.x][threadIdx.y + j]; /* mend: pair_pad_tile */
}

/* Sums down the columns of a tile in shared memory, again and again. */
template <int WIDTH> __global__ void sum_rows_of_tile(const float *x, float *out, int repeats)
{
    __shared__ float s_tile[64][WIDTH];
    for (int j = threadIdx.x; j < 64 * 64; j += 64)
        s_tile[j / 64][j % 64] = x[blockIdx.x * 64 + j];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < repeats; k++)
        for (int j = 0; j < 64; j++)
            sum = sum * 0.5f + s_tile[threadIdx.x][j]; /* mend: pair_pad_rows */
    out[thread_index()] = sum;
}

/* The stores of a transposition without a tile, or its loads. */
template <bool AFTER> __global__ void scatter_stores(const float *x, float *out)
{
    int i = thread_index(), block = blockIdx.x * 256;
    float v = 2 * x[i];
    if (AFTER)
        out[i] = v;
    else
        out[block + (threadIdx.x % 32) * 8 + threadIdx.x / 32] = v; /* mend: pair_coalesce_stores */
}

template <typename T> __global__ void copy_words(const T *x, T *out)
{
    out[thread_index()] = x[thread_index()]; /* mend: pair_vector_bytes */
}

/* Copies that start a word past a vector's boundary. */
__global__ void shifted_by(const float *x, float *out, int shift)
{
    out[thread_index()] = 2 * x[thread_index() + shift]; /* mend: pair_align_loads */
}

/* By an index list: permuted, or in order. */
__global__ void gather(const int *index, const float *x, float *out)
{
    int i = thread_index();
    out[i] = x[index[i]]; /* mend: pair_gather_order */
}

/* A coefficient that does not change, read anew in each turn or once. */
template <bool AFTER> __global__ void hoist(const float *x, volatile const float *a, float *out)
{
    float v = x[thread_index()], once = AFTER ? a[0] : 0;
#pragma unroll 1
    for (int k = 0; k < 32; k++)
        v = v * 0.5f + (AFTER ? once : a[0]); /* mend: pair_hoist_scalar */
    out[thread_index()] = v;
}

/* Neighbours read from memory by each thread, past L1. */
template <bool AFTER> __global__ void neighbours(const float *x, float *out)
{
    int i = thread_index() + 8;
    float sum = AFTER ? 17 * __ldcg(&x[i]) : 0;
    if (!AFTER)
#pragma unroll
        for (int d = -8; d <= 8; d++)
            sum += __ldcg(&x[i + d]); /* mend: pair_hoist_neighbours */
    out[thread_index()] = sum;
}

#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define EACH(name, kernel, ...) PAIR_ROW(name, 16 * KI, 256, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR_ROW("coalesce_runs_before", 8 * KI, 256, coalesce_runs<false>, data->x, data->out),
    PAIR_ROW("coalesce_runs_after", 8 * KI, 256, coalesce_runs<true>, data->x, data->out),
    PAIR_ROW("coalesce_tile_before", dim3(128, 512), dim3(32, 8), coalesce_tile<false>, data->x,
             data->out, 4 * KI),
    PAIR_ROW("coalesce_tile_after", dim3(128, 512), dim3(32, 8), coalesce_tile<true>, data->x,
             data->out, 4 * KI),
    EACH("stride_2_before", stride<2>, data->x, data->out),
    EACH("stride_2_after", stride<1>, data->x, data->out),
    EACH("stride_8_before", stride<8>, data->x, data->out),
    EACH("stride_8_after", stride<1>, data->y, data->out),
    EACH("soa_field_before", field_of_structures, (const struct particle *)data->x, data->out),
    EACH("soa_field_after", field_of_arrays, data->x, data->out),
    EACH("soa_colour_before", grey_interleaved, data->x, data->out),
    EACH("soa_colour_after", grey_planar, data->x, data->out, 4 * MI),
    PAIR_ROW("pad_tile_before", dim3(64, 64), dim3(32, 8), transpose_tile<32>, data->x, data->out,
             2 * KI),
    PAIR_ROW("pad_tile_after", dim3(64, 64), dim3(32, 8), transpose_tile<33>, data->x, data->out,
             2 * KI),
    PAIR_ROW("pad_rows_before", 1056, 64, sum_rows_of_tile<64>, data->x, data->out, 4),
    PAIR_ROW("pad_rows_after", 1056, 64, sum_rows_of_tile<65>, data->x, data->out, 4),
    EACH("coalesce_stores_before", scatter_stores<false>, data->x, data->out),
    EACH("coalesce_stores_after", scatter_stores<true>, data->x, data->out),
    PAIR_ROW("vector_bytes_before", 64 * KI, 256, copy_words<char>, (const char *)data->x,
             (char *)data->out),
    PAIR_ROW("vector_bytes_after", 16 * KI, 256, copy_words<char4>, (const char4 *)data->x,
             (char4 *)data->out),
    EACH("align_loads_before", shifted_by, data->x, data->out, 5),
    EACH("align_loads_after", shifted_by, data->x, data->out, 8),
    EACH("gather_order_before", gather, data->shuffled, data->x, data->out),
    EACH("gather_order_after", gather, data->in_order, data->x, data->out),
    EACH("hoist_scalar_before", hoist<false>, data->x, data->y, data->out),
    EACH("hoist_scalar_after", hoist<true>, data->x, data->y, data->out),
    EACH("hoist_neighbours_before", neighbours<false>, data->x, data->out),
    EACH("hoist_neighbours_after", neighbours<true>, data->x, data->out),
};
BANK_FAMILY(pairs_memory)
