// symbols.cu - variables of the device: set, read, addressed, of every kind, and pointing at each
// other.
#include "program.h"

struct pair {
    int first;
    double second;
};

__constant__ float weights[16];
__constant__ pair limits = {3, 4.5};
__device__ int counters[8] = {1, 2, 3};
__device__ int *pointer = &counters[2];
__device__ pair results;
static __device__ unsigned char bytes[5];

__global__ void use(int i)
{
    counters[i] += 10;
    results.first = *pointer + limits.first + bytes[4];
    results.second = limits.second + weights[i];
}

int main()
{
    float h_weights[16];
    int h_counters[8], *d_counters;
    pair h_results;
    unsigned char four = 4;
    size_t size;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (int i = 0; i < 16; i++)
        h_weights[i] = i * 0.5f;
    CHECK(cudaMemcpyToSymbol(weights, h_weights, sizeof h_weights));
    CHECK(cudaMemcpyToSymbolAsync(bytes, &four, 1, 4, cudaMemcpyHostToDevice, stream));
    use<<<1, 1, 0, stream>>>(2);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbolAsync(&h_results, results, sizeof h_results, 0,
                                    cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(h_results.first == 13 + 3 + 4 && h_results.second == 4.5 + 1);
    CHECK(cudaGetSymbolAddress((void **)&d_counters, counters));
    CHECK(cudaGetSymbolSize(&size, counters));
    EXPECT(size == sizeof h_counters);
    CHECK(cudaMemcpy(h_counters, d_counters, size, cudaMemcpyDeviceToHost));
    EXPECT(h_counters[0] == 1 && h_counters[2] == 13 && h_counters[3] == 0);
    CHECK(cudaMemset(d_counters + 2, 0, sizeof(int)));
    CHECK(cudaMemcpyFromSymbol(h_counters, counters, 3 * sizeof(int), 0));
    EXPECT(h_counters[1] == 2 && h_counters[2] == 0);
    int *d_source;
    CHECK(cudaMalloc(&d_source, 4));
    CHECK(cudaMemset(d_source, 1, 4));
    CHECK(cudaMemcpyToSymbol(counters, d_source, 4, 4, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpyFromSymbol(h_counters, counters, sizeof h_counters));
    EXPECT(h_counters[1] == 0x01010101);
    printf("all is as it should be\n");
    return 0;
}
