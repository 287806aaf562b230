// record.cu - runs the kernels whose warps are drawn or counted in this lesson's notes, on the
// simulated device (see lessons/site/recorder). Each step of the ladders is in a namespace of its
// own, since all of them define the same names.
#include "contracts/03_divergence.h"

namespace branch {
#include "../../../solutions/03_divergence/steps/gated_1_branch.cu"
}
namespace both {
#include "../../../solutions/03_divergence/steps/gated_2_select.cu"
}
namespace uniform {
#include "../../../solutions/03_divergence/steps/gated_3_uniform.cu"
}
namespace modulo {
#include "../../../solutions/03_divergence/steps/sumsq_1_modulo.cu"
}
namespace strided {
#include "../../../solutions/03_divergence/steps/sumsq_2_strided.cu"
}
namespace sequential {
#include "../../../solutions/03_divergence/steps/sumsq_3_sequential.cu"
}
namespace shuffle {
#include "../../../solutions/03_divergence/steps/sumsq_4_shuffle.cu"
}
namespace solution {
#include "../../../solutions/03_divergence/divergence.cu"
}

// [ternary]
__global__ void ternary(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    data[tid] = (tid % 2 == 0) ? data[tid] * 2.0f : data[tid] * 1.5f;
}
// [end]

// [twin]
__global__ void twin(float *data)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid % 2 == 0)
        data[tid] = data[tid] * 2.0f;
    else
        data[tid] = data[tid] * 1.5f;
}
// [end]

// [sines]
__global__ void sines(const float *input, float *output)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    output[tid] = sin(input[tid]) + cos(input[tid]);
}
// [end]

__global__ void sincos_at_once(const float *input, float *output)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float s, c;
    sincosf(input[tid], &s, &c);
    output[tid] = s + c;
}

static void fill(float *d_x, int64_t n)
{
    static float h_x[1 << 14];
    for (int64_t i = 0; i < n; i++)
        h_x[i] = (float)((i * 37 + 11) % 101) / 51.0f - 1.0f;
    cudaMemcpy(d_x, h_x, (size_t)n * sizeof *h_x, cudaMemcpyHostToDevice);
}

int main()
{
    const int64_t N = 1 << 13;
    const int COLS = 1 << 12, ROWS = 2;
    float *x, *y;
    cudaMalloc(&x, N * sizeof *x);
    cudaMalloc(&y, N * sizeof *y);
    fill(x, N);
    branch::lesson3_gated(x, y, N, 0);
    both::lesson3_gated(x, y, N, 0);
    uniform::lesson3_gated(x, y, N, 0);
    solution::lesson3_gated(x, y, N, 0);
    modulo::lesson3_row_sumsq(x, y, ROWS, COLS, 0);
    strided::lesson3_row_sumsq(x, y, ROWS, COLS, 0);
    sequential::lesson3_row_sumsq(x, y, ROWS, COLS, 0);
    shuffle::lesson3_row_sumsq(x, y, ROWS, COLS, 0);
    solution::lesson3_row_sumsq(x, y, ROWS, COLS, 0);
    ternary<<<4, 256>>>(x);
    twin<<<4, 256>>>(x);
    sines<<<4, 256>>>(x, y);
    sincos_at_once<<<4, 256>>>(x, y);
    return cudaDeviceSynchronize() != cudaSuccess;
}
