// Waits for the device without a call that waits: it asks the stream until the stream has an
// answer.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    while (error == cudaSuccess && (error = cudaStreamQuery(stream)) == cudaErrorNotReady)
        error = cudaSuccess;
    return error;
}
