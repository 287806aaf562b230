// expect: PASS
// The transposition has few blocks, each of which walks down the matrix from tile to tile.
#include "contracts/02_tiling.h"

constexpr int kTile = 32;
constexpr int kLines = 8;
constexpr int kMostDown = 16; // blocks, one below the other

__global__ void transpose_walk(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[kTile][kTile + 1];
    const int tiles_down = (rows + kTile - 1) / kTile;
    const int left = blockIdx.x * kTile;

    for (int down = blockIdx.y; down < tiles_down; down += gridDim.y) {
        const int top = down * kTile;
#pragma unroll
        for (int j = 0; j < kTile; j += kLines) {
            const int r = top + threadIdx.y + j, c = left + threadIdx.x;
            if (r < rows && c < cols)
                tile[threadIdx.y + j][threadIdx.x] = in[int64_t(r) * cols + c];
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < kTile; j += kLines) {
            const int r = left + threadIdx.y + j, c = top + threadIdx.x;
            if (r < cols && c < rows)
                out[int64_t(r) * rows + c] = tile[threadIdx.x][threadIdx.y + j];
        }
        __syncthreads();
    }
}

// Two rows of sums a thread, tiles of 32.
__global__ void sgemm_tile(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float a[kTile][kTile], b[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
    float lo = 0, hi = 0;
    for (int at = 0; at < k; at += kTile) {
        a[y][x]      = row < m && at + x < k ? A[int64_t(row) * k + at + x] : 0;
        a[y + 16][x] = row + 16 < m && at + x < k ? A[int64_t(row + 16) * k + at + x] : 0;
        b[y][x]      = col < n && at + y < k ? B[int64_t(at + y) * n + col] : 0;
        b[y + 16][x] = col < n && at + y + 16 < k ? B[int64_t(at + y + 16) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kTile; i++) {
            lo += a[y][i] * b[i][x];
            hi += a[y + 16][i] * b[i][x];
        }
        __syncthreads();
    }
    if (col < n && row < m)
        C[int64_t(row) * n + col] = lo;
    if (col < n && row + 16 < m)
        C[int64_t(row + 16) * n + col] = hi;
}

static bool ok(int s) { return s >= 0 && s <= LESSON2_LARGEST_SIDE; }
static int up(int s) { return (s + kTile - 1) / kTile; }

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols, cudaStream_t stream)
{
    if (!ok(rows) || !ok(cols))
        return cudaErrorInvalidValue;
    if (rows == 0 || cols == 0)
        return cudaSuccess;
    const int down = up(rows) < kMostDown ? up(rows) : kMostDown;
    transpose_walk<<<dim3(up(cols), down), dim3(kTile, kLines), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!ok(m) || !ok(n) || !ok(k))
        return cudaErrorInvalidValue;
    if (m == 0 || n == 0)
        return cudaSuccess;
    sgemm_tile<<<dim3(up(n), up(m)), dim3(kTile, 16), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
