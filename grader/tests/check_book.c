/* check_book.c - a gradebook keeps what it was given, and says what counts. */
#include "class/book.h"

#include "check/record.h"
#include "lib/files.h"
#include "tests/check_main.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check_book-XXXXXX";
static char reason[400];
static struct book *book;
static struct course course;
static struct points points;
static struct marks marks;

static void open_again(void)
{
    book_close(book);
    book = book_open(folder, reason, sizeof reason);
    ck_assert_msg(book != NULL, "%s", reason);
}

static void open_book(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    open_again();
    course.judges = json_pack("[{s:s, s:s}]", "lesson", "03_divergence", "title", "Divergence");
    ck_assert(points_read("grader/class/points.txt", &points, reason, sizeof reason));
}

static void close_book(void)
{
    marks_free(&marks);
    json_decref(course.judges);
    book_close(book);
    folder_remove(folder);
}

/* --- What the tests enter --------------------------------------------------------------------- */

static void enter_student(const char *id)
{
    char none[] = "", name[16];
    snprintf(name, sizeof name, "%s", id);
    struct student student = {name, none, none, none, none, none, none, true};
    ck_assert(book_note_student(book, &student));
}

static void hand_in(const char *student, const char *key, const char *problem)
{
    struct hand_in_note note = {student, "03_divergence", "a.cu", key, problem, ""};
    ck_assert_msg(book_note_hand_in(book, &note), "%s", book_reason(book));
}

static void judged(const char *student, const char *key, const char *verdict)
{
    struct source source = {.text = "code", .bytes = 4};
    struct hash hash;
    hash_init(&hash);
    hash_add(&hash, source.text, source.bytes);
    hash_text(&hash, source.sha256);
    struct hand_in_note note = {student, "03_divergence", "a.cu", key, "", ""};
    json_t *record = json_pack("{s:s, s:s, s:{s:s}, s:[]}", "verdict", verdict, "reason", "why",
                               "submission", "sha256", source.sha256, "gates");
    ck_assert_msg(book_add_attempt(book, &note, &source, record), "%s", book_reason(book));
    json_decref(record);
}

static const struct mark *mark_of(const char *student)
{
    marks_free(&marks);
    ck_assert_msg(book_marks(book, &course, &points, &marks), "%s", book_reason(book));
    for (size_t i = 0; i < marks.mark_count; i++)
        if (strcmp(marks.marks[i].student->id, student) == 0)
            return &marks.marks[i];
    ck_abort_msg("no mark of %s", student);
}

/* SQL from outside, as with sqlite3(1), while nobody has the gradebook. Its status. */
static int outside(const char *sql)
{
    sqlite3 *db;
    book_close(book);
    ck_assert_int_eq(sqlite3_open(path_of("%s/gradebook.sqlite", folder).text, &db), SQLITE_OK);
    int status = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
    book = book_open(folder, reason, sizeof reason);
    return status;
}

/* --- What counts ------------------------------------------------------------------------------ */

START_TEST(the_judgement_of_the_file_handed_in_counts)
{
    enter_student("ann");
    enter_student("bob");
    hand_in("ann", "k1", "");
    judged("ann", "k1", "PASS");
    ck_assert_int_eq(mark_of("ann")->standing, MARK_JUDGED);
    ck_assert_double_eq(mark_of("ann")->points, 100);
    ck_assert_str_eq(mark_of("ann")->source, "code");
    ck_assert_int_eq(mark_of("bob")->standing, MARK_ABSENT);
    ck_assert_double_eq(mark_of("bob")->points, 0);
}
END_TEST

START_TEST(a_new_file_is_undecided_until_it_is_judged)
{
    enter_student("ann");
    hand_in("ann", "k1", "");
    judged("ann", "k1", "PASS");
    hand_in("ann", "k2", "");
    ck_assert_int_eq(mark_of("ann")->standing, MARK_UNDECIDED);
    ck_assert_double_eq(mark_of("ann")->points, 0);
    judged("ann", "k2", "DEVICE");
    ck_assert_int_eq(mark_of("ann")->standing, MARK_UNDECIDED);
    ck_assert_str_eq(mark_of("ann")->why, "why");
    judged("ann", "k2", "WRONG");
    ck_assert_int_eq(mark_of("ann")->standing, MARK_JUDGED);
    ck_assert_double_eq(mark_of("ann")->points, 0);
    ck_assert_uint_eq(mark_of("ann")->attempts, 3);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_here_costs_nobody_a_mark)
{
    enter_student("ann");
    hand_in("ann", "", "a.cu: Permission denied");
    ck_assert_int_eq(mark_of("ann")->standing, MARK_UNDECIDED);
    ck_assert_str_eq(mark_of("ann")->why, "a.cu: Permission denied");
}
END_TEST

START_TEST(the_instructor_decides_and_takes_it_back)
{
    enter_student("ann");
    hand_in("ann", "k1", "");
    judged("ann", "k1", "WRONG");
    ck_assert(book_decide(book, "ann", "03_divergence", 80, "the grader erred", "ida"));
    ck_assert_int_eq(mark_of("ann")->standing, MARK_DECIDED);
    ck_assert_double_eq(mark_of("ann")->points, 80);
    ck_assert_str_eq(mark_of("ann")->why, "the grader erred");
    ck_assert_uint_eq(mark_of("ann")->flag_count, 1);
    ck_assert(book_decide(book, "ann", "03_divergence", NAN, "it did not", "ida"));
    ck_assert_int_eq(mark_of("ann")->standing, MARK_JUDGED);
    ck_assert_double_eq(mark_of("ann")->points, 0);
}
END_TEST

START_TEST(two_students_with_one_file_are_flagged)
{
    enter_student("ann");
    enter_student("bob");
    hand_in("ann", "k1", "");
    hand_in("bob", "k1", "");
    judged("ann", "k1", "PASS");
    judged("bob", "k1", "PASS");
    ck_assert_str_eq(mark_of("ann")->flags[0], "identical to the file of bob");
    ck_assert_str_eq(mark_of("bob")->flags[0], "identical to the file of ann");
}
END_TEST

/* --- What stays ------------------------------------------------------------------------------- */

START_TEST(it_is_there_when_it_is_opened_again)
{
    enter_student("ann");
    hand_in("ann", "k1", "");
    judged("ann", "k1", "PASS");
    open_again();
    struct hand_in_note note = {.student = "ann", .lesson = "03_divergence", .key = "k1"};
    ck_assert(book_has_attempt(book, &note));
    note.key = "k2";
    ck_assert(!book_has_attempt(book, &note));
    ck_assert_int_eq(mark_of("ann")->standing, MARK_JUDGED);
}
END_TEST

START_TEST(nothing_that_was_judged_or_decided_can_be_changed)
{
    enter_student("ann");
    judged("ann", "k1", "WRONG");
    ck_assert(book_decide(book, "ann", "03_divergence", 80, "because", "ida"));
    ck_assert_int_ne(outside("UPDATE attempt SET verdict = 'PASS'"), SQLITE_OK);
    ck_assert_int_ne(outside("DELETE FROM attempt"), SQLITE_OK);
    ck_assert_int_ne(outside("UPDATE decision SET points = '100'"), SQLITE_OK);
    ck_assert_int_ne(outside("DELETE FROM decision"), SQLITE_OK);
}
END_TEST

START_TEST(what_is_changed_all_the_same_is_not_believed)
{
    static const char *const CHANGES[] = {"record = replace(record, 'WRONG', 'PASS')",
                                          "student = 'bob'",
                                          "key = 'k2'",
                                          "lesson = '01_coalescing'",
                                          "file = 'b.cu'",
                                          "seal = 'none'"};
    enter_student("ann");
    enter_student("bob");
    hand_in("ann", "k1", "");
    hand_in("bob", "k1", "");
    ck_assert_int_eq(outside("DROP TRIGGER attempt_stays"), SQLITE_OK);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        judged("ann", "k1", "WRONG");
        struct hand_in_note note = {.student = "ann", .lesson = "03_divergence", .key = "k1"};
        ck_assert(book_has_attempt(book, &note));
        ck_assert_int_eq(outside(path_of("UPDATE attempt SET %s", CHANGES[i]).text), SQLITE_OK);
        ck_assert_msg(!book_has_attempt(book, &note), "%s", CHANGES[i]);
        ck_assert_int_ne(mark_of("ann")->standing, MARK_JUDGED);
        ck_assert_int_ne(mark_of("bob")->standing, MARK_JUDGED);
    }
}
END_TEST

START_TEST(a_changed_decision_is_not_believed_and_flagged)
{
    enter_student("ann");
    hand_in("ann", "k1", "");
    judged("ann", "k1", "WRONG");
    ck_assert(book_decide(book, "ann", "03_divergence", 10, "because", "ida"));
    ck_assert_int_eq(outside("DROP TRIGGER decision_stays; UPDATE decision SET points = '100'"),
                     SQLITE_OK);
    ck_assert_int_eq(mark_of("ann")->standing, MARK_JUDGED);
    ck_assert_ptr_nonnull(strstr(mark_of("ann")->flags[0], "is not believed"));
}
END_TEST

START_TEST(a_change_that_fails_leaves_nothing_at_once)
{
    ck_assert(book_begin(book));
    enter_student("ann");
    ck_assert(!book_end(book, false));
    ck_assert(book_marks(book, &course, &points, &marks));
    ck_assert_uint_eq(marks.student_count, 0);
    ck_assert(book_begin(book));
    enter_student("ben");
    ck_assert(book_end(book, true));
    marks_free(&marks);
    ck_assert(book_marks(book, &course, &points, &marks));
    ck_assert_uint_eq(marks.student_count, 1);
}
END_TEST

START_TEST(an_unfinished_change_leaves_nothing)
{
    ck_assert(book_begin(book));
    enter_student("ann");
    judged("ann", "k1", "PASS");
    open_again();
    ck_assert(book_marks(book, &course, &points, &marks));
    ck_assert_uint_eq(marks.student_count, 0);
}
END_TEST

START_TEST(a_text_that_was_changed_or_lost_is_not_believed)
{
    enter_student("ann");
    hand_in("ann", "k1", "");
    judged("ann", "k1", "PASS");
    ck_assert_int_eq(outside("UPDATE source SET text = 'other'"), SQLITE_OK);
    ck_assert_str_eq(mark_of("ann")->source, "");
    ck_assert_ptr_nonnull(strstr(mark_of("ann")->flags[0], "has lost the text"));
    ck_assert_int_eq(outside("DELETE FROM source"), SQLITE_OK);
    ck_assert_ptr_nonnull(strstr(mark_of("ann")->flags[0], "has lost the text"));
}
END_TEST

START_TEST(which_file_counts_is_sealed)
{
    enter_student("ann");
    judged("ann", "k1", "PASS");
    hand_in("ann", "k2", "");
    judged("ann", "k2", "WRONG");
    ck_assert_int_eq(outside("UPDATE hand_in SET key = 'k1'"), SQLITE_OK);
    ck_assert_int_eq(mark_of("ann")->standing, MARK_UNDECIDED);
}
END_TEST

START_TEST(who_is_no_longer_handing_in_keeps_the_mark_with_a_flag)
{
    enter_student("ann");
    hand_in("ann", "k1", "");
    judged("ann", "k1", "PASS");
    ck_assert(book_forget_hand_ins(book, "03_divergence"));
    ck_assert_int_eq(mark_of("ann")->standing, MARK_JUDGED);
    ck_assert_ptr_nonnull(strstr(mark_of("ann")->flags[0], "latest run"));
    ck_assert(mark_of("ann")->student->listed);
    ck_assert(book_forget_roster(book));
    ck_assert(!mark_of("ann")->student->listed);
}
END_TEST

START_TEST(a_decision_that_was_taken_back_leaves_no_lesson)
{
    enter_student("ann");
    hand_in("ann", "k1", "");
    ck_assert(book_decide(book, "ann", "09_adamw", 5, "a slip", "ida"));
    mark_of("ann");
    ck_assert_uint_eq(marks.lesson_count, 2);
    ck_assert(book_decide(book, "ann", "09_adamw", NAN, "it was", "ida"));
    mark_of("ann");
    ck_assert_uint_eq(marks.lesson_count, 1);
}
END_TEST

/* --- Opening ---------------------------------------------------------------------------------- */

static void refuses_to_open(const char *what)
{
    book_close(book);
    book = book_open(folder, reason, sizeof reason);
    ck_assert_msg(!book && strstr(reason, what), "%s", reason);
}

START_TEST(one_command_at_a_time)
{
    ck_assert_ptr_null(book_open(folder, reason, sizeof reason));
    ck_assert_ptr_nonnull(strstr(reason, "another command is working"));
}
END_TEST

START_TEST(a_newer_gradebook_is_left_alone)
{
    ck_assert_int_eq(outside("PRAGMA user_version = 99"), SQLITE_OK);
    refuses_to_open("a newer version");
}
END_TEST

START_TEST(another_programs_file_is_left_alone)
{
    ck_assert_int_eq(outside("PRAGMA application_id = 1"), SQLITE_OK);
    refuses_to_open("no gradebook of this course");
}
END_TEST

START_TEST(a_damaged_file_is_one_sentence)
{
    book_close(book);
    book = NULL;
    unlink(path_of("%s/gradebook.sqlite-wal", folder).text);
    ck_assert(file_write(path_of("%s/gradebook.sqlite", folder).text, "no database at all", 18));
    refuses_to_open("damaged");
}
END_TEST

static struct path file_of(const char *name)
{
    return path_of("%s/%s", folder, name);
}

START_TEST(a_gradebook_without_its_key_is_not_opened)
{
    ck_assert_int_eq(unlink(file_of("gradebook.key").text), 0);
    refuses_to_open("gradebook.key: it is missing");
    ck_assert(!file_exists(file_of("gradebook.key").text));
}
END_TEST

START_TEST(another_key_is_noticed)
{
    static const char KEY[SEAL_KEY_BYTES] = "another";
    ck_assert_int_eq(unlink(file_of("gradebook.key").text), 0);
    ck_assert(file_write(file_of("gradebook.key").text, KEY, sizeof KEY));
    ck_assert_int_eq(chmod(file_of("gradebook.key").text, 0600), 0);
    refuses_to_open("it is not the key of this gradebook");
}
END_TEST

START_TEST(a_gradebook_that_is_gone_is_not_begun_anew)
{
    book_close(book);
    book = NULL;
    ck_assert(file_write(file_of("gradebook.sqlite").text, "", 0));
    refuses_to_open("it is missing or empty");
    ck_assert_int_eq(unlink(file_of("gradebook.sqlite").text), 0);
    refuses_to_open("it is missing or empty");
}
END_TEST

START_TEST(an_older_copy_is_noticed)
{
    size_t bytes;
    enter_student("ann");
    judged("ann", "k1", "PASS");
    open_again();
    book_close(book);
    char *older = file_read(file_of("gradebook.sqlite").text, 1 << 20, &bytes);
    ck_assert_ptr_nonnull(older);
    book = book_open(folder, reason, sizeof reason);
    ck_assert(book_decide(book, "ann", "03_divergence", 0, "copied", "ida"));
    book_close(book);
    book = NULL;
    ck_assert(file_write(file_of("gradebook.sqlite").text, older, bytes));
    free(older);
    refuses_to_open("fewer judgements or decisions");
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_is_one_sentence)
{
    ck_assert(file_write(path_of("%s/file", folder).text, "x", 1));
    ck_assert_ptr_null(book_open(path_of("%s/file/book", folder).text, reason, sizeof reason));
    ck_assert_ptr_nonnull(strstr(reason, "directory"));
}
END_TEST

TESTS_WITH(
    open_book, close_book, "book", the_judgement_of_the_file_handed_in_counts,
    a_new_file_is_undecided_until_it_is_judged, a_file_that_cannot_be_read_here_costs_nobody_a_mark,
    the_instructor_decides_and_takes_it_back, two_students_with_one_file_are_flagged,
    it_is_there_when_it_is_opened_again, nothing_that_was_judged_or_decided_can_be_changed,
    what_is_changed_all_the_same_is_not_believed, a_changed_decision_is_not_believed_and_flagged,
    a_text_that_was_changed_or_lost_is_not_believed, which_file_counts_is_sealed,
    who_is_no_longer_handing_in_keeps_the_mark_with_a_flag,
    a_decision_that_was_taken_back_leaves_no_lesson, a_gradebook_without_its_key_is_not_opened,
    another_key_is_noticed, a_gradebook_that_is_gone_is_not_begun_anew, an_older_copy_is_noticed,
    a_change_that_fails_leaves_nothing_at_once, an_unfinished_change_leaves_nothing,
    one_command_at_a_time, a_newer_gradebook_is_left_alone, another_programs_file_is_left_alone,
    a_damaged_file_is_one_sentence, a_folder_that_cannot_be_made_is_one_sentence)
