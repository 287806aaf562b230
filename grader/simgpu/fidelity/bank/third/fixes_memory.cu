/* fixes_memory.cu - kernels before and after one mend of how they reach memory, global or shared.
 * The line that is mended is marked "mend:" with the pair's name in the kernel before; pairs.csv
 * says of each what kind of mend it is. A pair shares its grid and its work. */
#include "../bank.h"

/* The first lesson, in runs of eight: neighbours of a run by one thread, or by eight. */
template <bool AFTER>
__global__ void axpby_runs(const float *x, const float *y, float *out, float a, float b)
{
    int block = blockIdx.x * 2048;
    for (int k = 0; k < 8; k++) {
        int i = block + (AFTER ? k * 256 + threadIdx.x : threadIdx.x * 8 + k);
        float v = a * x[i] + b; /* mend: pair_runs_of_eight */
        if (v > 1e9f)
            out[i] = y[i];
    }
}

/* The second lesson's product: which axis of the block goes along the rows of A. */
template <bool AFTER>
__global__ void product_axes(const float *a, const float *b, float *c, int n, int k)
{
    int u = blockIdx.x * 32 + threadIdx.x, v = blockIdx.y * 32 + threadIdx.y;
    int row = AFTER ? v : u, column = AFTER ? u : v;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column]; /* mend: pair_product_axes */
    if (sum > 1e9f)
        c[row * n + column] = sum;
}

/* Half of what is fetched lies between the elements, or nothing does. */
__global__ void every_so_often(const float *x, float *out, int stride)
{
    int i = thread_index();
    out[i] = fabsf(x[i * stride]) + 1; /* mend: pair_every_second */
}

/* Positions of particles as parts of records, or in arrays of their own. */
template <bool AFTER> __global__ void distances(const float *p, float *out, int n)
{
    int i = thread_index();
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        float v = p[AFTER ? axis * n + i : i * 8 + axis]; /* mend: pair_particle_records */
        sum += v * v;
    }
    out[i] = sqrtf(sum);
}

/* Results go to places all over the array, or in order. */
__global__ void deal_out(const float *x, const int *place, float *out)
{
    int i = thread_index();
    out[place[i]] = x[i] * 2; /* mend: pair_places_in_order */
}

/* Rows of a matrix that begin at any word, read by vectors' worth of lanes: pitch 1001 or 1024. */
__global__ void row_largest(const float *x, float *out, int pitch)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    float most = -1;
#pragma unroll 4
    for (int j = 0; j < 992; j += 32)
        most = fmaxf(most, x[row * pitch + j + lane]); /* mend: pair_pitch_of_rows */
    out[thread_index()] = most;
}

/* The second lesson's transpose: a tile without a padded word in its rows, and with one. */
template <int PITCH> __global__ void flip_tile(const float *in, float *out, int side)
{
    __shared__ float s_tile[32 * PITCH];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        s_tile[(threadIdx.y + j) * PITCH + threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * side + x] =
            s_tile[threadIdx.x * PITCH + threadIdx.y + j]; /* mend: pair_flip_pitch */
}

/* The third lesson's tree, its idle threads gone: neighbours far apart, or side by side. */
template <bool AFTER> __global__ void tree_steps(const float *x, float *out)
{
    __shared__ float s_sum[512];
    s_sum[threadIdx.x] = x[thread_index()];
    s_sum[threadIdx.x + 256] = x[thread_index() + MI];
    for (int level = 0; level < 9; level++) {
        int busy = 256 >> level, step = AFTER ? busy : 1 << level;
        int at = AFTER ? threadIdx.x : threadIdx.x * 2 * step;
        __syncthreads();
        if (threadIdx.x < busy)
            s_sum[at] += s_sum[at + step]; /* mend: pair_tree_steps */
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0];
}

/* Columns of a tile of doubles, 16 to a row or 17. */
template <int PITCH> __global__ void double_columns(const double *x, double *out, int turns)
{
    __shared__ double s_tile[16 * PITCH];
    int row = threadIdx.x % 16, first = threadIdx.x / 16;
    s_tile[first * PITCH + row] = x[thread_index()];
    __syncthreads();
    double sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        int column = (first + turn) & 15;
        sum = sum * 0.5 + s_tile[row * PITCH + column]; /* mend: pair_columns_of_doubles */
    }
    out[thread_index()] = sum;
}

/* Three words of each thread's own in shared memory: one after another's, or in planes of four. */
template <bool AFTER> __global__ void own_words(const float *x, float *out, int turns)
{
    __shared__ float s_word[4 * 256];
    for (int k = 0; k < 4; k++)
        s_word[k * 256 + threadIdx.x] = x[thread_index() + k * MI];
    __syncthreads();
    float v = 1;
    for (int turn = 0; turn < turns; turn++) {
        int k = turn * 3 & 3, at = AFTER ? k * 256 + threadIdx.x : threadIdx.x * 4 + k;
        v = v * 0.5f + s_word[at]; /* mend: pair_words_in_planes */
    }
    out[thread_index()] = v;
}

/* Weights of a row read again for each of the rows that a block takes, or kept. */
template <bool AFTER> __global__ void weighted_rows(const float *x, const float *w, float *out)
{
    float kept = __ldcg(&w[threadIdx.x]), sum = 0;
#pragma unroll 1
    for (int row = 0; row < 32; row++) {
        float v = x[(blockIdx.x * 32 + row) * 256 + threadIdx.x];
        float weight = AFTER ? kept : __ldcg(&w[threadIdx.x + (row >> 8)]); /* mend: pair_weights */
        sum += v * weight;
    }
    out[thread_index()] = sum;
}

/* A column walked down with its neighbours above and below: each read anew, or two kept. */
template <bool AFTER> __global__ void walk_down(const float *x, float *out, int columns)
{
    int at = blockIdx.y * 64 * columns + thread_index();
    float above = x[at], here = x[at + columns], most = -8;
#pragma unroll 1
    for (int row = 1; row < 63; row++) {
        float below = __ldcg(&x[at + (row + 1) * columns]);
        const float *again = &x[at + (row - 1) * columns];
        float before = AFTER ? above : __ldcg(again); /* mend: pair_rows_kept */
        most = fmaxf(most, before - 2 * here + below);
        above = here;
        here = below;
    }
    out[blockIdx.y * columns + thread_index()] = most;
}

#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, kernel<false>, __VA_ARGS__),                             \
        PAIR_ROW(name "_after", grid, block, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR("runs_of_eight", 8 * KI, 256, axpby_runs, data->x, data->y, data->out, 2.5f, -1.5f),
    PAIR("product_axes", dim3(32, 32), dim3(32, 32), product_axes, data->x, data->y, data->out, KI,
         64),
    PAIR_ROW("every_second_before", 64 * KI, 256, every_so_often, data->x, data->out, 2),
    PAIR_ROW("every_second_after", 64 * KI, 256, every_so_often, data->x, data->out, 1),
    PAIR("particle_records", 16 * KI, 256, distances, data->x, data->out, 4 * MI),
    PAIR_ROW("places_in_order_before", 16 * KI, 256, deal_out, data->x, data->shuffled, data->out),
    PAIR_ROW("places_in_order_after", 16 * KI, 256, deal_out, data->x, data->in_order, data->out),
    PAIR_ROW("pitch_of_rows_before", 4 * KI, 256, row_largest, data->x, data->out, 1001),
    PAIR_ROW("pitch_of_rows_after", 4 * KI, 256, row_largest, data->x, data->out, 1024),
    PAIR_ROW("flip_pitch_before", dim3(128, 128), dim3(32, 8), flip_tile<32>, data->x, data->out,
             4 * KI),
    PAIR_ROW("flip_pitch_after", dim3(128, 128), dim3(32, 8), flip_tile<33>, data->x, data->out,
             4 * KI),
    PAIR("tree_steps", 4 * KI, 256, tree_steps, data->x, data->out),
    PAIR_ROW("columns_of_doubles_before", 2 * KI, 256, double_columns<16>, data->double_x,
             (double *)data->out, 48),
    PAIR_ROW("columns_of_doubles_after", 2 * KI, 256, double_columns<17>, data->double_x,
             (double *)data->out, 48),
    PAIR("words_in_planes", 4 * KI, 256, own_words, data->x, data->out, 64),
    PAIR("weights", 4 * KI, 256, weighted_rows, data->x, data->y, data->out),
    PAIR("rows_kept", dim3(32, 32), 256, walk_down, data->x, data->out, 8 * KI),
};
BANK_FAMILY(fixes_memory)
