/* check_messages.c - the compiler's messages refer to the learner's file, by its own names. */
#include "check/messages.h"

#include "tests/check_main.h"

#include <stdlib.h>

static void expect(const char *messages, const char *expected)
{
    char *text = messages_readable(messages, "tiling", "mine/my.cu");
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(files_have_the_names_that_the_learner_knows)
{
    expect("tiling.cu(9): error: x\n", "mine/my.cu(9): error: x\n");
    expect("in \"tiling.cu\".\n", "in \"mine/my.cu\".\n");
    expect("/common/contracts/a.h(3): error\n", "common/contracts/a.h(3): error\n");
    expect("another_tiling.cu(9): tiling.cux\n", "another_tiling.cu(9): tiling.cux\n");
    expect("tiling.cu", "tiling.cu");
    expect("", "");
}
END_TEST

START_TEST(words_of_cuda_stand_as_they_were_written)
{
    expect("    static __attribute__((device)) int f(int x)\n"
           "                                       ^\n"
           "    __attribute__((shared)) int s;\n",
           "    static __device__ int f(int x)\n"
           "                          ^\n"
           "    __shared__ int s;\n");
    expect("  __attribute__((device)) int f();\n  ^\n", "  __device__ int f();\n  ^\n");
}
END_TEST

START_TEST(how_to_switch_warnings_off_is_left_out)
{
    expect("a\n\n"
           "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
           "b\n",
           "a\n\nb\n");
}
END_TEST

TESTS("messages", files_have_the_names_that_the_learner_knows,
      words_of_cuda_stand_as_they_were_written, how_to_switch_warnings_off_is_left_out)
