/* guards.cu - loads behind guards of their own: machine code predicates them, and all are under
 * way together. */
#include "../bank.h"

/* Eight loads a thread, each behind its own guard, a block's worth apart. */
__global__ void guarded_eight(const float *x, float *out, int n)
{
    int first = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int i = first + k * (int)blockDim.x;
        if (i < n)
            sum += x[i];
    }
    out[thread_index()] = sum;
}

/* A tile of 32 x 32 by 32 x 8 threads, transposed; rows and columns are guarded. */
__global__ void guarded_transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < rows && column < columns)
            s_tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * columns + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x;
    row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < columns && column < rows)
            out[(row + j) * rows + column] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* Tiles private to a warp: eight guarded loads a lane, a warp barrier, eight guarded stores. */
__global__ void guarded_warp_tile(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tile[4][8][33];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = (blockIdx.y * 4 + warp) * 8, column = blockIdx.x * 32 + lane;
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (row + j < rows && column < columns)
            s_tile[warp][j][lane] = in[(row + j) * columns + column];
    __syncwarp();
    int turned_column = row + lane % 8, turned_row = blockIdx.x * 32 + lane / 8;
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (turned_row + 4 * j < columns && turned_column < rows)
            out[(turned_row + 4 * j) * rows + turned_column] =
                s_tile[warp][lane % 8][lane / 8 + 4 * j];
}

/* BLAS's rule: with b == 0 the second operand is not read. */
__global__ void uniform_guard(const float *x, const float *y, float *out, float a, float b, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    float v = a * x[i];
    if (b != 0)
        v += b * y[i];
    out[i] = v;
}

/* The same over four elements a thread. */
__global__ void uniform_guard_four(const float *x, const float *y, float *out, float a, float b,
                                   int n)
{
    int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int i = first + k * (int)blockDim.x;
        if (i < n) {
            float v = a * x[i];
            if (b != 0)
                v += b * y[i];
            out[i] = v;
        }
    }
}

/* Four elements at once where they fit, one by one at the end. */
__global__ void guarded_vector(const float *x, float *out, int n)
{
    int i = 4 * thread_index();
    if (i + 3 < n) {
        float4 v = *(const float4 *)&x[i];
        *(float4 *)&out[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
    } else {
        for (int j = i; j < n; j++)
            out[j] = 2 * x[j];
    }
}

/* One of two places, by a guard: both arms load. */
__global__ void guarded_either(const float *x, const float *y, float *out, int border)
{
    int i = thread_index();
    float v;
    if (i < border)
        v = x[i] * 2;
    else
        v = y[i - border] + 1;
    out[i] = v;
}

/* The halo of a one-dimensional stencil, a guard for each of five neighbours. */
__global__ void guarded_stencil(const float *x, float *out, int n)
{
    int i = thread_index();
    float sum = 0;
#pragma unroll
    for (int d = -2; d <= 2; d++)
        if (i + d >= 0 && i + d < n)
            sum += 0.2f * x[i + d];
    if (i < n)
        out[i] = sum;
}

static const struct bank_row ROWS[] = {
    BANK_ROW("guarded_eight_full", BANK_COLD, 8 * KI, 256, 0, guarded_eight, data->x, data->out,
             16 * MI),
    BANK_ROW("guarded_eight_in_part", BANK_COLD, 8 * KI, 256, 0, guarded_eight, data->x, data->out,
             10 * MI + 77),
    BANK_ROW("guarded_transpose_2048", BANK_COLD, dim3(64, 64), dim3(32, 8), 0, guarded_transpose,
             data->x, data->out, 2048, 2048),
    BANK_ROW("guarded_transpose_2021x1999", BANK_COLD, dim3(63, 64), dim3(32, 8), 0,
             guarded_transpose, data->x, data->out, 2021, 1999),
    BANK_ROW("guarded_warp_tile_2048", BANK_COLD, dim3(64, 64), 128, 0, guarded_warp_tile, data->x,
             data->out, 2048, 2048),
    BANK_ROW("uniform_guard_open", BANK_COLD, 32 * KI, 256, 0, uniform_guard, data->x, data->y,
             data->out, 2.0f, 3.0f, 8 * MI - 5),
    BANK_ROW("uniform_guard_shut", BANK_COLD, 32 * KI, 256, 0, uniform_guard, data->x, data->y,
             data->out, 2.0f, 0.0f, 8 * MI - 5),
    BANK_ROW("uniform_guard_four_open", BANK_COLD, 8 * KI, 256, 0, uniform_guard_four, data->x,
             data->y, data->out, 2.0f, 3.0f, 8 * MI - 5),
    BANK_ROW("guarded_vector", BANK_COLD, 16 * KI, 256, 0, guarded_vector, data->x, data->out,
             16 * MI - 3),
    BANK_ROW("guarded_either", BANK_COLD, 32 * KI, 256, 0, guarded_either, data->x, data->y,
             data->out, 4 * MI + 13),
    BANK_ROW("guarded_stencil", BANK_COLD, 32 * KI, 256, 0, guarded_stencil, data->x, data->out,
             8 * MI - 5),
};
BANK_FAMILY(guards)
