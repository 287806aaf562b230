// Asks for properties, free memory, occupancy and pointers' kinds before each launch.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaDeviceProp properties;
    cudaPointerAttributes pointer;
    size_t free_bytes, all_bytes;
    int blocks, threads;
    cudaGetDeviceProperties(&properties, 0);
    cudaMemGetInfo(&free_bytes, &all_bytes);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, good_kernel, 0, 256);
    cudaPointerGetAttributes(&pointer, x);
    cudaGetLastError();
    return good_axpby(x, y, out, n, a, b, stream);
}
