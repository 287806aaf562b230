/* watch.cu - see watch.h. */
#include "check/examine/watch.h"

#include <time.h>

static __device__ uint64_t now_ns(void)
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* A read of the timer takes about 30 ns; if the timer stands still, the reads are counted. */
static __global__ void watch(uint64_t duration_ns, uint64_t *seen)
{
    const uint64_t start = now_ns(), most_reads = duration_ns / 4 + 2;
    uint64_t last = start, gap = 0;
    for (uint64_t reads = 0; last - start < duration_ns && reads < most_reads; reads++) {
        uint64_t now = now_ns();
        gap = now - last > gap ? now - last : gap;
        last = now;
    }
    seen[0] = last - start;
    seen[1] = gap;
}

int64_t watch_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool watch_device(double duration_ns, struct watched *seen)
{
    static uint64_t *d_seen;
    uint64_t h_seen[2];
    if (!d_seen && cudaMalloc((void **)&d_seen, sizeof h_seen) != cudaSuccess)
        return false;
    int64_t start = watch_clock_ns();
    watch<<<1, 1>>>((uint64_t)duration_ns, d_seen);
    if (cudaGetLastError() != cudaSuccess ||
        cudaMemcpy(h_seen, d_seen, sizeof h_seen, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    seen->duration_ns = (double)h_seen[0];
    seen->gap_ns = (double)h_seen[1];
    seen->late_ns = (double)(watch_clock_ns() - start) - seen->duration_ns;
    return true;
}
