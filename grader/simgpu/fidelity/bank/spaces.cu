/* spaces.cu - the other memories: local, for what does not fit into registers, and constant. */
#include "bank.h"

static __constant__ float c_table[256] = {0.5f, 0.25f, -0.5f, 0.125f};

/* An array with an index known only at run time lies in local memory; all lanes use one index. */
__global__ void local_array_uniform(const float *x, float *out, int steps)
{
    float v[32];
    for (int j = 0; j < 32; j++)
        v[j] = x[thread_index() + j];
    float sum = 0;
    unsigned at = (unsigned)steps;
    for (int k = 0; k < steps; k++) {
        sum += v[at & 31];
        v[(at + 7) & 31] = sum;
        at = at * 5 + 1;
    }
    out[thread_index()] = sum;
}

/* The same with an index of its own for each lane: words of 32 different rows. */
__global__ void local_array_by_lane(const float *x, float *out, int steps)
{
    float v[32];
    for (int j = 0; j < 32; j++)
        v[j] = x[thread_index() + j];
    float sum = 0;
    unsigned at = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        sum += v[at & 31];
        v[(at + 7) & 31] = sum;
        at = at * 5 + 1;
    }
    out[thread_index()] = sum;
}

/* Twice the numbers that 32 registers hold: the assembler spills what does not fit. */
__global__ void __launch_bounds__(1024, 2) spilled_registers(const float *x, float *out, int steps)
{
    float v[56];
#pragma unroll
    for (int j = 0; j < 56; j++)
        v[j] = x[thread_index() + j];
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int j = 0; j < 56; j++)
            v[j] = v[j] * v[(j + 11) % 56] + 0.125f;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 56; j++)
        sum += v[j];
    out[thread_index()] = sum;
}

/* All lanes ask for the same constant: the constant cache answers a warp at once. */
__global__ void constant_uniform(const float *x, float *out, int steps)
{
    float v = x[thread_index()];
    unsigned at = blockIdx.x;
    for (int k = 0; k < steps; k++) {
        v = v * 0.5f + c_table[at & 255];
        at = at * 5 + 1;
    }
    out[thread_index()] = v;
}

/* Each lane asks for another: the answers come one after the other. */
__global__ void constant_by_lane(const float *x, float *out, int steps)
{
    float v = x[thread_index()];
    unsigned at = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        v = v * 0.5f + c_table[at & 255];
        at = at * 5 + 1;
    }
    out[thread_index()] = v;
}

#define FULL(name, kernel, steps)                                                                  \
    BANK_ROW(name, BANK_COLD, 1056, 256, 0, kernel, data->x, data->out, steps)

static const struct bank_row ROWS[] = {
    FULL("local_array_uniform", local_array_uniform, 32),
    FULL("local_array_by_lane", local_array_by_lane, 32),
    BANK_ROW("spilled_registers", BANK_COLD, 264, 1024, 0, spilled_registers, data->x, data->out,
             8),
    FULL("constant_uniform", constant_uniform, 64),
    FULL("constant_by_lane", constant_by_lane, 64),
};
BANK_FAMILY(spaces)
