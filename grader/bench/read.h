/* read.h - a kernel that reads and does nothing else: what no sum over an array can be faster than.
 *
 * 512 threads with two loads each were the fastest of some 30 forms on an H200. Every launch has to
 * start, and to wait for its last load: 3.8 us before the first byte counts, then 4.7 TB/s. So for
 * 64 MiB it stays well below what it reaches for 1 GiB.
 */
#ifndef BENCH_READ_H
#define BENCH_READ_H

#include <cuda_runtime.h>
#include <stdint.h>

enum { READ_THREADS = 512, READ_QUADS = 2, READ_BLOCK_FLOATS = 4 * READ_QUADS * READ_THREADS };

static __global__ void read_quads(const float4 *in, float *sink)
{
    float sum = 0;
    in += (int64_t)blockIdx.x * READ_THREADS * READ_QUADS + threadIdx.x;
#pragma unroll
    for (int i = 0; i < READ_QUADS; i++) {
        float4 quad = __ldcs(in + i * READ_THREADS);
        sum += (quad.x + quad.y) + (quad.z + quad.w);
    }
    if (sum == 1e30f) /* never, but the compiler cannot know */
        *sink = sum;
}

/* count floats from in on, a multiple of READ_BLOCK_FLOATS; sink is never written. */
static cudaError_t read_launch(const float *in, float *sink, int64_t count, cudaStream_t stream)
{
    read_quads<<<(unsigned)(count / READ_BLOCK_FLOATS), READ_THREADS, 0, stream>>>(
        (const float4 *)in, sink);
    return cudaGetLastError();
}

#endif
