// record.cu - runs the kernels whose accesses are drawn or counted in this lesson's notes, on the
// simulated device (see lessons/site/recorder): the exercise, the solution, and an entry of the
// corpus, each in a namespace of its own.
#include "contracts/08_backward.h"
#include "tile_layout.h"

namespace exercise {
#include "judges/08_backward/exercise.cu"
}
namespace rows {
#include "corpus/08_backward/slow/row_for_each_lane.cu"
}
namespace solution {
#include "../../../solutions/08_backward/backward.cu"
}

static float *zeros(size_t count)
{
    float *values;
    cudaMalloc(&values, count * sizeof *values);
    cudaMemset(values, 0, count * sizeof *values);
    return values;
}

int main()
{
    const int ROWS = 512, COLS = 128, DEPTH = 128;
    float *a = zeros(ROWS * DEPTH), *b = zeros(DEPTH * COLS), *gy = zeros(ROWS * COLS);
    float *z = zeros(ROWS * COLS), *ga = zeros(ROWS * DEPTH), *gb = zeros(DEPTH * COLS);
    float *gbias = zeros(COLS);
    const size_t bytes = 8 << 20;
    void *workspace = zeros(bytes / sizeof(float));
    struct quest_gemm gemm = {ROWS, COLS, DEPTH, false, false, true, true, QUEST_ACT_GELU_TANH};
    exercise::lesson8_gemm_bias_act_backward(a, b, gy, z, ga, gb, gbias, &gemm, workspace, bytes,
                                             0);
    rows::lesson8_gemm_bias_act_backward(a, b, gy, z, ga, gb, gbias, &gemm, workspace, bytes, 0);
    solution::lesson8_gemm_bias_act_backward(a, b, gy, z, ga, gb, gbias, &gemm, workspace, bytes,
                                             0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
