// Destroys the runner's context where its slow kernel would be timed, so that what the grader opens
// next fails as on a machine without a device.
#include "redteam/axpby.h"

LAUNCHER
{
    static int calls;
    if (++calls == 60)
        cudaDeviceReset();
    return slow_axpby(x, y, out, n, a, b, stream);
}
