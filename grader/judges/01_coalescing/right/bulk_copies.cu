// expect: PASS
// Bulk copies bring 2048 elements a block to shared memory, and take the results away. What fences
// them is a function of the toolkit's headers, which exists from sm_90 on.
#include "contracts/01_coalescing.h"

#include <cuda/ptx>

enum { THREADS = 256, EACH = 2048, BYTES = EACH * (int)sizeof(float) };

static __device__ void bring(float *s_to, const float *from, uint64_t *s_arrived)
{
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, s_to, from, BYTES,
                             s_arrived);
}

static __device__ void take_away(float *to, const float *s_from)
{
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared); // results are written before they leave
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, to, s_from, BYTES);
    cuda::ptx::cp_async_bulk_commit_group();
    cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
}

// All of x, y and out lie at multiples of 16 bytes.
static __device__ void whole_block(const float *x, const float *y, float *out, float a, float b)
{
    __shared__ __align__(128) float s_x[EACH], s_y[EACH];
    __shared__ uint64_t s_arrived;
    if (threadIdx.x == 0) {
        cuda::ptx::mbarrier_init(&s_arrived, 1);
        cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
        cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                             cuda::ptx::space_shared, &s_arrived, 2 * BYTES);
        bring(s_x, x, &s_arrived);
        bring(s_y, y, &s_arrived);
    }
    __syncthreads();
    while (!cuda::ptx::mbarrier_try_wait_parity(&s_arrived, 0))
        continue;
    for (int i = threadIdx.x; i < EACH; i += THREADS)
        s_x[i] = a * s_x[i] + b * s_y[i];
    take_away(out, s_x);
}

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t first = blockIdx.x * (int64_t)EACH;
    bool aligned = (((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) & 15) == 0;
    if (aligned && n - first >= EACH) {
        whole_block(x + first, y + first, out + first, a, b);
        return;
    }
    for (int64_t i = first + threadIdx.x; i < n && i < first + EACH; i += THREADS)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n > 0)
        axpby<<<(unsigned)((n + EACH - 1) / EACH), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
