/* check_sandbox.c - the parts of a sandbox. walls/ tests what its walls withstand, and says where a
 * machine has none. */
#include "runner/sandbox.h"

#include "lib/process.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct process_result result;

/* What the script prints inside. */
static void run(enum sandbox_kind kind, const char *script)
{
    struct sandbox sandbox;
    sandbox_open(&sandbox, kind, &(struct walls){.threads = 64});
    sandbox_show_system(&sandbox);
    sandbox_set(&sandbox, "PATH", "/usr/bin:/bin");
    sandbox_set(&sandbox, "SHOWN", "yes");
    sandbox_enter(&sandbox, "/tmp");
    sandbox_word(&sandbox, "sh");
    sandbox_word(&sandbox, "-c");
    sandbox_word(&sandbox, script);
    struct process_job job = {.spec = {.argv = sandbox.argv, .environment = sandbox.environment},
                              .deadline_ms = 10000,
                              .most_output_bytes = 1000};
    ck_assert(!sandbox.too_long);
    process_run(&job, &result);
    sandbox_close(&sandbox);
}

static void expect(enum sandbox_kind kind, const char *script, const char *output)
{
    run(kind, script);
    ck_assert_str_eq(result.output, output);
    process_result_free(&result);
}

START_TEST(the_environment_is_only_what_was_set)
{
    setenv("SECRET", "key", 1);
    expect(SANDBOX_NONE, "echo $SECRET$SHOWN", "yes\n");
    if (sandbox_find() != SANDBOX_NONE)
        expect(sandbox_find(), "echo $SECRET$SHOWN", "yes\n");
}
END_TEST

START_TEST(limits_and_the_filter_hold_without_walls_too)
{
    expect(SANDBOX_NONE, "grep -E '^(Seccomp|NoNewPrivs):' /proc/self/status | tr -d '\\t'",
           "NoNewPrivs:1\nSeccomp:2\n");
}
END_TEST

START_TEST(home_folders_and_the_course_are_not_there)
{
    if (sandbox_find() == SANDBOX_BUBBLEWRAP)
        expect(SANDBOX_BUBBLEWRAP,
               "ls -d /home /root /etc/passwd /work 2>/dev/null; pwd; ls -A /tmp", "/tmp\n");
}
END_TEST

START_TEST(kinds_have_names)
{
    for (int kind = SANDBOX_NONE; kind <= SANDBOX_BUBBLEWRAP; kind++)
        ck_assert_int_eq(sandbox_kind_named(sandbox_kind_name((enum sandbox_kind)kind)), kind);
    ck_assert_int_eq(sandbox_kind_named("a wish"), SANDBOX_NONE);
    ck_assert_int_eq(sandbox_kind_named(NULL), SANDBOX_NONE);
}
END_TEST

START_TEST(too_many_words_are_noticed)
{
    struct sandbox sandbox;
    sandbox_open(&sandbox, SANDBOX_NONE, &(struct walls){0});
    for (int i = 0; i < SANDBOX_MOST_WORDS - 1; i++)
        sandbox_word(&sandbox, "w");
    ck_assert(!sandbox.too_long);
    sandbox_word(&sandbox, "w");
    ck_assert(sandbox.too_long);
    sandbox_close(&sandbox);
}
END_TEST

TESTS("sandbox", the_environment_is_only_what_was_set, limits_and_the_filter_hold_without_walls_too,
      home_folders_and_the_course_are_not_there, kinds_have_names, too_many_words_are_noticed)
