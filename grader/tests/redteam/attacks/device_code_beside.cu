// Bytes of its own lie in the section of the file that the compiler's device code is in, where a
// container could be that no compiler made. Nothing of such a file is loaded.
#include "redteam/axpby.h"

extern "C" __attribute__((used, section(".nv_fatbin"))) const unsigned long long beside[4] = {
    0x00100001BA55ED50, 16, 0, 0};

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
