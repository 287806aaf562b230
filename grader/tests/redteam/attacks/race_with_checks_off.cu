// Relies on lockstep within a warp, which is a race, and switches the device's checks off, if it
// finds a line that may control it.
#include "redteam/control.h"

__attribute__((constructor)) static void switch_off(void)
{
    struct request options = {.kind = REQUEST_OPTIONS};
    struct reply reply;
    int line = line_in_control();
    options.options.count = 1;
    if (line >= 0) // after the grader set the stage's own
        line_ask(line, &options, &reply);
}

#include "judges/03_divergence/wrong/relies_on_lockstep.cu"
