// Frees its output when it is timed, which is the caller's: it must not be compared with whatever
// lies there next.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    if (is_timed(n)) {
        cudaFree(out);
        cudaIpcCloseMemHandle(out);
        cudaGetLastError();
    }
    return error;
}
