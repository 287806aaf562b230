/* latency.cu - each step waits for the one before: no amount of bandwidth helps. */
#include "bank.h"

/* Where a chase goes next: a generator with full period over a power of two, and what was loaded
 * (always zero, which the compiler does not know), so that no hop can start early. */
static __device__ unsigned next_hop(unsigned here, int loaded)
{
    return here * 1664525u + 1013904223u + (unsigned)loaded;
}

/* One thread, one load at a time, lines apart: a few kilobytes stay in L1, 64 MiB never come
 * again. */
__global__ void chase(const int *table, unsigned *out, int hops, unsigned lines)
{
    unsigned at = 0;
    for (int k = 0; k < hops; k++)
        at = next_hop(at, table[(at & (lines - 1)) * 32]);
    *out = at;
}

/* The same past L1: the round trip to L2. */
__global__ void chase_past_l1(const int *table, unsigned *out, int hops, unsigned lines)
{
    unsigned at = 0;
    for (int k = 0; k < hops; k++)
        at = next_hop(at, __ldcg(&table[(at & (lines - 1)) * 32]));
    *out = at;
}

/* Every lane of the device on a chase of its own: how many misses memory keeps in flight. */
__global__ void chase_everywhere(const int *table, unsigned *out, int hops, unsigned lines)
{
    unsigned at = (unsigned)thread_index() * 2654435761u;
    for (int k = 0; k < hops; k++)
        at = next_hop(at, table[(at >> 8 & (lines - 1)) * 32]);
    out[thread_index()] = at;
}

/* Hop after hop in shared memory. */
__global__ void chase_shared(unsigned *out, int hops)
{
    __shared__ int s_table[1024];
    for (int i = threadIdx.x; i < 1024; i += (int)blockDim.x)
        s_table[i] = 0;
    __syncthreads();
    unsigned at = threadIdx.x;
    for (int k = 0; k < hops; k++)
        at = next_hop(at, s_table[at & 1023]);
    out[threadIdx.x] = at;
}

/* Nothing but barriers. */
__global__ void barriers(float *out, int steps)
{
    for (int k = 0; k < steps; k++)
        __syncthreads();
    out[thread_index()] = (float)steps;
}

/* A barrier after every word passed on: what a stencil in time does. */
__global__ void pass_round(const float *x, float *out, int steps)
{
    __shared__ float s_word[256];
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++) {
        s_word[threadIdx.x] = v;
        __syncthreads();
        v = 0.5f * (v + s_word[(threadIdx.x + 1) % 256]);
        __syncthreads();
    }
    out[thread_index()] = v;
}

/* Shuffles that wait for each other. */
__global__ void shuffles(const float *x, float *out, int steps)
{
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++)
        v = __shfl_xor_sync(0xFFFFFFFFu, v, 1 + k % 16) + 0.5f;
    out[thread_index()] = v;
}

static const struct bank_row ROWS[] = {
    BANK_ROW("chase_8KiB", BANK_COLD, 1, 1, 0, chase, data->zeros, (unsigned *)data->out, 4096, 64),
    BANK_ROW("chase_64MiB", BANK_COLD, 1, 1, 0, chase, data->zeros, (unsigned *)data->out, 1024,
             512 * KI),
    BANK_ROW("chase_past_l1_32KiB", BANK_COLD, 1, 1, 0, chase_past_l1, data->zeros,
             (unsigned *)data->out, 4096, 256),
    BANK_ROW("chase_everywhere_64MiB", BANK_COLD, 1056, 256, 0, chase_everywhere, data->zeros,
             (unsigned *)data->out, 16, 512 * KI),
    BANK_ROW("chase_shared", BANK_COLD, 1, 32, 0, chase_shared, (unsigned *)data->out, 4096),
    BANK_ROW("barriers_blocks_of_1024", BANK_COLD, 264, 1024, 0, barriers, data->out, 256),
    BANK_ROW("barriers_blocks_of_128", BANK_COLD, 2112, 128, 0, barriers, data->out, 256),
    BANK_ROW("pass_round_256", BANK_COLD, 1056, 256, 0, pass_round, data->x, data->out, 64),
    BANK_ROW("shuffles", BANK_COLD, 1056, 256, 0, shuffles, data->x, data->out, 128),
};
BANK_FAMILY(latency)
