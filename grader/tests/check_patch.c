/* check_patch.c - a patch applies where it says and nowhere else; what does not fit is named. */
#include "check/patch.h"

#include "tests/check_main.h"

#include <string.h>

#define HEADER "// expect: WRONG\n// Why.\n// More.\n"
#define FILES "--- solutions/a/a.cu\n+++ grader/judges/a/wrong/b.cu\n"

static const char BASE[] = "// expect: PASS\none\ntwo\n\nfour\nfive\n";
static char reason[300];

/* The result, or "refused". It is leaked: the process ends soon. */
static const char *applied(const char *base, const char *patch, enum patch_place place)
{
    *reason = '\0';
    char *text = patch_apply(base, patch, place, reason, sizeof reason);
    return text ? text : "refused";
}

static const char *exactly(const char *patch)
{
    return applied(BASE, patch, PATCH_EXACT);
}

START_TEST(the_header_takes_the_place_of_the_bases)
{
    ck_assert_str_eq(exactly(HEADER FILES), HEADER "one\ntwo\n\nfour\nfive\n");
    ck_assert_str_eq(exactly(FILES), "one\ntwo\n\nfour\nfive\n");
}
END_TEST

START_TEST(lines_are_changed_taken_out_and_put_in)
{
    ck_assert_str_eq(exactly(HEADER FILES "@@ -2,2 +4,2 @@\n-one\n+uno\n two\n"
                                          "@@ -5,2 +7,3 @@\n four\n+more\n five\n"),
                     HEADER "uno\ntwo\n\nfour\nmore\nfive\n");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -6 +7,0 @@\n-five\n"), HEADER "one\ntwo\n\nfour\n");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -1,0 +4 @@\n+zero\n"),
                     HEADER "zero\none\ntwo\n\nfour\nfive\n");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -6,0 +9 @@\n+six\n"),
                     HEADER "one\ntwo\n\nfour\nfive\nsix\n");
}
END_TEST

START_TEST(blank_context_may_be_an_empty_line)
{
    ck_assert_str_eq(exactly(HEADER FILES "@@ -4,2 +6,2 @@\n\n-four\n+vier\n"),
                     HEADER "one\ntwo\n\nvier\nfive\n");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -4,2 +6,2 @@\n \n-four\n+vier\n"),
                     HEADER "one\ntwo\n\nvier\nfive\n");
}
END_TEST

START_TEST(nothing_is_forgiven)
{
    ck_assert_str_eq(exactly(HEADER FILES "@@ -3,2 +5,2 @@\n-one\n+uno\n two\n"), "refused");
    ck_assert_str_eq(reason, "line 3 of the base is not what line 7 of the patch says");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -2,2 +4,2 @@\n-one\n+uno\n Two\n"), "refused");
    ck_assert_str_eq(reason, "line 3 of the base is not what line 9 of the patch says");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -6,2 +8,1 @@\n five\n-six\n"), "refused");
    ck_assert_str_eq(reason, "line 7 of the base is not what line 8 of the patch says");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -2 +3 @@\n-one\n+uno\n"), "refused");
    ck_assert_str_eq(reason, "line 6 of the patch: the lines before it make another line of the "
                             "result");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -9 +11 @@\n-one\n+uno\n"), "refused");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -1 +4 @@\n-// expect: PASS\n+x\n"), "refused");
    ck_assert_str_eq(reason, "line 6 of the patch: the base has no such line, or it was used "
                             "before");
}
END_TEST

START_TEST(what_is_no_patch_is_refused)
{
    ck_assert_str_eq(exactly(""), "refused");
    ck_assert_str_eq(exactly(HEADER "one\n"), "refused");
    ck_assert_str_eq(exactly(HEADER FILES "@@ 2 @@\n"), "refused");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -2,2 +4,2 @@\n-one\n+uno\n"), "refused");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -2 +4 @@\n-one\n+uno\n+due\n"), "refused");
    ck_assert_str_eq(exactly(HEADER FILES "@@ -2 +4 @@\n-one\n*uno\n"), "refused");
    ck_assert_str_eq(reason, "line 8 of the patch: begins with neither ' ' nor '-' nor '+', or "
                             "the hunk is too short");
}
END_TEST

START_TEST(lines_that_have_moved_are_found_if_asked_for)
{
    static const char MOVED[] = "// expect: PASS\nzero\none\ntwo\n\nfour\nfive\n";
    static const char TWICE[] = "one\ntwo\none\ntwo\n";
    static const char PATCH[] = HEADER FILES "@@ -2,2 +4,2 @@\n-one\n+uno\n two\n";
    ck_assert_str_eq(applied(MOVED, PATCH, PATCH_EXACT), "refused");
    ck_assert_str_eq(applied(MOVED, PATCH, PATCH_MOVED), HEADER "zero\nuno\ntwo\n\nfour\nfive\n");
    ck_assert_str_eq(applied(TWICE, PATCH, PATCH_MOVED), "refused");
    ck_assert_str_eq(reason, "line 6 of the patch: its lines are in several places of the base");
    ck_assert_str_eq(applied("one\nthree\n", PATCH, PATCH_MOVED), "refused");
    ck_assert_str_eq(reason, "line 6 of the patch: its lines are nowhere in the base, or come in "
                             "another order");
}
END_TEST

START_TEST(the_base_is_a_file_of_the_course)
{
    struct path base;
    ck_assert(patch_base(HEADER FILES, &base, reason, sizeof reason));
    ck_assert_str_eq(base.text, "solutions/a/a.cu");
    ck_assert(!patch_base(HEADER "--- /etc/passwd\n+++ b\n", &base, reason, sizeof reason));
    ck_assert(!patch_base("--- ../a.cu\n+++ b\n", &base, reason, sizeof reason));
    ck_assert(!patch_base(HEADER "--- \n", &base, reason, sizeof reason));
    ck_assert(!patch_base(HEADER, &base, reason, sizeof reason));
    ck_assert_str_eq(reason, "line 4 is not \"--- \" and a file of the course, from its top "
                             "folder");
}
END_TEST

TESTS("patch", the_header_takes_the_place_of_the_bases, lines_are_changed_taken_out_and_put_in,
      blank_context_may_be_an_empty_line, nothing_is_forgiven, what_is_no_patch_is_refused,
      lines_that_have_moved_are_found_if_asked_for, the_base_is_a_file_of_the_course)
