/* check_work_clock.c - a clock stands still while other work has the processors, but not for what a
 * program does to itself. All of it runs on one processor, next to busy loops. */
#include "lib/process.h"

#include "tests/check_main.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND INT64_C(1000000)

enum { LOADS = 8, OWN = 16, TRIAL_MS = 1000 };

static pid_t loads[LOADS];

static void use_one_processor(void)
{
    cpu_set_t all, one;
    int processor = 0;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(processor, &all))
        processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
}

static void spin(void)
{
    for (volatile unsigned turn = 0;; turn++)
        ;
}

static pid_t start(void (*work)(void))
{
    pid_t pid = fork();
    if (pid == 0) {
        work();
        _exit(0);
    }
    ck_assert_int_gt(pid, 0);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Others, whom the clock is not for: they are not below what it watches. */
static void load(void)
{
    for (int i = 0; i < LOADS; i++)
        loads[i] = start(spin);
}

static void unload(void)
{
    for (int i = 0; i < LOADS; i++)
        end(loads[i]);
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void *spin_too(void *nothing)
{
    (void)nothing;
    spin();
    return NULL;
}

static void spin_in_many_threads(void)
{
    pthread_t thread;
    for (int i = 1; i < OWN; i++)
        pthread_create(&thread, NULL, spin_too, NULL);
    spin();
}

static int64_t processor_ns(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    ck_assert_int_eq(clock_getcpuclockid(pid, &clock), 0);
    ck_assert_int_eq(clock_gettime(clock, &used), 0);
    return used.tv_sec * 1000 * MILLISECOND + used.tv_nsec;
}

static double had_share; /* of the processor, in the latest trial */

/* The share of the wall's time that passes for work. */
static double share_of(void (*work)(void), bool by_states)
{
    static struct work_watch watch;
    pid_t pid = start(work);
    usleep(50000);
    work_watch_open(&watch, pid);
    watch.by_states = by_states;
    const struct work_moment from = work_watch_look(&watch);
    int64_t had_ns = processor_ns(pid);
    struct work_moment to = from;
    while (to.wall_ns < from.wall_ns + TRIAL_MS * MILLISECOND) {
        usleep(20000);
        to = work_watch_look(&watch);
    }
    had_share = (double)(processor_ns(pid) - had_ns) / (double)(to.wall_ns - from.wall_ns);
    end(pid);
    return (double)work_between_ns(&from, &to) / (double)(to.wall_ns - from.wall_ns);
}

START_TEST(one_that_computes_beside_others_has_its_share)
{
    use_one_processor();
    load();
    double share = share_of(spin, false), seen = share_of(spin, true);
    unload();
    ck_assert_double_lt(share, 0.25); /* a ninth */
    ck_assert_double_lt(seen, 0.4);
}
END_TEST

START_TEST(one_that_sleeps_beside_others_has_all_the_time)
{
    use_one_processor();
    load();
    double share = share_of(sleep_for_ever, false), seen = share_of(sleep_for_ever, true);
    unload();
    ck_assert_double_gt(share, 0.9);
    ck_assert_double_gt(seen, 0.9);
}
END_TEST

/* Else a submission could make itself time. */
START_TEST(threads_that_keep_each_other_waiting_stop_no_clock)
{
    use_one_processor();
    /* Less than all of the time, where others work on this machine, too. */
    double share = share_of(spin_in_many_threads, false);
    ck_assert_double_gt(share, 0.8 * had_share);
    double seen = share_of(spin_in_many_threads, true);
    ck_assert_double_gt(seen, 0.8 * had_share - 0.1); /* ticks of 16 threads */
}
END_TEST

START_TEST(many_threads_beside_others_pay_with_the_time_they_take)
{
    use_one_processor();
    load();
    double alone = share_of(spin, false), share = share_of(spin_in_many_threads, false);
    unload();
    ck_assert_double_gt(share, alone);
}
END_TEST

/* --- Of figures ------------------------------------------------------------------------------- */

static int64_t between_ms(int64_t wall, int64_t ran, int64_t waited)
{
    const struct work_moment from = {0},
                             to = {wall * MILLISECOND, ran * MILLISECOND, waited * MILLISECOND};
    return work_between_ns(&from, &to) / MILLISECOND;
}

START_TEST(figures_of_a_stretch_say_what_passed)
{
    use_one_processor();
    ck_assert_int_eq(between_ms(1000, 0, 0), 1000);        /* it sleeps */
    ck_assert_int_eq(between_ms(1000, 1000, 0), 1000);     /* it runs */
    ck_assert_int_eq(between_ms(1000, 100, 900), 100);     /* it runs a tenth, and waits */
    ck_assert_int_eq(between_ms(1000, 100, 400), 600);     /* and sleeps the other half */
    ck_assert_int_eq(between_ms(1000, 500, 1500), 500);    /* it has half, by many threads */
    ck_assert_int_eq(between_ms(1000, 1000, 15000), 1000); /* it has all: nothing to complain of */
}
END_TEST

/* --- Deadlines -------------------------------------------------------------------------------- */

START_TEST(a_deadline_of_work_is_not_met_while_others_have_the_processor)
{
    static struct work_clock clock;
    use_one_processor();
    load();
    pid_t pid = start(spin);
    work_clock_open(&clock, pid);
    struct work_deadline deadline = work_clock_in(&clock, 400 * MILLISECOND);
    int64_t begin_ns = process_now_ns();
    while (work_clock_left_ns(&clock, &deadline) > 0)
        usleep(20000);
    double took_ms = (double)(process_now_ns() - begin_ns) / MILLISECOND;
    end(pid);
    unload();
    ck_assert_double_gt(took_ms, 800);
}
END_TEST

START_TEST(a_deadline_that_only_the_wall_has_met_is_the_machines_fault)
{
    static struct work_clock clock;
    use_one_processor();
    load();
    pid_t pid = start(spin);
    work_clock_open(&clock, pid);
    struct work_deadline deadline = work_clock_in(&clock, 1000 * MILLISECOND);
    deadline.wall_ns = process_now_ns() + 800 * MILLISECOND;
    while (work_clock_left_ns(&clock, &deadline) > 0)
        usleep(20000);
    bool was_busy = work_clock_was_busy(&clock, &deadline);
    end(pid);
    unload();
    ck_assert(was_busy);
}
END_TEST

TESTS("work_clock", one_that_computes_beside_others_has_its_share,
      one_that_sleeps_beside_others_has_all_the_time,
      threads_that_keep_each_other_waiting_stop_no_clock,
      many_threads_beside_others_pay_with_the_time_they_take, figures_of_a_stretch_say_what_passed,
      a_deadline_of_work_is_not_met_while_others_have_the_processor,
      a_deadline_that_only_the_wall_has_met_is_the_machines_fault)
