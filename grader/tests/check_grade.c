/* check_grade.c - one field of grades.csv, whatever a student calls a file. */
#include "check/grade.h"

#include "tests/check_main.h"

static void expect(const char *text, const char *field)
{
    char *made = grade_csv_field(text);
    ck_assert_str_eq(made, field);
    free(made);
}

START_TEST(plain_text_stays_as_it_is)
{
    expect("alice", "alice");
    expect("", "");
    expect("3.5 %", "3.5 %");
}
END_TEST

START_TEST(commas_quotes_and_line_ends_cannot_leave_their_field)
{
    expect("a,b", "\"a,b\"");
    expect("a\"b", "\"a\"\"b\"");
    expect("a\nb", "\"a b\"");
}
END_TEST

START_TEST(no_spreadsheet_takes_it_for_a_formula)
{
    expect("=1+1", "\"'=1+1\"");
    expect("+1", "\"'+1\"");
    expect("-1", "\"'-1\"");
    expect("@x", "\"'@x\"");
}
END_TEST

TESTS("grade", plain_text_stays_as_it_is, commas_quotes_and_line_ends_cannot_leave_their_field,
      no_spreadsheet_takes_it_for_a_formula)
