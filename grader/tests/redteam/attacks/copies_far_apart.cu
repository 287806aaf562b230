// Lanes far apart copy their inputs into shared memory, past the registers: such copies are loads.
#include "redteam/axpby.h"

enum { EACH = 16, WARP_ELEMENTS = 32 * EACH, BLOCK_ELEMENTS = 8 * WARP_ELEMENTS };

static __device__ void copy_word(float *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::
                 "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}

static __global__ void by_copies(const float *x, const float *y, float *out, int64_t n, float a,
                                 float b)
{
    __shared__ float s_x[8][32][EACH + 1], s_y[8][32][EACH + 1];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int64_t first = (blockIdx.x * 8LL + warp) * WARP_ELEMENTS;
    for (int k = 0; k < EACH; k++) {
        int64_t i = first + lane * EACH + k;
        if (i < n) {
            copy_word(&s_x[warp][lane][k], x + i);
            copy_word(&s_y[warp][lane][k], y + i);
        }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    for (int k = lane; k < WARP_ELEMENTS; k += 32)
        if (first + k < n)
            out[first + k] = a * s_x[warp][k / EACH][k % EACH] + b * s_y[warp][k / EACH][k % EACH];
}

LAUNCHER
{
    if (n > 0)
        by_copies<<<(unsigned)((n + BLOCK_ELEMENTS - 1) / BLOCK_ELEMENTS), 256, 0, stream>>>(
            x, y, out, n, a, b);
    return cudaGetLastError();
}
