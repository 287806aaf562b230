/* check_link.c - what the grader sends to a runner, and what becomes of a runner that does not
 * read, answers before it is asked, or makes claims. No process is needed for that: what the grader
 * sends is read back from the pipe. */
#include "check/examine/link.h"

#include "tests/check_main.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct link first, next;
static int sent[2], said[2];

static void start(void)
{
    memset(&first, 0, sizeof first);
    memset(&next, 0, sizeof next);
    ck_assert_int_eq(pipe(sent), 0);
    ck_assert_int_eq(pipe(said), 0);
    fcntl(sent[1], F_SETFL, O_NONBLOCK);
    fcntl(said[0], F_SETFL, O_NONBLOCK);
    first.commands = next.commands = sent[1];
    first.answers = next.answers = said[0];
    first.log_ended = next.log_ended = true;
    first.spec.listening_ms = 50;
}

static void open_slot(uint32_t slot, uint64_t size_bytes)
{
    ck_assert(link_open(&first, slot, &(struct runner_open){.size_bytes = size_bytes}));
}

static void take(void *to, size_t bytes)
{
    for (size_t had = 0; had < bytes;) {
        ssize_t got = read(sent[0], (char *)to + had, bytes - had);
        ck_assert_int_gt(got, 0);
        had += (size_t)got;
    }
}

static struct runner_command received(void)
{
    struct runner_command command;
    size_t header = offsetof(struct runner_command, open);
    take(&command, header);
    size_t head = runner_command_head_bytes(command.kind);
    take((char *)&command + header, head - header);
    take((char *)&command + head, runner_command_bytes(&command) - head);
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

START_TEST(commands_are_no_longer_than_what_they_say)
{
    struct runner_command launch = {.launch = {.sets = 2, .launches = 7}};
    start();
    for (uint32_t i = 0; i < 200; i++) /* none of them read: they fit a pipe */
        open_slot(i % RUNNER_MOST_SLOTS, 1);
    ck_assert(!first.deaf);
    for (int i = 0; i < 200; i++)
        received();
    launch.launch.set[1].place[3].offset = 77;
    ck_assert(link_launch(&first, &launch));
    struct runner_command command = received();
    ck_assert_uint_eq(command.launch.launches, 7);
    ck_assert_uint_eq(command.launch.set[1].place[3].offset, 77);
    ck_assert_uint_eq(command.launch.serial, first.serial);
    close(sent[1]);
    ck_assert_int_eq(read(sent[0], &command, 1), 0);
}
END_TEST

/* It acknowledges and does not read: no write of ours waits for it for ever. */
START_TEST(a_runner_that_does_not_listen_is_late)
{
    struct runner_command launch = {.launch = {.sets = RUNNER_MOST_SETS, .launches = 1}};
    struct runner_answer answer;
    start();
    bool heard = true;
    for (int i = 0; i < 100 && heard; i++)
        heard = link_launch(&first, &launch);
    ck_assert(!heard && first.deaf);
    ck_assert_int_eq(link_wait(&first, 60000, &answer), LINK_LATE);
    ck_assert(!link_close(&first, 0)); /* at once */
}
END_TEST

static void say(uint32_t serial, enum runner_stage stage)
{
    struct runner_answer answer = {.magic = RUNNER_MAGIC, .serial = serial, .stage = stage};
    ck_assert_int_eq(write(said[1], &answer, sizeof answer), sizeof answer);
}

START_TEST(an_answer_counts_after_its_question_only)
{
    struct runner_command launch = {.launch = {.sets = 1, .launches = 1}};
    struct runner_answer answer;
    start();
    first.secret = 5;
    ck_assert(link_launch(&first, &launch));
    say(first.serial, RUNNER_DONE);
    ck_assert_int_eq(link_wait(&first, 1000, &answer), LINK_ANSWERED);
    uint32_t before = first.serial;
    say(before + 1, RUNNER_DONE);
    link_launch(&first, &launch);
    ck_assert_uint_ne(first.serial, before + 1); /* not to be foreseen */
    ck_assert_int_eq(link_wait(&first, 1000, &answer), LINK_BABBLED);
}
END_TEST

START_TEST(all_waits_for_a_submission_have_one_limit)
{
    int64_t spent_ns = 0;
    struct runner_answer answer;
    char reason[200];
    start();
    first.spec.spent_ns = &spent_ns;
    first.spec.most_ns = 60000000;
    ck_assert_int_eq(link_wait(&first, 40, &answer), LINK_LATE);
    ck_assert_int_eq(link_wait(&first, 60000, &answer), LINK_LATE);
    ck_assert_int_ge(spent_ns, first.spec.most_ns);
    ck_assert_int_eq(
        link_verdict(&first, &(struct judge){0}, LINK_LATE, &answer, reason, sizeof reason),
        VERDICT_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(reason, "all its launches together"));
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
    ck_assert_int_eq(verdict_of(RUNNER_NOT_FINISHED, cudaErrorLaunchFailure), VERDICT_LAUNCH_ERROR);
    ck_assert_int_eq(verdict_of(RUNNER_NOT_LAUNCHED, cudaErrorInvalidConfiguration),
                     VERDICT_LAUNCH_ERROR);
}
END_TEST

/* Errors and logs are the submission's own words: only DEVICE may become "again", if the device
 * says so, too (again.h). */
START_TEST(what_a_launcher_returns_is_never_the_devices_fault)
{
    ck_assert_int_eq(verdict_of(RUNNER_NO_DEVICE, cudaErrorNoDevice), VERDICT_DEVICE);
    for (int error = 1; error < 1000; error++) {
        ck_assert_int_eq(verdict_points(verdict_of(RUNNER_NOT_LAUNCHED, (cudaError_t)error)),
                         POINTS_NONE);
        ck_assert_int_eq(verdict_points(verdict_of(RUNNER_NOT_FINISHED, (cudaError_t)error)),
                         POINTS_NONE);
    }
}
END_TEST

/* What the launcher says of it is its status (walls.h). */
static enum verdict verdict_of_status(int exit_status, char reason[200])
{
    const struct runner_answer nothing = {.stage = RUNNER_READY};
    memset(&first, 0, sizeof first);
    first.status = exit_status << 8; /* as waitpid gives it */
    return link_verdict(&first, &(struct judge){0}, LINK_ENDED, &nothing, reason, 200);
}

START_TEST(one_that_the_kernel_ended_for_want_of_memory_has_not_crashed)
{
    char reason[200];
    ck_assert_int_eq(verdict_of_status(128 + SIGKILL, reason), VERDICT_CRASH);
    ck_assert(!first.starved);
    ck_assert_int_eq(verdict_of_status(WALLS_STARVED, reason), VERDICT_DEVICE);
    ck_assert_ptr_nonnull(strstr(reason, "ran out of memory"));
    ck_assert(first.starved); /* the program above this one is small */
}
END_TEST

START_TEST(a_log_writes_no_reason)
{
    static const char *const LAUNCHERS[] = {"tiny", NULL};
    const struct judge judge = {.lesson = "01_tiny", .launchers = LAUNCHERS};
    const struct runner_answer answer = {.stage = RUNNER_NOT_LAUNCHED, .error = 1};
    char reason[400];
    start();
    first.log_bytes = (size_t)snprintf(first.log, sizeof first.log, "simgpu: all is well\n");
    link_verdict(&first, &judge, LINK_ANSWERED, &answer, reason, sizeof reason);
    ck_assert_ptr_null(strstr(reason, "all is well"));
    ck_assert_uint_gt(first.log_bytes, 0); /* it is shown as what was printed */
}
END_TEST

TESTS("link", commands_are_no_longer_than_what_they_say, a_runner_that_does_not_listen_is_late,
      an_answer_counts_after_its_question_only, all_waits_for_a_submission_have_one_limit,
      what_a_launcher_returns_is_never_the_devices_fault, a_log_writes_no_reason,
      one_that_the_kernel_ended_for_want_of_memory_has_not_crashed,
      a_runner_is_shown_what_is_open_in_another, a_runner_that_is_gone_cannot_be_shown_anything,
      what_stops_a_kernel_has_its_own_verdict)
