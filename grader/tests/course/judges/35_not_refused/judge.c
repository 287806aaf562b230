/* A negative n has to be refused. */
#include "tests/course/tiny_judge.h"

static const struct judge_case CASES[] = {
    {.name = "n = 33", .size = {33}},
    {.name = "n = -1", .size = {-1}, .refused_with = cudaErrorInvalidValue},
    {.name = "n = 1000", .size = {1000}},
};

/* clang-format off */
static const struct judge ARGUMENTS = {
    .lesson = "35_not_refused", .title = "twice", .launchers = TINY_LAUNCHERS,
    .as_shipped = "ARGUMENTS numerics", .cases = CASES, .case_count = sizeof CASES / sizeof *CASES,
    .timed = tiny_timed, .buffers = tiny_buffers, .truth = tiny_truth, .work = tiny_work,
    .launch = tiny_launch, .bars = TINY_BARS, .bar_count = sizeof TINY_BARS / sizeof *TINY_BARS,
    .utilization_bar = 0.8, .ceiling = "copy rate", .hints = TINY_HINTS};
JUDGE(ARGUMENTS);
/* clang-format on */
