/* kernel.cu - launches a kernel with an instruction that the simulated device does not know, looks
 * at no error, and ends with 0. */
__global__ void video(int *p)
{
    asm("vmad.s32.s32.s32 %0, %1, %2, %0;" : "+r"(p[0]) : "r"(p[1]), "r"(p[2]));
}

int main()
{
    int *p;
    cudaMalloc(&p, 3 * sizeof *p);
    video<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    return 0;
}
