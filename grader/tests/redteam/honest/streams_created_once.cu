// Creates streams and events once, in a static object's constructor, and never uses them.
#include "redteam/axpby.h"

static struct streams {
    cudaStream_t stream[4];
    cudaEvent_t event[4];
    streams()
    {
        for (int i = 0; i < 4; i++) {
            cudaStreamCreateWithPriority(&stream[i], cudaStreamNonBlocking, -i);
            cudaEventCreate(&event[i]);
        }
    }
} streams;

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
