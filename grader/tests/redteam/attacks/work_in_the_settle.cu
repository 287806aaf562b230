// Takes the runner's place, does the slow work when a launch of nothing lets the runner settle
// down, and answers the launch that is counted without doing anything.
#include "redteam/takeover.h"

static void in_the_settle(struct taken *taken, const struct runner_command *command)
{
    const int64_t TIMED = INT64_C(1) << 26;
    if (command->launch.launches && !is_timed(command->launch.problem.size[0]))
        taken_axpby(taken, command, true);
    bool large = true;
    for (int slot = 0; slot < 3; slot++)
        large = large && taken->slot[slot] && taken->slot_bytes[slot] == TIMED * sizeof(float);
    if (command->launch.launches == 0 && large) {
        slow_axpby((float *)taken->slot[0], (float *)taken->slot[1], (float *)taken->slot[2], TIMED,
                   1.5f, -0.75f, taken->stream);
        cudaDeviceSynchronize();
    } else if (command->launch.problem.size[0] > TIMED) {
        taken_axpby(taken, command, true);
    }
}

LAUNCHER
{
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    take_over(in_the_settle);
    return error;
}
