/* kernels.cu - sixteen kernels of the kind the lessons are about.
 *
 * measured/kernels.csv has what an H200 counted, a row a launch, in the order in which this
 * program launches. Neither that order, nor the kernels, nor their data may change without
 * measuring again.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { N = 1 << 20 };

extern "C" {

/* --- Global memory --------------------------------------------------------------------------- */

__global__ void unit_stride(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * 2.f + 1.f;
}

__global__ void offset_by_one(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        y[i] = x[i + 1];
}

__global__ void four_at_once(const float4 *x, float4 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = x[i];
        v.x += 1;
        v.w -= 1;
        y[i] = v;
    }
}

/* Structures of 28 bytes. */
__global__ void array_of_structures(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[7 * i] + x[7 * i + 3] * x[7 * i + 6];
}

__global__ void gather(const int *index, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[index[i]];
}

/* --- Shared memory --------------------------------------------------------------------------- */

/* A column of the tile lies in one bank. */
__global__ void transpose_conflicts(const float *x, float *y, int width)
{
    __shared__ float s_tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        s_tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * width + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x;
    row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        y[(row + j) * width + column] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* The same with a pitch of 33. */
__global__ void transpose_padded(const float *x, float *y, int width)
{
    __shared__ float s_tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        s_tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * width + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x;
    row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        y[(row + j) * width + column] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* 16 bytes a lane from rows 36 words apart. */
__global__ void float4_rows(float *y)
{
    __shared__ float s_word[32 * 36];
    for (int i = threadIdx.x; i < 32 * 36; i += blockDim.x)
        s_word[i] = i;
    __syncthreads();
    float4 v = *(float4 *)&s_word[(threadIdx.x & 31) * 36];
    y[blockIdx.x * blockDim.x + threadIdx.x] = v.x + v.w;
}

__global__ void histogram(const int *values, int *counts, int n)
{
    __shared__ int s_count[64];
    if (threadIdx.x < 64)
        s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s_count[values[i] & 63], 1);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&counts[threadIdx.x], s_count[threadIdx.x]);
}

/* --- Control flow ---------------------------------------------------------------------------- */

__global__ void split_by_parity(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (threadIdx.x & 1)
            x[i] = sinf(x[i]);
        else
            x[i] = sqrtf(fabsf(x[i])) + logf(2.f + x[i] * x[i]);
    }
}

/* So short a choice that no branch is left. */
__global__ void select_by_parity(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = (i % 2 == 0) ? x[i] * 2.f : x[i] * 1.5f;
}

__global__ void loop_by_lane(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    for (int k = 0; k < (threadIdx.x & 31); k++)
        v = v * 0.99f + 0.5f;
    x[i] = v;
}

/* --- Reductions ------------------------------------------------------------------------------ */

__global__ void reduce_shuffle(const float *x, float *sum, int n)
{
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += x[i];
    for (int d = 16; d; d >>= 1)
        own += __shfl_xor_sync(~0u, own, d);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(sum, own);
}

__global__ void reduce_halves(const float *x, float *sums)
{
    __shared__ float s_sum[256];
    int t = threadIdx.x;
    s_sum[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d; d >>= 1) {
        if (t < d)
            s_sum[t] += s_sum[t + d];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s_sum[0];
}

/* --- Matrix products ------------------------------------------------------------------------- */

/* Lanes go down a column: 32 rows of A at a time. */
__global__ void gemm_naive_down(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void gemm_tile(const float *a, const float *b, float *c, int n)
{
    __shared__ float s_a[16][16], s_b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += 16) {
        s_a[y][x] = a[row * n + k0 + x];
        s_b[y][x] = b[(k0 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += s_a[y][k] * s_b[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

} /* extern "C" */

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "kernels: %s.\n", cudaGetErrorString(error));
    exit(1);
}

struct buffers {
    float *a, *b, *c; /* 8 N floats each */
    int *index;       /* N numbers below N */
};

static void launch_memory(const struct buffers *d)
{
    const dim3 tile(32, 8);
    unit_stride<<<N / 256, 256>>>(d->a, d->b, N - 37);
    offset_by_one<<<N / 256, 256>>>(d->a, d->b, N);
    four_at_once<<<N / 256, 256>>>((float4 *)d->a, (float4 *)d->b, N);
    array_of_structures<<<N / 256, 256>>>(d->a, d->b, N);
    gather<<<N / 256, 256>>>(d->index, d->a, d->b, N);
    transpose_conflicts<<<dim3(32, 32), tile>>>(d->a, d->b, 1024);
    transpose_padded<<<dim3(32, 32), tile>>>(d->a, d->b, 1024);
    float4_rows<<<16, 256>>>(d->b);
    histogram<<<32, 256>>>(d->index, (int *)d->c, N);
    check(cudaGetLastError());
}

static void launch_control_flow(const struct buffers *d)
{
    split_by_parity<<<N / 256, 256>>>(d->a, N);
    select_by_parity<<<N / 256, 256>>>(d->a, N);
    loop_by_lane<<<N / 256, 256>>>(d->a, N);
    check(cudaGetLastError());
}

static void launch_sums(const struct buffers *d)
{
    reduce_shuffle<<<64, 256>>>(d->a, d->c, N);
    reduce_halves<<<N / 256, 256>>>(d->a, d->b);
    gemm_naive_down<<<dim3(8, 32), dim3(32, 8)>>>(d->a, d->b, d->c, 256);
    gemm_tile<<<dim3(16, 16), dim3(16, 16)>>>(d->a, d->b, d->c, 256);
    check(cudaGetLastError());
}

int main()
{
    const size_t bytes = 8 * N * sizeof(float);
    std::vector<float> numbers(8 * N);
    std::vector<int> index(N);
    struct buffers d;
    srand(7);
    for (float &number : numbers)
        number = (rand() % 2001 - 1000) / 1000.f;
    for (int i = 0; i < N; i++)
        index[i] = (int)(((uint64_t)i * 2654435761u) % N);
    check(cudaMalloc(&d.a, bytes));
    check(cudaMalloc(&d.b, bytes));
    check(cudaMalloc(&d.c, bytes));
    check(cudaMalloc(&d.index, N * sizeof(int)));
    check(cudaMemcpy(d.a, numbers.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(d.b, numbers.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(d.index, index.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    check(cudaMemset(d.c, 0, bytes));
    launch_memory(&d);
    check(cudaMemcpy(d.a, numbers.data(), bytes, cudaMemcpyHostToDevice));
    launch_control_flow(&d);
    check(cudaMemcpy(d.a, numbers.data(), bytes, cudaMemcpyHostToDevice));
    launch_sums(&d);
    check(cudaDeviceSynchronize());
    for (void *buffer : {(void *)d.a, (void *)d.b, (void *)d.c, (void *)d.index})
        check(cudaFree(buffer));
    return 0;
}
