/* timeline.cu - what timeline.sh looks for: a pageable copy between two kernels, and a copy of
 * pinned memory that runs beside one. */
#include <cstdio>
#include <cstdlib>

enum { BYTES = 8 << 20, COUNT = 60000 };

static __global__ void chain(float *out)
{
    float value = (float)threadIdx.x;
    for (int i = 0; i < COUNT; i++)
        value = fmaf(value, 0.5f, 1.0f);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main()
{
    float *d_a, *d_b, *pinned, *paged = (float *)calloc(1, BYTES);
    cudaStream_t kernels, copies;
    cudaMalloc(&d_a, BYTES);
    cudaMalloc(&d_b, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
    chain<<<132, 32, 0, kernels>>>(d_a);
    cudaMemcpyAsync(d_b, pinned, BYTES, cudaMemcpyHostToDevice, copies);
    cudaDeviceSynchronize();
    cudaMemcpy(d_b, paged, BYTES, cudaMemcpyHostToDevice); // the gap
    chain<<<132, 32, 0, kernels>>>(d_a);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        fprintf(stderr, "timeline: %s.\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
