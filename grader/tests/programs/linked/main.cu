// main.cu - a program compiled in pieces (nvcc -rdc=true) and linked: device functions, variables
// and tables of functions of another file, and names both have.
#include "pieces.h"

__device__ static __noinline__ int own(int x)
{
    return x + 1000;
}

__global__ void across(int *out)
{
    int x = (int)threadIdx.x;
    out[x] = weighted(x);
    out[32 + x] = own(x) + table[0](x) + table[1](2 * x);
    add_to_total(1);
}

int main()
{
    const int h_weights[4] = {5, 6, 7, 8};
    int *d_out, h_out[64], total;
    CHECK(cudaMalloc(&d_out, sizeof h_out));
    across<<<1, 32>>>(d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    for (int x = 0; x < 32; x++) {
        EXPECT(h_out[x] == x * (x % 4 + 1));
        EXPECT(h_out[32 + x] == (x + 1000) + (x + 100) - 2 * x);
    }

    set_weights(h_weights);
    across<<<1, 32>>>(d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    for (int x = 0; x < 32; x++)
        EXPECT(h_out[x] == x * (x % 4 + 5));
    CHECK(cudaMemcpyFromSymbol(&total, calls, sizeof total));
    EXPECT(total == 64);

    launch_other(d_out);
    CHECK(cudaMemcpy(h_out, d_out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int x = 0; x < 32; x++)
        EXPECT(h_out[x] == x + 100);
    CHECK(cudaMemcpyFromSymbol(&total, shared_total<int>, sizeof total));
    EXPECT(total == 2 * 32 * 1 + 32 * 2);
    return 0;
}
