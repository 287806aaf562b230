// first_launch.cu - the least a program can do with a device: one launch. start.sh times it.
#include "program.h"

__global__ void set(int *to)
{
    *to = 1;
}

int main()
{
    int *d_value, h_value = 0;
    CHECK(cudaMalloc(&d_value, sizeof *d_value));
    set<<<1, 1>>>(d_value);
    CHECK(cudaMemcpy(&h_value, d_value, sizeof h_value, cudaMemcpyDeviceToHost));
    EXPECT(h_value == 1);
    return 0;
}
