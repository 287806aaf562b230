// profile.cu - a program to be profiled: each kernel has one thing wrong with it, on a line of its
// own that profile.sh looks for. `profile.cu fault` writes out of bounds, too, and
// `profile.cu endless` never ends.
#include <cstdio>
#include <cstring>

enum { N = 256 };

template <int TILE> __global__ void conflicts(float *out, const float *in)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    float value = tile[threadIdx.x][threadIdx.y]; // 32 lanes, one bank
    out[y * N + x] = value;
}

__global__ void columns(float *out, const float *in)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float value = in[x * N + y]; // a row apart
    out[y * N + x] = value;
}

__global__ void quarter(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    if (threadIdx.x % 4 == 0)
        for (int step = 0; step < 50; step++)
            value = sinf(value) + 1; // 8 of 32 lanes
    out[i] = value;
}

__global__ void endless(volatile float *out)
{
    for (;; out[0] += 1) out[1] = out[0]; // for ever
}

int main(int count, char **words)
{
    float *in, *out;
    bool fault = count > 1 && strcmp(words[1], "fault") == 0;
    cudaMalloc(&in, N * N * sizeof(float));
    cudaMalloc(&out, N * N * sizeof(float));
    cudaMemset(in, 0, N * N * sizeof(float));
    for (int i = 0; i < 3; i++)
        conflicts<32><<<dim3(N / 32, N / 32), dim3(32, 32)>>>(out, in);
    columns<<<dim3(N / 128, N), 128>>>(out, in);
    quarter<<<fault ? N + 1 : 64, 256>>>(out, in); // the last block leaves both arrays
    if (count > 1 && strcmp(words[1], "endless") == 0) {
        cudaMemset(out, 0, sizeof(float));
        endless<<<2, 64>>>(out);
    }
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
