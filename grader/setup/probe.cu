// What set-up compiles to know that a toolkit works: a kernel with a library function of the device
// (which needs libdevice), launched from the host (which needs the runtime and a C++ compiler).
__global__ void probe(float *x)
{
    x[threadIdx.x] = sinf(x[threadIdx.x]);
}

int main()
{
    probe<<<1, 32>>>(nullptr);
    return cudaGetLastError() != cudaSuccess;
}
