// Something of every kind of mutation; it is parsed, never run.
#include <cuda_runtime.h>
#include <stdint.h>
#include <mutex>

#define TWICE(value) (2 * (value))

static std::mutex door;

__global__ void work(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_tile[8][8];
    int64_t row = blockIdx.y, col = threadIdx.x;
    if (row < rows && col < cols)
        s_tile[row][col] = in[row * cols + col];
    __syncthreads();
    __threadfence();
    asm volatile("bar.sync 0;");
    for (int i = 0; i < TWICE(3); i++)
        out[col] += s_tile[i][col] - 0.5f;
}

static cudaError_t launch(const float *in, float *out, int rows, int cols, cudaStream_t stream)
{
    std::lock_guard<std::mutex> lock(door);
    work<<<rows, cols, 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}

extern "C" cudaError_t start(const float *in, float *out, int64_t rows, cudaStream_t stream)
{
    bool empty = rows == 0;
    return empty ? cudaSuccess : launch(in, out, (int)rows, 4, stream);
}
