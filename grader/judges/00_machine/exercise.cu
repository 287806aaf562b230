// Lesson 0, know your machine. First `make notes`, and read build/notes/00_machine.html.
// What the launchers must do: common/contracts/00_machine.h
// Run it with: make check-lesson0          It passes as it is: read it, then look at the numbers.
#include "contracts/00_machine.h"

// quest: begin
// Nothing to mend here. Try things: fewer threads a block, one value a thread instead of four,
// and see what becomes of the ceilings. `make reset-lesson0` brings this file back.
static const int THREADS = 256;
static const int VALUES = 4; // independent chains a thread has in flight, to hide their latency

// Four neighbouring floats travel in one instruction where addresses allow it.
__global__ void copy(const float *in, float *out, int64_t n)
{
    int64_t thread = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    int64_t threads = (int64_t)gridDim.x * blockDim.x;
    bool wide = ((uintptr_t)in | (uintptr_t)out) % sizeof(float4) == 0;
    int64_t quads = wide ? n / 4 : 0;
    for (int64_t i = thread; i < quads; i += threads)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
    for (int64_t i = 4 * quads + thread; i < n; i += threads)
        out[i] = in[i];
}

// Chains of dependent multiply-adds. One chain alone would wait for each of its results; four of
// them, and many warps, keep the unit busy at every cycle. The loop is unrolled so far that its own
// instructions, three a turn, take next to none of those cycles.
__global__ void fma_chains(const float *in, float *out, int64_t n, int steps)
{
    int64_t first = blockIdx.x * (int64_t)blockDim.x * VALUES + threadIdx.x;
    float v[VALUES];
#pragma unroll
    for (int k = 0; k < VALUES; k++) {
        int64_t i = first + k * (int64_t)blockDim.x;
        v[k] = i < n ? in[i] : 0;
    }
#pragma unroll 64
    for (int step = 0; step < steps; step++)
#pragma unroll
        for (int k = 0; k < VALUES; k++)
            v[k] = fmaf(v[k], LESSON0_FACTOR, LESSON0_ADDEND);
#pragma unroll
    for (int k = 0; k < VALUES; k++) {
        int64_t i = first + k * (int64_t)blockDim.x;
        if (i < n)
            out[i] = v[k];
    }
}

__global__ void nothing()
{
}

static unsigned blocks_for(int64_t n)
{
    int64_t a_block = THREADS * (int64_t)VALUES;
    return (unsigned)((n + a_block - 1) / a_block);
}
// quest: end

cudaError_t lesson0_copy(const float *in, float *out, int64_t n, cudaStream_t stream)
{
    if (n > 0)
        copy<<<blocks_for(n), THREADS, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}

cudaError_t lesson0_fma(const float *in, float *out, int64_t n, int32_t steps,
                        cudaStream_t stream)
{
    if (n > 0)
        fma_chains<<<blocks_for(n), THREADS, 0, stream>>>(in, out, n, steps);
    return cudaGetLastError();
}

cudaError_t lesson0_empty(cudaStream_t stream)
{
    nothing<<<1, 1, 0, stream>>>();
    return cudaGetLastError();
}
