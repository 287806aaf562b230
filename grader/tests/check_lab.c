/* check_lab.c - what the submission prints is kept, whichever of its processes prints it. */
#include "check/examine/lab.h"

#include "tests/check_main.h"

#include <string.h>

static struct lab lab;
static struct link link_of_test;

static void print(const char *text)
{
    link_of_test.log_bytes = strlen(text);
    memcpy(link_of_test.log, text, link_of_test.log_bytes);
    lab_keep_log(&lab, &link_of_test);
}

static void start(void)
{
    memset(&lab, 0, sizeof lab);
    memset(&link_of_test, 0, sizeof link_of_test);
}

START_TEST(the_log_of_a_second_process_stands_behind_the_firsts)
{
    start();
    print("");
    ck_assert_ptr_null(lab.log);
    print("one\n");
    print("");
    print("two\n");
    ck_assert_str_eq(json_string_value(lab.log), "one\ntwo\n");
    ck_assert(!lab.log_capped);
    json_decref(lab.log);
}
END_TEST

START_TEST(all_processes_together_have_one_limit)
{
    static char flood[LINK_LOG_BYTES];
    start();
    memset(flood, 'x', sizeof flood - 1);
    print(flood);
    ck_assert(!lab.log_capped);
    print("ab");
    ck_assert(lab.log_capped);
    ck_assert_uint_eq(strlen(json_string_value(lab.log)), LINK_LOG_BYTES);
    json_decref(lab.log);
}
END_TEST

TESTS("lab", the_log_of_a_second_process_stands_behind_the_firsts,
      all_processes_together_have_one_limit)
