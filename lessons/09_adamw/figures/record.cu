// record.cu - runs the kernels whose accesses are drawn or counted in this lesson's notes, on the
// simulated device (see lessons/site/recorder): the exercise and the solution, each in a namespace
// of its own, over three tensors of 8,192 elements.
#include "contracts/09_adamw.h"

#include <cuda_fp16.h>
#include <float.h>
#include <math.h>

namespace exercise {
#include "judges/09_adamw/exercise.cu"
}
namespace solution {
#include "../../../solutions/09_adamw/adamw.cu"
}

int main()
{
    const int COUNT = 3, N = 8192, APART = N + 64;
    float *arena[4];
    uint64_t *step;
    void *workspace;
    for (float *&at : arena) {
        cudaMalloc(&at, COUNT * APART * sizeof *at);
        cudaMemset(at, 0, COUNT * APART * sizeof *at);
    }
    cudaMalloc(&step, sizeof *step);
    cudaMemset(step, 0, sizeof *step);
    cudaMalloc(&workspace, LESSON9_WORKSPACE_BYTES);
    const struct quest_adamw hyper = {0.001f, 0.9f, 0.999f, 1e-8f, 0.01f, 0.96f, 1000};
    struct quest_adamw_tensor aligned[COUNT], off[COUNT];
    for (int i = 0; i < COUNT; i++) {
        int64_t at = i * APART;
        aligned[i] = {arena[0] + at, arena[1] + at, arena[2] + at, arena[3] + at, N, false};
        off[i] = {arena[0] + at + 1, arena[1] + at + 1, arena[2] + at + 1, arena[3] + at + 1, N,
                  false};
    }
    exercise::lesson9_adamw(aligned, COUNT, &hyper, step, workspace, 0);
    solution::lesson9_adamw(aligned, COUNT, &hyper, step, workspace, 0);
    solution::lesson9_adamw(off, COUNT, &hyper, step, workspace, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
