/* A result that is off by more than the judge allows is wrong, even if it is as close to the
 * solution's as most roundings are; also where a GPU is timed, since the truth of an element is
 * known. */
#include "tests/course/tiny_judge.h"

static void truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    (void)problem, (void)output;
    for (uint64_t i = 0; i < count; i++) {
        float x;
        judge_input(inputs, 0, first + i, 1, &x);
        expected[i] = 2.0 * x;
        allowed[i] = 0x1p-20;
    }
}

/* clang-format off */
static const struct judge OFF = {
    .lesson = "42_off_by_a_little", .title = "twice", .launchers = TINY_LAUNCHERS,
    .as_shipped = "WRONG numerics", .cases = TINY_CASES,
    .case_count = sizeof TINY_CASES / sizeof *TINY_CASES, .timed = tiny_timed,
    .buffers = tiny_buffers, .truth = tiny_truth, .truth_at = truth_at, .work = tiny_work,
    .launch = tiny_launch, .bars = TINY_BARS, .bar_count = sizeof TINY_BARS / sizeof *TINY_BARS,
    .utilization_bar = 0.8, .ceiling = "copy rate", .hints = TINY_HINTS};
JUDGE(OFF);
/* clang-format on */
