/* check_line_table.c - tests line_table.c: the line of an address, between the rows of a table. */
#include "program/line_table.h"
#include "tests/check_main.h"

START_TEST(an_address_has_the_line_of_the_last_row_before_it)
{
    struct line_row rows[] = {{0, 7}, {16, 8}, {16, 9}, {48, 3}};
    const struct line_table table = {rows, sizeof rows / sizeof *rows};
    ck_assert_uint_eq(line_table_find(&table, 0), 7);
    ck_assert_uint_eq(line_table_find(&table, 15), 7);
    ck_assert_uint_eq(line_table_find(&table, 16), 9);
    ck_assert_uint_eq(line_table_find(&table, 47), 9);
    ck_assert_uint_eq(line_table_find(&table, 48), 3);
    ck_assert_uint_eq(line_table_find(&table, UINT32_MAX), 3);
}
END_TEST

START_TEST(before_the_first_row_there_is_none)
{
    struct line_row rows[] = {{32, 7}};
    const struct line_table table = {rows, 1}, empty = {0};
    ck_assert_uint_eq(line_table_find(&table, 31), 0);
    ck_assert_uint_eq(line_table_find(&empty, 0), 0);
}
END_TEST

TESTS("line_table", an_address_has_the_line_of_the_last_row_before_it,
      before_the_first_row_there_is_none)
