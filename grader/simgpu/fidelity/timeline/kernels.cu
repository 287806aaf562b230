/* kernels.cu - see kernels.h. */
#include "kernels.h"

static __global__ void one_number(float *words)
{
    if (threadIdx.x == 0)
        words[blockIdx.x] = 1;
}

static __global__ void chain(float *words, int count)
{
    float value = (float)threadIdx.x;
#pragma unroll 16
    for (int i = 0; i < count; i++)
        value = fmaf(value, 0.5f, 1.0f);
    words[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static __global__ void chains(float *words, int count)
{
    float value[4] = {(float)threadIdx.x, 1, 2, 3};
#pragma unroll 4
    for (int i = 0; i < count / 4; i++)
        for (int j = 0; j < 4; j++)
            value[j] = fmaf(value[j], 0.5f, 1.0f);
    words[blockIdx.x * blockDim.x + threadIdx.x] = value[0] + value[1] + value[2] + value[3];
}

static __global__ void sweep(const float4 *x, float4 *y, float a)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float4 from = x[i], to = y[i];
    y[i] = make_float4(a * from.x + to.x, a * from.y + to.y, a * from.z + to.z, a * from.w + to.w);
}

/* Two blocks with this much shared memory do not fit on a multiprocessor of an H200. */
enum { ALONE_BYTES = 128 << 10, THREADS = 32, MULTIPROCESSORS = 132 };

cudaError_t kernels_prepare(void)
{
    return cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE_BYTES);
}

static cudaError_t launch_sweep(const struct step *step, float *words, cudaStream_t stream)
{
    enum { SWEEP_THREADS = 256, MOST_MIB = 256 };
    if (step->amount > MOST_MIB)
        return cudaErrorInvalidValue;
    const float4 *x = (const float4 *)words;
    float4 *y = (float4 *)(words + ((size_t)MOST_MIB << 18));
    unsigned blocks = (unsigned)(((size_t)step->amount << 16) / SWEEP_THREADS);
    sweep<<<blocks, SWEEP_THREADS, 0, stream>>>(x, y, 0.5f);
    return cudaGetLastError();
}

cudaError_t kernels_launch(const struct step *step, float *words, cudaStream_t stream)
{
    const std::string &kernel = step->kernel;
    int count = step->amount;
    if (kernel == "tiny")
        one_number<<<1, 32, 0, stream>>>(words);
    else if (kernel == "lone")
        chain<<<1, THREADS, 0, stream>>>(words, count);
    else if (kernel == "half")
        chain<<<MULTIPROCESSORS / 2, THREADS, ALONE_BYTES, stream>>>(words, count);
    else if (kernel == "full")
        chain<<<MULTIPROCESSORS, THREADS, ALONE_BYTES, stream>>>(words, count);
    else if (kernel == "waves")
        chain<<<2 * MULTIPROCESSORS, THREADS, ALONE_BYTES, stream>>>(words, count);
    else if (kernel == "light")
        chain<<<MULTIPROCESSORS, THREADS, 0, stream>>>(words, count);
    else if (kernel == "dense")
        chains<<<8 * MULTIPROCESSORS, 256, 0, stream>>>(words, count);
    else if (kernel == "sweep")
        return launch_sweep(step, words, stream);
    else
        return cudaErrorInvalidValue;
    return cudaGetLastError();
}

cudaError_t kernels_warm_up(float *words)
{
    enum { LAUNCHES = 400, COUNT = 800000 }; /* about 1.6 ms each */
    for (int i = 0; i < LAUNCHES; i++)
        chain<<<MULTIPROCESSORS, THREADS>>>(words, COUNT);
    return cudaDeviceSynchronize();
}
