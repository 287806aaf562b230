/* What is kept in memory ends with its process. */
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

/* The first process is to put something aside, and no more. */
static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    size_t count = tiny_buffers(problem, list);
    list[1].process = 2;
    return count;
}

static cudaError_t launch(const struct judge_call *call)
{
    typedef cudaError_t put(float, const char *);
    typedef cudaError_t take(const char *, const float *, float *, int, cudaStream_t);
    const float *x = call->buffers[0];
    if (call->process == 0)
        return ((put *)call->symbols[0])(2, call->file);
    return ((take *)call->symbols[1])(call->file, x, call->buffers[1], (int)call->problem->size[0],
                                      call->stream);
}

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .message = "more than one launch", .look_at = "one will do"},
    {JUDGE_HANDED_BYTES, .at_most = sizeof(float), .message = "more than a factor",
     .look_at = "one float will do"},
};

/* clang-format off */
static const struct judge ASIDE = {
    .lesson = "31_next_process", .title = "put aside", .launchers = LAUNCHERS,
    .as_shipped = "LAUNCH_ERROR safety", .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES, .timed = timed, .buffers = buffers,
    .truth = tiny_truth, .work = tiny_work, .launch = launch, .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS, .utilization_bar = 0.8, .ceiling = "copy rate",
    .hints = TINY_HINTS};
JUDGE(ASIDE);
/* clang-format on */
