/* check_field.c - a text of others as one field, whatever its bytes. */
#include "lib/field.h"

#include "tests/check_main.h"

#include <string.h>

static void expect(void (*field)(FILE *, const char *), const char *text, const char *written)
{
    char made[400] = "";
    FILE *out = fmemopen(made, sizeof made, "w");
    field(out, text);
    fclose(out);
    ck_assert_str_eq(made, written);
}

START_TEST(plain_text_stays_as_it_is)
{
    expect(field_line, "J\xC3\xBCrgen \xE6\x9D\x8E \xF0\x9F\x98\x80 std::min(a)::b # 1",
           "J\xC3\xBCrgen \xE6\x9D\x8E \xF0\x9F\x98\x80 std::min(a)::b # 1");
    expect(field_csv, "3.5 %", "3.5 %");
    expect(field_csv, "", "");
}
END_TEST

START_TEST(line_ends_of_every_kind_are_spaces)
{
    expect(field_line,
           "a\nb\rc\td\xE2\x80\xA8"
           "e\xE2\x80\xA9"
           "f\vg",
           "a b c d e f g");
}
END_TEST

START_TEST(nothing_drives_a_terminal_or_reorders_text)
{
    expect(field_line, "\x1B[2J", "\xEF\xBF\xBD[2J");
    expect(field_line, "\xE2\x80\xAEx\xE2\x81\xA9", "\xEF\xBF\xBDx\xEF\xBF\xBD");
    expect(field_line, "\xC2\x85\x7F", "\xEF\xBF\xBD\xEF\xBF\xBD");
}
END_TEST

START_TEST(what_is_no_character_is_replaced)
{
    expect(field_line, "a\xFF\xC3", "a\xEF\xBF\xBD\xEF\xBF\xBD");
    expect(field_line, "\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD");
    expect(field_line, "\xED\xA0\x80", "\xEF\xBF\xBD"); /* half of a surrogate pair */
    expect(field_xml, "\xEF\xBF\xBE\xEF\xBF\xBF", "\xEF\xBF\xBD\xEF\xBF\xBD");
}
END_TEST

START_TEST(no_word_is_a_command_to_github_actions)
{
    expect(field_line, "::error::x", ": :error::x");
    expect(field_line, ":::add-mask", ": : :add-mask");
    expect(field_line, "a ##[group]", "a # #[group]");
}
END_TEST

START_TEST(commas_and_quotes_cannot_leave_their_field)
{
    expect(field_csv, "a,b", "\"a,b\"");
    expect(field_csv, "a\"b", "\"a\"\"b\"");
    expect(field_csv, "a\nb", "\"a b\"");
}
END_TEST

START_TEST(no_spreadsheet_takes_it_for_a_formula)
{
    expect(field_csv, "=1+1", "\"'=1+1\"");
    expect(field_csv, "  -1", "\"'  -1\"");
    expect(field_csv, "\t\r@x", "\"'  @x\"");
    expect(field_csv,
           "\xEF\xBC\x9D"
           "1",
           "\"'\xEF\xBC\x9D"
           "1\"");
    expect(field_csv, "a; =1", "\"a;' =1\"");
}
END_TEST

START_TEST(xml_gets_no_element_and_no_entity)
{
    expect(field_xml, "]]></a b=\"&\">", "]]&gt;&lt;/a b=&quot;&amp;&quot;&gt;");
}
END_TEST

START_TEST(tap_gets_no_directive)
{
    expect(field_tap, "a # SKIP \\", "a \\# SKIP \\\\");
    expect(field_yaml, "a \" \\ # b", "\"a \\\" \\\\ # b\"");
}
END_TEST

START_TEST(a_segment_of_a_uri_stays_one)
{
    expect(field_uri, "my file.cu", "my%20file.cu");
    expect(field_uri, "../a?b#c%\n\xC3\xBC", "..%2Fa%3Fb%23c%25%0A%C3%BC");
    expect(field_uri, "..", "_..");
    expect(field_uri, "", "_");
}
END_TEST

static void expect_number(double number, const char *written)
{
    char made[40] = "";
    FILE *out = fmemopen(made, sizeof made, "w");
    field_number(out, number);
    fclose(out);
    ck_assert_str_eq(made, written);
}

START_TEST(numbers_have_two_decimals_at_most)
{
    expect_number(100, "100");
    expect_number(85.5, "85.5");
    expect_number(33.333333, "33.33");
    expect_number(0.05, "0.05");
    expect_number(-1.25, "-1.25");
    expect_number(0.0 / 0.0, "0");
    expect_number(1e300, "0");
}
END_TEST

TESTS("field", plain_text_stays_as_it_is, line_ends_of_every_kind_are_spaces,
      nothing_drives_a_terminal_or_reorders_text, what_is_no_character_is_replaced,
      no_word_is_a_command_to_github_actions, commas_and_quotes_cannot_leave_their_field,
      no_spreadsheet_takes_it_for_a_formula, xml_gets_no_element_and_no_entity,
      tap_gets_no_directive, a_segment_of_a_uri_stays_one, numbers_have_two_decimals_at_most)
