/* check_alike.c - which sources have one print. */
#include "class/alike.h"

#include "tests/check_main.h"

#include <string.h>

static bool alike(const char *first, const char *second)
{
    char one[HASH_TEXT], other[HASH_TEXT];
    alike_print(first, one);
    alike_print(second, other);
    return strcmp(one, other) == 0;
}

static const char SUM[] = "float sum(const float *x, int n) { float s = 0; return s + x[n]; }";

START_TEST(names_comments_and_layout_make_no_difference)
{
    ck_assert(alike(SUM, "float total(const float *a,int count)\n{\n\tfloat t=0; // the sum\n"
                         "  return t /* so far */ + a[count];\n}\n"));
}
END_TEST

START_TEST(anything_else_does)
{
    ck_assert(!alike(SUM, "float sum(const float *x, int n) { float s = 1; return s + x[n]; }"));
    ck_assert(!alike(SUM, "float sum(const float *x, int n) { float s = 0; return s - x[n]; }"));
    ck_assert(!alike(SUM, "float sum(const float *x, int n) { float s = 0; return x + s[n]; }"));
    ck_assert(!alike("puts(\"a b\");", "puts(\"a c\");"));
    ck_assert(!alike("a + b", "a + a"));
    ck_assert(!alike("1 2", "12"));
}
END_TEST

START_TEST(a_text_is_no_comment)
{
    ck_assert(!alike("f(\"//\", x);", "f(\"//\", 1);"));
    ck_assert(!alike("f('\"', x); /* \" */", "f('\"', 1);"));
    ck_assert(alike("f(\"\\\"//\", x);", "f(\"\\\"//\", y);"));
}
END_TEST

START_TEST(what_never_ends_is_read_to_its_end)
{
    ck_assert(alike("x /* and so on", "y /* "));
    ck_assert(!alike("\"x", "\"y"));
    ck_assert(alike("", " \n// nothing"));
}
END_TEST

TESTS("alike", names_comments_and_layout_make_no_difference, anything_else_does,
      a_text_is_no_comment, what_never_ends_is_read_to_its_end)
