/* check_csv.c - tables of any spreadsheet are read as RFC 4180 has them. */
#include "class/csv.h"

#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

/* All rows as "LINE: field|field;". */
static void reads(const char *text, const char *expected)
{
    char told[1000] = "";
    struct csv csv;
    struct csv_row row;
    csv_open(&csv, text, strlen(text));
    while (csv_next(&csv, &row) == CSV_ROW) {
        sprintf(told + strlen(told), "%u: ", row.line);
        for (size_t i = 0; i < row.count; i++)
            sprintf(told + strlen(told), "%s%s", i ? "|" : "", row.fields[i]);
        strcat(told, ";");
        csv_row_free(&row);
    }
    ck_assert_str_eq(told, expected);
}

static void unclosed(const char *text, unsigned line)
{
    struct csv csv;
    struct csv_row row;
    enum csv_state state;
    csv_open(&csv, text, strlen(text));
    while ((state = csv_next(&csv, &row)) == CSV_ROW)
        csv_row_free(&row);
    ck_assert_int_eq(state, CSV_UNCLOSED);
    ck_assert_uint_eq(row.line, line);
}

START_TEST(rows_end_with_any_line_end_or_the_file)
{
    reads("a,b\nc,d", "1: a|b;2: c|d;");
    reads("a,b\r\nc,d\r\n", "1: a|b;2: c|d;");
    reads("a\rb\r", "1: a;2: b;");
    reads("", "");
    reads("\n\na", "1: ;2: ;3: a;");
}
END_TEST

START_TEST(empty_fields_count)
{
    reads(",\na,,\n", "1: |;2: a||;");
    reads("a,", "1: a|;");
}
END_TEST

START_TEST(quotes_hold_separators_line_ends_and_quotes)
{
    reads("\"a,b\",\"c\"\"d\"\n", "1: a,b|c\"d;");
    reads("\"a\r\nb\",c\nd\n", "1: a\r\nb|c;3: d;");
    reads("\"\",\"\"\"\"\n", "1: |\";");
    reads("a\"b,\"c\"d\n", "1: a\"b|cd;");
}
END_TEST

START_TEST(a_byte_order_mark_is_no_part_of_the_first_field)
{
    reads("\xEF\xBB\xBF\"id\",b\n", "1: id|b;");
    reads("\xEF\xBB\xBF", "");
}
END_TEST

START_TEST(semicolons_and_tabs_separate_where_the_header_has_no_comma)
{
    reads("id;name\na;\"Lee; Ann, B\"\n", "1: id|name;2: a|Lee; Ann, B;");
    reads("id\tname\na\tb\n", "1: id|name;2: a|b;");
    reads("id,na;me\na;b,c\n", "1: id|na;me;2: a;b|c;");
    reads("\"a,b\";c\n", "1: a,b|c;");
}
END_TEST

START_TEST(a_quote_that_is_never_closed_is_told_by_its_line)
{
    unclosed("a,b\nc,\"d\ne\nf", 2);
    unclosed("\"", 1);
    unclosed("\"a\n\"\"", 1);
    unclosed("a\n\"b\nc\",\"d\n", 3);
}
END_TEST

TESTS("csv", rows_end_with_any_line_end_or_the_file, empty_fields_count,
      quotes_hold_separators_line_ends_and_quotes, a_byte_order_mark_is_no_part_of_the_first_field,
      semicolons_and_tabs_separate_where_the_header_has_no_comma,
      a_quote_that_is_never_closed_is_told_by_its_line)
