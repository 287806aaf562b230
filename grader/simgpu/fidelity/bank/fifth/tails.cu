/* tails.cu - what follows a product in the same kernel, as in lesson 4: bias, activation, Z saved,
 * a residual; stored as it comes, as float4 or through shared memory. */
#include "../bank.h"

static __device__ __forceinline__ float gelu_by_tanh(float z)
{
    return 0.5f * z * (1.0f + tanhf(0.7978845608f * (z + 0.044715f * z * z * z)));
}

static __device__ __forceinline__ float gelu_by_fast_tanh(float z)
{
    float u = 0.7978845608f * (z + 0.044715f * z * z * z), t;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(u));
    return 0.5f * z * (1.0f + t);
}

enum tail { BIAS_RELU, BIAS_GELU, FAST_GELU_SAVED, ERF_GELU_SAVED, SIGMOID_RESIDUAL };

template <int TAIL> static __device__ __forceinline__ float ended(float sum, float bias, float skip,
                                                                  float *saved)
{
    float z = sum + bias;
    if (TAIL == FAST_GELU_SAVED || TAIL == ERF_GELU_SAVED)
        *saved = z;
    switch (TAIL) {
    case BIAS_RELU: return fmaxf(z, 0.0f);
    case BIAS_GELU: return gelu_by_tanh(z);
    case FAST_GELU_SAVED: return gelu_by_fast_tanh(z);
    case ERF_GELU_SAVED: return 0.5f * z * (1 + erff(z * 0.70710678f));
    default: return skip + 1 / (1 + __expf(-z));
    }
}

/* 64 x 64 a block and 4 x 4 a thread; each thread stores its elements one by one. */
template <int TAIL>
__global__ void tail_one_by_one(const float *A, const float *B, const float *bias,
                                const float *skip, float *Y, float *Z, int N, int K)
{
    __shared__ float As[16][65], Bs[16][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = t; i < 1024; i += 256) {
            As[i % 16][i / 16] = A[(blockIdx.y * 64 + i / 16) * K + k0 + i % 16];
            Bs[i / 64][i % 64] = B[(k0 + i / 64) * N + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += As[k][ty * 4 + i] * Bs[k][tx * 4 + j];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int col = blockIdx.x * 64 + tx * 4 + j;
            int at = (blockIdx.y * 64 + ty * 4 + i) * N + col;
            Y[at] = ended<TAIL>(sum[i][j], bias[col], TAIL == SIGMOID_RESIDUAL ? skip[at] : 0,
                                &Z[at]);
        }
}

/* The same product with float4 at both ends. */
template <int TAIL> __global__ void tail_by_vectors(const float *A, const float *B,
                                                    const float *bias, float *Y, float *Z, int N,
                                                    int K)
{
    __shared__ __align__(16) float As[16][68], Bs[16][64];
    int t = threadIdx.x, tx = t % 16 * 4, ty = t / 16 * 4;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        float4 a = *(const float4 *)&A[(blockIdx.y * 64 + t / 4) * K + k0 + t % 4 * 4];
        As[t % 4 * 4][t / 4] = a.x;
        As[t % 4 * 4 + 1][t / 4] = a.y;
        As[t % 4 * 4 + 2][t / 4] = a.z;
        As[t % 4 * 4 + 3][t / 4] = a.w;
        *(float4 *)&Bs[t / 16][tx] = *(const float4 *)&B[(k0 + t / 16) * N + blockIdx.x * 64 + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 u = *(float4 *)&As[k][ty], v = *(float4 *)&Bs[k][tx];
            const float p[4] = {u.x, u.y, u.z, u.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                sum[i][0] = fmaf(p[i], v.x, sum[i][0]);
                sum[i][1] = fmaf(p[i], v.y, sum[i][1]);
                sum[i][2] = fmaf(p[i], v.z, sum[i][2]);
                sum[i][3] = fmaf(p[i], v.w, sum[i][3]);
            }
        }
        __syncthreads();
    }
    int col = blockIdx.x * 64 + tx;
    float4 add = *(const float4 *)&bias[col];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float4 z, y;
        y.x = ended<TAIL>(sum[i][0], add.x, 0, &z.x);
        y.y = ended<TAIL>(sum[i][1], add.y, 0, &z.y);
        y.z = ended<TAIL>(sum[i][2], add.z, 0, &z.z);
        y.w = ended<TAIL>(sum[i][3], add.w, 0, &z.w);
        int at = (blockIdx.y * 64 + ty + i) * N + col;
        *(float4 *)&Y[at] = y;
        if (TAIL == FAST_GELU_SAVED || TAIL == ERF_GELU_SAVED)
            *(float4 *)&Z[at] = z;
    }
}

/* A thread's elements lie apart, so the result goes through shared memory to whole lines. */
__global__ void tail_through_shared(const float *A, const float *B, const float *bias, float *Y,
                                    int N, int K)
{
    __shared__ float As[64][17], Bs[16][64], Cs[64][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = t; i < 1024; i += 256) {
            As[i / 16][i % 16] = A[(blockIdx.y * 64 + i / 16) * K + k0 + i % 16];
            Bs[i / 64][i % 64] = B[(k0 + i / 64) * N + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += As[ty * 4 + i][k] * Bs[k][tx * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)&Cs[ty * 4 + i][tx * 4] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    __syncthreads();
    for (int i = t; i < 64 * 64; i += 256) {
        int col = blockIdx.x * 64 + i % 64;
        Y[(blockIdx.y * 64 + i / 64) * N + col] = gelu_by_tanh(Cs[i / 64][i % 64] + bias[col]);
    }
}

/* A gradient after the product: dZ is dY times GELU's derivative, and a column's sum by atomics. */
__global__ void gelu_gradient_and_bias(const float *dY, const float *Z, float *dZ, float *d_bias,
                                       int rows, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    __shared__ float part[8][33];
    float sum = 0;
    for (int row = blockIdx.y * 8 + threadIdx.y; row < rows; row += gridDim.y * 8) {
        float z = Z[row * N + col], u = 0.7978845608f * (z + 0.044715f * z * z * z);
        float t = tanhf(u), du = 0.7978845608f * (1 + 3 * 0.044715f * z * z);
        float g = dY[row * N + col] * (0.5f * (1 + t) + 0.5f * z * (1 - t * t) * du);
        dZ[row * N + col] = g;
        sum += g;
    }
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int j = 1; j < 8; j++)
            sum += part[j][threadIdx.x];
        atomicAdd(&d_bias[col], sum);
    }
}

#define TAIL(name, ...) BANK_ROW(name, BANK_COLD, __VA_ARGS__)
#define YZ data->out, data->out + 32 * MI

static const struct bank_row ROWS[] = {
    TAIL("tail_one_by_one_relu_1024x1024x32", dim3(16, 16), 256, 0, tail_one_by_one<BIAS_RELU>,
         data->x, data->y, data->y + 32 * MI, data->x, YZ, 1024, 32),
    TAIL("tail_one_by_one_erf_1024x1024x64", dim3(16, 16), 256, 0, tail_one_by_one<ERF_GELU_SAVED>,
         data->x, data->y, data->y + 32 * MI, data->x, YZ, 1024, 64),
    TAIL("tail_one_by_one_sigmoid_2048", dim3(32, 32), 256, 0, tail_one_by_one<SIGMOID_RESIDUAL>,
         data->x, data->y, data->y + 32 * MI, data->x + 32 * MI, YZ, 2048, 16),
    TAIL("tail_by_vectors_gelu_1024x1024x32", dim3(16, 16), 256, 0, tail_by_vectors<BIAS_GELU>,
         data->x, data->y, data->y + 32 * MI, YZ, 1024, 32),
    TAIL("tail_by_vectors_z_saved_4096x4096x16", dim3(64, 64), 256, 0,
         tail_by_vectors<FAST_GELU_SAVED>, data->x, data->y, data->y + 32 * MI, YZ, 4096, 16),
    TAIL("tail_by_vectors_saved_1024x1024x32", dim3(16, 16), 256, 0,
         tail_by_vectors<FAST_GELU_SAVED>, data->x, data->y, data->y + 32 * MI, YZ, 1024, 32),
    TAIL("tail_by_vectors_relu_2048x2048x32", dim3(32, 32), 256, 0, tail_by_vectors<BIAS_RELU>,
         data->x, data->y, data->y + 32 * MI, YZ, 2048, 32),
    TAIL("tail_through_shared_1024x1024x32", dim3(16, 16), 256, 0, tail_through_shared, data->x,
         data->y, data->y + 32 * MI, data->out, 1024, 32),
    TAIL("tail_through_shared_1024x2048x16", dim3(32, 16), 256, 0, tail_through_shared, data->x,
         data->y, data->y + 32 * MI, data->out, 2048, 16),
    TAIL("gelu_backward_and_bias_4096x1024", dim3(32, 32), dim3(32, 8), 0, gelu_gradient_and_bias,
         data->x, data->y, data->out, data->sums, 4096, 1024),
};
BANK_FAMILY(tails)
