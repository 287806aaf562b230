// Takes the runner's place, answers a launch and reads nothing more: the grader's next commands
// fill the pipe, and a write without a deadline waits for ever.
#include "redteam/takeover.h"

static void sleep_on(struct taken *taken, const struct runner_command *command)
{
    if (command->launch.launches)
        taken_axpby(taken, command, true);
    taken_answer(command->launch.serial);
    for (;;)
        pause();
}

LAUNCHER
{
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    take_over(sleep_on);
    return error;
}
