// reset.cu - cudaDeviceReset: what the program had on the device is gone, and it may begin anew.
#include "program.h"

#include <cstring>
#include <thread>

__device__ int counter = 5;

__global__ void count_up(int *to)
{
    counter++;
    *to = counter;
}

static size_t free_bytes(void)
{
    size_t bytes, total;
    CHECK(cudaMemGetInfo(&bytes, &total));
    return bytes;
}

// What is free on a real device is also up to the programs beside this one.
static bool is_simulated(void)
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    return strncmp(device.name, "simulated", 9) == 0;
}

static void use_everything(void)
{
    int *d_result, *h_pinned, *managed, *pooled, result;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph;
    CHECK(cudaMalloc(&d_result, 100 << 20));
    CHECK(cudaMallocHost(&h_pinned, 1 << 20));
    CHECK(cudaMallocManaged(&managed, 1 << 20));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaMallocAsync(&pooled, 1 << 20, stream));
    CHECK(cudaGraphCreate(&graph, 0));
    count_up<<<1, 1, 0, stream>>>(d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaMemcpyAsync(&result, d_result, sizeof result, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(result == 6); // variables are as the program begins with them, each time
    *managed = *h_pinned = 1;
}

int main()
{
    CHECK(cudaFree(NULL));
    CHECK(cudaDeviceReset());
    size_t before = free_bytes();
    for (int i = 0; i < 3; i++) {
        use_everything();
        EXPECT(free_bytes() < before || !is_simulated());
        CHECK(cudaDeviceReset());
        EXPECT(free_bytes() == before || !is_simulated());
    }
    std::thread other(use_everything); // also from another thread
    other.join();
    CHECK(cudaDeviceReset());
    printf("all is as it should be\n");
    return 0;
}
