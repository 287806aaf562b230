// record.cu - runs the kernels whose warps are drawn in this lesson's notes.
//
// The exercise as it is handed out, the solution, and entries of the corpus, each in a namespace of
// its own, since all of them define the same names. Kernels that belong to none of them, because
// they are a step on the way, stand here. On the simulated device recorder.c writes down what their
// warps do; the notes count and draw from that.
#include "contracts/01_coalescing.h"

namespace exercise {
#include "judges/01_coalescing/exercise.cu"
}
namespace pairs {
#include "judges/01_coalescing/right/pairs_per_thread.cu"
}
namespace solution {
#include "../../../solutions/01_coalescing/coalescing.cu"
}

// [side_by_side]
__global__ void side_by_side(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}
// [end]

__global__ void every(const float *x, float *out, int stride, int64_t n)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i * stride];
}

int main()
{
    const int64_t N = 1 << 14;
    float *x, *y, *out;
    cudaMalloc(&x, N * sizeof *x);
    cudaMalloc(&y, N * sizeof *y);
    cudaMalloc(&out, N * sizeof *out);
    exercise::lesson1_axpby(x, y, out, N, 1, 1, 0);
    pairs::lesson1_axpby(x, y, out, N, 1, 1, 0);
    solution::lesson1_axpby(x, y, out, N, 1, 1, 0);
    side_by_side<<<1, 32>>>(x, y, out, 32, 1, 1);
    side_by_side<<<1, 32>>>(x + 1, y + 1, out + 1, 32, 1, 1);
    for (int stride = 1; stride <= 32; stride++)
        every<<<1, 32>>>(x, out, stride, 32);
    return cudaDeviceSynchronize() != cudaSuccess;
}
