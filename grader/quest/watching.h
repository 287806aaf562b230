/* watching.h - `make watch`: a check at each save of the exercise, and single keys for the rest. */
#ifndef QUEST_WATCHING_H
#define QUEST_WATCHING_H

#include "check/course.h"
#include "lib/terminal.h"

struct watch_request {
    const struct course *course;
    const char *lesson; /* as typed; NULL for the first that has not been passed */
    const char *device; /* for the checks: "sim", "gpu" or "auto" */
};

/* Until q, Ctrl-C or a signal; returns an exit status. Both ends have to be a terminal. */
int quest_watch(const struct watch_request *request, const struct terminal *terminal);

#endif
