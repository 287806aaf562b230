// Sgemm, step 1: a thread for each element of C, the axes the wrong way round.
//
// Threads that are neighbours in a warp take neighbouring rows. So a warp's load of A touches 32
// rows, a sector each, and of every sector one float is used; its stores to C do the same.
// Measured on an H200, 4096 x 4096 x 4096: 0.50 TFLOP/s.
// Next: sgemm_02_coalesced.cu
#include "contracts/02_tiling.h"

enum { BLOCK_SIDE = 32 };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    int row = blockIdx.x * BLOCK_SIDE + threadIdx.x;
    int col = blockIdx.y * BLOCK_SIDE + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += A[(int64_t)row * k + i] * B[(int64_t)i * n + col];
    C[(int64_t)row * n + col] = sum;
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
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 grid((m + BLOCK_SIDE - 1) / BLOCK_SIDE, (n + BLOCK_SIDE - 1) / BLOCK_SIDE);
    sgemm<<<grid, dim3(BLOCK_SIDE, BLOCK_SIDE), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
