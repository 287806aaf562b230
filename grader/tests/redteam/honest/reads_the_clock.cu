// Looks how long it takes, by events it never waits for and by the host's clock.
#include "redteam/axpby.h"

#include <chrono>

LAUNCHER
{
    static cudaEvent_t start, stop;
    static double host_ms;
    if (!start) {
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
    }
    auto before = std::chrono::steady_clock::now();
    cudaEventRecord(start, stream);
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    cudaEventRecord(stop, stream);
    host_ms += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    return error;
}
