/* check_export.c - the formats of export.c, of a class with honest and with hostile texts.
 *
 *     check_export FOLDER            instead of tests: a folder for each class of export_class.h,
 *                                    honest, 0, 1, ..., with the files of all formats (exports.sh)
 */
#include "class/export.h"

#include "check/record.h"
#include "class/mark_text.h"
#include "lib/files.h"
#include "tests/check_main.h"
#include "tests/export_class.h"

#include <string.h>

static struct test_class honest, hostile;

/* Its caller frees it. */
static char *written(const char *name, const struct marks *marks, const struct student *student)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    bool complete = export_named(name)->write(marks, student, out);
    fclose(out);
    ck_assert(complete);
    ck_assert_uint_eq(strlen(text), bytes);
    return text;
}

static unsigned count(const char *text, const char *part)
{
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

static void expect(const char *name, const char *text)
{
    struct marks *marks = make_class(&honest, false, 0);
    char *made = written(name, marks, NULL);
    ck_assert_str_eq(made, text);
    free(made);
    free_class(&honest);
}

/* Of one student, by number. */
static void expect_part(const char *name, unsigned student, const char *part)
{
    struct marks *marks = make_class(&honest, false, 0);
    char *made = written(name, marks, &marks->students[student]);
    ck_assert_msg(strstr(made, part), "not in %s: %s", made, part);
    free(made);
    free_class(&honest);
}

START_TEST(formats_are_found_by_name)
{
    ck_assert_str_eq(export_named("canvas")->file, "canvas.csv");
    ck_assert(export_named("gradescope")->for_each);
    ck_assert_ptr_null(export_named("excel"));
}
END_TEST

START_TEST(canvas_gets_points_of_those_in_the_roster)
{
    expect("canvas", "Student,ID,SIS User ID,SIS Login ID,Section,Coalescing,Tiling,Warp "
                     "divergence\n"
                     "    Points Possible,,,,,100,100,100\n"
                     "\"Lee, Ann\",4711,s1,annlee,Monday,100,70,0\n"
                     "\"Lee, Ann\",4711,s1,annlee,Monday,85.5,,0\n");
}
END_TEST

START_TEST(moodle_gets_feedback_beside_a_grade_only)
{
    struct marks *marks = make_class(&honest, false, 0);
    char *made = written("moodle", marks, NULL);
    ck_assert_ptr_nonnull(strstr(made, "email,idnumber,Coalescing,Coalescing feedback,Tiling"));
    ck_assert_ptr_nonnull(
        strstr(made, "\nann@school.example,ann,100,\"Points: 100 of 100 (gold). "));
    ck_assert_ptr_nonnull(strstr(made, " Hint: Read by rows.\",,,0,"));
    ck_assert_ptr_null(strstr(made, "cal"));
    ck_assert_ptr_null(strstr(made, "dot"));
    free(made);
    free_class(&honest);
}
END_TEST

START_TEST(moodle_shows_feedback_as_it_was_written)
{
    struct marks *marks = make_class(&honest, false, 0);
    json_object_set_new(marks->marks[1].record, "reason", json_string("i <= n && a < -1"));
    char *made = written("moodle", marks, NULL);
    ck_assert_ptr_nonnull(strstr(made, "i &#60;&#61; n &#38;&#38; a &#60; &#45;1."));
    free(made);
    free_class(&honest);
}
END_TEST

START_TEST(students_read_points_verdict_reason_line_and_hint)
{
    struct marks *marks = make_class(&honest, false, 0);
    char *text = mark_text(&marks->marks[1]);
    ck_assert_str_eq(text, "Points: 70 of 100\n"
                           "Verdict: SLOW, your code gave right results, but costs too much\n"
                           "Reason: element 3 is 4, not 5\n"
                           "Line: 41, 32 sectors for each request\n"
                           "Hint: Read by rows.\n");
    free(text);
    text = mark_text(&marks->marks[3]);
    ck_assert_ptr_nonnull(strstr(text, "Decided by the instructor: the node had no GPU\n"));
    free(text);
    free_class(&honest);
}
END_TEST

START_TEST(an_undecided_mark_scores_nothing_and_says_so)
{
    expect_part("gradescope", 1, "It counts as not handed in until it has been judged.");
    expect_part("gradescope", 1,
                "\"score\": 0,\n   \"max_score\": 100,\n   \"status\": \"failed\"");
    expect_part("autolab", 1, "\n{\"scores\":{\"01_coalescing\":85.5,\"03_divergence\":0}}\n");
}
END_TEST

START_TEST(a_student_without_hand_ins_gets_a_file_all_the_same)
{
    expect_part("gradescope", 3, "\"score\": 0");
    expect_part("autolab", 3, "{\"scores\":{}}\n");
    expect_part("classroom", 3, "ey"); /* the base64 of {" */
}
END_TEST

START_TEST(tap_skips_who_is_absent)
{
    struct marks *marks = make_class(&honest, false, 0);
    char *made = written("tap", marks, NULL);
    ck_assert_uint_eq(count(made, " # SKIP nothing was handed in\n"), 4);
    ck_assert_ptr_nonnull(
        strstr(made, "TAP version 14\n1..12\nok 1 - 01_coalescing: ann\n  ---\n"));
    ck_assert_ptr_nonnull(strstr(made, "\nnot ok 5 - 02_tiling: ben\n  ---\n  verdict: "
                                       "\"UNDECIDED\"\n  message: \"the node had no GPU\"\n"));
    free(made);
    free_class(&honest);
}
END_TEST

START_TEST(junit_counts_what_it_has)
{
    expect_part("junit", 0,
                "hostname=\"localhost\" tests=\"4\" failures=\"1\" errors=\"1\" "
                "skipped=\"2\" time=\"1.25\">");
    expect_part("junit", 0, "timestamp=\"2026-11-20T10:00:00\"");
}
END_TEST

START_TEST(sarif_names_the_file_and_the_line)
{
    expect_part("sarif", 0, "\"uri\": \"ann/mine.cu\"");
    expect_part("sarif", 0, "\"startLine\": 41");
    expect_part("sarif", 0, "not 5\\nHint: Read by rows.\"");
    expect_part("sarif", 0, "\"level\": \"warning\"");
}
END_TEST

/* Text of a student's adds nothing that a reader would count. */
START_TEST(hostile_text_adds_no_line)
{
    struct marks *plain = make_class(&honest, false, 0);
    struct marks *marks = make_class(&hostile, true, (unsigned)_i);
    for (const struct export_format *const *each = export_formats; *each; each++)
        for (unsigned i = 0; i < ((*each)->for_each ? CLASS_STUDENTS : 1); i++) {
            char *expected = written((*each)->name, plain, &plain->students[i]);
            char *made = written((*each)->name, marks, &marks->students[i]);
            /* A text that is "" has no line; none has more than one. */
            ck_assert_uint_le(count(made, "\n"), count(expected, "\n"));
            ck_assert_uint_ge(count(made, "\n") + 12, count(expected, "\n"));
            ck_assert_ptr_null(strpbrk(made, "\x1B\x07\x7F\r\t"));
            ck_assert_ptr_null(strstr(made, "\n::"));
            ck_assert_ptr_null(strstr(made, "\xE2\x80\xAE"));
            ck_assert_ptr_null(strstr(made, "\xEF\xBF\xBF"));
            free(made);
            free(expected);
        }
    free_class(&honest);
    free_class(&hostile);
}
END_TEST

START_TEST(a_long_reason_is_not_cut)
{
    struct marks *marks = make_class(&honest, false, 0);
    json_object_set_new(marks->marks[1].record, "reason", json_string(long_text));
    static const char *const WITH_REASONS[] = {"gradescope", "autolab", "moodle", "junit",
                                               "sarif",      "tap",     NULL};
    for (const char *const *name = WITH_REASONS; *name; name++) {
        char *made = written(*name, marks, &marks->students[0]);
        ck_assert_ptr_nonnull(strstr(made, long_text));
        free(made);
    }
    free_class(&honest);
}
END_TEST

START_TEST(a_record_without_members_is_no_crash)
{
    struct marks *marks = make_class(&honest, false, 0);
    for (size_t i = 0; i < marks->mark_count; i++) {
        json_decref(marks->marks[i].record);
        marks->marks[i].record = i % 2 ? json_object() : NULL;
    }
    for (const struct export_format *const *each = export_formats; *each; each++)
        free(written((*each)->name, marks, &marks->students[0]));
    free_class(&honest);
}
END_TEST

START_TEST(an_empty_class_has_files)
{
    const struct marks none = {.lessons = {"01_coalescing"}, .lesson_count = 1};
    for (const struct export_format *const *each = export_formats; *each; each++)
        if (!(*each)->for_each) {
            char *made = written((*each)->name, &none, NULL);
            ck_assert_uint_gt(strlen(made), 0);
            free(made);
        }
}
END_TEST

START_TEST(a_full_disk_is_told)
{
    struct marks *marks = make_class(&honest, false, 0);
    for (const struct export_format *const *each = export_formats; *each; each++) {
        FILE *full = fopen("/dev/full", "w");
        ck_assert(!(*each)->write(marks, &marks->students[0], full));
        fclose(full);
    }
    free_class(&honest);
}
END_TEST

/* --- Files for exports.sh --------------------------------------------------------------------- */

static bool write_file(const struct export_format *format, const struct marks *marks,
                       const struct student *student, const char *folder)
{
    FILE *out =
        folder_make(folder) ? fopen(path_of("%s/%s", folder, format->file).text, "w") : NULL;
    bool complete = out && format->write(marks, student, out);
    return out && fclose(out) == 0 && complete;
}

/* A student's folder is called by number: their id may be anything here. */
static bool write_class(const struct marks *marks, const char *folder)
{
    bool complete = true;
    for (const struct export_format *const *each = export_formats; *each; each++) {
        if (!(*each)->for_each)
            complete &= write_file(*each, marks, NULL, folder);
        for (unsigned i = 0; (*each)->for_each && i < CLASS_STUDENTS; i++)
            complete &=
                write_file(*each, marks, &marks->students[i], path_of("%s/%u", folder, i).text);
    }
    return complete;
}

static int write_classes(const char *folder)
{
    bool complete = write_class(make_class(&honest, false, 0), path_of("%s/honest", folder).text);
    free_class(&honest);
    for (unsigned first = 0; first < HOSTILE_TEXTS; first++) {
        complete &=
            write_class(make_class(&hostile, true, first), path_of("%s/%u", folder, first).text);
        free_class(&hostile);
    }
    return complete ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count_of, char **arguments)
{
    if (count_of > 1)
        return write_classes(arguments[1]);
    const TTest *const ALL[] = {formats_are_found_by_name,
                                canvas_gets_points_of_those_in_the_roster,
                                moodle_gets_feedback_beside_a_grade_only,
                                moodle_shows_feedback_as_it_was_written,
                                students_read_points_verdict_reason_line_and_hint,
                                an_undecided_mark_scores_nothing_and_says_so,
                                a_student_without_hand_ins_gets_a_file_all_the_same,
                                tap_skips_who_is_absent,
                                junit_counts_what_it_has,
                                sarif_names_the_file_and_the_line,
                                a_long_reason_is_not_cut,
                                a_record_without_members_is_no_crash,
                                an_empty_class_has_files,
                                a_full_disk_is_told,
                                NULL};
    Suite *suite = suite_create("export");
    TCase *tests = tcase_create("export");
    for (const TTest *const *test = ALL; *test; test++)
        tcase_add_test(tests, *test);
    tcase_add_loop_test(tests, hostile_text_adds_no_line, 0, HOSTILE_TEXTS);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
