/* check_process_run.c - children end, whatever they do. */
#include "lib/process.h"

#include "tests/check_main.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct process_result result;
static char lines[256];

static void note_line(void *context, const char *line)
{
    (void)context;
    strncat(lines, line, sizeof lines - strlen(lines) - 1);
    strncat(lines, "|", sizeof lines - strlen(lines) - 1);
}

static void run(const char *script, const char *input, int64_t deadline_ms, size_t most)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    struct process_job job = {.spec = {.argv = argv},
                              .input = input,
                              .deadline_ms = deadline_ms,
                              .most_output_bytes = most,
                              .line = note_line};
    *lines = '\0';
    process_run(&job, &result);
}

START_TEST(output_lines_and_status_come_back)
{
    run("cat; echo err >&2; echo one >&3; echo two >&3; exit 3", "in", 5000, 100);
    ck_assert_str_eq(result.output, "inerr\n");
    ck_assert_str_eq(lines, "one|two|");
    ck_assert_int_eq(WEXITSTATUS(result.status), 3);
    ck_assert(!result.timed_out && !result.output_capped);
    process_result_free(&result);
}
END_TEST

START_TEST(one_that_sleeps_for_ever_is_ended_at_its_deadline)
{
    run("sleep 1000 & sleep 1000", NULL, 200, 100);
    ck_assert(result.timed_out);
    ck_assert_double_lt(result.seconds, 5);
    process_result_free(&result);
}
END_TEST

START_TEST(one_that_ignores_the_polite_signal_is_ended_too)
{
    run("trap '' TERM; while :; do sleep 1; done", NULL, 200, 100);
    ck_assert(result.timed_out);
    ck_assert(WIFSIGNALED(result.status));
    process_result_free(&result);
}
END_TEST

START_TEST(one_that_takes_too_much_memory_is_ended)
{
    const char *argv[] = {"dd", "if=/dev/zero", "of=/dev/null", "bs=200M", "count=100000", NULL};
    struct process_job job = {.spec = {.argv = argv},
                              .most_resident_bytes = 64 << 20,
                              .deadline_ms = 60000,
                              .most_output_bytes = 100};
    process_run(&job, &result);
    ck_assert(result.too_large && !result.timed_out);
    process_result_free(&result);
}
END_TEST

START_TEST(a_flood_is_capped_and_does_not_block)
{
    run("yes | head -c 3000000; echo done >&3", NULL, 20000, 1000);
    ck_assert(result.output_capped);
    ck_assert_uint_eq(result.output_bytes, 1000);
    ck_assert_str_eq(lines, "done|");
    process_result_free(&result);
}
END_TEST

START_TEST(a_program_that_is_not_there_says_so)
{
    const char *argv[] = {"/no/such/program", NULL};
    struct process_job job = {
        .spec = {.argv = argv}, .deadline_ms = 5000, .most_output_bytes = 200};
    process_run(&job, &result);
    ck_assert_int_eq(WEXITSTATUS(result.status), 127);
    ck_assert_ptr_nonnull(strstr(result.output, "/no/such/program cannot be executed"));
    process_result_free(&result);
}
END_TEST

START_TEST(orphans_that_left_their_group_are_ended_as_well)
{
    process_adopt_orphans();
    run("setsid sh -c 'echo $$ >&3; exec sleep 1000' & wait", NULL, 500, 100);
    pid_t orphan = (pid_t)atoi(lines);
    ck_assert_int_gt(orphan, 0);
    ck_assert_int_ne(kill(orphan, 0), 0);
    process_result_free(&result);
}
END_TEST

START_TEST(no_descriptor_but_those_chosen_is_handed_on)
{
    int extra = dup(1);
    run("ls /proc/self/fd | tr '\\n' ' '", NULL, 5000, 100);
    ck_assert_str_eq(result.output, "0 1 2 3 4 "); /* 4 is the folder that ls reads */
    close(extra);
    process_result_free(&result);
}
END_TEST

TESTS("process_run", output_lines_and_status_come_back,
      one_that_sleeps_for_ever_is_ended_at_its_deadline,
      one_that_ignores_the_polite_signal_is_ended_too, one_that_takes_too_much_memory_is_ended,
      a_flood_is_capped_and_does_not_block, a_program_that_is_not_there_says_so,
      orphans_that_left_their_group_are_ended_as_well, no_descriptor_but_those_chosen_is_handed_on)
