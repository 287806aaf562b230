// record.cu - runs the kernels whose accesses are drawn or counted in this lesson's notes, on the
// simulated device (see lessons/site/recorder): the exercise, the solution, and entries of the
// corpus, each in a namespace of its own.
#include "contracts/07_layout.h"
#include "tile_gemm.h"

namespace exercise {
#include "judges/07_layout/exercise.cu"
}
namespace plain {
#include "judges/07_layout/slow/plain_tile.cu"
}
namespace apart {
#include "corpus/07_layout/slow/transposed_apart.cu"
}
namespace direct {
#include "corpus/07_layout/slow/stored_from_registers.cu"
}
namespace unpadded {
#include "corpus/07_layout/slow/turned_unpadded.cu"
}
namespace padded {
#include "corpus/07_layout/right/rows_of_65.cu"
}
namespace solution {
#include "../../../solutions/07_layout/layout.cu"
}

int main()
{
    const int SIDE = 256, DEPTH = 32;
    float *a, *b, *bias, *y;
    cudaMalloc(&a, SIDE * DEPTH * sizeof *a);
    cudaMalloc(&b, SIDE * DEPTH * sizeof *b);
    cudaMalloc(&bias, SIDE * sizeof *bias);
    cudaMalloc(&y, SIDE * SIDE * sizeof *y);
    cudaMemset(a, 0, SIDE * DEPTH * sizeof *a);
    cudaMemset(b, 0, SIDE * DEPTH * sizeof *b);
    cudaMemset(bias, 0, SIDE * sizeof *bias);
    const struct quest_gemm as_stored = {SIDE, SIDE, DEPTH, false, false, true},
                            a_turned = {SIDE, SIDE, DEPTH, true, false, true};
    plain::lesson7_gemm_layout(a, b, bias, y, SIDE, false, &as_stored, 0);
    plain::lesson7_gemm_layout(a, b, bias, y, SIDE, false, &a_turned, 0);
    exercise::lesson7_gemm_layout(a, b, bias, y, SIDE, true, &a_turned, 0);
    apart::lesson7_gemm_layout(a, b, bias, y, SIDE, true, &a_turned, 0);
    direct::lesson7_gemm_layout(a, b, bias, y, SIDE, true, &a_turned, 0);
    unpadded::lesson7_gemm_layout(a, b, bias, y, SIDE, true, &a_turned, 0);
    padded::lesson7_gemm_layout(a, b, bias, y, SIDE, true, &a_turned, 0);
    solution::lesson7_gemm_layout(a, b, bias, y, SIDE, true, &a_turned, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
