/* check_source.c - what may be judged, and the sentence for what may not. */
#include "check/source.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check_source-XXXXXX";
static struct path file;
static struct source source;
static char reason[PATH_MAX + 200];

static void start(void)
{
    strcpy(folder, "/tmp/check_source-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    file = path_of("%s/kernel.cu", folder);
}

static bool read_it(bool strict)
{
    bool accepted = source_read(file.text, strict, &source, reason, sizeof reason);
    source_free(&source);
    return accepted;
}

static bool says(const char *words)
{
    return strncmp(reason, file.text, strlen(file.text)) == 0 && strstr(reason, words);
}

static void clean_up(void)
{
    folder_remove(folder);
}

START_TEST(a_plain_file_is_accepted_and_named_by_its_content)
{
    start();
    ck_assert(file_write(file.text, "abc", 3));
    ck_assert(source_read(file.text, true, &source, reason, sizeof reason));
    ck_assert_str_eq(source.text, "abc");
    ck_assert_str_eq(source.sha256,
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    source_free(&source);
    clean_up();
}
END_TEST

START_TEST(missing_folders_empty_and_binary_files_are_refused_by_name)
{
    start();
    ck_assert(!read_it(false) && says("no such file"));
    ck_assert(file_write(file.text, "", 0));
    ck_assert(!read_it(false) && says("empty"));
    ck_assert(file_write(file.text, "a\0b", 3));
    ck_assert(!read_it(false) && says("not text"));
    unlink(file.text);
    mkdir(file.text, 0777);
    ck_assert(!read_it(false) && says("folder"));
    clean_up();
}
END_TEST

START_TEST(a_huge_file_is_refused_without_being_read)
{
    start();
    ck_assert(file_write(file.text, "x", 1));
    ck_assert_int_eq(truncate(file.text, 300000000), 0);
    ck_assert(!read_it(false) && says("too large"));
    ck_assert_int_eq(truncate(file.text, SOURCE_MOST_BYTES + 1), 0);
    ck_assert(!read_it(false));
    clean_up();
}
END_TEST

START_TEST(a_pipe_is_refused_at_once)
{
    start();
    ck_assert_int_eq(mkfifo(file.text, 0666), 0);
    ck_assert(!read_it(false) && says("regular"));
    clean_up();
}
END_TEST

START_TEST(a_link_is_refused_when_grading_and_followed_otherwise)
{
    start();
    struct path other = path_of("%s/other.cu", folder);
    ck_assert(file_write(other.text, "abc", 3));
    ck_assert_int_eq(symlink(other.text, file.text), 0);
    ck_assert(read_it(false));
    ck_assert(!read_it(true) && says("symbolic link"));
    clean_up();
}
END_TEST

TESTS("source", a_plain_file_is_accepted_and_named_by_its_content,
      missing_folders_empty_and_binary_files_are_refused_by_name,
      a_huge_file_is_refused_without_being_read, a_pipe_is_refused_at_once,
      a_link_is_refused_when_grading_and_followed_otherwise)
