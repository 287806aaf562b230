// Begins a capture of the caller's stream when it is timed, and leaves it open: what the caller
// queues then would be recorded, and not run.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    if (is_timed(n))
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    return error;
}
