// record.cu - runs the kernels whose masks are drawn or whose traffic is counted in this lesson's
// notes, on the simulated device (see lessons/site/recorder): the exercise and the solution, each
// in a namespace of its own, and kernels that store only where an element is kept, so that the
// lanes of their store are the mask.
#include "contracts/05_dropout.h"

namespace exercise {
#include "judges/05_dropout/exercise.cu"
}
namespace solution {
#include "../../../solutions/05_dropout/dropout.cu"
}

static const uint32_t SEED = 2026, HALF = 0x80000000;

// [mixed]
static __device__ uint32_t mixed_word(uint64_t step, uint32_t layer, uint64_t offset)
{
    uint64_t counter = (step << 32) ^ layer ^ offset;
    return solution::philox(make_uint4((uint32_t)counter, (uint32_t)(counter >> 32), 0, 0),
                            make_uint2(SEED, 0)).x;
}
// [end]

static __device__ uint32_t own_word(uint64_t step, uint32_t layer, uint64_t i)
{
    uint4 word = solution::philox(make_uint4((uint32_t)(i / 4), (uint32_t)(i / 4 >> 32),
                                             (uint32_t)step, (uint32_t)(step >> 32)),
                                  make_uint2(SEED, layer));
    return i % 4 == 0 ? word.x : i % 4 == 1 ? word.y : i % 4 == 2 ? word.z : word.w;
}

// exchange = 1 asks for the mask of the element beside each.
__global__ void mixed(float *out, uint64_t step, uint32_t layer, unsigned exchange)
{
    if (mixed_word(step, layer, threadIdx.x ^ exchange) >= HALF)
        out[threadIdx.x] = 1;
}

__global__ void own(float *out, uint64_t step, uint32_t layer)
{
    if (own_word(step, layer, threadIdx.x) >= HALF)
        out[threadIdx.x] = 1;
}

__global__ void by_value(float *out, uint64_t step)
{
    if (own_word(step, 0, threadIdx.x) >= HALF)
        out[threadIdx.x] = 1;
}

__global__ void by_pointer(float *out, const uint64_t *d_step)
{
    if (own_word(*d_step, 0, threadIdx.x) >= HALF)
        out[threadIdx.x] = 1;
}

__global__ void count_up(uint64_t *d_step)
{
    ++*d_step;
}

// One training step, captured once and launched three times.
static void replay(float *out, uint64_t *d_step)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    by_value<<<1, 32, 0, stream>>>(out, 1000);
    by_pointer<<<1, 32, 0, stream>>>(out, d_step);
    count_up<<<1, 1, 0, stream>>>(d_step);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
}

int main()
{
    const int64_t N = 1 << 14;
    float *x, *y;
    uint64_t *d_step, step = 1000;
    cudaMalloc(&x, N * sizeof *x);
    cudaMalloc(&y, N * sizeof *y);
    cudaMalloc(&d_step, sizeof *d_step);
    cudaMemset(x, 0, N * sizeof *x);
    cudaMemcpy(d_step, &step, sizeof step, cudaMemcpyHostToDevice);
    const struct quest_rng_key key = {SEED, 3};
    exercise::lesson5_dropout_fwd(x, y, N, 0.1f, key, d_step, 0);
    solution::lesson5_dropout_fwd(x, y, N, 0.1f, key, d_step, 0);
    mixed<<<1, 32>>>(y, 1, 1, 0);
    mixed<<<1, 32>>>(y, 1, 0, 0);
    mixed<<<1, 32>>>(y, 1, 0, 1);
    own<<<1, 32>>>(y, 1, 1);
    own<<<1, 32>>>(y, 1, 0);
    replay(y, d_step);
    return cudaDeviceSynchronize() != cudaSuccess;
}
