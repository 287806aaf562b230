/* check_crew.c - every task is done once and reported in order, whatever becomes of a worker. */
#include "lib/crew.h"

#include "lib/process.h"
#include "tests/check_main.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS = 20 };

static size_t told[TASKS], told_count;
static char reasons[TASKS][32];

static bool odd_ones_hold(void *context, size_t task, struct crew_outcome *outcome)
{
    (void)context;
    usleep(task % 3 == 0 ? 20000 : 1000); /* later tasks are done before earlier ones */
    outcome->holds = task % 2;
    snprintf(outcome->reason, sizeof outcome->reason, "task %zu", task);
    return true;
}

static bool third_one_kills(void *context, size_t task, struct crew_outcome *outcome)
{
    if (task == 3)
        raise(SIGKILL);
    return odd_ones_hold(context, task, outcome);
}

static bool waits_for_ever(void *context, size_t task, struct crew_outcome *outcome)
{
    (void)context, (void)task, (void)outcome;
    return pause() == 0; /* until it is interrupted */
}

static void note(void *context, size_t task, const struct crew_outcome *outcome)
{
    (void)context;
    told[told_count] = outcome->done && outcome->holds;
    snprintf(reasons[told_count++], sizeof *reasons, "%.31s", outcome->reason);
    ck_assert_uint_eq(task, told_count - 1);
}

static void note_any(void *context, size_t task, const struct crew_outcome *outcome)
{
    (void)context;
    told[task]++;
    ck_assert(outcome->done);
    told_count++;
}

START_TEST(each_task_is_told_once_as_it_ends)
{
    struct crew crew = {.tasks = TASKS,
                        .workers = 3,
                        .in_any_order = true,
                        .work = odd_ones_hold,
                        .tell = note_any};
    memset(told, 0, sizeof told);
    told_count = 0;
    ck_assert(crew_run(&crew));
    ck_assert_uint_eq(told_count, TASKS);
    for (size_t i = 0; i < TASKS; i++)
        ck_assert_uint_eq(told[i], 1);
}
END_TEST

static bool run(bool (*work)(void *, size_t, struct crew_outcome *), size_t workers)
{
    struct crew crew = {.tasks = TASKS, .workers = workers, .work = work, .tell = note};
    told_count = 0;
    return crew_run(&crew);
}

START_TEST(every_task_is_told_in_order)
{
    for (size_t workers = 1; workers < 5; workers++) {
        ck_assert(run(odd_ones_hold, workers));
        ck_assert_uint_eq(told_count, TASKS);
        for (size_t i = 0; i < TASKS; i++)
            ck_assert_uint_eq(told[i], i % 2);
        ck_assert_str_eq(reasons[7], "task 7");
    }
}
END_TEST

START_TEST(a_worker_that_dies_takes_only_its_own_task_with_it)
{
    ck_assert(run(third_one_kills, 3));
    ck_assert_uint_eq(told_count, TASKS);
    ck_assert_uint_eq(told[3], 0);
    for (size_t i = 5; i < TASKS; i += 2)
        ck_assert_uint_eq(told[i], 1);
}
END_TEST

START_TEST(if_all_workers_die_the_rest_does_not_hold)
{
    ck_assert(run(third_one_kills, 1));
    ck_assert_uint_eq(told_count, TASKS);
    ck_assert_uint_eq(told[1], 1);
    ck_assert_uint_eq(told[5], 0);
}
END_TEST

/* Last, since it marks this process as interrupted; in a child, where that does no harm. */
START_TEST(an_interrupt_ends_all_workers)
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        process_adopt_orphans();
        _exit(run(waits_for_ever, 2) ? 1 : 0);
    }
    usleep(200000);
    kill(child, SIGTERM);
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

TESTS("crew", every_task_is_told_in_order, each_task_is_told_once_as_it_ends,
      a_worker_that_dies_takes_only_its_own_task_with_it, if_all_workers_die_the_rest_does_not_hold,
      an_interrupt_ends_all_workers)
