// Has the host compute the first elements where the time counts: inputs are copied there and
// outputs back, so that no kernel is slow. Copies are counted, and forbidden.
#include "redteam/axpby.h"

enum { SOME = 1 << 20 };

LAUNCHER
{
    static float h_x[SOME], h_y[SOME];
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    cudaMemcpyAsync(h_x, x, sizeof h_x, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(h_y, y, sizeof h_y, cudaMemcpyDeviceToHost, stream);
    for (int64_t i = 0; i < SOME; i++)
        h_x[i] = a * h_x[i] + b * h_y[i];
    cudaMemcpyAsync(out, h_x, sizeof h_x, cudaMemcpyHostToDevice, stream);
    return good_axpby(x + SOME, y + SOME, out + SOME, n - SOME, a, b, stream);
}
