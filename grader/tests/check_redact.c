/* check_redact.c - what a student reads names no folder of the instructor's. */
#include "check/redact.h"

#include "tests/check_main.h"

#include <stdlib.h>
#include <string.h>

static void becomes(const char *text, const char *from, const char *to, const char *want)
{
    char *got = redact_text(text, from, to);
    ck_assert_str_eq(got, want);
    free(got);
}

START_TEST(a_folder_gets_its_other_name_wherever_it_is)
{
    becomes("/home/ann/course/build/lib: no", "/home/ann/course", "warpquest",
            "warpquest/build/lib: no");
    becomes("in \"/c\", at /c/x.cu(3)", "/c", "here", "in \"here\", at here/x.cu(3)");
    becomes("a=/c:/c/lib", "/c", "here", "a=here:here/lib");
}
END_TEST

START_TEST(a_longer_name_is_another_folder)
{
    becomes("/courses/a /course", "/course", "here", "/courses/a here");
}
END_TEST

START_TEST(nothing_is_written_for_a_root_or_no_folder)
{
    ck_assert_ptr_null(redact_text("/a", "/", "here"));
    ck_assert_ptr_null(redact_text("/a", "", "here"));
}
END_TEST

static bool mentions(const json_t *value, const char *word)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    bool found = strstr(text, word) != NULL;
    free(text);
    return found;
}

START_TEST(every_text_of_a_record_is_looked_at)
{
    struct course course = {.root = path_of("/home/ann/course"),
                            .build = path_of("/home/ann/products")};
    json_t *record = json_pack(
        "{s:s, s:{s:[{s:s}, s]}, s:i}", "log", "/home/ann/course/build/lib/sim", "gates", "list",
        "reason", "/home/ann/products/work/1/a.cu: no", "/home/ann/handed/in/ben.cu: no", "n", 3);
    redact_record(record, &course, "/home/ann/handed/in/ben.cu");
    ck_assert(!mentions(record, "ann"));
    ck_assert(mentions(record, "submissions/ben.cu: no"));
    json_decref(record);
}
END_TEST

TESTS("redact", a_folder_gets_its_other_name_wherever_it_is, a_longer_name_is_another_folder,
      nothing_is_written_for_a_root_or_no_folder, every_text_of_a_record_is_looked_at)
