// expect: SLOW utilization mistake large_blocks
// A block takes 32 rows: tiles of 32 x 32 through padded shared memory, then lane r of the first
// warp adds up row r of the tile. No shuffle, no tree, no conflict.
#include "contracts/03_divergence.h"

static __global__ void gated_pairs(const float *x, float *y, int64_t n)
{
    const int64_t i = 2 * ((int64_t)blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    float even = x[i], odd = i + 1 < n ? x[i + 1] : 0.0f;
    even = lesson3_decay(even);
    odd = lesson3_orbit(odd);
    y[i] = even;
    if (i + 1 < n)
        y[i + 1] = odd;
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    gated_pairs<<<(unsigned)(((n + 1) / 2 + 255) / 256), 256, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}

static __global__ void __launch_bounds__(1024) tile_rows(const float *x, float *out, int rows,
                                                         int cols)
{
    __shared__ float tile[32][33];
    const int lane = threadIdx.x, line = threadIdx.y;
    const int64_t row = (int64_t)blockIdx.x * 32 + line;
    float sum = 0.0f;
    for (int64_t c = 0; c < cols; c += 32) {
        float v = row < rows && c + lane < cols ? x[row * cols + c + lane] : 0.0f;
        tile[line][lane] = v * v;
        __syncthreads();
        if (line == 0)
            for (int k = 0; k < 32; k++)
                sum += tile[lane][k];
        __syncthreads();
    }
    if (line == 0 && (int64_t)blockIdx.x * 32 + lane < rows)
        out[(int64_t)blockIdx.x * 32 + lane] = sum;
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols, cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    tile_rows<<<(unsigned)(((int64_t)rows + 31) / 32), dim3(32, 32), 0, stream>>>(x, out, rows,
                                                                                   cols);
    return cudaGetLastError();
}
