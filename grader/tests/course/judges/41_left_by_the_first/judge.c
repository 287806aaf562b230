/* What one process has left in an output does not count as the next one's work. */
#include "tests/course/common/aside.h"
#include "tests/course/tiny_judge.h"

static const char *const LAUNCHERS[] = {"put_aside", "take_up", NULL};

static const struct judge_case CASES[] = {
    {.name = "n = 33", .size = {33}, .processes = 2},
    {.name = "n = 1000", .size = {1000}, .processes = 2},
};

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    size_t count = tiny_timed(device, cases, room);
    cases[0].processes = 2;
    return count;
}

/* Both processes have the same to do. */
static cudaError_t launch(const struct judge_call *call)
{
    typedef cudaError_t put(float, const char *);
    typedef cudaError_t take(const char *, const float *, float *, int, cudaStream_t);
    cudaError_t error = cudaSuccess;
    if (call->process == 0)
        error = ((put *)call->symbols[0])(2, call->file);
    if (error != cudaSuccess)
        return error;
    return ((take *)call->symbols[1])(call->file, call->buffers[0], call->buffers[1],
                                      (int)call->problem->size[0], call->stream);
}

/* clang-format off */
static const struct judge LEFT = {
    .lesson = "41_left_by_the_first", .title = "put aside", .launchers = LAUNCHERS,
    .as_shipped = "WRONG numerics", .cases = CASES, .case_count = sizeof CASES / sizeof *CASES,
    .timed = timed, .buffers = tiny_buffers, .truth = tiny_truth, .work = tiny_work,
    .launch = launch, .bars = TINY_BARS, .bar_count = sizeof TINY_BARS / sizeof *TINY_BARS,
    .utilization_bar = 0.8, .ceiling = "copy rate", .hints = TINY_HINTS};
JUDGE(LEFT);
/* clang-format on */
