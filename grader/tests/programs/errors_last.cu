// errors_last.cu - what calls that cannot be done return, and what the runtime remembers of it: the
// last error of each thread, until somebody takes it.
#include "program.h"

#include <atomic>
#include <cstring>
#include <thread>

__device__ int variable[4];
static int no_variable;

__global__ void nothing(int *to)
{
    if (to)
        *to = 1;
}

__global__ void __launch_bounds__(128) small(int *to)
{
    *to = threadIdx.x;
}

// What toolkit 12 told apart is an invalid value since 13 (seen on an H200).
#define SINCE_13(before) (CUDART_VERSION < 13000 ? (before) : cudaErrorInvalidValue)

static void expect_refused(void)
{
    EXPECT(cudaGetLastError() == SINCE_13(cudaErrorInvalidConfiguration));
}

static void launches(void)
{
    nothing<<<1, 0>>>(NULL);
    expect_refused();
    nothing<<<0, 1>>>(NULL);
    expect_refused();
    nothing<<<1, 2000>>>(NULL);
    expect_refused();
    nothing<<<1, dim3(1, 1, 65)>>>(NULL);
    expect_refused();
    nothing<<<dim3(1, 70000), 1>>>(NULL);
    expect_refused();
    nothing<<<1, 1, 49 << 10>>>(NULL); // shared memory, without asking for more than 48 KiB
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    small<<<1, 256>>>(NULL); // more than it was compiled for
    EXPECT(cudaGetLastError() != cudaSuccess);
    nothing<<<1, 1>>>(NULL);
    EXPECT(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize()); // none of that broke anything
}

static void calls(void)
{
    int *d_values, h_values[4], on_stack;
    cudaEvent_t first, second;
    float ms;
    FAILS(cudaMalloc(&d_values, (size_t)1 << 50), cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&d_values, sizeof h_values));
    FAILS(cudaSetDevice(99), cudaErrorInvalidDevice);
    FAILS(cudaFree(&on_stack), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(d_values, h_values, 16, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
    FAILS(cudaMemcpy(h_values, d_values, 1 << 20, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    FAILS(cudaMemcpyToSymbol(no_variable, h_values, 4), cudaErrorInvalidSymbol);
    FAILS(cudaMemcpyToSymbol(variable, h_values, 16, 4), cudaErrorInvalidValue);
    FAILS(cudaMemcpy2D(d_values, 2, h_values, 4, 4, 1, cudaMemcpyHostToDevice),
          SINCE_13(cudaErrorInvalidPitchValue));
    FAILS(cudaStreamCreateWithFlags((cudaStream_t *)&first, 77), cudaErrorInvalidValue);
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&second));
    FAILS(cudaEventElapsedTime(&ms, first, second), cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(first));
    CHECK(cudaEventDestroy(second));
    CHECK(cudaFree(d_values));
    FAILS(cudaFree(d_values), cudaErrorInvalidValue);
    CHECK(cudaFree(NULL));
}

static void what_is_remembered(void)
{
    cudaError_t seen = cudaErrorUnknown;
    cudaSetDevice(99);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    CHECK(cudaFree(NULL)); // success takes nothing away
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    std::thread other([&] { seen = cudaPeekAtLastError(); });
    other.join();
    EXPECT(seen == cudaSuccess); // another thread has another last error
    nothing<<<1, 0>>>(NULL);     // the latest counts
    expect_refused();
    EXPECT(cudaGetLastError() == cudaSuccess);
}

static std::atomic<bool> let_go;

static void hold(void *)
{
    while (!let_go)
        std::this_thread::yield();
}

// That something is not done yet is an answer, and not remembered.
static void not_ready(void)
{
    cudaEvent_t event;
    float ms;
    CHECK(cudaEventCreate(&event));
    CHECK(cudaLaunchHostFunc(0, hold, NULL));
    CHECK(cudaEventRecord(event));
    EXPECT(cudaEventQuery(event) == cudaErrorNotReady);
    EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
    EXPECT(cudaEventElapsedTime(&ms, event, event) == cudaErrorNotReady);
    EXPECT(cudaGetLastError() == cudaSuccess);
    let_go = true;
    CHECK(cudaEventSynchronize(event));
    CHECK(cudaEventQuery(event));
    CHECK(cudaEventElapsedTime(&ms, event, event));
    EXPECT(ms == 0);
    CHECK(cudaEventDestroy(event));
}

static void names(void)
{
    EXPECT(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
                  "an illegal memory access was encountered") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration),
                  "invalid configuration argument") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    EXPECT(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
}

int main()
{
    launches();
    calls();
    what_is_remembered();
    not_ready();
    names();
    printf("all is as it should be\n");
    return 0;
}
