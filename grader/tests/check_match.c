/* check_match.c - which student a name means, and that a doubtful one means nobody. */
#include "class/match.h"

#include "tests/check_main.h"

#include <string.h>

#define STUDENT(id_, name_, email_, canvas_)                                            \
    {                                                                                   \
        .id = id_, .name = name_, .email = email_, .section = "", .canvas_id = canvas_, \
        .sis_id = "", .sis_login = "", .listed = true                                   \
    }

static struct student students[] = {
    STUDENT("ann", "Ann Marie Lee", "a.lee@x.edu", "11"), STUDENT("bob", "Ray, Bob", "", "12"),
    STUDENT("lee", "Lee Ann", "a.lee@y.edu", "13"), STUDENT("zoe", "Lee Ann", "z@x.edu", "bob")};
static const struct roster roster = {students, sizeof students / sizeof *students};
static struct match match;

static void start(void)
{
    ck_assert(match_open(&match, &roster));
}

static void stop(void)
{
    match_close(&match);
}

static void means(const char *name, const char *id, enum match_kind kind)
{
    struct match_found found = match_find(&match, name, strlen(name), MATCH_ANY);
    ck_assert_msg(found.student && !found.rival, "%s", name);
    ck_assert_str_eq(found.student->id, id);
    ck_assert_int_eq(found.kind, kind);
}

static void means_nobody(const char *name)
{
    ck_assert_msg(!match_find(&match, name, strlen(name), MATCH_ANY).student, "%s", name);
}

static void fits_two(const char *name)
{
    ck_assert_msg(match_find(&match, name, strlen(name), MATCH_ANY).rival != NULL, "%s", name);
}

START_TEST(each_thing_that_a_roster_knows_names_its_student)
{
    means("ANN ", "ann", MATCH_ID);
    means("A.Lee@x.edu", "ann", MATCH_EMAIL);
    means("z", "zoe", MATCH_LOCAL_PART);
    means("12", "bob", MATCH_CANVAS);
    means("raybob", "bob", MATCH_NAME);
    means("Bob Ray", "bob", MATCH_NAME);
    means("leeannmarie", "ann", MATCH_NAME);
    means("marie-lee, ann", "ann", MATCH_NAME);
}
END_TEST

START_TEST(ids_decide_before_anything_else)
{
    means("bob", "bob", MATCH_ID); /* it is Zoe's Canvas id, too */
    means("lee", "lee", MATCH_ID);
}
END_TEST

START_TEST(what_fits_two_students_means_neither)
{
    fits_two("a.lee");
    fits_two("Lee Ann");
    fits_two("annlee");
}
END_TEST

START_TEST(other_names_mean_nobody)
{
    means_nobody("");
    means_nobody(" ");
    means_nobody("an");
    means_nobody("annlee2");
    means_nobody("mariean");
    means_nobody("\xff");
}
END_TEST

START_TEST(only_the_kinds_that_are_asked_for_count)
{
    ck_assert_ptr_null(match_find(&match, "12", 2, MATCH_LOGIN).student);
    ck_assert_ptr_null(match_find(&match, "raybob", 6, MATCH_LOGIN).student);
    ck_assert_ptr_eq(match_find(&match, "bobby", 3, MATCH_LOGIN).student, &students[1]);
}
END_TEST

START_TEST(without_a_roster_nobody_is_meant)
{
    struct match none;
    ck_assert(match_open(&none, NULL));
    ck_assert_ptr_null(match_find(&none, "ann", 3, MATCH_ANY).student);
    match_close(&none);
}
END_TEST

TESTS_WITH(start, stop, "match", each_thing_that_a_roster_knows_names_its_student,
           ids_decide_before_anything_else, what_fits_two_students_means_neither,
           other_names_mean_nobody, only_the_kinds_that_are_asked_for_count,
           without_a_roster_nobody_is_meant)
