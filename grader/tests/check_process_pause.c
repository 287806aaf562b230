/* check_process_pause.c - a paused process does nothing, and neither does any process that it has
 * started; what they have run is counted together. */
#include "lib/process.h"

#include "tests/check_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[64];
static struct process_tree tree;

static pid_t start(const char *script)
{
    static const char *argv[] = {"sh", "-c", NULL, NULL};
    int nothing = open("/dev/null", O_RDWR), file;
    snprintf(name, sizeof name, "/tmp/check_process_pause.%d", getpid());
    file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
    argv[2] = script;
    struct process_spec spec = {.argv = argv, .fds = {nothing, file, nothing}, .fd_count = 3};
    pid_t pid = process_start(&spec);
    close(nothing);
    close(file);
    return pid;
}

static long long written(void)
{
    struct stat file;
    return stat(name, &file) == 0 ? (long long)file.st_size : -1;
}

static void wait_for_more_than(long long bytes)
{
    for (int i = 0; written() <= bytes && i < 5000; i++)
        usleep(1000);
    ck_assert_int_gt(written(), bytes);
}

/* Writes on in a process of its own session, in one below that, and in the first. */
static const char *const BUSY =
    "work() { while :; do echo; done; }; setsid sh -c 'while :; do echo; done & "
    "while :; do echo; done' & work";

START_TEST(nothing_of_a_paused_tree_runs_until_it_goes_on)
{
    process_adopt_orphans();
    pid_t pid = start(BUSY);
    for (int again = 0; again < 3; again++) {
        wait_for_more_than(written() + 1000);
        ck_assert(process_pause(pid, &tree, 2000000000));
        long long before = written();
        usleep(30000);
        ck_assert_int_eq(written(), before);
        process_resume(&tree);
    }
    wait_for_more_than(written());
    process_end(pid);
    unlink(name);
}
END_TEST

/* Once it is known, a tree need not be walked to be stopped. */
START_TEST(a_known_tree_is_halted_at_once)
{
    process_adopt_orphans();
    pid_t pid = start(BUSY);
    wait_for_more_than(1000);
    usleep(300000); /* until all three are there */
    ck_assert(process_pause(pid, &tree, 2000000000));
    ck_assert_uint_ge(tree.count, 3);
    process_resume(&tree);
    wait_for_more_than(written() + 1000);
    process_halt(&tree);
    usleep(30000);
    long long before = written();
    usleep(30000);
    ck_assert_int_eq(written(), before);
    process_resume(&tree);
    process_end(pid);
    unlink(name);
}
END_TEST

/* It starts process after process, each of which starts the next. */
START_TEST(what_starts_others_all_the_time_is_paused_too)
{
    process_adopt_orphans();
    pid_t pid = start("while :; do sh -c 'echo; sh -c echo'; done");
    wait_for_more_than(10);
    ck_assert(process_pause(pid, &tree, 2000000000));
    long long before = written();
    usleep(30000);
    ck_assert_int_eq(written(), before);
    process_resume(&tree);
    process_end(pid);
    unlink(name);
}
END_TEST

START_TEST(a_paused_tree_ends_where_it_is)
{
    process_adopt_orphans();
    pid_t pid = start(BUSY);
    wait_for_more_than(1000);
    ck_assert(process_pause(pid, &tree, 2000000000));
    long long before = written();
    process_kill(&tree);
    int64_t start_ns = process_now_ns();
    process_wait(pid, 1000000000);
    ck_assert_int_lt(process_now_ns() - start_ns, 900000000);
    ck_assert_int_eq(written(), before);
    unlink(name);
}
END_TEST

START_TEST(what_has_ended_counts_as_paused)
{
    process_adopt_orphans();
    pid_t pid = start("exit 0");
    usleep(50000);
    ck_assert(process_pause(pid, &tree, 1000000000));
    process_resume(&tree);
    ck_assert_int_eq(process_wait(pid, 1000000000), 0);
    unlink(name);
}
END_TEST

/* A shell whose child waits while the grandchild works. */
START_TEST(a_tree_is_counted_without_its_first_generations)
{
    process_adopt_orphans();
    pid_t pid = start("sh -c 'sh -c \"while :; do echo; done\"; true'; true");
    wait_for_more_than(1000);
    uint64_t waiting_ns = process_tree_ran_ns(pid, 0) - process_tree_ran_ns(pid, 2);
    uint64_t from_ns = process_tree_ran_ns(pid, 2);
    wait_for_more_than(written() + 100000);
    ck_assert(process_pause(pid, &tree, 2000000000));
    uint64_t all_ns = process_tree_ran_ns(pid, 0), deep_ns = process_tree_ran_ns(pid, 2);
    ck_assert_uint_gt(deep_ns, from_ns);
    ck_assert_uint_gt(all_ns, deep_ns);
    ck_assert_uint_le(all_ns - deep_ns, waiting_ns + 1000000);
    ck_assert_uint_eq(process_tree_ran_ns(pid, 3), 0);
    process_resume(&tree);
    process_end(pid);
    unlink(name);
}
END_TEST

TESTS("process_pause", nothing_of_a_paused_tree_runs_until_it_goes_on,
      a_known_tree_is_halted_at_once, what_starts_others_all_the_time_is_paused_too,
      a_paused_tree_ends_where_it_is, what_has_ended_counts_as_paused,
      a_tree_is_counted_without_its_first_generations)
