// large_memory.cu - memory costs what is touched: 64 GiB of which a program uses 1 MiB.
#include "program.h"

#include <unistd.h>

enum { TOUCHED = 1 << 20 };

__global__ void touch(char *bytes)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    bytes[i] = i % 100;
}

// Of the process that simulates the device, which started this one; 0 on a GPU.
static size_t resident_bytes(void)
{
    char path[64];
    size_t all = 0, resident = 0;
    if (!getenv("SIMGPU_SOCKET"))
        return 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)getppid());
    FILE *file = fopen(path, "r");
    EXPECT(file && fscanf(file, "%zu %zu", &all, &resident) == 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

int main()
{
    size_t free_bytes, total, size = (size_t)64 << 30;
    char *d_bytes, h_byte = 0;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    if (free_bytes < size)
        size = free_bytes / 2;
    size_t before = resident_bytes();
    CHECK(cudaMalloc(&d_bytes, size));
    touch<<<TOUCHED / 256, 256>>>(d_bytes + size - TOUCHED);
    CHECK(cudaMemcpy(&h_byte, d_bytes + size - 1, 1, cudaMemcpyDeviceToHost));
    EXPECT(h_byte == (TOUCHED - 1) % 100);
    size_t grown = resident_bytes() - before;
    printf("%zu GiB allocated, the device process has grown by %zu KiB\n", size >> 30, grown >> 10);
    EXPECT(grown < (size_t)64 << 20);
    CHECK(cudaFree(d_bytes));
    return 0;
}
