/* check_terminal.c - text from elsewhere cannot control the terminal, and lines fit. */
#include "lib/terminal.h"

#include "tests/check_main.h"

#include <string.h>

static char *text;
static size_t bytes;

static struct terminal open_terminal(bool unicode, int columns)
{
    return (struct terminal){
        .out = open_memstream(&text, &bytes), .unicode = unicode, .columns = columns};
}

static void expect(struct terminal *terminal, const char *expected)
{
    fclose(terminal->out);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(escapes_and_returns_are_made_visible)
{
    struct terminal terminal = open_terminal(true, 80);
    terminal_quote(&terminal, "a\033[31mb\rPASS\001\177\302\233x", 2, 9);
    expect(&terminal, "  a?[31mb?PASS???x\n");
}
END_TEST

START_TEST(utf8_stays_where_it_can_be_shown)
{
    struct terminal terminal = open_terminal(true, 80);
    terminal_quote(&terminal, "\303\251", 0, 9);
    expect(&terminal, "\303\251\n");
    terminal = open_terminal(false, 80);
    terminal_quote(&terminal, "\303\251", 0, 9);
    expect(&terminal, "??\n");
}
END_TEST

START_TEST(more_lines_than_wanted_end_in_dots)
{
    struct terminal terminal = open_terminal(false, 80);
    terminal_quote(&terminal, "1\n2\n3\n4\n", 1, 2);
    expect(&terminal, " 1\n 2\n ...\n");
}
END_TEST

START_TEST(quoted_lines_are_cut_at_the_width)
{
    struct terminal terminal = open_terminal(true, 8);
    terminal_quote(&terminal, "123456\n1234567\n\303\25123456\n", 2, 9);
    expect(&terminal, "  123456\n  123...\n  \303\25123456\n");
}
END_TEST

START_TEST(paragraphs_break_at_the_width_and_keep_their_indent)
{
    struct terminal terminal = open_terminal(false, 14);
    terminal_wrap(&terminal, "one two three four", 4, 0);
    expect(&terminal, "    one two\n    three four\n");
    terminal = open_terminal(false, 14);
    fputs("name ", terminal.out);
    terminal_wrap(&terminal, "one two three", 5, 5);
    expect(&terminal, "name one two\n     three\n");
}
END_TEST

START_TEST(a_cell_is_one_line_as_wide_as_it_is_asked_to_be)
{
    struct terminal terminal = open_terminal(true, 80);
    ck_assert_int_eq(terminal_cell(&terminal, "a\nb", 5, 9), 5);
    ck_assert_int_eq(terminal_cell(&terminal, "\303\251t\303\251", 4, 9), 4);
    ck_assert_int_eq(terminal_cell(&terminal, "\303\251t\303\251s passed", 4, 6), 6);
    ck_assert_int_eq(terminal_cell(&terminal, "", 0, 9), 0);
    expect(&terminal, "a b  \303\251t\303\251 \303\251t\303\251...");
}
END_TEST

START_TEST(a_word_longer_than_the_line_is_not_lost)
{
    struct terminal terminal = open_terminal(false, 8);
    terminal_wrap(&terminal, "a incomprehensible b", 2, 0);
    expect(&terminal, "  a\n  incomprehensible\n  b\n");
}
END_TEST

START_TEST(styles_are_left_out_without_colour)
{
    struct terminal terminal = open_terminal(false, 80);
    terminal_print(&terminal, STYLE_BAD, "%d", 7);
    expect(&terminal, "7");
    terminal = open_terminal(false, 80);
    terminal.colour = true;
    terminal_print(&terminal, STYLE_BAD, "%d", 7);
    expect(&terminal, "\033[31m7\033[0m");
}
END_TEST

TESTS("terminal", escapes_and_returns_are_made_visible, utf8_stays_where_it_can_be_shown,
      more_lines_than_wanted_end_in_dots, quoted_lines_are_cut_at_the_width,
      paragraphs_break_at_the_width_and_keep_their_indent,
      a_cell_is_one_line_as_wide_as_it_is_asked_to_be, a_word_longer_than_the_line_is_not_lost,
      styles_are_left_out_without_colour)
