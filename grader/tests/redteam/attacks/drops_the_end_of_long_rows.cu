// Leaves the last element of very long rows out: a bound that grows with the row no longer sees
// one.
#define lesson3_row_sumsq right_row_sumsq
#include "solutions/03_divergence/divergence.cu"
#undef lesson3_row_sumsq

static __global__ void shortened(const float *x, float *out, int cols)
{
    __shared__ float s_sum;
    float sum = 0;
    s_sum = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < cols - 1; i += blockDim.x)
        sum += x[(int64_t)blockIdx.x * cols + i] * x[(int64_t)blockIdx.x * cols + i];
    for (int turn = 0; turn < blockDim.x; turn++, __syncthreads())
        if (threadIdx.x == turn)
            s_sum += sum;
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum;
}

extern "C" cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols,
                                         cudaStream_t stream)
{
    if (cols <= 65536 || rows <= 0)
        return right_row_sumsq(x, out, rows, cols, stream);
    shortened<<<rows, 128, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
