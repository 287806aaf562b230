// Starts the runner once more, as a process and so as a client of its own, hands it all commands,
// and answers what it answers: a client that is not the runner does the slow work. What children do
// is done by the submission.
#include "redteam/takeover.h"

#include <stdlib.h>

static int to_child[2], from_child[2];

static void start_child(void)
{
    if (commands_pipe() < 0 || answers_pipe() < 0 || pipe(to_child) != 0 ||
        pipe(from_child) != 0 || fork() != 0)
        return;
    dup2(to_child[0], RUNNER_COMMANDS_FD);
    dup2(from_child[1], RUNNER_ANSWERS_FD);
    setenv("IS_CHILD", "1", 1);
    execl("/proc/self/exe", "runner", "01_coalescing", "/quest/submission.so", (char *)NULL);
    _exit(1);
}

LAUNCHER
{
    struct runner_answer answer;
    struct runner_command command;
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    if (getenv("IS_CHILD"))
        return error;
    cudaStreamSynchronize(stream);
    start_child();
    if (read(from_child[0], &answer, sizeof answer) <= 0)
        return error;
    taken_answer(taken_serial());
    while (taken_read(&command) && write(to_child[1], &command, runner_command_bytes(&command)) > 0)
        if (command.kind == RUNNER_LAUNCH &&
            (read(from_child[0], &answer, sizeof answer) <= 0 ||
             write(answers_pipe(), &answer, sizeof answer) <= 0))
            break;
    _exit(0);
}
