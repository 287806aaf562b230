/* check_large_pages.c - memory is what it was, in whatever pages it comes. */
#include "lib/large_pages.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 9 << 20 };

START_TEST(no_memory_stays_no_memory)
{
    ck_assert_ptr_null(in_large_pages(NULL, BYTES));
}
END_TEST

START_TEST(bytes_stay_and_what_was_zero_is_zero)
{
    size_t differ = 0;
    unsigned char *memory = calloc(1, BYTES);
    ck_assert_ptr_nonnull(memory);
    memset(memory, 7, BYTES / 2);
    ck_assert_ptr_eq(in_large_pages(memory, BYTES), memory);
    for (size_t i = 0; i < BYTES; i++)
        differ += memory[i] != (i < BYTES / 2 ? 7 : 0);
    ck_assert_uint_eq(differ, 0);
    free(memory);
}
END_TEST

TESTS("large_pages", no_memory_stays_no_memory, bytes_stay_and_what_was_zero_is_zero)
