/* waits.cu - instructions that wait, and those that are dear though they look cheap: fences,
 * nanosleep, printf. */
#include "../bank.h"

#include <cstdio>

enum { FENCE_NONE, FENCE_BLOCK, FENCE_DEVICE, FENCE_SYSTEM };

template <int FENCE> static __device__ __forceinline__ void order_stores()
{
    if (FENCE == FENCE_BLOCK)
        __threadfence_block();
    if (FENCE == FENCE_DEVICE)
        __threadfence();
    if (FENCE == FENCE_SYSTEM)
        __threadfence_system();
}

/* A fence in every thread, after its store. */
template <int FENCE> __global__ void fence_each(const float *x, float *out)
{
    int i = thread_index();
    out[i] = 2 * x[i];
    order_stores<FENCE>();
}

/* Four elements a thread, a fence after each. */
template <int FENCE> __global__ void fence_in_loop(const float *x, float *out)
{
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
        out[i] = 2 * x[i];
        order_stores<FENCE>();
    }
}

/* One lane of each warp. */
__global__ void fence_by_warp(const float *x, float *out)
{
    int i = thread_index();
    out[i] = 2 * x[i];
    if (threadIdx.x % 32 == 0)
        __threadfence();
}

/* Once a block, before a ticket is drawn: the sum over all blocks in one launch. */
__global__ void fence_by_block(const float *x, float *out, int *ticket)
{
    __shared__ float s_sum[8];
    int first = blockIdx.x * 2048 + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += x[first + 256 * k];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (threadIdx.x % 32 == 0)
        s_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            sum += s_sum[w];
        out[blockIdx.x] = sum;
        __threadfence();
        atomicAdd(ticket, 1);
    }
}

__global__ void sleep_each(float *out, unsigned ns, int times)
{
    for (int k = 0; k < times; k++)
        __nanosleep(ns);
    out[thread_index()] = (float)ns;
}

/* A message that is never written: its arguments are still put on the stack, if it were. */
__global__ void print_never(const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    if (v > 2)
        printf("%d: %f\n", i, v);
    out[i] = v * 0.5f;
}

/* One thread of each block writes. Nothing appears. */
__global__ void print_by_block(const float *x, float *out)
{
    int i = thread_index();
    if (threadIdx.x == 0)
        printf("%s", "");
    out[i] = x[i] * 0.5f;
}

#define EACH(name, kernel) BANK_ROW(name, BANK_COLD, 16 * KI, 256, 0, kernel, data->x, data->out)

static const struct bank_row ROWS[] = {
    EACH("fence_block_each", fence_each<FENCE_BLOCK>),
    EACH("fence_device_each", fence_each<FENCE_DEVICE>),
    EACH("fence_system_each", fence_each<FENCE_SYSTEM>),
    BANK_ROW("fence_device_in_loop", BANK_COLD, 4 * KI, 256, 0, fence_in_loop<FENCE_DEVICE>,
             data->x, data->out),
    BANK_ROW("fence_system_in_loop", BANK_COLD, 4 * KI, 256, 0, fence_in_loop<FENCE_SYSTEM>,
             data->x, data->out),
    EACH("fence_by_warp", fence_by_warp),
    BANK_ROW("fence_by_block", BANK_COLD, 8 * KI, 256, 0, fence_by_block, data->x, data->out,
             data->counters),
    BANK_ROW("sleep_short", BANK_COLD, 1056, 256, 0, sleep_each, data->out, 100u, 16),
    BANK_ROW("sleep_long", BANK_COLD, 264, 256, 0, sleep_each, data->out, 4000u, 8),
    EACH("print_never", print_never),
    BANK_ROW("print_by_block", BANK_COLD, 512, 256, 0, print_by_block, data->x, data->out),
};
BANK_FAMILY(waits)
