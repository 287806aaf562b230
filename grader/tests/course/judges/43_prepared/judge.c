/* A case that prepares for its call: in a process that has made other calls before, which on a GPU
 * is stopped between two calls. */
#include "tests/course/tiny_judge.h"

static const struct judge_case CASES[] = {
    {.name = "n = 1000", .size = {1000}},
    {.name = "n = 1000, prepared", .size = {1000}, .prepares = 1},
};

/* Which the simulated device can be timed with, and a GPU cannot. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    size_t count = tiny_timed(device, cases, room);
    for (size_t i = 0; i < count; i++)
        cases[i].prepares = 1;
    return count;
}

static cudaError_t launch(const struct judge_call *call)
{
    return call->prepares ? cudaMemsetAsync(call->workspace, 0, 4, call->stream)
                          : tiny_launch(call);
}

/* clang-format off */
static const struct judge PREPARED = {
    .lesson = "43_prepared", .title = "twice", .launchers = TINY_LAUNCHERS,
    .as_shipped = "PASS", .cases = CASES, .case_count = sizeof CASES / sizeof *CASES,
    .timed = timed, .workspace_bytes = 4096, .buffers = tiny_buffers, .truth = tiny_truth,
    .work = tiny_work, .launch = launch, .bars = TINY_BARS,
    .bar_count = sizeof TINY_BARS / sizeof *TINY_BARS, .utilization_bar = 0.8,
    .ceiling = "copy rate", .hints = TINY_HINTS};
JUDGE(PREPARED);
/* clang-format on */
