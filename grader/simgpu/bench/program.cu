// program.cu - a CUDA program as small as can be, which bench.c starts under `simgpu run`.
//
//     program first    prints when its first kernel was done, in ns of the monotonic clock
//     program large    allocates 64 GiB and touches 1 MiB of it
#include <cstdio>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>

__global__ void touch(int *at)
{
    at[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main(int count, char **words)
{
    size_t bytes = count > 1 && strcmp(words[1], "large") == 0 ? (size_t)64 << 30 : (size_t)1 << 20;
    int *d_at;
    struct timespec now;
    if (cudaMalloc(&d_at, bytes) != cudaSuccess)
        return 1;
    touch<<<1024, 256>>>(d_at);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%lld\n", now.tv_sec * 1000000000ll + now.tv_nsec);
    return cudaFree(d_at) != cudaSuccess;
}
