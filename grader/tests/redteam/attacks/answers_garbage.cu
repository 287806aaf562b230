// Fills the pipe of answers with what is none.
#include "redteam/axpby.h"
#include "redteam/pipes.h"
#include "runner/protocol.h"

#include <string.h>
#include <unistd.h>

LAUNCHER
{
    char garbage[60000];
    memset(garbage, 0x41, sizeof garbage);
    if (write(answers_pipe(), garbage, sizeof garbage) < 0)
        return cudaErrorUnknown;
    return slow_axpby(x, y, out, n, a, b, stream);
}
