/* check_task_list.c - tests how the tasks of a run are kept for other machines. */
#include "class/task_list.h"

#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct course course;
static char out[] = "/tmp/task_list.XXXXXX";
static char reason[2 * PATH_MAX];

static void open_folder(void)
{
    ck_assert_msg(course_open(&course, NULL, NULL, reason, sizeof reason), "%s", reason);
    strcpy(strrchr(out, '.') + 1, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(out));
}

static void close_folder(void)
{
    folder_remove(out);
    course_close(&course);
}

static struct task a_task(char digit, size_t lesson)
{
    struct lesson of;
    struct task task = {0};
    course_lesson_at(&course, lesson, &of);
    memset(task.key, digit, HASH_TEXT - 1);
    task.lesson = of.key;
    task.file = path_of("%s/judged/%s.cu", out, task.key);
    return task;
}

static void write_list(void)
{
    struct task tasks[] = {a_task('0', 0), a_task('a', 1), a_task('f', 1)};
    struct task_list list = {.device = DEVICE_GPU,
                             .seed = UINT64_MAX,
                             .no_ipc = true,
                             .chunk = 2,
                             .tasks = tasks,
                             .count = 3};
    ck_assert(task_list_write(&list, &course, out));
}

/* What is read after a text of the file was replaced by one as long; with a sentence. */
static bool reads_with(const char *text, const char *other)
{
    struct task_list list;
    struct path place = path_of("%s/queue/tasks.json", out);
    write_list();
    char *file = file_read(place.text, 1 << 20, NULL), *found = file ? strstr(file, text) : NULL;
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(strlen(text), strlen(other));
    memcpy(found, other, strlen(other));
    ck_assert(file_write(place.text, file, strlen(file)));
    free(file);
    *reason = '\0';
    bool good = task_list_read(&list, &course, out, reason, sizeof reason);
    ck_assert(good == (*reason == '\0'));
    task_list_free(&list);
    return good;
}

START_TEST(what_was_written_is_read)
{
    struct task_list list;
    write_list();
    ck_assert_msg(task_list_read(&list, &course, out, reason, sizeof reason), "%s", reason);
    ck_assert_int_eq(list.device, DEVICE_GPU);
    ck_assert_uint_eq(list.seed, UINT64_MAX);
    ck_assert(list.no_ipc);
    ck_assert_uint_eq(list.count, 3);
    struct task last = a_task('f', 1);
    ck_assert_str_eq(list.tasks[2].key, last.key);
    ck_assert_str_eq(list.tasks[2].lesson, last.lesson);
    ck_assert_str_eq(list.tasks[2].file.text, last.file.text);
    task_list_free(&list);
}
END_TEST

START_TEST(the_last_chunk_may_be_smaller)
{
    struct task_list list = {.chunk = 2, .count = 3};
    ck_assert_uint_eq(task_list_chunks(&list), 2);
    list.count = 4;
    ck_assert_uint_eq(task_list_chunks(&list), 2);
    list.chunk = 1000;
    ck_assert_uint_eq(task_list_chunks(&list), 1);
}
END_TEST

START_TEST(a_folder_may_be_mounted_elsewhere)
{
    struct task_list list;
    struct path other = path_of("%s/elsewhere", out);
    write_list();
    ck_assert(folder_make(other.text));
    ck_assert_int_eq(rename(path_of("%s/queue", out).text, path_of("%s/queue", other.text).text),
                     0);
    ck_assert(task_list_read(&list, &course, other.text, reason, sizeof reason));
    struct path first = path_of("%s/judged/%s.cu", other.text, list.tasks[0].key);
    ck_assert_str_eq(list.tasks[0].file.text, first.text);
    task_list_free(&list);
}
END_TEST

START_TEST(a_missing_list_is_told)
{
    struct task_list list;
    ck_assert(!task_list_read(&list, &course, out, reason, sizeof reason));
    ck_assert_ptr_nonnull(strstr(reason, "tasks.json cannot be read"));
}
END_TEST

START_TEST(another_version_of_the_course_is_told)
{
    ck_assert(!reads_with("\"grader\"", "\"Grader\""));
    ck_assert_ptr_nonnull(strstr(reason, "another version of the course"));
}
END_TEST

START_TEST(damage_is_told)
{
    ck_assert(reads_with("\"gpu\"", "\"gpu\"")); /* without damage it is read */
    ck_assert(!reads_with("\"gpu\"", "\"gqu\""));
    ck_assert_ptr_nonnull(strstr(reason, "tasks.json is damaged"));
    ck_assert(!reads_with("\"chunk\": 2", "\"chunk\": 0"));
    ck_assert(!reads_with("\"key\": \"0000", "\"key\": \"../0"));
    ck_assert(!reads_with("judged/aaa", "../../aaaa"));
    ck_assert(!reads_with("judged/aaa", "/udged/aaa"));
    ck_assert(!reads_with("\"lesson\": \"00", "\"lesson\": \"99"));
    ck_assert(!reads_with("\"tasks\"", "\"Tasks\""));
}
END_TEST

TESTS_WITH(open_folder, close_folder, "task list", what_was_written_is_read,
           the_last_chunk_may_be_smaller, a_folder_may_be_mounted_elsewhere, a_missing_list_is_told,
           another_version_of_the_course_is_told, damage_is_told)
