/* check_points.c - the points policy: what it says, and what is wrong with one. */
#include "class/points.h"

#include "check/record.h"
#include "lib/files.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

static char folder[] = "/tmp/check_points-XXXXXX";
static char place[sizeof folder + 12], reason[400];
static struct points points;

static const char WHOLE[] = "gold 110 # ten more\npass 100\r\n\nclose 70\nright 40\nnone 0\n";

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(place, sizeof place, "%s/points.txt", folder);
}

static void remove_folder(void)
{
    folder_remove(folder);
}

static bool reads(const char *text)
{
    ck_assert(file_write(place, text, strlen(text)));
    return points_read(place, &points, reason, sizeof reason);
}

static void refuses(const char *text, const char *what)
{
    ck_assert_msg(!reads(text), "%s", text);
    ck_assert_msg(strstr(reason, what) != NULL, "%s", reason);
}

START_TEST(the_courses_own_policy_is_one)
{
    ck_assert_msg(points_read("grader/class/points.txt", &points, reason, sizeof reason), "%s",
                  reason);
    ck_assert_double_eq(points_most(&points, 3), 100);
}
END_TEST

START_TEST(a_lesson_may_have_its_own_points)
{
    struct path text = path_of("lesson 3 pass 80\n%s  lesson 3 right 20.5\n", WHOLE);
    ck_assert_msg(reads(text.text), "%s", reason);
    ck_assert_double_eq(points.of[3][BAND_PASS], 80);
    ck_assert_double_eq(points.of[3][BAND_RIGHT], 20.5);
    ck_assert_double_eq(points.of[3][BAND_GOLD], 110);
    ck_assert_double_eq(points.of[4][BAND_PASS], 100);
    ck_assert_double_eq(points_most(&points, 4), 110);
}
END_TEST

START_TEST(what_is_wrong_is_named_with_its_line)
{
    refuses("gold 100\npas 100\n", "line 2: a band is one of");
    refuses("gold 100 points\n", "line 1: after the band");
    refuses("gold -1\n", "line 1");
    refuses("gold nan\n", "line 1");
    refuses("gold 100\n", "needs a line");
    refuses("", "needs a line");
    refuses("gold 100\ngold 90\n", "line 2: this band has a line already");
    refuses("gold 100\npass 100\nclose 70\nright 40\nnone 41\n", "worth more than a better");
    refuses(path_of("%slesson gold 3\n", WHOLE).text, "line 7: after \"lesson\"");
    refuses(path_of("%slesson 1.5 gold 3\n", WHOLE).text, "line 7");
    refuses(path_of("%slesson 100 gold 3\n", WHOLE).text, "line 7");
}
END_TEST

START_TEST(a_mark_of_byte_order_is_none_of_its_words)
{
    ck_assert_msg(reads(path_of("\xEF\xBB\xBF%s", WHOLE).text), "%s", reason);
}
END_TEST

START_TEST(no_file_is_one_sentence)
{
    ck_assert(!points_read("/nowhere/points.txt", &points, reason, sizeof reason));
    ck_assert_ptr_nonnull(strstr(reason, "/nowhere/points.txt: the points policy"));
}
END_TEST

static enum band band_with(const char *verdict, bool gold, const char *const *passed)
{
    json_t *record = json_pack("{s:s, s:b, s:[]}", "verdict", verdict, "gold", gold, "gates");
    for (; *passed; passed++)
        record_add_gate(record, *passed, record_outcome(VERDICT_PASS, ""));
    enum band band = band_of(record);
    json_decref(record);
    return band;
}

START_TEST(a_band_is_how_far_a_record_got)
{
    const char *const all[] = {"build", "safety", "numerics", "counters", NULL};
    const char *const some[] = {"build", "safety", "numerics", NULL};
    const char *const few[] = {"build", "safety", NULL};
    ck_assert_int_eq(band_with("PASS", true, all), BAND_GOLD);
    ck_assert_int_eq(band_with("PASS", false, all), BAND_PASS);
    ck_assert_int_eq(band_with("SLOW", false, all), BAND_CLOSE);
    ck_assert_int_eq(band_with("SLOW", false, some), BAND_RIGHT);
    ck_assert_int_eq(band_with("SLOW", false, few), BAND_NONE);
    ck_assert_int_eq(band_with("WRONG", true, all), BAND_NONE);
    ck_assert_int_eq(band_with("BUILD", false, few), BAND_NONE);
}
END_TEST

TESTS_WITH(make_folder, remove_folder, "points", the_courses_own_policy_is_one,
           a_lesson_may_have_its_own_points, what_is_wrong_is_named_with_its_line,
           a_mark_of_byte_order_is_none_of_its_words, no_file_is_one_sentence,
           a_band_is_how_far_a_record_got)
