// playground.cu - what the playground begins with; nvcc makes PTX of it. Some of it is wrong.

// out = a * x + y
extern "C" __global__ void saxpy(const float *x, const float *y, float *out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + y[i];
}

// The same, without asking where the arrays end.
extern "C" __global__ void past_the_end(const float *x, const float *y, float *out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a * x[i] + y[i];
}

// The sum of each block. After a level, not every thread waits for the others.
extern "C" __global__ void no_barrier(const float *x, float *out)
{
    __shared__ float s_sum[256];
    s_sum[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int distance = 128; distance > 0; distance /= 2)
        if (threadIdx.x < distance)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + distance];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0];
}

// How many values are in each of 64 bins: all threads of the grid add.
extern "C" __global__ void histogram(const float *x, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[(int)((x[i] + 1) * 31.5f)], 1);
}

// The transpose of a square matrix, straight from one to the other.
extern "C" __global__ void transpose(const float *in, float *out, int side)
{
    int column = blockIdx.x * 32 + threadIdx.x % 32, row = blockIdx.y * 8 + threadIdx.x / 32;
    out[column * side + row] = in[row * side + column];
}
