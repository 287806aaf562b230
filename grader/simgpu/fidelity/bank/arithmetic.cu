/* arithmetic.cu - kernels that touch memory once and then only compute: each unit's rate, and the
 * latency that too few warps or too little independent work cannot hide. */
#include "bank.h"

/* CHAINS independent chains of multiply-adds in each thread: how much the next instruction has to
 * wait for. steps is the number of multiply-adds of all chains together. */
template <int CHAINS> __global__ void fma_chains(const float *x, float *out, int steps)
{
    float v[CHAINS];
    for (int j = 0; j < CHAINS; j++)
        v[j] = x[thread_index() + j];
    for (int k = 0; k < steps / CHAINS; k++)
        for (int j = 0; j < CHAINS; j++)
            v[j] = v[j] * 0.75f + 0.125f;
    float sum = 0;
    for (int j = 0; j < CHAINS; j++)
        sum += v[j];
    out[thread_index()] = sum;
}

/* Additions and multiplications that do not fuse: half the work an instruction. */
__global__ void add_and_multiply(const float *x, float *out, int steps)
{
    float a = x[thread_index()], b = x[thread_index() + 1];
    for (int k = 0; k < steps; k++) {
        a = __fmul_rn(a, 0.75f);
        b = __fadd_rn(b, 0.125f);
    }
    out[thread_index()] = a + b;
}

/* 64 numbers live in every thread: registers limit how many warps fit. */
__global__ void __launch_bounds__(256) fma_many_registers(const float *x, float *out, int steps)
{
    float v[64];
    for (int j = 0; j < 64; j++)
        v[j] = x[thread_index() + j];
    for (int k = 0; k < steps; k++)
        for (int j = 0; j < 64; j++)
            v[j] = v[j] * v[(j + 1) % 64] + 0.125f;
    float sum = 0;
    for (int j = 0; j < 64; j++)
        sum += v[j];
    out[thread_index()] = sum;
}

/* Integer multiply-adds: a unit with half the lanes. */
__global__ void integer_multiply(const int *x, int *out, int steps)
{
    int a = x[thread_index()], b = a + 1;
    for (int k = 0; k < steps; k++) {
        a = a * 1664525 + b;
        b = b * 22695477 + a;
    }
    out[thread_index()] = a ^ b;
}

/* Shifts and exclusive ors. */
__global__ void integer_logic(const int *x, int *out, int steps)
{
    unsigned a = (unsigned)x[thread_index()] + 1;
    for (int k = 0; k < steps; k++) {
        a ^= a << 13;
        a ^= a >> 17;
        a ^= a << 5;
    }
    out[thread_index()] = (int)a;
}

/* Division by a number the compiler does not know: a routine of some twenty instructions. */
__global__ void integer_division(const int *x, int *out, int steps, int divisor)
{
    int a = x[thread_index()] + 1000000;
    for (int k = 0; k < steps; k++)
        a = a / divisor + 1000003 * k;
    out[thread_index()] = a;
}

/* Products of 64 bits, put together from 32-bit ones. */
__global__ void integer_wide(const int *x, int *out, int steps)
{
    unsigned long long a = (unsigned long long)x[thread_index()] + 1;
    for (int k = 0; k < steps; k++)
        a = (a * 6364136223846793005ull) ^ (unsigned)k;
    out[thread_index()] = (int)(a >> 32);
}

/* Multiply-adds and integer work side by side: two units share the issue slots. */
__global__ void float_beside_integer(const float *x, float *out, int steps)
{
    float v = x[thread_index()];
    unsigned a = (unsigned)thread_index();
    for (int k = 0; k < steps; k++) {
        v = v * 0.75f + 0.125f;
        a = (a ^ (a >> 3)) + 0x9E3779B9u;
    }
    out[thread_index()] = v + (float)(a & 1);
}

/* One call of FUNCTION a step: special function units, and what the accurate forms add. */
#define FUNCTION_KERNEL(name, expression)                                                          \
    __global__ void name(const float *x, float *out, int steps)                                    \
    {                                                                                              \
        float v = x[thread_index()];                                                               \
        for (int k = 0; k < steps; k++)                                                            \
            v = expression;                                                                        \
        out[thread_index()] = v;                                                                   \
    }
FUNCTION_KERNEL(exponentials, expf(-v))
FUNCTION_KERNEL(fast_exponentials, __expf(-v))
FUNCTION_KERNEL(sines, sinf(v + 1.0f))
FUNCTION_KERNEL(logarithms, logf(fabsf(v) + 1.5f))
FUNCTION_KERNEL(reciprocal_roots, rsqrtf(fabsf(v) + 1.0f))
FUNCTION_KERNEL(tanhs, tanhf(v + 0.5f))
FUNCTION_KERNEL(divisions, 1.5f / (v * v + 1.0f))
FUNCTION_KERNEL(square_roots, sqrtf(1.0f + v * v))

/* Double precision. */
__global__ void double_fma(const double *x, double *out, int steps)
{
    double a = x[thread_index()], b = a + 1;
    for (int k = 0; k < steps; k++) {
        a = a * 0.75 + 0.125;
        b = b * 0.75 + 0.125;
    }
    out[thread_index()] = a + b;
}

/* Two half-precision multiply-adds an instruction. */
__global__ void half2_fma(const __half2 *x, __half2 *out, int steps)
{
    __half2 a = x[thread_index()], b = x[thread_index() + 1];
    __half2 scale = __float2half2_rn(0.75f), shift = __float2half2_rn(0.125f);
    for (int k = 0; k < steps; k++) {
        a = __hfma2(a, scale, shift);
        b = __hfma2(b, scale, shift);
    }
    out[thread_index()] = __hadd2(a, b);
}

/* Float to integer and back: conversions have a slow unit of their own. */
__global__ void conversions(const float *x, float *out, int steps)
{
    float v = x[thread_index()] * 1000.0f;
    for (int k = 0; k < steps; k++)
        v = (float)((int)v + k);
    out[thread_index()] = v;
}

#define WIDE_GRID 1056 /* eight blocks of 256 threads for each of 132 multiprocessors */
#define ONE_WARP_EACH(name, kernel, steps) /* a warp for each scheduler */                         \
    BANK_ROW(name, BANK_COLD, 132, 128, 0, kernel, data->x, data->out, steps)
#define FULL(name, kernel, steps)                                                                  \
    BANK_ROW(name, BANK_COLD, WIDE_GRID, 256, 0, kernel, data->x, data->out, steps)
#define FULL_INTEGER(name, kernel, steps)                                                          \
    BANK_ROW(name, BANK_COLD, WIDE_GRID, 256, 0, kernel, data->in_order, (int *)data->out, steps)

static const struct bank_row ROWS[] = {
    ONE_WARP_EACH("fma_1_chain_1_warp", fma_chains<1>, 8192),
    ONE_WARP_EACH("fma_2_chains_1_warp", fma_chains<2>, 8192),
    ONE_WARP_EACH("fma_4_chains_1_warp", fma_chains<4>, 8192),
    ONE_WARP_EACH("fma_8_chains_1_warp", fma_chains<8>, 8192),
    FULL("fma_1_chain_full", fma_chains<1>, 1024),
    FULL("fma_4_chains_full", fma_chains<4>, 1024),
    BANK_ROW("fma_1_chain_1_block_each", BANK_COLD, WIDE_GRID, 256, 200 * KI, fma_chains<1>,
             data->x, data->out, 512),
    BANK_ROW("fma_1_chain_2_blocks_each", BANK_COLD, WIDE_GRID, 256, 100 * KI, fma_chains<1>,
             data->x, data->out, 512),
    BANK_ROW("fma_1_chain_4_blocks_each", BANK_COLD, WIDE_GRID, 256, 50 * KI, fma_chains<1>,
             data->x, data->out, 512),
    FULL("fma_many_registers", fma_many_registers, 8),
    FULL("add_and_multiply", add_and_multiply, 512),
    FULL_INTEGER("integer_multiply", integer_multiply, 256),
    FULL_INTEGER("integer_logic", integer_logic, 128),
    BANK_ROW("integer_division", BANK_COLD, WIDE_GRID, 256, 0, integer_division, data->in_order,
             (int *)data->out, 32, 7),
    FULL_INTEGER("integer_wide", integer_wide, 128),
    FULL("float_beside_integer", float_beside_integer, 256),
    FULL("exponentials", exponentials, 64),
    FULL("fast_exponentials", fast_exponentials, 128),
    FULL("sines", sines, 32),
    FULL("logarithms", logarithms, 32),
    FULL("reciprocal_roots", reciprocal_roots, 128),
    FULL("tanhs", tanhs, 32),
    FULL("divisions", divisions, 64),
    FULL("square_roots", square_roots, 64),
    BANK_ROW("double_fma", BANK_COLD, WIDE_GRID, 256, 0, double_fma, data->double_x,
             (double *)data->out, 256),
    BANK_ROW("half2_fma", BANK_COLD, WIDE_GRID, 256, 0, half2_fma, (__half2 *)data->half_x,
             (__half2 *)data->out, 128),
    FULL("conversions", conversions, 128),
};
BANK_FAMILY(arithmetic)
