/* check_sandbox.c - inside the walls there is nothing but what was shown. Where bubblewrap does not
 * work there are no walls to test; the tests say so and count as passed. */
#include "runner/sandbox.h"

#include "check/process.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct process_result result;

static bool walls_work(void)
{
    bool works = sandbox_works();
    if (!works)
        fprintf(stderr, "bubblewrap does not work here: nothing is tested\n");
    return works;
}

static void run(bool walled, const char *script)
{
    struct sandbox sandbox;
    sandbox_open(&sandbox, walled);
    sandbox_set(&sandbox, "PATH", "/usr/bin:/bin");
    sandbox_set(&sandbox, "SHOWN", "yes");
    sandbox_enter(&sandbox, "/tmp");
    sandbox_word(&sandbox, "sh");
    sandbox_word(&sandbox, "-c");
    sandbox_word(&sandbox, script);
    struct process_job job = {
        .spec = {.argv = sandbox.argv, .environment = walled ? NULL : sandbox.environment},
        .deadline_ms = 5000,
        .most_output_bytes = 1000};
    ck_assert(!sandbox.too_long);
    process_run(&job, &result);
    sandbox_close(&sandbox);
}

static void expect(const char *script, const char *output)
{
    if (!walls_work())
        return;
    run(true, script);
    ck_assert_str_eq(result.output, output);
    process_result_free(&result);
}

START_TEST(the_environment_is_only_what_was_set)
{
    setenv("SECRET", "key", 1);
    expect("echo $SECRET$SHOWN", "yes\n");
    run(false, "echo $SECRET$SHOWN");
    ck_assert_str_eq(result.output, "yes\n");
    process_result_free(&result);
}
END_TEST

START_TEST(home_folders_and_the_course_are_not_there)
{
    expect("ls -d /home /root /etc/passwd /work 2>/dev/null; pwd; ls -A /tmp", "/tmp\n");
}
END_TEST

START_TEST(nothing_outside_tmp_can_be_written)
{
    expect("for d in / /usr /lib /dev/shm /proc; do touch $d/x 2>/dev/null && echo $d; done; "
           "touch /tmp/x && echo tmp", "/dev/shm\ntmp\n"); /* /dev is the sandbox's own tmpfs */
}
END_TEST

START_TEST(there_is_no_network_and_no_other_process)
{
    char script[200];
    snprintf(script, sizeof script,
             "grep -c : /proc/net/dev; [ -d /proc/%d ] && echo seen; kill -0 %d 2>/dev/null || "
             "echo alone", (int)getpid(), (int)getpid());
    expect(script, "1\nalone\n"); /* the one interface is the sandbox's own loopback */
}
END_TEST

START_TEST(too_many_words_are_noticed)
{
    struct sandbox sandbox;
    sandbox_open(&sandbox, false);
    for (int i = 0; i < SANDBOX_MOST_WORDS; i++)
        sandbox_word(&sandbox, "w");
    ck_assert(!sandbox.too_long);
    sandbox_word(&sandbox, "w");
    ck_assert(sandbox.too_long);
    sandbox_close(&sandbox);
}
END_TEST

TESTS("sandbox", the_environment_is_only_what_was_set, home_folders_and_the_course_are_not_there,
      nothing_outside_tmp_can_be_written, there_is_no_network_and_no_other_process,
      too_many_words_are_noticed)
