/* check_aside.c - work beside this process gives its text, and ends with all that it started. */
#include "lib/aside.h"

#include "lib/process.h"
#include "tests/check_main.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 3 << 20 }; /* more than a pipe holds */

static char *long_text(void *context)
{
    char *text = malloc(LONG + 1);
    memset(text, *(const char *)context, LONG);
    text[LONG] = '\0';
    return text;
}

static char *no_text(void *context)
{
    (void)context;
    return NULL;
}

static char *dies(void *context)
{
    (void)context;
    raise(SIGKILL);
    return NULL;
}

static int numbers;

static void tell_number(void *context, const char *line)
{
    (void)context;
    dprintf(numbers, "%s\n", line);
}

/* Runs a child that tells its number, and would sleep for long. */
static char *waits(void *context)
{
    (void)context;
    const char *argv[] = {"sh", "-c", "echo $$ >&3; sleep 1000", NULL};
    struct process_job job = {.spec = {.argv = argv},
                              .deadline_ms = 100000,
                              .most_output_bytes = 10,
                              .line = tell_number};
    struct process_result result;
    process_run(&job, &result);
    process_result_free(&result);
    return NULL;
}

START_TEST(a_text_of_any_length_comes_back)
{
    struct aside aside;
    char letter = 'w';
    ck_assert(aside_begin(&aside, long_text, &letter));
    letter = 'x'; /* of this process alone */
    char *text = aside_end(&aside);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(strlen(text), LONG);
    ck_assert_uint_eq(strspn(text, "w"), LONG);
    free(text);
}
END_TEST

START_TEST(without_a_text_there_is_none)
{
    struct aside aside;
    ck_assert(aside_begin(&aside, no_text, NULL));
    ck_assert_ptr_null(aside_end(&aside));
    ck_assert(aside_begin(&aside, dies, NULL));
    ck_assert_ptr_null(aside_end(&aside));
}
END_TEST

static void run_true(void)
{
    const char *argv[] = {"true", NULL};
    struct process_job job = {.spec = {.argv = argv}, .deadline_ms = 5000, .most_output_bytes = 1};
    struct process_result result;
    process_run(&job, &result);
    ck_assert(result.started);
    process_result_free(&result);
}

/* A check ends whatever is left below it, but not the work beside it. */
START_TEST(it_outlives_the_children_of_this_process)
{
    struct aside aside;
    char letter = 'w';
    process_adopt_orphans();
    ck_assert(aside_begin(&aside, long_text, &letter));
    run_true();
    char *text = aside_end(&aside);
    ck_assert_ptr_nonnull(text);
    free(text);
}
END_TEST

/* Two beside this process, of which one is cancelled; and no more than there is room for. */
START_TEST(several_work_at_a_time)
{
    struct aside aside[PROCESS_MOST_SPARED], more;
    char letter[PROCESS_MOST_SPARED];
    process_adopt_orphans();
    for (int i = 0; i < PROCESS_MOST_SPARED; i++) {
        letter[i] = (char)('a' + i);
        ck_assert(aside_begin(&aside[i], long_text, &letter[i]));
    }
    ck_assert(!aside_begin(&more, long_text, letter));
    aside_cancel(&aside[0]);
    run_true();
    for (int i = 1; i < PROCESS_MOST_SPARED; i++) {
        char *text = aside_end(&aside[i]);
        ck_assert_ptr_nonnull(text);
        ck_assert_int_eq(text[0], letter[i]);
        free(text);
    }
    ck_assert(aside_begin(&more, long_text, letter));
    aside_cancel(&more);
}
END_TEST

START_TEST(cancelled_it_leaves_no_child)
{
    struct aside aside;
    int ends[2], child = 0;
    ck_assert_int_eq(pipe(ends), 0);
    numbers = ends[1];
    process_adopt_orphans();
    ck_assert(aside_begin(&aside, waits, NULL));
    close(ends[1]);
    FILE *told = fdopen(ends[0], "r");
    ck_assert_int_eq(fscanf(told, "%d", &child), 1);
    ck_assert_int_eq(kill(child, 0), 0);
    aside_cancel(&aside);
    ck_assert_int_ne(kill(child, 0), 0);
    ck_assert_int_ne(kill(aside.pid, 0), 0);
    fclose(told);
}
END_TEST

TESTS("aside", a_text_of_any_length_comes_back, without_a_text_there_is_none,
      it_outlives_the_children_of_this_process, several_work_at_a_time,
      cancelled_it_leaves_no_child)
