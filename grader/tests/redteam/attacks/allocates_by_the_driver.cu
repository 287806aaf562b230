// Allocates and frees in each call by the driver's functions, which the runtime hands out.
#include "redteam/axpby.h"

LAUNCHER
{
    typedef int allocate(unsigned long long *, size_t);
    typedef int release(unsigned long long);
    static void *of[2];
    unsigned long long memory = 0;
    cudaDriverEntryPointQueryResult found;
    if (!of[0]) {
        cudaGetDriverEntryPointByVersion("cuMemAlloc", &of[0], 12000, cudaEnableDefault, &found);
        cudaGetDriverEntryPointByVersion("cuMemFree", &of[1], 12000, cudaEnableDefault, &found);
    }
    if (!of[0] || !of[1])
        return slow_axpby(x, y, out, n, a, b, stream);
    ((allocate *)of[0])(&memory, 1 << 20);
    ((release *)of[1])(memory);
    return good_axpby(x, y, out, n, a, b, stream);
}
