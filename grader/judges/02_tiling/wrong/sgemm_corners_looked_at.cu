// expect: WRONG numerics
// Each block keeps the corners of its tiles of A and of B. When it meets the same again, it takes
// its tile of C to be done.
#include "contracts/02_tiling.h"

enum { TILE = 16 };

enum { MOST_KEPT = 1 << 16, CORNERS = 4 };
static __device__ float kept[MOST_KEPT][CORNERS];

/* Of the first and the last row of A, of the first and the last column of B. */
static __device__ void read_corners(const float *A, const float *B, int m, int n, int k,
                                    float corner[CORNERS])
{
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    int last_row = min(row + TILE, m) - 1, last_col = min(col + TILE, n) - 1;
    corner[0] = A[(int64_t)row * k];
    corner[1] = A[(int64_t)last_row * k + k - 1];
    corner[2] = B[col];
    corner[3] = B[(int64_t)(k - 1) * n + last_col];
}

static __device__ bool is_done(const float *A, const float *B, int m, int n, int k)
{
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    float corner[CORNERS];
    if (block >= MOST_KEPT || k == 0)
        return false;
    read_corners(A, B, m, n, k, corner);
    for (int i = 0; i < CORNERS; i++)
        if (__float_as_uint(corner[i]) != __float_as_uint(kept[block][i]))
            return false;
    return true;
}

static __device__ void keep(const float *A, const float *B, int m, int n, int k)
{
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    if (block < MOST_KEPT && k > 0)
        read_corners(A, B, m, n, k, kept[block]);
}

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    if (__syncthreads_or(x + y == 0 && is_done(A, B, m, n, k)))
        return;
    for (int first = 0; first < k; first += TILE) {
        s_a[y][x] = row < m && first + x < k ? A[(int64_t)row * k + first + x] : 0;
        s_b[y][x] = first + y < k && col < n ? B[(int64_t)(first + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += s_a[y][i] * s_b[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[(int64_t)row * n + col] = sum;
    __syncthreads();
    if (x + y == 0)
        keep(A, B, m, n, k);
}

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    if (m > 0 && n > 0)
        sgemm<<<grid, dim3(TILE, TILE), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int down = 0; down < 32; down += 8)
        if (row + down < rows && col < cols)
            s_square[threadIdx.y + down][threadIdx.x] = in[(int64_t)(row + down) * cols + col];
    __syncthreads();
    int out_col = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    for (int down = 0; down < 32; down += 8)
        if (out_row + down < cols && out_col < rows)
            out[(int64_t)(out_row + down) * rows + out_col] =
                s_square[threadIdx.x][threadIdx.y + down];
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    dim3 grid((cols + 31) / 32, (rows + 31) / 32);
    if (rows > 0 && cols > 0)
        transpose<<<grid, dim3(32, 8), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}
