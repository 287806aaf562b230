// expect: PASS
// 64 x 64, four floats at a time on both sides: two lanes meet in a bank, and nothing waits for it.
#include "contracts/02_tiling.h"

enum { SIDE = 64, PITCH = SIDE + 1, QUADS = SIDE / 4, ROWS_AT_ONCE = 16 };

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

// Whole tiles of aligned matrices: a thread loads a float4 of a row, and stores one of a column.
static __device__ void move_quads(const float *in, float *out, int rows, int cols, int row0,
                                  int col0, float *s_tile)
{
    int quad = 4 * (threadIdx.x % QUADS), down = threadIdx.x / QUADS;
#pragma unroll
    for (int r = down; r < SIDE; r += ROWS_AT_ONCE) {
        float4 v = *(const float4 *)&in[(int64_t)(row0 + r) * cols + col0 + quad];
        float *to = &s_tile[r * PITCH + quad];
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    }
    __syncthreads();
#pragma unroll
    for (int c = down; c < SIDE; c += ROWS_AT_ONCE) {
        const float *from = &s_tile[quad * PITCH + c];
        *(float4 *)&out[(int64_t)(col0 + c) * rows + row0 + quad] =
            make_float4(from[0], from[PITCH], from[2 * PITCH], from[3 * PITCH]);
    }
}

static __device__ void move_floats(const float *in, float *out, int rows, int cols, int row0,
                                   int col0, float *s_tile)
{
    int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE, step = blockDim.x / SIDE;
    for (int r = y; r < SIDE; r += step)
        if (row0 + r < rows && col0 + x < cols)
            s_tile[r * PITCH + x] = in[(int64_t)(row0 + r) * cols + col0 + x];
    __syncthreads();
    for (int c = y; c < SIDE; c += step)
        if (col0 + c < cols && row0 + x < rows)
            out[(int64_t)(col0 + c) * rows + row0 + x] = s_tile[x * PITCH + c];
}

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_tile[SIDE * PITCH];
    int col0 = blockIdx.x * SIDE, row0 = blockIdx.y * SIDE;
    bool wide = ((uintptr_t)in | (uintptr_t)out) % 16 == 0 && (rows | cols) % 4 == 0 &&
                row0 + SIDE <= rows && col0 + SIDE <= cols;
    if (wide)
        move_quads(in, out, rows, cols, row0, col0, s_tile);
    else
        move_floats(in, out, rows, cols, row0, col0, s_tile);
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols, cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows == 0 || cols == 0)
        return cudaSuccess;
    dim3 grid((cols + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
    transpose<<<grid, QUADS * ROWS_AT_ONCE, 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}

// 64 x 64 of C for a block, 4 x 4 for a thread, whose four columns are stored one by one.
enum { TILE = 64, DEPTH = 16, SUMS = 4, ACROSS = TILE / SUMS };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[DEPTH][TILE + 1], s_b[DEPTH][TILE];
    int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sum[SUMS][SUMS] = {};
    for (int first = 0; first < k; first += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH; i += blockDim.x) {
            int r = i / DEPTH, d = i % DEPTH, e = i / TILE, c = i % TILE;
            s_a[d][r] = row0 + r < m && first + d < k ? A[(int64_t)(row0 + r) * k + first + d] : 0;
            s_b[e][c] = first + e < k && col0 + c < n ? B[(int64_t)(first + e) * n + col0 + c] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
            for (int r = 0; r < SUMS; r++)
                for (int c = 0; c < SUMS; c++)
                    sum[r][c] += s_a[d][y * SUMS + r] * s_b[d][x * SUMS + c];
        __syncthreads();
    }
    for (int r = 0; r < SUMS; r++)
        for (int c = 0; c < SUMS; c++)
            if (row0 + y * SUMS + r < m && col0 + x * SUMS + c < n)
                C[(int64_t)(row0 + y * SUMS + r) * n + col0 + x * SUMS + c] = sum[r][c];
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    sgemm<<<grid, ACROSS * ACROSS, 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
