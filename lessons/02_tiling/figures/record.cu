// record.cu - runs the kernels whose warps are drawn or counted in this lesson's notes, on the
// simulated device (see lessons/site/recorder). The exercise and the steps of both ladders are each
// in a namespace of their own, since all of them define the same names.
#include "contracts/02_tiling.h"

#include <cuda_pipeline_primitives.h>

namespace exercise {
#include "judges/02_tiling/exercise.cu"
}
namespace turned {
#include "../../../solutions/02_tiling/steps/transpose_2_tile.cu"
}
namespace padded {
#include "../../../solutions/02_tiling/steps/transpose_3_padded.cu"
}
namespace naive {
#include "../../../solutions/02_tiling/steps/sgemm_01_naive.cu"
}
namespace along {
#include "../../../solutions/02_tiling/steps/sgemm_02_coalesced.cu"
}
namespace tile {
#include "../../../solutions/02_tiling/steps/sgemm_03_tile.cu"
}
namespace column {
#include "../../../solutions/02_tiling/steps/sgemm_04_column.cu"
}
namespace square {
#include "../../../solutions/02_tiling/steps/sgemm_05_square.cu"
}
namespace quads {
#include "../../../solutions/02_tiling/steps/sgemm_06_vectorised.cu"
}

// [for_nothing]
__global__ void for_nothing(const float *input, float *output, int size)
{
    __shared__ float s_data[256];
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < size) {
        s_data[threadIdx.x] = input[tid];
        __syncthreads();
        output[tid] = s_data[threadIdx.x] * 2.0f;
    }
}
// [end]

__global__ void without_it(const float *input, float *output, int size)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < size)
        output[tid] = input[tid] * 2.0f;
}

// [unrolled]
__global__ void unrolled(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < 4; i++)
        data[tid] += i * 0.1f;
}
// [end]

__global__ void as_written(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 4; i++)
        data[tid] += i * 0.1f;
}

static void clear(float *d_x, int64_t n)
{
    cudaMemset(d_x, 0, (size_t)n * sizeof *d_x);
}

int main()
{
    // A and B lie one behind the other, so that an address tells which of them was read.
    const int SIDE = 96, LARGE = 256;
    float *ab, *c;
    cudaMalloc(&ab, 2 * LARGE * LARGE * sizeof *ab);
    cudaMalloc(&c, LARGE * LARGE * sizeof *c);
    clear(ab, 2 * LARGE * LARGE);
    exercise::lesson2_transpose(ab, c, LARGE, LARGE, 0);
    turned::lesson2_transpose(ab, c, LARGE, LARGE, 0);
    padded::lesson2_transpose(ab, c, LARGE, LARGE, 0);
    along::lesson2_sgemm(ab, ab + SIDE * SIDE, c, SIDE, SIDE, SIDE, 0);
    tile::lesson2_sgemm(ab, ab + SIDE * SIDE, c, SIDE, SIDE, SIDE, 0);

    const float *b = ab + LARGE * LARGE;
    naive::lesson2_sgemm(ab, b, c, LARGE, LARGE, LARGE, 0);
    along::lesson2_sgemm(ab, b, c, LARGE, LARGE, LARGE, 0);
    tile::lesson2_sgemm(ab, b, c, LARGE, LARGE, LARGE, 0);
    column::lesson2_sgemm(ab, b, c, LARGE, LARGE, LARGE, 0);
    square::lesson2_sgemm(ab, b, c, LARGE, LARGE, LARGE, 0);
    quads::lesson2_sgemm(ab, b, c, LARGE, LARGE, LARGE, 0);

    for_nothing<<<4, 256>>>(ab, c, 1024);
    without_it<<<4, 256>>>(ab, c, 1024);
    clear(c, LARGE);
    unrolled<<<4, 256>>>(c);
    as_written<<<4, 256>>>(c);
    return cudaDeviceSynchronize() != cudaSuccess;
}
