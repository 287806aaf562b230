/* check_names.c - what the names of files and folders say. */
#include "class/names.h"

#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

START_TEST(endings_tell_the_kind_in_any_case)
{
    ck_assert_int_eq(name_kind("ann.cu"), NAME_SOURCE);
    ck_assert_int_eq(name_kind("ANN.CU"), NAME_SOURCE);
    ck_assert_int_eq(name_kind("a.b.Zip"), NAME_ZIP);
    ck_assert_int_eq(name_kind("submission_metadata.yml"), NAME_METADATA);
    ck_assert_int_eq(name_kind("x.cu.txt"), NAME_RENAMED);
    ck_assert_int_eq(name_kind("x.CU.download"), NAME_RENAMED);
    ck_assert_int_eq(name_kind("x.tar.gz"), NAME_ARCHIVE);
    ck_assert_int_eq(name_kind("x.cuh"), NAME_OTHER);
    ck_assert_int_eq(name_kind("cu"), NAME_OTHER);
    ck_assert_int_eq(name_kind(""), NAME_OTHER);
}
END_TEST

START_TEST(hidden_names_are_hidden_whatever_they_end_in)
{
    ck_assert_int_eq(name_kind("._mac.cu"), NAME_HIDDEN);
    ck_assert_int_eq(name_kind(".DS_Store"), NAME_HIDDEN);
    ck_assert_int_eq(name_kind(".cu"), NAME_HIDDEN);
    ck_assert_int_eq(name_kind("__MACOSX"), NAME_HIDDEN);
}
END_TEST

/* whose|number|file|stem|version, and L when late. */
static void parts(const char *name, const char *expected)
{
    char told[400];
    struct name_parts parts = name_parts(name);
    snprintf(told, sizeof told, "%.*s|%.*s|%.*s|%u%s", (int)parts.whose, name, (int)parts.digits,
             parts.number ? parts.number : "", (int)parts.file_stem, parts.file, parts.version,
             parts.late ? "|L" : "");
    ck_assert_str_eq(told, expected);
}

START_TEST(canvas_tells_student_number_file_and_version)
{
    parts("leeann_123_456_my kernel.cu", "leeann|123|my kernel|0");
    parts("leeann_LATE_123_456_x-2.cu", "leeann|123|x|2|L");
    parts("leeann_123_456_x_y-12.zip", "leeann|123|x_y|12");
    parts("leeann_123_456_-2.cu", "leeann|123|-2|0"); /* no name would be left */
    parts("leeann_123_456_x-2026.cu", "leeann|123|x-2026|0");
}
END_TEST

START_TEST(moodle_tells_student_and_number)
{
    parts("Ann Lee_123_assignsubmission_file_", "Ann Lee|123||0");
    parts("Ann Lee_123_assignsubmission_file", "Ann Lee|123||0");
    parts("Ann_Lee_123_assignsubmission_file_x.cu", "Ann_Lee|123|x|0");
    parts("Ann_4_123_assignsubmission_onlinetext_", "Ann_4|123||0");
}
END_TEST

START_TEST(other_names_are_nobodys_pattern)
{
    static const char *const NAMES[] = {"",
                                        "ann",
                                        "ann_123_x.cu",
                                        "ann_123_456_",
                                        "_123_456_x.cu",
                                        "ann_x_456_y.cu",
                                        "ann_123_456",
                                        "_assignsubmission_file_",
                                        "_1_assignsubmission_file_",
                                        "x_assignsubmission_file_"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        ck_assert_msg(name_parts(NAMES[i]).system == NAME_PLAIN, "%s", NAMES[i]);
}
END_TEST

static void before(const char *name, size_t expected)
{
    ck_assert_msg(name_before_lesson(name, strlen(name)) == expected, "%s", name);
}

START_TEST(an_ending_that_names_a_lesson_is_found)
{
    before("ann_lesson3", 3);
    before("ann-Lesson_03", 3);
    before("ann.03_divergence", 3);
    before("ann lee lesson 3", 7);
    before("ann_lesson10_graphs", 3);
}
END_TEST

START_TEST(numbers_and_words_of_a_login_are_no_lesson)
{
    before("ann", 3);
    before("ann_3", 5);
    before("user_12", 7);
    before("ann_lessons", 11);
    before("ann_2026_x", 10);
    before("03_divergence", 13);
    before("ann_", 4);
    before("", 0);
}
END_TEST

TESTS("names", endings_tell_the_kind_in_any_case, hidden_names_are_hidden_whatever_they_end_in,
      canvas_tells_student_number_file_and_version, moodle_tells_student_and_number,
      other_names_are_nobodys_pattern, an_ending_that_names_a_lesson_is_found,
      numbers_and_words_of_a_login_are_no_lesson)
