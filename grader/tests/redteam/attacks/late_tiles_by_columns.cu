// Tiles are stored by rows in the first 4000 blocks and by columns in all others, by the same
// instructions.
#define lesson2_transpose right_transpose
#include "solutions/02_tiling/tiling.cu"
#undef lesson2_transpose

static __global__ void by_columns(const float *in, float *out, int rows, int cols, int across)
{
    __shared__ float s_tile[32][33];
    int first_row = blockIdx.x / across * 32, first_col = blockIdx.x % across * 32;
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    bool is_early = blockIdx.x < 4000;
    for (int i = y; i < 32; i += 8)
        if (first_row + i < rows && first_col + x < cols)
            s_tile[i][x] = in[(int64_t)(first_row + i) * cols + first_col + x];
    __syncthreads();
    for (int i = y; i < 32; i += 8) {
        int row = is_early ? x : i, col = is_early ? i : x;
        if (first_col + col < cols && first_row + row < rows)
            out[(int64_t)(first_col + col) * rows + first_row + row] = s_tile[row][col];
    }
}

extern "C" cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                                         cudaStream_t stream)
{
    if (rows <= 0 || cols <= 0 || rows > LESSON2_LARGEST_SIDE || cols > LESSON2_LARGEST_SIDE)
        return right_transpose(in, out, rows, cols, stream);
    unsigned across = (cols + 31) / 32, down = (rows + 31) / 32;
    by_columns<<<across * down, 256, 0, stream>>>(in, out, rows, cols, across);
    return cudaGetLastError();
}
