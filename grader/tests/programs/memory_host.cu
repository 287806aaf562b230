// memory_host.cu - memory that host and device share: pinned, managed, and the program's own that
// is registered; and what can be asked of a pointer.
#include "program.h"

#include <cstdlib>
#include <cstring>

enum { N = 10000 };

__managed__ int total;
__managed__ float table[3] = {1, 2, 3};

__global__ void add_up(const int *values, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(&total, values[i]);
}

__global__ void scale(float by)
{
    table[threadIdx.x] *= by;
}

static void run(const int *values, int expected)
{
    total = 0;
    add_up<<<(N + 255) / 256, 256>>>(values, N);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    EXPECT(total == expected);
}

static void pinned(void)
{
    int *h_values, *d_view;
    unsigned flags;
    cudaPointerAttributes attributes;
    CHECK(cudaHostAlloc(&h_values, N * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < N; i++)
        h_values[i] = 2;
    CHECK(cudaHostGetDevicePointer(&d_view, h_values, 0));
    run(d_view, 2 * N);
    CHECK(cudaHostGetFlags(&flags, h_values));
    EXPECT(flags & cudaHostAllocMapped);
    CHECK(cudaPointerGetAttributes(&attributes, h_values + 5));
    EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == h_values + 5);
    CHECK(cudaFreeHost(h_values));
}

static void managed(void)
{
    int *values;
    cudaPointerAttributes attributes;
    CHECK(cudaMallocManaged(&values, N * sizeof(int)));
    for (int i = 0; i < N; i++)
        values[i] = 3;
    run(values, 3 * N);
    values[0] = 4;
    run(values, 3 * N + 1);
    CHECK(cudaMemset(values, 0, N * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    EXPECT(values[N - 1] == 0);
    CHECK(cudaPointerGetAttributes(&attributes, values));
    EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == values);
    CHECK(cudaFree(values));
    scale<<<1, 3>>>(2);
    CHECK(cudaDeviceSynchronize());
    EXPECT(table[0] == 2 && table[1] == 4 && table[2] == 6);
    table[2] = 10;
    scale<<<1, 3>>>(2);
    CHECK(cudaDeviceSynchronize());
    EXPECT(table[2] == 20);
}

static void registered(void)
{
    size_t bytes = (N * sizeof(int) + 4095) / 4096 * 4096;
    int *values = (int *)aligned_alloc(4096, bytes), *d_view;
    cudaPointerAttributes attributes;
    memset(values, 0, bytes);
    for (int i = 0; i < N; i++)
        values[i] = 5;
    CHECK(cudaHostRegister(values, bytes, cudaHostRegisterMapped));
    FAILS(cudaHostRegister(values, bytes, 0), cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostGetDevicePointer(&d_view, values, 0));
    run(d_view, 5 * N);
    values[7] = 6;
    run(d_view, 5 * N + 1);
    CHECK(cudaPointerGetAttributes(&attributes, values));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    CHECK(cudaHostUnregister(values));
    FAILS(cudaHostUnregister(values), cudaErrorHostMemoryNotRegistered);
    EXPECT(values[7] == 6 && values[N - 1] == 5);
    free(values);
}

static void pointers(void)
{
    int *d_values, on_stack;
    cudaPointerAttributes attributes;
    CHECK(cudaMalloc(&d_values, 100));
    CHECK(cudaPointerGetAttributes(&attributes, d_values));
    EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
    EXPECT(attributes.devicePointer == d_values && attributes.hostPointer == NULL);
    CHECK(cudaPointerGetAttributes(&attributes, &on_stack));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    CHECK(cudaFree(d_values));
}

int main()
{
    pinned();
    managed();
    registered();
    pointers();
    printf("all is as it should be\n");
    return 0;
}
