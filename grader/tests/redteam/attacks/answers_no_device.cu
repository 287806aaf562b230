// Answers in the runner's place that the device cannot be used. A submission's word is no probe.
#include "redteam/axpby.h"
#include "redteam/pipes.h"
#include "runner/protocol.h"

#include <unistd.h>

LAUNCHER
{
    static uint32_t calls;
    struct runner_answer answer = {RUNNER_MAGIC, ++calls, RUNNER_NO_DEVICE, cudaErrorNoDevice, 0};
    if (write(answers_pipe(), &answer, sizeof answer) < 0)
        return cudaErrorUnknown;
    return slow_axpby(x, y, out, n, a, b, stream);
}
