// expect: PASS
// The product by squares of 64 x 64: each thread keeps 4 x 4 sums, 16 columns apart.
#include "contracts/02_tiling.h"

enum { TILE = 32, STEP = 8 };

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

static unsigned tiles(int rows, int cols)
{
    return (unsigned)((cols + TILE - 1) / TILE) * (unsigned)((rows + TILE - 1) / TILE);
}

// Tiles one after the other, along x, so that no axis of the grid ends.
static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_tile[TILE][TILE + 1];
    int wide = (cols + TILE - 1) / TILE;
    int x = threadIdx.x, left = blockIdx.x % wide * TILE, top = blockIdx.x / wide * TILE;
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += STEP)
        if (top + y < rows && left + x < cols)
            s_tile[y][x] = in[(int64_t)(top + y) * cols + left + x];
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += STEP)
        if (left + y < cols && top + x < rows)
            out[(int64_t)(left + y) * rows + top + x] = s_tile[x][y];
}

enum { SQUARE = 64, DEPTH = 16, EACH = 4, LANES = SQUARE / EACH };

static __global__ void __launch_bounds__(LANES *LANES)
squares(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[DEPTH][SQUARE + 1], s_b[DEPTH][SQUARE];
    int wide = (n + SQUARE - 1) / SQUARE, t = threadIdx.x, x = t % LANES, y = t / LANES;
    int left = blockIdx.x % wide * SQUARE, top = blockIdx.x / wide * SQUARE;
    float sum[EACH][EACH] = {{0}};
    for (int first = 0; first < k; first += DEPTH) {
#pragma unroll
        for (int at = t; at < SQUARE * DEPTH; at += LANES * LANES) {
            int row = top + at / DEPTH, i = first + at % DEPTH;
            s_a[at % DEPTH][at / DEPTH] = row < m && i < k ? A[(int64_t)row * k + i] : 0;
            int col = left + at % SQUARE, j = first + at / SQUARE;
            s_b[at / SQUARE][at % SQUARE] = j < k && col < n ? B[(int64_t)j * n + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++)
#pragma unroll
            for (int q = 0; q < EACH * EACH; q++)
                sum[q / EACH][q % EACH] +=
                    s_a[i][y + q / EACH * LANES] * s_b[i][x + q % EACH * LANES];
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < EACH * EACH; q++) {
        int row = top + y + q / EACH * LANES, col = left + x + q % EACH * LANES;
        if (row < m && col < n)
            C[(int64_t)row * n + col] = sum[q / EACH][q % EACH];
    }
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        transpose<<<tiles(rows, cols), dim3(TILE, STEP), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    unsigned blocks =
        (unsigned)((n + SQUARE - 1) / SQUARE) * (unsigned)((m + SQUARE - 1) / SQUARE);
    if (blocks > 0)
        squares<<<blocks, LANES * LANES, 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
