// Takes the runner's place, answers each launch at once, and has a thread do the work a little
// later.
#include "redteam/takeover.h"

#include <pthread.h>

static struct taken *line;
static struct runner_command late;

static void *works(void *data)
{
    usleep(3000);
    taken_axpby(line, &late, true);
    return data;
}

static void answer_first(struct taken *taken, const struct runner_command *command)
{
    pthread_t thread;
    line = taken;
    late = *command;
    if (command->launch.launches && pthread_create(&thread, NULL, works, NULL) == 0)
        pthread_detach(thread);
}

LAUNCHER
{
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    take_over(answer_first);
    return error;
}
