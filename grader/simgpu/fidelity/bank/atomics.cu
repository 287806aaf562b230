/* atomics.cu - many threads, few addresses: who has to wait for whom. */
#include "bank.h"

/* Every lane adds to the same float. */
__global__ void add_to_one(const float *x, float *sum, int n)
{
    int i = thread_index();
    if (i < n)
        atomicAdd(sum, x[i]);
}

/* A warp adds up first, and only one lane goes to memory. */
__global__ void add_warps_to_one(const float *x, float *sum, int n)
{
    int i = thread_index();
    float v = i < n ? x[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, v);
}

/* Every lane adds to a counter of its own. */
__global__ void add_apart(int *counters, int n)
{
    int i = thread_index();
    if (i < n)
        atomicAdd(&counters[i], i);
}

/* Counters all over the memory, in no order. */
__global__ void add_shuffled(const int *index, int *counters, int n)
{
    int i = thread_index();
    if (i < n)
        atomicAdd(&counters[index[i]], 1);
}

/* The old value comes back: a round trip instead of a note left in passing. */
__global__ void add_and_fetch(const int *index, int *counters, int *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = atomicAdd(&counters[index[i]], 1);
}

/* A histogram straight into global memory: 256 counters for everybody. */
__global__ void histogram_global(const int *values, int *counters, int n)
{
    int i = thread_index();
    if (i < n)
        atomicAdd(&counters[values[i] & 255], 1);
}

/* A histogram for each block in shared memory, added up at the end. */
__global__ void histogram_shared(const int *values, int *counters, int n)
{
    __shared__ int s_count[256];
    s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread_index(); i < n; i += thread_count())
        atomicAdd(&s_count[values[i] & 255], 1);
    __syncthreads();
    atomicAdd(&counters[threadIdx.x], s_count[threadIdx.x]);
}

/* The worst data for it: runs of equal values, so that all lanes of a warp want one counter. */
__global__ void histogram_shared_runs(const int *values, int *counters, int n)
{
    __shared__ int s_count[256];
    s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread_index(); i < n; i += thread_count())
        atomicAdd(&s_count[values[i] / 32 & 255], 1);
    __syncthreads();
    atomicAdd(&counters[threadIdx.x], s_count[threadIdx.x]);
}

static const struct bank_row ROWS[] = {
    BANK_ROW("add_to_one_256K", BANK_COLD, 1 * KI, 256, 0, add_to_one, data->x, data->sums,
             256 * KI),
    BANK_ROW("add_warps_to_one_4M", BANK_COLD, 16 * KI, 256, 0, add_warps_to_one, data->x,
             data->sums, 4 * MI),
    BANK_ROW("add_apart_4M", BANK_COLD, 16 * KI, 256, 0, add_apart, data->counters, 4 * MI),
    BANK_ROW("add_shuffled_4M", BANK_COLD, 16 * KI, 256, 0, add_shuffled, data->shuffled,
             data->counters, 4 * MI),
    BANK_ROW("add_and_fetch_4M", BANK_COLD, 16 * KI, 256, 0, add_and_fetch, data->shuffled,
             data->counters, (int *)data->out, 4 * MI),
    BANK_ROW("histogram_global_1M", BANK_COLD, 4 * KI, 256, 0, histogram_global, data->shuffled,
             data->counters, 1 * MI),
    BANK_ROW("histogram_shared_4M", BANK_COLD, 528, 256, 0, histogram_shared, data->shuffled,
             data->counters, 4 * MI),
    BANK_ROW("histogram_shared_runs_4M", BANK_COLD, 528, 256, 0, histogram_shared_runs,
             data->in_order, data->counters, 4 * MI),
};
BANK_FAMILY(atomics)
