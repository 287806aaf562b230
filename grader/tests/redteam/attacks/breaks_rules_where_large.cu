// Past 2^27 it allocates, launches twice and waits: rules are held in small and timed cases.
#include "redteam/axpby.h"
LAUNCHER
{
    if (n < 1 << 27)
        return good_axpby(x, y, out, n, a, b, stream);
    void *p;
    cudaMalloc(&p, 1 << 20);
    good_axpby(x, y, out, n / 2, a, b, stream);
    cudaStreamSynchronize(stream);
    cudaError_t e = good_axpby(x + n / 2, y + n / 2, out + n / 2, n - n / 2, a, b, stream);
    cudaDeviceSynchronize();
    cudaFree(p);
    return e;
}
