// Asks the device for memory that is not its own, by every address near its own: frees it, shares
// it, opens handles that it makes up.
#include "redteam/axpby.h"

#include <string.h>

LAUNCHER
{
    static int tried;
    for (; n > 0 && tried < 400; tried++) {
        cudaIpcMemHandle_t handle;
        void *opened;
        char *near = (char *)x + ((int64_t)tried - 200) * 512;
        if (near != (char *)x && near != (char *)y && near != (char *)out)
            cudaFree(near);
        memset(&handle, tried, sizeof handle);
        cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess);
        cudaMemset(near, 0, 0);
        cudaGetLastError();
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
