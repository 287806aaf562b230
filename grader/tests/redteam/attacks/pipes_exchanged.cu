// Puts its log in place of the pipe of answers and the other way round, so that what it prints is
// an answer and what the runner answers is printed.
#include "redteam/axpby.h"
#include "redteam/pipes.h"
#include "runner/protocol.h"

#include <unistd.h>

LAUNCHER
{
    static int exchanged;
    if (!exchanged++) {
        int answers = dup(answers_pipe());
        dup2(STDERR_FILENO, answers_pipe());
        dup2(answers, STDERR_FILENO);
        dup2(answers, STDOUT_FILENO);
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
