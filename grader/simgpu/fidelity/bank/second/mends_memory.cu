/* mends_memory.cu - kernels before and after one mend of how they reach memory, global or shared.
 * The line that is mended is marked "mend:" with the pair's name in the kernel before; pairs.csv
 * says of each what kind of mend it is. A pair shares its grid and its work. */
#include "../bank.h"

/* A picture brightened, lanes along y or along x. */
template <bool AFTER> __global__ void brighten(const float *in, float *out, int width)
{
    int a = blockIdx.x * 16 + threadIdx.x, b = blockIdx.y * 16 + threadIdx.y;
    int at = AFTER ? b * width + a : a * width + b;
    float v = in[at]; /* mend: pair_axes */
    if (v * 1.25f > 2)
        out[at] = v;
}

/* A matrix times a vector, a row for each thread: stored by rows or by columns. */
template <bool AFTER>
__global__ void row_for_each(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = thread_index();
    float sum = 0;
    for (int j = 0; j < columns; j++) {
        int at = AFTER ? j * rows + row : row * columns + j;
        sum += a[at] * x[j]; /* mend: pair_row_for_each */
    }
    y[row] = sum;
}

/* One word in five of records, or of a list of its own. */
template <int WORDS> __global__ void ages(const float *people, float *out)
{
    float age = people[thread_index() * WORDS]; /* mend: pair_records */
    out[thread_index()] = age * 0.1f + 1;
}

/* Values fetched by index, from all over the array or from near by. */
__global__ void fetch(const int *index, const float *x, float *out)
{
    int i = thread_index(), at = index[i];
    out[i] = sqrtf(fabsf(x[at])); /* mend: pair_index_local */
}

/* Three results for each thread, woven together or in planes. */
template <bool AFTER> __global__ void three_colours(const float *grey, float *out, int n)
{
    int i = thread_index();
    float v = grey[i];
    for (int c = 0; c < 3; c++)
        out[AFTER ? c * n + i : 3 * i + c] = v * (c + 1); /* mend: pair_woven_stores */
}

/* Rows whose pitch is no multiple of a sector, or is. */
__global__ void pitched(const float *in, float *out, int pitch)
{
    float v = in[(size_t)blockIdx.x * pitch + threadIdx.x]; /* mend: pair_row_pitch */
    if (v > 2)
        out[thread_index()] = v;
}

/* A warp's chunk of 32 words for each lane, or all lanes side by side. */
template <bool AFTER> __global__ void lane_chunks(const float *x, float *out)
{
    int warp = thread_index() / 32, lane = threadIdx.x % 32;
    float most = -1;
#pragma unroll 4
    for (int k = 0; k < 32; k++) {
        int at = warp * 1024 + (AFTER ? k * 32 + lane : lane * 32 + k);
        most = fmaxf(most, x[at]); /* mend: pair_lane_chunks */
    }
    out[thread_index()] = most;
}

/* Each thread adds up eight words of shared memory: its own run, or every 256th. */
template <bool AFTER> __global__ void runs_in_shared(const float *x, float *out, int turns)
{
    __shared__ float s_word[2048];
    for (int k = 0; k < 8; k++)
        s_word[k * 256 + threadIdx.x] = x[blockIdx.x * 2048 + k * 256 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int turn = 0; turn < turns; turn++)
        for (int k = 0; k < 8; k++) {
            int at = AFTER ? k * 256 + threadIdx.x : threadIdx.x * 8 + k;
            sum = sum * 0.5f + s_word[at]; /* mend: pair_own_runs */
        }
    out[thread_index()] = sum;
}

/* The columns of a tile whose rows have a padded word between them, or none. */
template <int PITCH> __global__ void columns_of_tile(const float *x, float *out, int turns)
{
    __shared__ float s_tile[32 * PITCH];
    for (int j = threadIdx.x; j < 1024; j += 256)
        s_tile[j / 32 * PITCH + j % 32] = x[blockIdx.x * 1024 + j];
    __syncthreads();
    float v = 0;
    for (int turn = 0; turn < turns; turn++) {
        int row = threadIdx.x % 32, column = (threadIdx.x / 32 + turn) % 32;
        v = v * 0.25f + s_tile[row * PITCH + column]; /* mend: pair_tile_columns */
    }
    out[thread_index()] = v;
}

/* Results written to shared memory far apart, or side by side. */
template <bool AFTER> __global__ void scattered_in_shared(const float *x, float *out, int turns)
{
    __shared__ float s_word[256 * 17];
    float v = x[thread_index()];
    for (int turn = 0; turn < turns; turn++) {
        int at = AFTER ? threadIdx.x + turn * 256 : threadIdx.x * 16 + turn;
        s_word[at] = v; /* mend: pair_shared_stores */
        v = v * 0.5f + 1;
    }
    __syncthreads();
    float sum = 0;
    for (int turn = 0; turn < turns; turn++)
        sum += s_word[turn * 256 + threadIdx.x];
    out[thread_index()] = sum;
}

/* Bins in shared memory: all threads at one, or each at its own. */
template <bool AFTER> __global__ void bins_in_shared(const int *x, int *out, int turns)
{
    __shared__ int s_bin[256];
    s_bin[threadIdx.x] = 0;
    __syncthreads();
    int v = x[thread_index()];
    for (int turn = 0; turn < turns; turn++) {
        int bin = (AFTER ? threadIdx.x + turn : turn) & 255;
        atomicMax(&s_bin[bin], v + turn); /* mend: pair_bins_apart */
    }
    __syncthreads();
    out[thread_index()] = s_bin[threadIdx.x];
}

/* A divisor read from memory in each turn, or once. */
template <bool AFTER>
__global__ void scaled_sum(const float *x, const float *scale, float *out, int turns)
{
    float sum = x[thread_index()], once = AFTER ? __ldcg(&scale[blockIdx.x]) : 0;
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
        const float *again = &scale[blockIdx.x + (k >> 10)];
        sum = sum * 0.5f + (AFTER ? once : __ldcg(again)); /* mend: pair_scale_again */
    }
    out[thread_index()] = sum;
}

/* A row's words read a second time past L1, or kept. */
template <bool AFTER> __global__ void centred(const float *x, float *out)
{
    __shared__ float s_sum;
    float v[16], sum = 0;
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    size_t base = (size_t)blockIdx.x * 4096 + threadIdx.x;
    for (int k = 0; k < 16; k++)
        sum += v[k] = __ldcs(&x[base + k * 256]);
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&s_sum, sum);
    __syncthreads();
    float most = 0;
    for (int k = 0; k < 16; k++) {
        float again = AFTER ? v[k] : __ldcv(&x[base + k * 256]); /* mend: pair_row_reread */
        most = fmaxf(most, fabsf(again - s_sum / 4096));
    }
    out[thread_index()] = most;
}

#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, kernel<false>, __VA_ARGS__),                             \
        PAIR_ROW(name "_after", grid, block, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR("axes", dim3(256, 256), dim3(16, 16), brighten, data->x, data->out, 4 * KI),
    PAIR("row_for_each", 128, 256, row_for_each, data->x, data->y, data->out, 32 * KI, 512),
    PAIR_ROW("records_before", 16 * KI, 256, ages<5>, data->x, data->out),
    PAIR_ROW("records_after", 16 * KI, 256, ages<1>, data->x, data->out),
    PAIR_ROW("index_local_before", 8 * KI, 512, fetch, data->shuffled, data->x, data->out),
    PAIR_ROW("index_local_after", 8 * KI, 512, fetch, data->in_order, data->x, data->out),
    PAIR("woven_stores", 32 * KI, 256, three_colours, data->x, data->out, 8 * MI),
    PAIR_ROW("row_pitch_before", 64 * KI, 256, pitched, data->x, data->out, 259),
    PAIR_ROW("row_pitch_after", 64 * KI, 256, pitched, data->x, data->out, 256),
    PAIR("lane_chunks", 2 * KI, 256, lane_chunks, data->x, data->out),
    PAIR("own_runs", 2 * KI, 256, runs_in_shared, data->x, data->out, 16),
    PAIR_ROW("tile_columns_before", 2 * KI, 256, columns_of_tile<32>, data->x, data->out, 48),
    PAIR_ROW("tile_columns_after", 2 * KI, 256, columns_of_tile<33>, data->x, data->out, 48),
    PAIR("shared_stores", 4 * KI, 256, scattered_in_shared, data->x, data->out, 16),
    PAIR("bins_apart", 528, 256, bins_in_shared, data->shuffled, (int *)data->out, 96),
    PAIR("scale_again", 4 * KI, 256, scaled_sum, data->x, data->y, data->out, 48),
    PAIR("row_reread", 8 * KI, 256, centred, data->x, data->out),
};
BANK_FAMILY(mends_memory)
