/* check_small_ahead.c - what is prepared ahead is what each run would have prepared itself. */
#include "check/examine/small_ahead.h"

#include "check/examine/data.h"
#include "check/examine/history.h"
#include "tests/check_main.h"

#include <string.h>

enum { COUNT = 5000, CASES = 4, WAYS = 3, RUNS = CASES * WAYS };

static size_t one_output(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t count = COUNT + (uint64_t)problem->size[0];
    list[0] = (struct judge_buffer){.name = "x", JUDGE_IN, JUDGE_F32, count};
    list[1] = (struct judge_buffer){.name = "y", JUDGE_OUT, JUDGE_F32, count};
    return 2;
}

static void twice(const struct judge_case *problem, struct judge_host *host)
{
    (void)problem;
    for (uint64_t i = 0; i < host[1].count; i++)
        host[1].expected[i] = 2 * judge_element(host[0].input, JUDGE_F32, i);
}

static const struct judge TWICE = {.buffers = one_output, .truth = twice};
static const struct judge_case PROBLEMS[CASES] = {
    {.name = "first", .size = {1}},
    {.name = "of two processes", .size = {2}, .processes = 2},
    {.name = "in place", .size = {3}, .alias = 1},
    {.name = "last", .size = {4}}};
static const struct lab LAB = {.judge = &TWICE};
static struct small_case cases[CASES];
static struct small_run runs[RUNS];

static void list_runs(void)
{
    for (size_t i = 0; i < CASES; i++) {
        cases[i] = (struct small_case){.problem = &PROBLEMS[i], .seed = 100 + i};
        runs[3 * i] = (struct small_run){&cases[i], SMALL_CHECKED, 0};
        runs[3 * i + 1] = (struct small_run){&cases[i], SMALL_PLAIN, 0};
        runs[3 * i + 2] = (struct small_run){&cases[i], SMALL_PLAIN, 1};
    }
}

static void forget_all(void)
{
    for (size_t i = 0; i < CASES; i++)
        small_case_free(&cases[i]);
}

static void is_of_seed(const struct prepared *made, const struct judge_case *problem, uint64_t seed)
{
    struct prepared own;
    struct finding finding;
    ck_assert(prepare(&LAB, problem, seed, &own, &finding));
    ck_assert_uint_eq(made->image.total_bytes, own.image.total_bytes);
    ck_assert_mem_eq(made->image.bytes, own.image.bytes, own.image.total_bytes);
    ck_assert_mem_eq(made->hosts[1].expected, own.hosts[1].expected,
                     own.hosts[1].count * sizeof(double));
    prepared_free(&own);
}

/* Whatever is there, a run of its turn needs no more of. */
static void is_ready(const struct small_run *run)
{
    const struct small_case *of = run->of;
    bool again = run->number == 1 && of->problem->processes <= 1;
    ck_assert(of->is_prepared);
    is_of_seed(&of->prepared, of->problem, of->seed);
    if (of->problem->processes > 1)
        is_of_seed(&of->early[0], of->problem, data_seed(of->seed, 0));
    if (!again)
        return;
    ck_assert(of->is_prepared_again);
    is_of_seed(&of->afresh, of->problem, repeat_seed(of->seed, REPEAT_AFRESH));
    ck_assert_int_eq(of->changed.problem != NULL, history_applies(of->problem, &of->afresh.image));
}

START_TEST(each_run_finds_what_its_seed_says)
{
    list_runs();
    struct small_ahead *ahead = small_ahead_begin(&LAB, runs, RUNS);
    ck_assert_ptr_nonnull(ahead);
    for (size_t i = 0; i < RUNS; i++) {
        small_ahead_reach(ahead, i);
        is_ready(&runs[i]);
    }
    small_ahead_end(ahead);
    forget_all();
}
END_TEST

START_TEST(runs_that_are_left_out_keep_no_other_waiting)
{
    list_runs();
    struct small_ahead *ahead = small_ahead_begin(&LAB, runs, RUNS);
    small_ahead_reach(ahead, RUNS - 2);
    is_ready(&runs[RUNS - 2]);
    small_ahead_end(ahead);
    forget_all();
}
END_TEST

START_TEST(work_may_end_at_any_time)
{
    for (size_t last = 0; last < RUNS; last++) {
        list_runs();
        struct small_ahead *ahead = small_ahead_begin(&LAB, runs, RUNS);
        small_ahead_reach(ahead, last);
        small_ahead_end(ahead);
        forget_all();
    }
    small_ahead_reach(NULL, 0);
    small_ahead_end(NULL);
}
END_TEST

START_TEST(a_run_prepares_itself_where_nothing_was_made_ahead)
{
    struct finding finding;
    list_runs();
    for (size_t i = 0; i < RUNS; i++) {
        ck_assert(small_prepare(&LAB, &runs[i], &finding));
        is_ready(&runs[i]);
    }
    forget_all();
}
END_TEST

TESTS("small_ahead", each_run_finds_what_its_seed_says,
      runs_that_are_left_out_keep_no_other_waiting, work_may_end_at_any_time,
      a_run_prepares_itself_where_nothing_was_made_ahead)
