/* check_entry_files.c - whole entries and patches make one list, and a patch makes a file. */
#include "check/entry_files.h"

#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PATCH_OF(base) "// expect: WRONG numerics\n--- " base "\n+++ x\n@@ -2 +2 @@\n-one\n+uno\n"

static char folder[] = "/tmp/entry_files.XXXXXX", reason[3 * PATH_MAX];
static struct course course;
static struct lesson lesson = {.key = "01_a"};

static void put(const char *name, const char *text)
{
    ck_assert(file_write(path_of("%s/%s", folder, name).text, text, strlen(text)));
}

static void open_course(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    course.root = path_of("%s", folder);
    course.build = path_of("%s/build", folder);
    lesson.judge_folder = path_of("%s/judge", folder);
    ck_assert(folder_make(path_of("%s/judge/wrong", folder).text));
    put("base.cu", "// expect: PASS\none\ntwo\n");
    put("judge/wrong/b.patch", PATCH_OF("base.cu"));
    put("judge/wrong/b_c.cu", "// expect: PASS\nc\n");
}

static void close_course(void)
{
    folder_remove(folder);
}

static bool read_entry(const char *name, struct path *path, struct expectation *expectation)
{
    struct entry_file entry = {&course, &lesson, "wrong", name};
    return entry_file_read(&entry, path, expectation, reason, sizeof reason);
}

static void refuses(const char *name, const char *words)
{
    struct path path;
    struct expectation expectation;
    ck_assert(!read_entry(name, &path, &expectation));
    ck_assert_msg(strstr(reason, words), "says: %s", reason);
}

START_TEST(patches_are_listed_among_the_others)
{
    static const char *const EXPECTED[] = {"a.cu", "b.cu", "b_c.cu"};
    char **names;
    put("judge/wrong/a.cu", "// expect: PASS\n");
    ck_assert_int_eq(entry_files_list(&lesson, "wrong", &names), 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_str_eq(names[i], EXPECTED[i]);
        free(names[i]);
    }
    free(names);
    ck_assert_int_eq(entry_files_list(&lesson, "slow", &names), -1);
}
END_TEST

START_TEST(a_patch_becomes_a_file_in_build)
{
    struct path path;
    struct expectation expectation;
    ck_assert(read_entry("b.cu", &path, &expectation));
    ck_assert_int_eq(expectation.verdict, VERDICT_WRONG);
    ck_assert_str_eq(path.text, path_of("%s/build/corpus/01_a/wrong/b.cu", folder).text);
    char *text = file_read(path.text, 1000, NULL);
    ck_assert_str_eq(text, "// expect: WRONG numerics\nuno\ntwo\n");
    free(text);
    ck_assert(read_entry("b_c.cu", &path, &expectation));
    ck_assert_str_eq(path.text, path_of("%s/judge/wrong/b_c.cu", folder).text);
}
END_TEST

START_TEST(the_file_follows_its_base_and_is_left_alone_otherwise)
{
    struct path path;
    struct expectation expectation;
    struct stat first, second;
    ck_assert(read_entry("b.cu", &path, &expectation) && stat(path.text, &first) == 0);
    ck_assert(read_entry("b.cu", &path, &expectation) && stat(path.text, &second) == 0);
    ck_assert_uint_eq(first.st_ino, second.st_ino);
    put("base.cu", "// expect: PASS\none\nthree\n");
    ck_assert(read_entry("b.cu", &path, &expectation));
    char *text = file_read(path.text, 1000, NULL);
    ck_assert_str_eq(text, "// expect: WRONG numerics\nuno\nthree\n");
    free(text);
}
END_TEST

START_TEST(what_cannot_be_read_is_named)
{
    put("base.cu", "// expect: PASS\nzero\none\n");
    refuses("b.cu", "judge/wrong/b.patch does not apply to base.cu: line 2 of the base");
    ck_assert_ptr_nonnull(strstr(reason, "`make entry-patch NAME=01_a/wrong/b`"));
    put("judge/wrong/b.patch", PATCH_OF("gone.cu"));
    refuses("b.cu", "gone.cu cannot be read: No such file");
    put("judge/wrong/b.cu", "// expect: PASS\n");
    refuses("b.cu", "judge/wrong/b.cu and b.patch are the same entry: remove one");
    refuses("d.cu", "neither judge/wrong/d.cu nor d.patch is there");
    put("judge/wrong/e.cu", "one\n");
    refuses("e.cu", "the first line does not start with");
}
END_TEST

TESTS_WITH(open_course, close_course, "entry_files", patches_are_listed_among_the_others,
           a_patch_becomes_a_file_in_build, the_file_follows_its_base_and_is_left_alone_otherwise,
           what_cannot_be_read_is_named)
