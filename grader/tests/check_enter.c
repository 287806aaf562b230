/* check_enter.c - tests how judgements come from their files into the gradebook, and which hand-ins
 * still wait for one.
 */
#include "class/enter.h"

#include "check/record.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

static char out[] = "/tmp/enter.XXXXXX";
static struct book *book;
static struct task_settings settings;

static const struct hand_in_note ANN = {"ann", "01_coalescing", "ann.cu", "aa", "", ""};
static const struct hand_in_note BEN = {"ben", "01_coalescing", "ben.cu", "aa", "", "late"};
static const struct hand_in_note CAT = {"cat", "01_coalescing", "cat.cu", "cc", "", ""};

static void open_book(void)
{
    char reason[PATH_MAX];
    strcpy(strrchr(out, '.') + 1, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(out));
    book = book_open(out, reason, sizeof reason);
    ck_assert_msg(book != NULL, "%s", reason);
    settings = (struct task_settings){.out = out, .key = book_key(book)};
    ck_assert(folder_make(path_of("%s/judged", out).text));
    ck_assert(book_note_hand_in(book, &CAT) && book_note_hand_in(book, &BEN) &&
              book_note_hand_in(book, &ANN));
}

static void close_book(void)
{
    book_close(book);
    folder_remove(out);
}

/* Leaves a sealed record with that verdict, as task.c does. */
static void judge(const char *key, const char *verdict)
{
    char seal[HASH_TEXT];
    struct path text = path_of("{\"verdict\":\"%s\"}", verdict);
    seal_make(settings.key, (const char *const[]){key, text.text}, 2, seal);
    json_t *file = json_pack("{s:s, s:s}", "seal", seal, "record", text.text);
    ck_assert(record_write(file, path_of("%s/judged/%s.json", out, key).text));
    json_decref(file);
}

static bool enter(const char *key, bool *judged)
{
    const struct hand_in_note *const notes[] = {&ANN, &BEN};
    json_t *record;
    bool good = enter_judgement(book, &settings, key, notes, 2, &record);
    *judged = record != NULL;
    json_decref(record);
    return good;
}

static size_t count_waiting(void)
{
    struct waiting waiting;
    ck_assert(book_waiting(book, &waiting));
    size_t count = waiting.count;
    waiting_free(&waiting);
    return count;
}

START_TEST(only_files_of_tasks_are_removed)
{
    char key[HASH_TEXT];
    hash_two("a", "b", key);
    struct path record = path_of("%s/judged/%s.json", out, key);
    struct path text = path_of("%s/judged/%s.cu", out, key);
    struct path other = path_of("%s/judged/essays.txt", out);
    ck_assert(file_write(record.text, "x", 1) && file_write(text.text, "x", 1) &&
              file_write(other.text, "x", 1));
    enter_tidy_all(&settings);
    ck_assert(!file_exists(record.text) && !file_exists(text.text));
    ck_assert(file_exists(other.text));
    ck_assert_int_eq(remove(other.text), 0);
    enter_tidy_all(&settings);
    ck_assert(!file_exists(path_of("%s/judged", out).text));
}
END_TEST

START_TEST(hand_ins_wait_in_order_of_their_keys)
{
    struct waiting waiting;
    ck_assert(book_waiting(book, &waiting));
    ck_assert_uint_eq(waiting.count, 3);
    ck_assert_str_eq(waiting.notes[0].student, "ann");
    ck_assert_str_eq(waiting.notes[1].student, "ben");
    ck_assert_str_eq(waiting.notes[1].file, "ben.cu");
    ck_assert_str_eq(waiting.notes[1].remark, "late");
    ck_assert_str_eq(waiting.notes[2].key, "cc");
    waiting_free(&waiting);
}
END_TEST

START_TEST(all_who_handed_in_a_file_get_its_judgement)
{
    bool judged;
    judge("aa", "PASS");
    ck_assert(enter("aa", &judged));
    ck_assert(judged);
    ck_assert(book_has_attempt(book, &ANN) && book_has_attempt(book, &BEN));
    ck_assert_uint_eq(count_waiting(), 1);
}
END_TEST

START_TEST(without_a_record_nothing_is_entered)
{
    bool judged = true;
    ck_assert(enter("aa", &judged));
    ck_assert(!judged);
    ck_assert_uint_eq(count_waiting(), 3);
}
END_TEST

START_TEST(a_record_of_another_task_is_not_believed)
{
    bool judged = true;
    judge("cc", "PASS");
    ck_assert_int_eq(
        rename(path_of("%s/judged/cc.json", out).text, path_of("%s/judged/aa.json", out).text), 0);
    ck_assert(enter("aa", &judged));
    ck_assert(!judged);
    ck_assert_uint_eq(count_waiting(), 3);
}
END_TEST

START_TEST(what_could_not_be_judged_still_waits)
{
    bool judged;
    judge("aa", "DEVICE");
    ck_assert(enter("aa", &judged));
    ck_assert(judged);
    ck_assert_uint_eq(count_waiting(), 3);
}
END_TEST

START_TEST(what_was_entered_is_removed)
{
    judge("aa", "PASS");
    ck_assert(file_write(enter_copy(&settings, "aa").text, "x", 1));
    enter_tidy(&settings, "aa");
    ck_assert(!file_exists(enter_copy(&settings, "aa").text));
    ck_assert(!file_exists(path_of("%s/judged/aa.json", out).text));
}
END_TEST

TESTS_WITH(open_book, close_book, "enter", only_files_of_tasks_are_removed,
           hand_ins_wait_in_order_of_their_keys, all_who_handed_in_a_file_get_its_judgement,
           without_a_record_nothing_is_entered, a_record_of_another_task_is_not_believed,
           what_could_not_be_judged_still_waits, what_was_entered_is_removed)
