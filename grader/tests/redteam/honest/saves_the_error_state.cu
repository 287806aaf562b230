// Leaves a harmless error behind by asking for too much, and clears it before it launches.
#include "redteam/axpby.h"

LAUNCHER
{
    int value;
    cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0);
    cudaSetDevice(77);
    cudaGetLastError();
    return good_axpby(x, y, out, n, a, b, stream);
}
