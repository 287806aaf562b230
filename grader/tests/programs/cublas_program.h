/* cublas_program.h - what the programs that check cuBLAS share: matrices of any type with their
 * values in double, and a call's status. */
#ifndef CUBLAS_PROGRAM_H
#define CUBLAS_PROGRAM_H

#include "program.h"

#include <cmath>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

/* A call that must give this status. */
#define GIVES(status, call)                                           \
    do {                                                              \
        cublasStatus_t status_ = (call);                              \
        if (status_ != (status)) {                                    \
            printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, \
                   cublasGetStatusName(status_));                     \
            exit(1);                                                  \
        }                                                             \
    } while (0)
#define BLAS(call) GIVES(CUBLAS_STATUS_SUCCESS, call)

static inline size_t type_bytes(cudaDataType type)
{
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

/* To the next value of the type: what one rounding may err by, for a value of 1. */
static inline double type_step(cudaDataType type)
{
    return type == CUDA_R_64F   ? ldexp(1, -52)
           : type == CUDA_R_32F ? ldexp(1, -23)
           : type == CUDA_R_16F ? ldexp(1, -10)
                                : ldexp(1, -7);
}

static inline double type_get(const void *from, cudaDataType type, size_t i)
{
    switch (type) {
    case CUDA_R_64F: return ((const double *)from)[i];
    case CUDA_R_16F: return __half2float(((const __half *)from)[i]);
    case CUDA_R_16BF: return __bfloat162float(((const __nv_bfloat16 *)from)[i]);
    default: return ((const float *)from)[i];
    }
}

static inline void type_put(void *to, cudaDataType type, size_t i, double value)
{
    switch (type) {
    case CUDA_R_64F: ((double *)to)[i] = value; break;
    case CUDA_R_16F: ((__half *)to)[i] = __float2half((float)value); break;
    case CUDA_R_16BF: ((__nv_bfloat16 *)to)[i] = __float2bfloat16((float)value); break;
    default: ((float *)to)[i] = (float)value; break;
    }
}

static inline double uniform()
{
    static unsigned seed = 1;
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

/* clang-format off */
/* Values on the host, and the same on the device. */
struct numbers {
    cudaDataType type;
    std::vector<char> host;
    char *device;

    numbers(cudaDataType type, size_t count) : type(type), host(count * type_bytes(type))
    {
        for (size_t i = 0; i < count; i++)
            set(i, uniform());
        CHECK(cudaMalloc(&device, host.size()));
        send();
    }
    numbers(const numbers &) = delete;
    ~numbers() { cudaFree(device); }
    void set(size_t i, double value) { type_put(host.data(), type, i, value); }
    double at(size_t i) const { return type_get(host.data(), type, i); }
    size_t count() const { return host.size() / type_bytes(type); }
    void send() { CHECK(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice)); }
    void fill(double value)
    {
        for (size_t i = 0; i < count(); i++)
            set(i, value);
        send();
    }
    std::vector<double> fetched() const
    {
        std::vector<char> bytes(host.size());
        std::vector<double> values(count());
        CHECK(cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < values.size(); i++)
            values[i] = type_get(bytes.data(), type, i);
        return values;
    }
    float *floats() const { return (float *)device; }
    double *doubles() const { return (double *)device; }
};
/* clang-format on */

#endif
