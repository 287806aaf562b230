// The same before the first call, in place of the sign that the submission is loaded.
#include "redteam/axpby.h"
#include "redteam/pipes.h"
#include "runner/protocol.h"

#include <unistd.h>

__attribute__((constructor)) static void answer(void)
{
    struct runner_answer answer = {RUNNER_MAGIC, 0, RUNNER_NO_DEVICE, cudaErrorNoDevice, 0};
    _exit(write(answers_pipe(), &answer, sizeof answer) < 0);
}

LAUNCHER
{
    return slow_axpby(x, y, out, n, a, b, stream);
}
