// mbarriers.cu - barriers in shared memory that count arrivals, used too early, not at all, or by
// too few. How compute-sanitizer takes them has not been tried.
#include "planted.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

namespace mbarriers {

enum { THREADS = 64 };

// fault arrived_but_never_waited: shared memory race
//     s_row[i] = in[i];
//     ^
// other
//     out[i] = s_row[THREADS - 1 - i];
//     ^
// sanitizer none: not tried
__global__ void arrived_but_never_waited(const int *in, int *out)
{
    __shared__ __mbarrier_t s_written;
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i == 0)
        __mbarrier_init(&s_written, THREADS);
    __syncthreads();
    s_row[i] = in[i];
    __mbarrier_arrive(&s_written);
    out[i] = s_row[THREADS - 1 - i];
}

// fault made_but_not_shown: shared memory race
//     __mbarrier_arrive(&s_written);
//     ^
// by thread (32,0,0) of block (0,0,0)
// other thread (0,0,0)
//     __mbarrier_init(&s_written, THREADS / 2);
//     ^
// sanitizer none: not tried
__global__ void made_but_not_shown(const int *in, int *out)
{
    __shared__ __mbarrier_t s_written;
    unsigned i = threadIdx.x;
    if (i == 0)
        __mbarrier_init(&s_written, THREADS / 2);
    if (i >= THREADS / 2)
        __mbarrier_arrive(&s_written);
    out[i] = in[i];
}

// fault one_warp_does_not_arrive: deadlock
//     while (!__mbarrier_test_wait(&s_written, token))
//     ^
// says waits here for threads that never come
// sanitizer none: not tried
__global__ void one_warp_does_not_arrive(const int *in, int *out)
{
    __shared__ __mbarrier_t s_written;
    unsigned i = threadIdx.x;
    if (i == 0)
        __mbarrier_init(&s_written, THREADS);
    __syncthreads();
    if (i >= 32)
        return;
    __mbarrier_token_t token = __mbarrier_arrive(&s_written);
    while (!__mbarrier_test_wait(&s_written, token))
        ;
    out[i] = in[i];
}

// fault arrived_twice: misused mbarrier
//     asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;" : "=l"(token) : "r"(at));
//     ^
// says ends a phase
// sanitizer none: not tried
__global__ void arrived_twice(const int *in, int *out)
{
    __shared__ __mbarrier_t s_written;
    unsigned i = threadIdx.x;
    if (i == 0)
        __mbarrier_init(&s_written, THREADS);
    __syncthreads();
    unsigned at = (unsigned)__cvta_generic_to_shared(&s_written);
    unsigned long long token;
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;" : "=l"(token) : "r"(at));
    out[i] = in[i] + (int)token;
}

// fault copy_arrives_nowhere: missing cp.async wait
//     out[i] = s_row[i];
//     ^
// other
//     __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
//     ^
// sanitizer none: not tried
__global__ void copy_arrives_nowhere(const int *in, int *out)
{
    __shared__ __mbarrier_t s_copied;
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i == 0)
        __mbarrier_init(&s_copied, THREADS);
    __syncthreads();
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __mbarrier_token_t token = __mbarrier_arrive(&s_copied);
    while (!__mbarrier_test_wait(&s_copied, token))
        ;
    out[i] = s_row[i];
}

static __device__ __forceinline__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

/* The arrival was issued before the last store, and hands on nothing of it. */
// fault written_after_the_arrival_of_copies: shared memory race
//     out[lane] = s_row[lane] + s_own[lane];
//     ^
// other
//     s_own[i] = (int)i;
//     ^
// sanitizer none: not tried
__global__ void written_after_the_arrival_of_copies(const int *in, int *out)
{
    __shared__ __mbarrier_t s_copied;
    __shared__ int s_row[32], s_own[32];
    unsigned i = threadIdx.x, lane = i % 32;
    if (i == 0)
        __mbarrier_init(&s_copied, THREADS);
    __syncthreads();
    if (i < 32) {
        __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
                     ::"r"(shared_address(&s_copied)) : "memory");
        s_own[i] = (int)i;
    } else {
        __mbarrier_token_t token = __mbarrier_arrive(&s_copied);
        while (!__mbarrier_test_wait(&s_copied, token))
            ;
        out[lane] = s_row[lane] + s_own[lane];
    }
}

static void launch(void (*kernel)(const int *, int *))
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(int)));
    kernel<<<1, THREADS>>>(d_in, d_out);
}

PLANTED(arrived_but_never_waited)
{
    launch(arrived_but_never_waited);
}

PLANTED(made_but_not_shown)
{
    launch(made_but_not_shown);
}

PLANTED(one_warp_does_not_arrive)
{
    launch(one_warp_does_not_arrive);
}

PLANTED(arrived_twice)
{
    launch(arrived_twice);
}

PLANTED(copy_arrives_nowhere)
{
    launch(copy_arrives_nowhere);
}

PLANTED(written_after_the_arrival_of_copies)
{
    launch(written_after_the_arrival_of_copies);
}

} // namespace mbarriers
