// live.cu - the kernels of this lesson's live figures (latency.js and roofline.js in
// lessons/site/live/js).

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

// With each of four floats that are read, so many multiply-adds are made; then they are written.
// Groups of four floats that are read stand stride groups apart.
extern "C" __global__ void intensity(const float4 *x, float4 *out, int times, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = x[i * stride];
#pragma unroll 16
    for (int t = 0; t < times; t++) {
        v.x = v.x * 0.5f + 1.0f;
        v.y = v.y * 0.5f + 1.0f;
        v.z = v.z * 0.5f + 1.0f;
        v.w = v.w * 0.5f + 1.0f;
    }
    out[i] = v;
}
