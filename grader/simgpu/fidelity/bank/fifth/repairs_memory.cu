/* repairs_memory.cu - kernels before and after one line's repair of how they reach memory, global
 * or shared. The line is marked "mend:" with the pair's name in the kernel before; pairs.csv says
 * what kind of mend it is. A pair shares its grid and its work. */
#include "../bank.h"

/* A matrix in columns: neighbours in a warp walk down it, or along it. */
__global__ void clipped_matrix(const float *x, float *out, int down, int along)
{
    int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
    float v = __ldcg(&x[a * down + b * along]); /* mend: pair_walk_along_rows */
    if (v > 2)
        out[a * down + b * along] = v;
}

/* Sixteen samples of a thread's own stretch, or of the warp's. */
template <bool AFTER> __global__ void mean_of_sixteen(const float *x, float *out)
{
    int lane = threadIdx.x % 32, first = thread_index() / 32 * 512;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++) {
        int i = first + (AFTER ? 32 * k + lane : 16 * lane + k);
        sum += __ldcg(&x[i]); /* mend: pair_mean_of_sixteen */
    }
    out[thread_index()] = sum * 0.0625f;
}

/* The mass of bodies that are structures of eight floats, or that have an array of their own. */
__global__ void masses(const float *x, float *out, int stride)
{
    int i = thread_index();
    float m = x[i * stride]; /* mend: pair_masses_apart */
    out[i] = m * m + 0.5f * m;
}

/* Writes that lie eight apart, or side by side. */
__global__ void written_apart(const float *x, float *out, int stride)
{
    int i = thread_index();
    float v = x[i] * 3 - 1;
    out[i * stride] = v; /* mend: pair_written_apart */
}

/* A lookup by a shuffled index, or by one that stays near. */
__global__ void colours_of(const int *index, const float *palette, float *out)
{
    int i = thread_index();
    out[i] = palette[index[i]] * 0.5f; /* mend: pair_colours_of */
}

/* A thread down each row of a tile: a pitch of 64 words, or of 65. */
template <int PITCH> __global__ void down_the_tile(const float *x, float *out, int turns)
{
    extern __shared__ float s_rows[];
    int t = threadIdx.x;
    for (int r = 0; r < 64; r++)
        s_rows[r * PITCH + t] = x[(blockIdx.x * 64 + r) * 64 + t];
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < turns; k++)
        sum = sum * 0.5f + s_rows[t * PITCH + (k & 63)]; /* mend: pair_pitch_of_65 */
    out[blockIdx.x * 64 + t] = sum;
}

/* Complex numbers as neighbours in shared memory, or their parts in two arrays. */
template <bool AFTER> __global__ void parts_in_planes(const float *x, float *out, int turns)
{
    __shared__ float s_z[512];
    int t = threadIdx.x;
    s_z[t] = x[blockIdx.x * 512 + t];
    s_z[t + 256] = x[blockIdx.x * 512 + t + 256];
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
        int partner = t ^ (k & 31), part = k & 1;
        int at = AFTER ? part * 256 + partner : 2 * partner + part;
        sum = sum * 0.5f + s_z[at]; /* mend: pair_parts_in_two_planes */
    }
    out[thread_index()] = sum;
}

/* A weight is fetched again for each sample, or kept from before the loop. */
template <bool AFTER> __global__ void weighted_samples(const float *x, const float *w, float *out)
{
    int c = threadIdx.x;
    float mine = __ldcg(&w[c]), sum = 0;
#pragma unroll 1
    for (int k = 0; k < 32; k++) {
        float weight = AFTER ? mine : __ldcg(&w[c + (k >> 5)]); /* mend: pair_weight_kept */
        sum += weight * __ldcs(&x[(blockIdx.x * 32 + k) * 256 + c]);
    }
    out[thread_index()] = sum;
}

/* The sample after this one is fetched now and again next time, or once. */
template <bool AFTER> __global__ void slopes(const float *x, float *out, int n)
{
    int c = thread_index(), first = blockIdx.y * 40;
    float here = __ldcg(&x[first * n + c]), steepest = 0;
#pragma unroll 1
    for (int t = first; t < first + 40; t++) {
        float now = AFTER ? here : __ldcg(&x[t * n + c]); /* mend: pair_slope_carried */
        float next = __ldcg(&x[(t + 1) * n + c]);
        steepest = fmaxf(steepest, fabsf(next - now));
        here = next;
    }
    out[blockIdx.y * n + c] = steepest;
}

#define PAIR_ROW(name, grid, block, shared, kernel, ...)                                           \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, shared, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, 0, kernel<false>, __VA_ARGS__),                          \
        PAIR_ROW(name "_after", grid, block, 0, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR_ROW("walk_along_rows_before", dim3(64, 256), dim3(32, 8), 0, clipped_matrix, data->x,
             data->out, 2 * KI, 1),
    PAIR_ROW("walk_along_rows_after", dim3(64, 256), dim3(32, 8), 0, clipped_matrix, data->x,
             data->out, 1, 2 * KI),
    PAIR("mean_of_sixteen", 4 * KI, 256, mean_of_sixteen, data->x, data->out),
    PAIR_ROW("masses_apart_before", 16 * KI, 256, 0, masses, data->x, data->out, 8),
    PAIR_ROW("masses_apart_after", 16 * KI, 256, 0, masses, data->x, data->out, 1),
    PAIR_ROW("written_apart_before", 16 * KI, 256, 0, written_apart, data->x, data->out, 8),
    PAIR_ROW("written_apart_after", 16 * KI, 256, 0, written_apart, data->x, data->out, 1),
    PAIR_ROW("colours_of_before", 8 * KI, 256, 0, colours_of, data->shuffled, data->x, data->out),
    PAIR_ROW("colours_of_after", 8 * KI, 256, 0, colours_of, data->in_order, data->x, data->out),
    PAIR_ROW("pitch_of_65_before", 1056, 64, 64 * 65 * 4, down_the_tile<64>, data->x, data->out,
             128),
    PAIR_ROW("pitch_of_65_after", 1056, 64, 64 * 65 * 4, down_the_tile<65>, data->x, data->out,
             128),
    PAIR("parts_in_two_planes", 2 * KI, 256, parts_in_planes, data->x, data->out, 128),
    PAIR("weight_kept", 4 * KI, 256, weighted_samples, data->x, data->y, data->out),
    PAIR("slope_carried", dim3(32, 64), 256, slopes, data->x, data->out, 8 * KI),
};
BANK_FAMILY(repairs_memory)
