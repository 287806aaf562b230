// continue.cu - two kernels with faults that no device stops at, and one that it does:
// what simgpu run --check=continue makes of them.
#include <cstdio>

enum { BLOCKS = 300, THREADS = 64 };

__global__ void without_a_barrier(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    s_row[i] = in[i];
    out[i] = s_row[i ^ 32];
}

__global__ void filled_in_part(int *out)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (i < 40)
        s_row[i] = i;
    __syncthreads();
    int value = s_row[i];
    out[i] = value > 3 ? 1 : 2 * value;
}

__global__ void past_the_end(int *out)
{
    out[THREADS + threadIdx.x] = 1;
}

int main(int count, char **)
{
    int *d_in, *d_out;
    cudaMalloc(&d_in, THREADS * sizeof(int));
    cudaMalloc(&d_out, THREADS * sizeof(int));
    cudaMemset(d_in, 0, THREADS * sizeof(int));
    for (int launch = 0; launch < 2 && count < 3; launch++)
        without_a_barrier<<<BLOCKS, THREADS>>>(d_in, d_out);
    if (count < 3)
        filled_in_part<<<BLOCKS, THREADS>>>(d_out);
    if (count > 1)
        past_the_end<<<1, THREADS>>>(d_out);
    cudaError_t error = cudaDeviceSynchronize();
    puts(cudaGetErrorName(error));
    return count == 2 && error != cudaSuccess;
}
