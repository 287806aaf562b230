/* check_record.c - members of records, and text of any bytes in them. */
#include "check/record.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <math.h>
#include <string.h>

static void expect_clean(const char *from, size_t bytes, const char *to)
{
    json_t *text = record_clean(from, bytes);
    ck_assert_str_eq(json_string_value(text), to);
    json_decref(text);
}

START_TEST(text_that_is_utf8_stays_and_other_bytes_become_question_marks)
{
    expect_clean("caf\303\251\n", 6, "caf\303\251\n");
    expect_clean("caf\351\033[1m", 8, "caf??[1m");
    expect_clean("", 0, "");
}
END_TEST

START_TEST(missing_members_read_as_nothing)
{
    json_t *empty = json_object();
    ck_assert_str_eq(record_text(empty, "x"), "");
    ck_assert_str_eq(record_text(NULL, "x"), "");
    ck_assert(isnan(record_real(empty, "x")));
    ck_assert_int_eq(record_integer(NULL, "x"), 0);
    ck_assert_ptr_null(record_gate(empty, "build"));
    ck_assert_int_eq(record_verdict(empty), VERDICT_INTERNAL);
    json_decref(empty);
}
END_TEST

START_TEST(a_gate_is_found_by_its_name_the_first_one_first)
{
    json_t *record = json_pack("{s:[]}", "gates");
    record_add_gate(record, "build", record_outcome(VERDICT_PASS, "one"));
    record_add_gate(record, "build", record_outcome(VERDICT_INTERNAL, "two"));
    ck_assert_str_eq(record_text(record_gate(record, "build"), "reason"), "one");
    json_decref(record);
}
END_TEST

START_TEST(a_written_record_is_whole_or_not_there)
{
    char folder[] = "/tmp/check_record-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    struct path file = path_of("%s/r.json", folder), nowhere = path_of("%s/no/r.json", folder);
    json_t *record = json_pack("{s:i}", "a", 1);
    ck_assert(record_write(record, file.text));
    ck_assert(!record_write(record, nowhere.text));
    json_t *again = json_load_file(file.text, 0, NULL);
    ck_assert(json_equal(record, again));
    char **names;
    ck_assert_int_eq(folder_list(folder, "", &names), 1); /* nothing beside it */
    free(names[0]);
    free(names);
    json_decref(again);
    json_decref(record);
    folder_remove(folder);
}
END_TEST

TESTS("record", text_that_is_utf8_stays_and_other_bytes_become_question_marks,
      missing_members_read_as_nothing, a_gate_is_found_by_its_name_the_first_one_first,
      a_written_record_is_whole_or_not_there)
