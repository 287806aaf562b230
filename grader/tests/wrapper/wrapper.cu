// wrapper.cu - a program of another project: each argument launches the kernel of that name, one of
// which is right. A number is what it ends with, instead of 0.
#include "each.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { THREADS = 64 };

__global__ void right(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x] + 1;
}

__global__ void races(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    s_row[i] = in[i];
    out[i] = s_row[i ^ 32];
}

__global__ void races_as_well(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    s_row[i] = in[i] + 1;
    out[i] = s_row[i ^ 32] + 1;
}

__global__ void reads_nothing(const int *, int *out)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (i < 40)
        s_row[i] = i;
    __syncthreads();
    out[i] = s_row[i] > 3 ? 1 : 2;
}

__global__ void past_the_end(const int *, int *out)
{
    out[THREADS + threadIdx.x] = 1;
}

__global__ void names_one_lane(const int *in, int *out)
{
    out[threadIdx.x] = __shfl_sync(1, in[threadIdx.x], 0);
}

__global__ void never_ends(const int *in, int *out)
{
    while (*(volatile const int *)in == 0)
        continue;
    out[0] = 1;
}

__global__ void asserts(const int *in, int *)
{
    assert(in[threadIdx.x] == 1);
}

__global__ void recurses(const int *in, int *out)
{
    extern __device__ int descend(const int *, int);
    out[threadIdx.x] = descend(in, 1);
}
__device__ __noinline__ int descend(const int *in, int depth)
{
    volatile int kept[64];
    kept[in[depth % THREADS] & 63] = depth;
    return in[0] == 7 ? kept[depth & 63] : descend(in, depth + 1) + kept[1];
}

struct mixed {
    __device__ void operator()(const int *in, int *out, int i) const
    {
        __shared__ int s_row[THREADS];
        s_row[i] = in[i] - 1;
        out[i] = s_row[i ^ 32] - 1;
    }
};

#define KERNEL(name) {#name, name}
static const struct {
    const char *name;
    void (*kernel)(const int *, int *);
} KERNELS[] = {KERNEL(right),        KERNEL(races),      KERNEL(races_as_well),
               KERNEL(past_the_end), KERNEL(never_ends), KERNEL(names_one_lane),
               KERNEL(asserts),      KERNEL(recurses),   KERNEL(reads_nothing),
               KERNEL(each<mixed>)};

int main(int, char **words)
{
    int *d_in, *d_out, status = 0;
    cudaMalloc(&d_in, THREADS * sizeof(int));
    cudaMalloc(&d_out, THREADS * sizeof(int));
    cudaMemset(d_in, 0, THREADS * sizeof(int));
    for (char **word = words + 1; *word; word++) {
        status = atoi(*word);
        for (const auto &known : KERNELS)
            if (strcmp(known.name, *word) == 0)
                known.kernel<<<1, THREADS>>>(d_in, d_out);
    }
    cudaError_t error = cudaDeviceSynchronize();
    puts(cudaGetErrorName(error));
    return status;
}
