/* check_observed.c - right outputs prove nothing without the work that made them. */
#include "check/examine/observed.h"

#include "tests/check_main.h"

#include <string.h>

enum { ELEMENTS = 100, OUT_BYTES = ELEMENTS * 4 };

static size_t one_in_one_out(const struct judge_case *problem, struct judge_buffer *buffers)
{
    enum judge_role role = problem->script ? JUDGE_INOUT : JUDGE_OUT;
    buffers[0] = (struct judge_buffer){.name = "x", .role = JUDGE_IN, .count = ELEMENTS};
    buffers[1] = (struct judge_buffer){.name = "y", .role = role, .count = ELEMENTS};
    return 2;
}

static struct judge_work work_of(const struct judge_case *problem)
{
    return (struct judge_work){.bytes = problem->size[0] ? 2 * OUT_BYTES : 0,
                               .launches = (double)problem->size[1]};
}

static const char *const LIBRARIES[] = {"cublasLt", NULL};
static struct judge judge;
static struct judge_case problem;
static struct simgpu_launch launch;
static struct simgpu_report report;
static struct figures figures;
static struct finding finding;

/* One kernel that stores the output, in a case with work. */
static void start(void)
{
    judge = (struct judge){.buffers = one_in_one_out, .work = work_of};
    problem = (struct judge_case){.size = {1}};
    launch = (struct simgpu_launch){
        .global_store.distinct_bytes = OUT_BYTES, .blocks = 4, .blocks_run = 4};
    report =
        (struct simgpu_report){.launches = &launch, .launch_count = 1, .calls = {.launches = 1}};
    figures = (struct figures){.sums.modelled_ns = 5};
    figures.counter[JUDGE_SYNCHRONISATIONS] = figure_number(0);
    finding = (struct finding){.verdict = VERDICT_PASS};
}

static enum verdict found(void)
{
    const struct lab lab = {.judge = &judge};
    bool well = observed(&lab, &problem, &report, &figures, &finding);
    ck_assert(well == (finding.verdict == VERDICT_PASS));
    return finding.verdict;
}

START_TEST(what_was_seen_is_well)
{
    start();
    ck_assert_int_eq(found(), VERDICT_PASS);
    start();
    launch.global_store.distinct_bytes = 0;
    launch.global_reduction.distinct_bytes = OUT_BYTES / 2;
    report.calls.moved_bytes = OUT_BYTES / 2;
    ck_assert_int_eq(found(), VERDICT_PASS);
}
END_TEST

START_TEST(without_a_kernel_a_copy_or_a_set_nothing_is_proved)
{
    start();
    report = (struct simgpu_report){.launch_count = 0};
    ck_assert_int_eq(found(), VERDICT_IMPOSSIBLE);
    start();
    report = (struct simgpu_report){.launch_count = 0};
    problem.size[0] = 0; /* nothing to do */
    ck_assert_int_eq(found(), VERDICT_PASS);
}
END_TEST

START_TEST(the_outputs_bytes_are_stored)
{
    start();
    launch.global_store.distinct_bytes = OUT_BYTES - 1;
    ck_assert_int_eq(found(), VERDICT_IMPOSSIBLE);
    start();
    launch.global_store.distinct_bytes = 0;
    problem.script = 1; /* in place: it may be right as it is */
    ck_assert_int_eq(found(), VERDICT_PASS);
}
END_TEST

START_TEST(a_librarys_products_store_where_the_lesson_names_it)
{
    start();
    launch.global_store.distinct_bytes = 0;
    report.calls.library_products = 1;
    ck_assert_int_eq(found(), VERDICT_IMPOSSIBLE);
    start();
    launch.global_store.distinct_bytes = 0;
    report.calls.library_products = 1;
    judge.libraries = LIBRARIES;
    ck_assert_int_eq(found(), VERDICT_PASS);
}
END_TEST

START_TEST(each_product_that_was_asked_for_is_seen)
{
    start();
    problem.size[1] = 3;
    report.calls.launches = 2;
    ck_assert_int_eq(found(), VERDICT_IMPOSSIBLE);
    start();
    problem.size[1] = 3;
    report.calls.launches = 4; /* copies of odd rows, say */
    ck_assert_int_eq(found(), VERDICT_PASS);
}
END_TEST

START_TEST(the_runners_wait_and_some_time_are_seen)
{
    start();
    figures.counter[JUDGE_SYNCHRONISATIONS] = figure_number(-1);
    ck_assert_int_eq(found(), VERDICT_IMPOSSIBLE);
    start();
    figures.counter[JUDGE_SYNCHRONISATIONS] = figure_unknown("");
    ck_assert_int_eq(found(), VERDICT_IMPOSSIBLE);
    start();
    figures.sums.modelled_ns = 0;
    ck_assert_int_eq(found(), VERDICT_IMPOSSIBLE);
}
END_TEST

TESTS("observed", what_was_seen_is_well, without_a_kernel_a_copy_or_a_set_nothing_is_proved,
      the_outputs_bytes_are_stored, a_librarys_products_store_where_the_lesson_names_it,
      each_product_that_was_asked_for_is_seen, the_runners_wait_and_some_time_are_seen)
