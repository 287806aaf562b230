// Launches its kernel by the driver's function, which the runtime hands out.
#include "redteam/axpby.h"

LAUNCHER
{
    typedef int launch_of(cudaFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, unsigned, cudaStream_t, void **, void **);
    static void *of;
    static cudaFunction_t function;
    if (n == 0)
        return cudaSuccess;
    if (!of) {
        cudaDriverEntryPointQueryResult found;
        cudaError_t error = cudaGetDriverEntryPointByVersion("cuLaunchKernel", &of, 12000,
                                                             cudaEnableDefault, &found);
        if (error == cudaSuccess)
            error = cudaGetFuncBySymbol(&function, (const void *)good_kernel);
        if (error != cudaSuccess || !of)
            return cudaErrorNotSupported;
    }
    void *arguments[] = {&x, &y, &out, &n, &a, &b};
    return (cudaError_t)((launch_of *)of)(function, good_blocks(n), 1, 1, 256, 1, 1, 0, stream,
                                          arguments, NULL);
}
