// expect: PASS
// CUB: DeviceFor::Bulk calls an object for each index.
#include "contracts/01_coalescing.h"

#include <cub/device/device_for.cuh>

struct scaled_sum {
    const float *x, *y;
    float *out;
    float a, b;
    __device__ void operator()(int64_t i) const { out[i] = a * x[i] + b * y[i]; }
};

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    return n > 0 ? cub::DeviceFor::Bulk(n, scaled_sum{x, y, out, a, b}, stream) : cudaSuccess;
}
