// expect: PASS
// One template of the product, with a thread's rows and the depth of the tiles as parameters.
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

template <int ROWS, int DEPTH>
static __global__ void product(const float *A, const float *B, float *C, int m, int n, int k)
{
    constexpr int HIGH = ROWS * STEP;
    __shared__ float s_a[HIGH][DEPTH], s_b[DEPTH][TILE];
    int wide = (n + TILE - 1) / TILE, x = threadIdx.x;
    int left = blockIdx.x % wide * TILE, top = blockIdx.x / wide * HIGH;
    float sum[ROWS] = {0};
    for (int first = 0; first < k; first += DEPTH) {
#pragma unroll
        for (int y = threadIdx.y; y < HIGH; y += STEP)
            s_a[y][x] = top + y < m && first + x < k ? A[(int64_t)(top + y) * k + first + x] : 0;
#pragma unroll
        for (int y = threadIdx.y; y < DEPTH; y += STEP)
            s_b[y][x] = first + y < k && left + x < n ? B[(int64_t)(first + y) * n + left + x] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++)
#pragma unroll
            for (int row = 0; row < ROWS; row++)
                sum[row] += s_a[threadIdx.y * ROWS + row][i] * s_b[i][x];
        __syncthreads();
    }
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        int at = top + threadIdx.y * ROWS + row;
        if (at < m && left + x < n)
            C[(int64_t)at * n + left + x] = sum[row];
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
    enum { ROWS = 8, HIGH = ROWS * STEP };
    unsigned blocks = (unsigned)((n + TILE - 1) / TILE) * (unsigned)((m + HIGH - 1) / HIGH);
    if (blocks > 0)
        product<ROWS, TILE><<<blocks, dim3(TILE, STEP), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
