/* check_changes.c - how many lines differ. */
#include "quest/changes.h"

#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

static void expect(const char *before, const char *after, size_t added, size_t removed)
{
    struct changes changes = changes_between(before, after);
    ck_assert_msg(changes.added == added && changes.removed == removed, "+%zu -%zu", changes.added,
                  changes.removed);
}

START_TEST(what_is_the_same_has_none)
{
    expect("", "", 0, 0);
    expect("a\nb\n", "a\nb\n", 0, 0);
    expect("a\nb", "a\nb\n", 0, 0);
}
END_TEST

START_TEST(lines_are_added_removed_and_changed)
{
    expect("a\nb\n", "a\nx\nb\n", 1, 0);
    expect("a\nx\nb\n", "a\nb\n", 0, 1);
    expect("a\nx\nb\n", "a\ny\nb\n", 1, 1);
    expect("", "a\nb\n", 2, 0);
    expect("a\nb\n", "", 0, 2);
}
END_TEST

START_TEST(the_fewest_are_counted)
{
    expect("a\nb\nc\nd\n", "b\nc\nd\na\n", 1, 1);
    expect("a\nb\na\nb\n", "b\na\nb\na\n", 1, 1);
    expect("x\na\ny\nb\nz\n", "a\nq\nb\n", 1, 3);
}
END_TEST

START_TEST(very_long_texts_are_no_trouble)
{
    enum { LINES = 20000 };
    char *before = calloc(8, LINES), *after = calloc(8, LINES);
    for (int i = 0; i < LINES; i++) {
        memcpy(before + 2 * i, "a\n", 2);
        memcpy(after + 2 * i, "x\n", 2);
    }
    expect(before, after, LINES, LINES);
    free(before);
    free(after);
}
END_TEST

TESTS("changes", what_is_the_same_has_none, lines_are_added_removed_and_changed,
      the_fewest_are_counted, very_long_texts_are_no_trouble)
