// Works on the legacy stream, asked for by its handle and not by leaving the stream out.
#include "redteam/axpby.h"

LAUNCHER
{
    (void)stream;
    return good_axpby(x, y, out, n, a, b, cudaStreamLegacy);
}
