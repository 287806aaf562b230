// expect: NONDETERMINISTIC numerics mistake sgemm_order_not_fixed
// Where C is small and k is long, five blocks share a sum, and add their parts in the order in
// which they come. Which comes first differs from call to call, and with it the last bits.
#include "contracts/02_tiling.h"

enum { TILE = 16 };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
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
}

enum { PARTS = 5, MOST_SHARED = 1024, LEAST_SHARED_K = 100 };

static __device__ float shared_sums[MOST_SHARED];
static __device__ unsigned arrivals[MOST_SHARED];

/* The last part of an element hands it on, and leaves zeros for the next call. */
static __global__ void sgemm_in_parts(const float *A, const float *B, float *C, int m, int n, int k)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= m * n)
        return;
    int first = (int)((int64_t)k * blockIdx.y / PARTS);
    int end = (int)((int64_t)k * (blockIdx.y + 1) / PARTS);
    float sum = 0;
    for (int i = first; i < end; i++)
        sum += A[(int64_t)(at / n) * k + i] * B[(int64_t)i * n + at % n];
    atomicAdd(&shared_sums[at], sum);
    __threadfence();
    if (atomicAdd(&arrivals[at], 1) < PARTS - 1)
        return;
    C[at] = atomicExch(&shared_sums[at], 0.0f);
    atomicExch(&arrivals[at], 0);
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
    if ((int64_t)m * n > 0 && (int64_t)m * n <= MOST_SHARED && k >= LEAST_SHARED_K)
        sgemm_in_parts<<<dim3((m * n + 63) / 64, PARTS), 64, 0, stream>>>(A, B, C, m, n, k);
    else if (m > 0 && n > 0)
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
