/* tiny_judge.h - the judge of every lesson of the fixture course; they differ only in their key and
 * in the verdict that their exercise must get. */
#ifndef TESTS_TINY_JUDGE_H
#define TESTS_TINY_JUDGE_H

#include "check/judge.h"
#include "tests/course/common/tiny.h"

#include <math.h>

static const char *const TINY_LAUNCHERS[] = {"tiny", NULL};

static const struct judge_case TINY_CASES[] = {
    {.name = "n = 0", .size = {0}},
    {.name = "n = 1", .size = {1}},
    {.name = "n = 33", .size = {33}},
    {.name = "n = 1000", .size = {1000}},
    {.name = "n = 1000, out one element off", .size = {1000}, .offset_bytes = {0, 4}},
};

static size_t tiny_timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    (void)device;
    if (room == 0)
        return 0;
    cases[0] = (struct judge_case){.name = "n = 65536", .size = {65536}};
    return 1;
}

static size_t tiny_buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t n = (uint64_t)problem->size[0];
    list[0] = (struct judge_buffer){.name = "x", .role = JUDGE_IN, .count = n};
    list[1] = (struct judge_buffer){.name = "out", .role = JUDGE_OUT, .count = n};
    return 2;
}

static void tiny_truth(const struct judge_case *problem, struct judge_host *host)
{
    const float *x = host[0].input;
    (void)problem;
    for (uint64_t i = 0; i < host[1].count; i++) {
        host[1].expected[i] = 2.0 * x[i];
        host[1].allowed[i] = 0x1p-20;
    }
}

static struct judge_work tiny_work(const struct judge_case *problem)
{
    return (struct judge_work){.bytes = 8 * (double)problem->size[0]};
}

static inline cudaError_t tiny_launch(const struct judge_call *call)
{
    typedef cudaError_t launcher(const float *, float *, int, cudaStream_t);
    return ((launcher *)call->symbols[0])(call->buffers[0], call->buffers[1],
                                          (int)call->problem->size[0], call->stream);
}

static const struct judge_bar TINY_BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .message = "more than one launch", .look_at = "one will do"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "too many sectors",
     .look_at = "neighbouring lanes should read neighbouring addresses"},
};

static const char *const TINY_HINTS[] = {"one", "two", "three"};

/* clang-format off */
#define TINY_JUDGE(key, gets)                                                                   \
    static const struct judge TINY = {                                                          \
        .lesson = key, .title = "twice", .launchers = TINY_LAUNCHERS, .as_shipped = gets,       \
        .cases = TINY_CASES, .case_count = sizeof TINY_CASES / sizeof *TINY_CASES,              \
        .timed = tiny_timed, .buffers = tiny_buffers, .truth = tiny_truth, .work = tiny_work,   \
        .launch = tiny_launch, .bars = TINY_BARS,                                               \
        .bar_count = sizeof TINY_BARS / sizeof *TINY_BARS, .utilization_bar = 0.8,              \
        .ceiling = "copy rate", .hints = TINY_HINTS};                                           \
    JUDGE(TINY)
/* clang-format on */

#endif
