// record.cu - runs the kernels whose traffic is drawn or counted in this lesson's notes, on the
// simulated device (see lessons/site/recorder): the exercise, the solution, and entries of the
// corpus, each in a namespace of its own.
#include "contracts/04_epilogue.h"
#include "tile_gemm.h"

namespace exercise {
#include "judges/04_epilogue/exercise.cu"
}
namespace again {
#include "corpus/04_epilogue/slow/output_read_again.cu"
}
namespace singles {
#include "corpus/04_epilogue/slow/single_floats.cu"
}
namespace solution {
#include "../../../solutions/04_epilogue/epilogue.cu"
}

int main()
{
    const int SIDE = 256, DEPTH = 16;
    float *a, *b, *bias, *y, *z;
    cudaMalloc(&a, SIDE * DEPTH * sizeof *a);
    cudaMalloc(&b, SIDE * DEPTH * sizeof *b);
    cudaMalloc(&bias, SIDE * sizeof *bias);
    cudaMalloc(&y, SIDE * SIDE * sizeof *y);
    cudaMalloc(&z, SIDE * SIDE * sizeof *z);
    cudaMemset(a, 0, SIDE * DEPTH * sizeof *a);
    cudaMemset(b, 0, SIDE * DEPTH * sizeof *b);
    cudaMemset(bias, 0, SIDE * sizeof *bias);
    const struct quest_gemm gemm = {SIDE, SIDE, DEPTH, false, false, true, true,
                                    QUEST_ACT_GELU_TANH, 0};
    exercise::lesson4_gemm_bias_act(a, b, bias, y, z, &gemm, 0);
    again::lesson4_gemm_bias_act(a, b, bias, y, z, &gemm, 0);
    singles::lesson4_gemm_bias_act(a, b, bias, y, z, &gemm, 0);
    solution::lesson4_gemm_bias_act(a, b, bias, y, z, &gemm, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
