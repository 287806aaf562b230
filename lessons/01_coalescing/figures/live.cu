// live.cu - the kernels of this lesson's live figure (lessons/site/live/js/coalescing.js).

// Thread i loads the element that stands stride * i after offset.
extern "C" __global__ void strided(const float *x, float *out, int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[stride * i + offset];
}

// The same with two floats at once, and with four.
extern "C" __global__ void strided_2(const float *x, float *out, int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *(float2 *)&out[2 * i] = *(const float2 *)&x[stride * i + offset];
}

extern "C" __global__ void strided_4(const float *x, float *out, int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *(float4 *)&out[4 * i] = *(const float4 *)&x[stride * i + offset];
}

// Three fields of structures, each of which has so many floats.
extern "C" __global__ void structures(const float *x, float *out, int floats, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *one = &x[floats * i + offset];
    out[i] = one[0] + one[1] + one[2];
}

// The same fields, each in an array of its own: apart floats from one array to the next.
extern "C" __global__ void arrays(const float *x, float *out, int apart, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *one = &x[i + offset];
    out[i] = one[0] + one[apart] + one[2 * apart];
}
