/* check_turn.c - which checks share a device, which wait for it, and that none overtakes
 * another. */
#include "check/examine/turn.h"

#include "tests/check_main.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[64];

static void start(void)
{
    snprintf(name, sizeof name, "/tmp/check_turn-%d", (int)getpid());
}

static void forget(void)
{
    static const char *const ENDINGS[] = {"", ".door", ".memory"};
    for (int i = 0; i < 3; i++) {
        char file[80];
        snprintf(file, sizeof file, "%s%s", name, ENDINGS[i]);
        unlink(file);
    }
}

/* Could another process lock that file so, now? */
static bool is_free(const char *ending, int how)
{
    char file[80];
    snprintf(file, sizeof file, "%s%s", name, ending);
    int descriptor = open(file, O_RDWR);
    bool locked = flock(descriptor, how | LOCK_NB) == 0;
    close(descriptor);
    return locked;
}

START_TEST(results_are_looked_at_together_and_times_alone)
{
    struct turn turn;
    start();
    turn_open(&turn, name);
    ck_assert(is_free("", LOCK_EX));
    turn_share(&turn);
    ck_assert(is_free("", LOCK_SH));
    ck_assert(!is_free("", LOCK_EX));
    turn_alone(&turn);
    ck_assert(!is_free("", LOCK_SH));
    turn_share(&turn);
    ck_assert(is_free("", LOCK_SH));
    turn_close(&turn);
    ck_assert(is_free("", LOCK_EX));
    forget();
}
END_TEST

START_TEST(memory_is_filled_by_one_at_a_time)
{
    struct turn turn;
    start();
    turn_open(&turn, name);
    turn_share(&turn);
    turn_take_memory(&turn);
    ck_assert(!is_free(".memory", LOCK_EX));
    ck_assert(is_free("", LOCK_SH));
    turn_give_memory(&turn);
    ck_assert(is_free(".memory", LOCK_EX));
    turn_close(&turn);
    forget();
}
END_TEST

/* It waits, and keeps the door meanwhile, so that no other is let in before it. */
START_TEST(who_waits_to_be_alone_is_not_passed)
{
    struct turn turn;
    int status;
    start();
    turn_open(&turn, name);
    turn_share(&turn);
    pid_t other = fork();
    if (other == 0) {
        struct turn its;
        turn_close(&turn); /* the parent's goes on */
        turn_open(&its, name);
        turn_alone(&its);
        _exit(its.waited_seconds > 0.01 ? 0 : 1);
    }
    while (is_free(".door", LOCK_EX))
        usleep(1000);
    usleep(50000);
    ck_assert(!is_free(".door", LOCK_EX));
    turn_close(&turn);
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    forget();
}
END_TEST

START_TEST(without_a_name_there_are_no_turns)
{
    struct turn turn;
    turn_open(&turn, "");
    turn_share(&turn);
    turn_alone(&turn);
    turn_take_memory(&turn);
    turn_give_memory(&turn);
    ck_assert_double_eq_tol(turn.waited_seconds, 0, 0.001);
    turn_close(&turn);
}
END_TEST

TESTS("turn", results_are_looked_at_together_and_times_alone, memory_is_filled_by_one_at_a_time,
      who_waits_to_be_alone_is_not_passed, without_a_name_there_are_no_turns)
