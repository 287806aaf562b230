/* check_link.c - a runner is told what another one was told. No process is needed for that: what
 * the grader sends is read back from the pipe. */
#include "check/examine/link.h"

#include "tests/check_main.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct link first, next;
static int sent[2];

static void start(void)
{
    memset(&first, 0, sizeof first);
    memset(&next, 0, sizeof next);
    ck_assert_int_eq(pipe(sent), 0);
    first.commands = next.commands = sent[1];
}

static void open_slot(uint32_t slot, uint64_t size_bytes)
{
    ck_assert(link_open(&first, slot, &(struct runner_open){.size_bytes = size_bytes}));
}

static struct runner_command received(void)
{
    struct runner_command command;
    size_t had = 0;
    while (had < sizeof command) {
        ssize_t got = read(sent[0], (char *)&command + had, sizeof command - had);
        ck_assert_int_gt(got, 0);
        had += (size_t)got;
    }
    ck_assert_uint_eq(command.magic, RUNNER_MAGIC);
    return command;
}

START_TEST(a_runner_is_shown_what_is_open_in_another)
{
    start();
    open_slot(3, 300);
    open_slot(5, 500);
    link_close(&first, 3);
    for (int i = 0; i < 3; i++)
        received();
    ck_assert(link_open_like(&next, &first));
    struct runner_command command = received();
    ck_assert_uint_eq(command.kind, RUNNER_OPEN);
    ck_assert_uint_eq(command.open.slot, 5);
    ck_assert_uint_eq(command.open.size_bytes, 500);
    close(sent[1]);
    ck_assert_int_eq(read(sent[0], &command, 1), 0); /* and of nothing else */
    close(sent[0]);
}
END_TEST

START_TEST(a_runner_that_is_gone_cannot_be_shown_anything)
{
    start();
    signal(SIGPIPE, SIG_IGN);
    open_slot(0, 1);
    close(sent[0]);
    ck_assert(!link_open_like(&next, &first));
    close(sent[1]);
}
END_TEST

static enum verdict verdict_of(enum runner_stage stage, cudaError_t error)
{
    static const char *const LAUNCHERS[] = {"tiny", NULL};
    const struct judge judge = {.lesson = "01_tiny", .launchers = LAUNCHERS};
    const struct runner_answer answer = {.stage = stage, .error = error};
    char reason[200];
    memset(&first, 0, sizeof first);
    return link_verdict(&first, &judge, LINK_ANSWERED, &answer, reason, sizeof reason);
}

/* The same verdict on a GPU, which gives a number, as on the simulated device, which says more. */
START_TEST(what_stops_a_kernel_has_its_own_verdict)
{
    ck_assert_int_eq(verdict_of(RUNNER_NOT_FINISHED, cudaErrorIllegalAddress),
                     VERDICT_OUT_OF_BOUNDS);
    ck_assert_int_eq(verdict_of(RUNNER_NOT_FINISHED, cudaErrorMisalignedAddress),
                     VERDICT_MISALIGNED);
    ck_assert_int_eq(verdict_of(RUNNER_NOT_FINISHED, cudaErrorAssert), VERDICT_STOPPED);
    ck_assert_int_eq(verdict_of(RUNNER_NOT_LAUNCHED, cudaErrorIllegalAddress),
                     VERDICT_OUT_OF_BOUNDS); /* a launcher that waits for its kernel */
    ck_assert_int_eq(verdict_of(RUNNER_NOT_FINISHED, cudaErrorLaunchFailure),
                     VERDICT_LAUNCH_ERROR);
    ck_assert_int_eq(verdict_of(RUNNER_NOT_LAUNCHED, cudaErrorInvalidConfiguration),
                     VERDICT_LAUNCH_ERROR);
}
END_TEST

TESTS("link", a_runner_is_shown_what_is_open_in_another,
      a_runner_that_is_gone_cannot_be_shown_anything, what_stops_a_kernel_has_its_own_verdict)
