// live.cu - the kernels of this lesson's live figure (lessons/site/live/js/latency.js).

// Each thread asks for one float.
extern "C" __global__ void ask_1(const float *x, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i];
}

// The same with two floats in flight in each thread, four and eight: all loads come before the
// first use of what they bring.
extern "C" __global__ void ask_2(const float *x, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    out[i] = x[i] + x[i + all];
}

extern "C" __global__ void ask_4(const float *x, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    out[i] = (x[i] + x[i + all]) + (x[i + 2 * all] + x[i + 3 * all]);
}

extern "C" __global__ void ask_8(const float *x, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float first = (x[i] + x[i + all]) + (x[i + 2 * all] + x[i + 3 * all]);
    out[i] = first + (x[i + 4 * all] + x[i + 5 * all]) + (x[i + 6 * all] + x[i + 7 * all]);
}
