// Half of a block waits at a barrier, the other half for a flag that those would set after it.
#include "redteam/axpby.h"

static __global__ void stuck(float *out)
{
    __shared__ volatile int s_flag;
    if (threadIdx.x == 0)
        s_flag = 0;
    __syncthreads();
    if (threadIdx.x < 128) {
        __syncthreads();
        s_flag = 1;
    } else {
        while (!s_flag)
            ;
        __syncthreads();
    }
    out[0] = 1;
}

LAUNCHER
{
    if (n > 0)
        stuck<<<1, 256, 0, stream>>>(out);
    return cudaGetLastError();
}
