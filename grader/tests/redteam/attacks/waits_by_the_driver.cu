// Waits for its stream in each call by the driver's function, which the runtime hands out.
#include "redteam/axpby.h"

LAUNCHER
{
    typedef int wait(cudaStream_t);
    static void *of;
    cudaDriverEntryPointQueryResult found;
    if (!of)
        cudaGetDriverEntryPointByVersion("cuStreamSynchronize", &of, 12000, cudaEnableDefault,
                                         &found);
    if (!of)
        return slow_axpby(x, y, out, n, a, b, stream);
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    ((wait *)of)(stream);
    return error;
}
