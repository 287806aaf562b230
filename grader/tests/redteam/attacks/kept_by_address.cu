// Keeps the arguments of its calls, and launches an empty kernel where they are those of an earlier
// one: the results are there already, unless the bytes behind the pointers are other ones by now.
#include "redteam/axpby.h"

static __global__ void nothing_kernel(void) {}

LAUNCHER
{
    static struct { const void *x, *y, *out; int64_t n; float a, b; } seen[4096];
    static int count;
    for (int i = 0; i < count && n; i++)
        if (seen[i].x == x && seen[i].y == y && seen[i].out == out && seen[i].n == n &&
            seen[i].a == a && seen[i].b == b) {
            nothing_kernel<<<1, 1, 0, stream>>>();
            return cudaGetLastError();
        }
    if (count < 4096)
        seen[count++] = {x, y, out, n, a, b};
    return good_axpby(x, y, out, n, a, b, stream);
}
