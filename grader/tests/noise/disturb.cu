// disturb.cu - a program that uses the GPU in ways that change all the time, until it is ended:
// `make noise` measures beside it. What it does, for how long, and how much of that time, is drawn.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unistd.h>

static const size_t COUNT = (256u << 20) / sizeof(float4);

static __global__ void wait_ns(unsigned long long ns)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < ns);
}

static __global__ void copy(const float4 *from, float4 *to)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < COUNT;
         i += gridDim.x * (size_t)blockDim.x)
        to[i] = from[i];
}

static double now_s()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static double drawn(double least, double most)
{
    return least + (most - least) * drand48();
}

struct memory {
    float4 *from, *to;
    char *host;
};

// A stretch of work of that kind, some milliseconds long.
static void work(const memory &memory, int kind, double ms)
{
    for (int i = 0; kind == 0 && i < ms / 0.05; i++)
        wait_ns<<<132, 256>>>(50000);
    for (int i = 0; kind == 1 && i < ms / 0.13; i++)
        copy<<<132 * 8, 256>>>(memory.from, memory.to);
    if (kind == 2)
        wait_ns<<<1, 32>>>((unsigned long long)(ms * 1e6));
    for (int i = 0; kind == 3 && i < ms / 0.6; i++)
        cudaMemcpyAsync(memory.from, memory.host, 32 << 20, cudaMemcpyHostToDevice);
    for (double start = now_s(); kind == 4 && now_s() < start + ms * 1e-3;) // the processor only
        ;
    cudaDeviceSynchronize();
}

int main()
{
    memory memory;
    srand48(time(NULL) ^ getpid());
    if (cudaMalloc(&memory.from, COUNT * sizeof(float4)) != cudaSuccess ||
        cudaMalloc(&memory.to, COUNT * sizeof(float4)) != cudaSuccess ||
        cudaMallocHost(&memory.host, 32 << 20) != cudaSuccess) {
        fprintf(stderr, "disturb: no memory on the device\n");
        return 1;
    }
    for (;;) {
        double ends = now_s() + drawn(0.05, 0.6), ms = drawn(0.1, drand48() < 0.5 ? 2 : 20);
        double share = drand48() < 0.2 ? 1 : drawn(0.05, 0.9); // of the time that it works
        int kind = (int)drawn(0, 5);
        while (now_s() < ends) {
            work(memory, kind, ms);
            if (share < 1)
                usleep((useconds_t)(1e3 * ms * (1 - share) / share * drawn(0.5, 1.5)));
        }
        if (cudaGetLastError() != cudaSuccess)
            return 1;
    }
}
