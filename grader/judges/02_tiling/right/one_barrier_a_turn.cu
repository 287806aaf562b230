// expect: PASS
// Two tiles in turn need one barrier instead of two. And the square is not padded: column x of row
// y lies at x ^ y, which spreads a column over the banks as well.
#include "contracts/02_tiling.h"

enum { TILE = 32 };

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    if (row < rows && col < cols)
        s_square[y][x ^ y] = in[(int64_t)row * cols + col];
    __syncthreads();
    int out_col = blockIdx.y * TILE + x, out_row = blockIdx.x * TILE + y;
    if (out_row < cols && out_col < rows)
        out[(int64_t)out_row * rows + out_col] = s_square[x][y ^ x];
}

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[2][TILE][TILE], s_b[2][TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0, turn = 0; first < k; first += TILE, turn ^= 1) {
        s_a[turn][y][x] = row < m && first + x < k ? A[(int64_t)row * k + first + x] : 0;
        s_b[turn][y][x] = first + y < k && col < n ? B[(int64_t)(first + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += s_a[turn][y][i] * s_b[turn][i][x];
    }
    if (row < m && col < n)
        C[(int64_t)row * n + col] = sum;
}

static dim3 tiles(int rows, int cols)
{
    return dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
}

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        transpose<<<tiles(rows, cols), dim3(TILE, TILE), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m > 0 && n > 0)
        sgemm<<<tiles(m, n), dim3(TILE, TILE), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
