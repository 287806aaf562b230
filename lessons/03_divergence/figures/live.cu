// live.cu - the kernels of this lesson's live figure (lessons/site/live/js/divergence.js).

// Of each period threads, the first few take one side, all others the other.
extern "C" __global__ void sides(const float *x, float *y, unsigned period, unsigned few,
                                 unsigned turns)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    if (i % period < few) {
#pragma unroll 1
        for (unsigned t = 0; t < turns; t++)
            value = value * 0.5f + 1.0f;
    } else {
#pragma unroll 1
        for (unsigned t = 0; t < turns; t++)
            value = value * value - 1.0f;
    }
    y[i] = value;
}

// Neighbouring threads go through the loop a different number of times.
extern "C" __global__ void lengths(const float *x, float *y, unsigned period, unsigned few,
                                   unsigned turns)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    unsigned mine = i % period < few ? turns : i % period;
#pragma unroll 1
    for (unsigned t = 0; t < mine; t++)
        value = value * 0.5f + 1.0f;
    y[i] = value;
}

// The sum of 32 numbers, by five exchanges between lanes.
extern "C" __global__ void shuffles(const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = x[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
    if (i % 32 == 0)
        y[i / 32] = sum;
}
