// errors_sticky.cu - a kernel that goes wrong breaks its program's context for good: every later
// call, from any thread, gives the same error. Each kind of fault has a process of its own.
#include "program.h"

#include <cassert>
#include <cstring>
#include <string>
#include <thread>

// Null, which is never mapped: far behind an allocation may lie a real device's window of shared
// memory, and to hit that is another error.
__device__ int *nowhere;

__global__ void stray(int *to)
{
    *nowhere = to != nullptr;
}

__global__ void misaligned(int *to)
{
    *(int *)((char *)to + 1) = 1;
}

__global__ void doubt(int *to)
{
    assert(to == nullptr);
}

static const struct {
    const char *name;
    void (*kernel)(int *);
    cudaError_t error;
} FAULTS[] = {
    {"stray", stray, cudaErrorIllegalAddress},
    {"misaligned", misaligned, cudaErrorMisalignedAddress},
    {"doubt", doubt, cudaErrorAssert},
};

static void all_calls_fail(int *d_values, cudaStream_t stream, cudaError_t error)
{
    int h_value, *d_more;
    cudaEvent_t event;
    size_t free_bytes, total;
    FAILS(cudaDeviceSynchronize(), error);
    FAILS(cudaMalloc(&d_more, 4), error);
    FAILS(cudaMemcpy(&h_value, d_values, 4, cudaMemcpyDeviceToHost), error);
    FAILS(cudaMemsetAsync(d_values, 0, 4, stream), error);
    FAILS(cudaStreamSynchronize(stream), error);
    FAILS(cudaEventCreate(&event), error);
    FAILS(cudaMemGetInfo(&free_bytes, &total), error);
    stray<<<1, 1>>>(d_values);
    EXPECT(cudaPeekAtLastError() == error);
    FAILS(cudaFree(d_values), error);
}

static void go_wrong(void (*kernel)(int *), cudaError_t error)
{
    int *d_values;
    cudaStream_t stream;
    cudaError_t seen = cudaSuccess;
    CHECK(cudaMalloc(&d_values, 4096));
    CHECK(cudaStreamCreate(&stream));
    kernel<<<1, 1, 0, stream>>>(d_values);
    CHECK(cudaGetLastError()); // the launch itself was good
    FAILS(cudaStreamSynchronize(stream), error);
    all_calls_fail(d_values, stream, error);
    std::thread other([&] { seen = cudaDeviceSynchronize(); });
    other.join();
    EXPECT(seen == error);
}

int main(int count, char **words)
{
    for (auto &fault : FAULTS)
        if (count > 1 && strcmp(words[1], fault.name) == 0) {
            go_wrong(fault.kernel, fault.error);
            return 0;
        }
    for (auto &fault : FAULTS) {
        std::string command = std::string("'") + words[0] + "' " + fault.name;
        EXPECT(system(command.c_str()) == 0);
    }
    int *d_values; // and none of that touched this process
    CHECK(cudaMalloc(&d_values, 4));
    CHECK(cudaFree(d_values));
    printf("all is as it should be\n");
    return 0;
}
