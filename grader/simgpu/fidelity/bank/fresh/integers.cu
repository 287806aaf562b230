/* integers.cu - whole numbers: negation and complement, division in both widths, wide products. */
#include "../bank.h"

#include <cstdint>

/* Complements and negations that nothing can absorb. */
__global__ void complement_chain(const int *x, int *out, int steps)
{
    int a = x[thread_index()], b = a + 7;
    for (int k = 0; k < steps; k++) {
        a = ~a & (b + k);
        b = -b ^ a;
        a = ~(a >> 1) + b;
        b = ~b | -a;
    }
    out[thread_index()] = a + b;
}

template <typename T> __global__ void divide_chain(const int *x, T *out, T divisor, int steps)
{
    T v = (T)x[thread_index()] * (T)2654435 + (T)thread_index(), sum = 0;
    for (int k = 0; k < steps; k++) {
        T quotient = v / (divisor + (T)k);
        sum += quotient;
        v += quotient + (T)12345;
    }
    out[thread_index()] = sum;
}

template <typename T> __global__ void remainder_chain(const int *x, T *out, T divisor, int steps)
{
    T v = (T)x[thread_index()] * (T)2654435 + (T)thread_index(), sum = 0;
    for (int k = 0; k < steps; k++) {
        T remainder = v % (divisor + (T)k);
        sum += remainder;
        v += remainder * (T)77 + (T)12345;
    }
    out[thread_index()] = sum;
}

/* Row and column from a 64-bit index: one division an element, as in generic elementwise code. */
__global__ void row_and_column(const float *x, const float *scale, float *out, int64_t n,
                               int64_t columns)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] * scale[i % columns] + (float)(i / columns);
}

/* The same in 32 bits. */
__global__ void row_and_column_32(const float *x, const float *scale, float *out, int n,
                                  int columns)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[i] * scale[i % columns] + (float)(i / columns);
}

/* A hash of 64-bit products. */
__global__ void wide_products(const int *x, uint64_t *out, int steps)
{
    uint64_t v = (uint64_t)x[thread_index()] + (uint64_t)thread_index();
    for (int k = 0; k < steps; k++) {
        v *= UINT64_C(0x9E3779B97F4A7C15);
        v ^= __umul64hi(v, UINT64_C(0xBF58476D1CE4E5B9)) + (v >> 31);
    }
    out[thread_index()] = v;
}

/* Counting, finding and turning bits. */
__global__ void bit_tricks(const int *x, int *out, int steps)
{
    unsigned v = (unsigned)x[thread_index()] + (unsigned)thread_index();
    for (int k = 0; k < steps; k++) {
        v += (unsigned)__popc(v) + __brev(v);
        v ^= (unsigned)__clz((int)v) << 3 | (unsigned)__ffs((int)v);
    }
    out[thread_index()] = (int)v;
}

#define CHAIN(name, kernel, ...)                                                                   \
    BANK_ROW(name, BANK_COLD, 1056, 256, 0, kernel, data->shuffled, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    CHAIN("complement_chain", complement_chain, (int *)data->out, 96),
    CHAIN("divide_signed_64", divide_chain<int64_t>, (int64_t *)data->out, 1000003, 12),
    CHAIN("divide_unsigned_64", divide_chain<uint64_t>, (uint64_t *)data->out, 1000003, 12),
    CHAIN("remainder_signed_64", remainder_chain<int64_t>, (int64_t *)data->out, 77777, 12),
    CHAIN("divide_signed_32", divide_chain<int>, (int *)data->out, 1003, 32),
    CHAIN("remainder_unsigned_32", remainder_chain<unsigned>, (unsigned *)data->out, 777u, 32),
    BANK_ROW("row_and_column_64", BANK_COLD, 32 * KI, 256, 0, row_and_column, data->x, data->y,
             data->out, 8 * MI - 3, 1000),
    BANK_ROW("row_and_column_32", BANK_COLD, 32 * KI, 256, 0, row_and_column_32, data->x, data->y,
             data->out, 8 * MI - 3, 1000),
    CHAIN("wide_products", wide_products, (uint64_t *)data->out, 48),
    CHAIN("bit_tricks", bit_tricks, (int *)data->out, 64),
};
BANK_FAMILY(integers)
