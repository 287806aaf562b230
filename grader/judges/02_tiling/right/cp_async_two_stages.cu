// expect: PASS
// The product with cp.async: while one pair of tiles is used, the next is under way.
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

struct stage {
    float a[TILE][TILE], b[TILE][TILE];
};

// Outside of the matrices 0 arrives: of 4 bytes none are read.
static __device__ void bring(float *s_to, const float *from, bool there)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(s_to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from),
                 "r"(there ? 4 : 0) : "memory");
}

static __device__ void fetch(stage *s, const float *A, const float *B, int m, int n, int k, int top,
                             int left, int first)
{
    int x = threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += STEP) {
        bool in_a = top + y < m && first + x < k, in_b = first + y < k && left + x < n;
        bring(&s->a[y][x], in_a ? A + (int64_t)(top + y) * k + first + x : A, in_a);
        bring(&s->b[y][x], in_b ? B + (int64_t)(first + y) * n + left + x : B, in_b);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ stage s_stages[2];
    int wide = (n + TILE - 1) / TILE, x = threadIdx.x;
    int left = blockIdx.x % wide * TILE, top = blockIdx.x / wide * TILE;
    float sum[TILE / STEP] = {0};
    if (k > 0)
        fetch(&s_stages[0], A, B, m, n, k, top, left, 0);
    for (int first = 0; first < k; first += TILE) {
        const stage *now = &s_stages[first / TILE % 2];
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads(); // the tiles are whole, and the other stage is free
        if (first + TILE < k)
            fetch(&s_stages[1 - first / TILE % 2], A, B, m, n, k, top, left, first + TILE);
#pragma unroll
        for (int i = 0; i < TILE; i++)
#pragma unroll
            for (int part = 0; part < TILE / STEP; part++)
                sum[part] += now->a[threadIdx.y + part * STEP][i] * now->b[i][x];
    }
#pragma unroll
    for (int part = 0; part < TILE / STEP; part++) {
        int row = top + threadIdx.y + part * STEP;
        if (row < m && left + x < n)
            C[(int64_t)row * n + left + x] = sum[part];
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
    if (m > 0 && n > 0)
        sgemm<<<tiles(m, n), dim3(TILE, STEP), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
