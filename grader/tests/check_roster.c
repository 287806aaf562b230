/* check_roster.c - who is in the class, in the tables of several systems, and what is wrong with a
 * table. */
#include "class/roster.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TEMPLATE[] = "/tmp/check_roster-XXXXXX";
static char folder[sizeof TEMPLATE], reason[PATH_MAX + 400];
static struct path file;
static struct roster roster;

static void start(void)
{
    strcpy(folder, TEMPLATE);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    file = path_of("%s/roster.csv", folder);
}

static void clean_up(void)
{
    folder_remove(folder);
}

static void put(const char *text, size_t bytes)
{
    ck_assert(file_write(file.text, text, bytes));
}

static void reads(const char *text)
{
    put(text, strlen(text));
    ck_assert_msg(roster_read(file.text, &roster, reason, sizeof reason), "says: %s", reason);
}

/* The sentence is the file's name and words. */
static void refuses_bytes(const char *text, size_t bytes, const char *words)
{
    put(text, bytes);
    ck_assert(!roster_read(file.text, &roster, reason, sizeof reason));
    ck_assert_msg(strncmp(reason, file.text, strlen(file.text)) == 0, "says: %s", reason);
    ck_assert_msg(strstr(reason + strlen(file.text), words) != NULL, "says: %s", reason);
    ck_assert_ptr_null(roster.students);
}

static void refuses(const char *text, const char *words)
{
    refuses_bytes(text, strlen(text), words);
}

static void has(size_t at, const char *id, const char *name, const char *email, const char *section)
{
    ck_assert_uint_lt(at, roster.count);
    ck_assert_str_eq(roster.students[at].id, id);
    ck_assert_str_eq(roster.students[at].name, name);
    ck_assert_str_eq(roster.students[at].email, email);
    ck_assert_str_eq(roster.students[at].section, section);
    ck_assert(roster.students[at].listed);
}

START_TEST(columns_are_found_by_name_in_any_order_and_case)
{
    reads("Section,EMAIL Address,extra,Student_ID,Full Name\nA,a@x.edu,7,ann,Ann Lee\n");
    ck_assert_uint_eq(roster.count, 1);
    has(0, "ann", "Ann Lee", "a@x.edu", "A");
    roster_free(&roster);
    reads("first name,LAST NAME,sid\nAnn,Lee,7\nBob,,8\n");
    has(0, "7", "Ann Lee", "", "");
    has(1, "8", "Bob", "", "");
    roster_free(&roster);
}
END_TEST

START_TEST(each_name_of_the_id_column_is_known_and_the_first_counts)
{
    static const char *const NAMES[] = {"id",        "student id", "sid",         "Username",
                                        "ID number", "identifier", "SIS Login ID"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        reads(path_of("name,%s\nAnn,ann\n", NAMES[i]).text);
        has(0, "ann", "Ann", "", "");
        roster_free(&roster);
    }
    reads("idnumber,username\n7,ann\n");
    has(0, "ann", "", "", "");
    roster_free(&roster);
}
END_TEST

START_TEST(marks_line_ends_quotes_and_blank_lines_of_spreadsheets_are_read)
{
    reads("\xEF\xBB\xBF\r\nid,name\r\nann,\"Lee,\r\n \"\"Ann\"\"\"\r\n,\r\n\r\n"
          "  bob\xC2\xA0,Bob\r\n");
    ck_assert_uint_eq(roster.count, 2);
    has(0, "ann", "Lee, \"Ann\"", "", "");
    has(1, "bob", "Bob", "", "");
    roster_free(&roster);
}
END_TEST

START_TEST(a_canvas_export_keeps_its_ids_and_its_row_of_points_is_no_student)
{
    reads("Student,ID,SIS User ID,SIS Login ID,Section,Lesson 1 (77)\n"
          ",,,,,Manual Posting\n"
          "    Points Possible,,,,,100\n"
          "\"Lee, Ann\",123,u7,alee,CS 1,\n"
          "\"Ray, Bob\",124,u8,,CS 1,\n"
          "\"Student, Test\",125,,,CS 1,\n");
    ck_assert_uint_eq(roster.count, 3);
    has(0, "alee", "Lee, Ann", "", "CS 1");
    ck_assert_str_eq(roster.students[0].canvas_id, "123");
    ck_assert_str_eq(roster.students[0].sis_id, "u7");
    ck_assert_str_eq(roster.students[0].sis_login, "alee");
    has(1, "u8", "Ray, Bob", "", "CS 1");
    has(2, "125", "Student, Test", "", "CS 1");
    roster_free(&roster);
}
END_TEST

START_TEST(texts_of_students_are_clean)
{
    reads("id,name\n=1+1,\"a\x1b[2J\xE2\x80\xAE\"\n");
    has(0, "=1+1", "a␛[2J\xEF\xBF\xBD", "", "");
    roster_free(&roster);
}
END_TEST

START_TEST(ids_are_found_without_regard_to_case_and_outer_spaces)
{
    reads("id\nann\nBob\n");
    ck_assert_ptr_eq(roster_find(&roster, " ANN "), &roster.students[0]);
    ck_assert_ptr_eq(roster_find(&roster, "bob"), &roster.students[1]);
    ck_assert_ptr_null(roster_find(&roster, "an"));
    ck_assert_ptr_null(roster_find(&roster, ""));
    roster_free(&roster);
    ck_assert_ptr_null(roster_find(&roster, "ann"));
}
END_TEST

START_TEST(an_id_that_two_lines_have_is_told_with_both)
{
    refuses("id,name\nann,A\nbob,B\n Ann ,C\n", "lines 2 and 4 have the same id, \"ann\"");
}
END_TEST

START_TEST(a_line_without_an_id_is_told)
{
    refuses("id,name\nann,A\n,B\n", ":3 has no id");
    refuses("Student,ID,SIS Login ID\n\"Lee, Ann\",,\n", ":2 has no id");
}
END_TEST

START_TEST(a_header_without_ids_is_told_with_the_names_that_would_do)
{
    refuses("name,email\nAnn,a@x.edu\n", ":1 has no column of ids: name one \"id\"");
    refuses("ann\nbob\n", ":1 has no column of ids");
}
END_TEST

START_TEST(a_comma_without_quotes_is_told_and_shifts_no_column)
{
    refuses("id,name,email\nann,Lee, Ann,a@x.edu\n", ":2 has 4 fields, but the header has 3");
    reads("id,name\nann,Ann,,\nbob\n");
    has(1, "bob", "", "", "");
    roster_free(&roster);
}
END_TEST

START_TEST(a_quote_that_is_never_closed_is_told_by_its_line)
{
    refuses("id,name\nann,A\nbob,\"B\ncid,C\n", ":3 opens a double quote that is never closed");
}
END_TEST

START_TEST(text_that_is_not_utf8_is_told_by_its_line)
{
    refuses("id,name\nann,A\nbob,Zo\xEB\n", ":3 is not UTF-8 text: save");
    refuses_bytes("\xFF\xFEi\0d\0", 6, ":1 is not UTF-8 text");
    refuses_bytes("id\nan\0n\n", 8, ":2 is not UTF-8 text");
}
END_TEST

START_TEST(a_file_without_students_is_refused)
{
    refuses("", " is empty");
    refuses("\r\n\r\n", " is empty");
    refuses("id,name\n", " names its columns, but no student");
    refuses("id,name", " names its columns, but no student");
}
END_TEST

START_TEST(what_is_no_file_or_cannot_be_read_is_told)
{
    ck_assert(!roster_read(folder, &roster, reason, sizeof reason));
    ck_assert_msg(strstr(reason, " is a folder: name the CSV file in it") != NULL, "%s", reason);
    ck_assert(!roster_read(file.text, &roster, reason, sizeof reason));
    ck_assert_msg(strstr(reason, "No such file") != NULL, "says: %s", reason);
    ck_assert_int_eq(mkfifo(file.text, 0600), 0);
    ck_assert(!roster_read(file.text, &roster, reason, sizeof reason));
    ck_assert_msg(strstr(reason, " is not a file") != NULL, "says: %s", reason);
    unlink(file.text);
    put("id\nann\n", 7);
    ck_assert_int_eq(chmod(file.text, 0), 0);
    ck_assert_int_eq(chmod(folder, 0755), 0);
    ck_assert(geteuid() != 0 || seteuid(65534) == 0); /* root may read everything */
    ck_assert(!roster_read(file.text, &roster, reason, sizeof reason));
    ck_assert_msg(strstr(reason, "Permission denied") != NULL, "says: %s", reason);
    ck_assert(getuid() != 0 || seteuid(0) == 0);
}
END_TEST

START_TEST(a_sentence_is_cut_where_its_place_ends)
{
    char little[8];
    put("name\n", 5);
    ck_assert(!roster_read(file.text, &roster, little, sizeof little));
    ck_assert_uint_eq(strlen(little), sizeof little - 1);
}
END_TEST

TESTS_WITH(start, clean_up, "roster", columns_are_found_by_name_in_any_order_and_case,
           each_name_of_the_id_column_is_known_and_the_first_counts,
           marks_line_ends_quotes_and_blank_lines_of_spreadsheets_are_read,
           a_canvas_export_keeps_its_ids_and_its_row_of_points_is_no_student,
           texts_of_students_are_clean, ids_are_found_without_regard_to_case_and_outer_spaces,
           an_id_that_two_lines_have_is_told_with_both, a_line_without_an_id_is_told,
           a_header_without_ids_is_told_with_the_names_that_would_do,
           a_comma_without_quotes_is_told_and_shifts_no_column,
           a_quote_that_is_never_closed_is_told_by_its_line,
           text_that_is_not_utf8_is_told_by_its_line, a_file_without_students_is_refused,
           what_is_no_file_or_cannot_be_read_is_told, a_sentence_is_cut_where_its_place_ends)
