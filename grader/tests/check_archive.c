/* check_archive.c - .cu files come out of a zip file, and nothing else does, whatever is in it. */
#include "class/archive.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

static const char TEMPLATE[] = "/tmp/check_archive-XXXXXX";
static char folder[sizeof TEMPLATE], told[8000], problem[400];
static struct path zip, into;
static unsigned next;

static void start(void)
{
    strcpy(folder, TEMPLATE);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    zip = path_of("%s/x.zip", folder);
    into = path_of("%s/into", folder);
    ck_assert(folder_make(into.text));
}

static void clean_up(void)
{
    folder_remove(folder);
}

/* "name state content or problem;" */
static void tell(void *context, const struct archive_entry *entry)
{
    (void)context;
    char *content = entry->state == HANDED_IN ? file_read(entry->path, 1 << 20, NULL) : NULL;
    size_t length = strlen(told);
    snprintf(told + length, sizeof told - length, "%s %c %.40s;", entry->name, "HBKL"[entry->state],
             content ? content : entry->problem);
    free(content);
}

static enum handed_in_state unpack_with(const struct archive_limits *limits, bool is_nested)
{
    struct archive_job job = {.path = zip.text,
                              .into = into.text,
                              .next = &next,
                              .limits = limits,
                              .is_nested = is_nested,
                              .tell = tell};
    told[0] = problem[0] = '\0';
    return archive_unpack(&job, problem, sizeof problem);
}

#ifdef HAVE_LIBZIP

#include "tests/zip_of.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static void tells(enum handed_in_state state, const char *expected)
{
    ck_assert_int_eq(unpack_with(&archive_limits, false), state);
    ck_assert_str_eq(told, expected);
}

static void says(const char *words)
{
    ck_assert_msg(strstr(problem, words) != NULL, "says: %s", problem);
}

static int unpacked_files(void)
{
    char **names;
    int count = folder_list(into.text, "", &names);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return count;
}

#define MAKE(...) zip_of(zip.text, (const struct zip_entry[]){__VA_ARGS__, {0}})

START_TEST(sources_are_unpacked_under_numbers_and_others_are_named)
{
    MAKE({"a/x.cu", "X"}, {"a/y.CU", "Y"}, {"a/notes.txt", "T"}, {"a/", ""}, {"in.zip", "Z"},
         {"submission_metadata.yml", "M"});
    tells(HANDED_IN,
          "a/x.cu H X;a/y.CU H Y;a/notes.txt L ;in.zip H Z;submission_metadata.yml H M;");
    ck_assert_int_eq(unpacked_files(), 4);
    ck_assert(file_exists(path_of("%s/0.cu", into.text).text));
}
END_TEST

START_TEST(no_path_leads_out_of_the_zip_file)
{
    MAKE({"../x.cu", "X"}, {"/etc/y.cu", "Y"}, {"a/../../z.cu", "Z"}, {"C:/w.cu", "W"},
         {"..\\v.cu", "V"}, {"a/..", "U"}, {"a..b/x..cu", "fine"});
    tells(HANDED_IN, "../x.cu B has a path in its zip file that leads ou;"
                     "/etc/y.cu B has a path in its zip file that leads ou;"
                     "a/../../z.cu B has a path in its zip file that leads ou;"
                     "C:/w.cu B has a path in its zip file that leads ou;"
                     "../v.cu B has a path in its zip file that leads ou;"
                     "a/.. B has a path in its zip file that leads ou;"
                     "a..b/x..cu H fine;");
    ck_assert_int_eq(unpacked_files(), 1);
}
END_TEST

START_TEST(links_and_devices_are_not_made)
{
    MAKE({"x.cu", "/etc/passwd", 0, S_IFLNK | 0777}, {"folder", "/etc", 0, S_IFLNK | 0777},
         {"y.cu", "", 0, S_IFIFO | 0666}, {"z.cu", "Z"});
    tells(HANDED_IN, "x.cu B is a symbolic link: hand in the file its;"
                     "folder B is a symbolic link: hand in the file its;"
                     "y.cu B is not a regular file;z.cu H Z;");
    ck_assert_int_eq(unpacked_files(), 1);
}
END_TEST

START_TEST(entries_of_one_name_or_of_names_that_differ_in_case_stay_apart)
{
    MAKE({"a1.cu", "one"}, {"a2.cu", "two"}, {"A2.cu", "three"});
    zip_patch(zip.text, "a1.cu", "a2.cu", 5);
    tells(HANDED_IN, "a2.cu H one;a2.cu H two;A2.cu H three;");
    ck_assert_int_eq(unpacked_files(), 3);
}
END_TEST

START_TEST(encrypted_entries_are_told)
{
    MAKE({"x.cu", "X"}, {"notes.txt", "T"});
    zip_encrypt(zip.text);
    tells(HANDED_IN, "x.cu B is encrypted: hand it in without a passw;notes.txt L ;");
}
END_TEST

START_TEST(a_damaged_entry_is_told_and_others_are_unpacked)
{
    MAKE({"x.cu", "SPOILED"}, {"y.cu", "Y"});
    zip_patch(zip.text, "SPOILED", "spoiled", 7);
    tells(HANDED_IN, "x.cu B is damaged in its zip file: hand it in a;y.cu H Y;");
    ck_assert_int_eq(unpacked_files(), 1);
}
END_TEST

START_TEST(what_is_no_whole_zip_file_is_told)
{
    ck_assert(file_write(zip.text, "no zip file", 11));
    tells(HANDED_IN_BAD, "");
    says("is no zip file, or only a part of one");
    ck_assert(file_write(zip.text, "", 0));
    tells(HANDED_IN_BAD, "");
    says("is empty");
    MAKE({"x.cu", "X"});
    ck_assert_int_eq(truncate(zip.text, 40), 0);
    tells(HANDED_IN_BAD, "");
    says("only a part of one");
    ck_assert(file_write(zip.text, "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22));
    tells(HANDED_IN_BAD, "");
    says("has no file in it");
}
END_TEST

START_TEST(a_zip_file_that_is_not_there_or_may_not_be_read_blocks)
{
    tells(HANDED_IN_BLOCKED, "");
    says("cannot be read (No such file or directory)");
    ck_assert_int_eq(symlink("/etc/passwd", zip.text), 0);
    tells(HANDED_IN_BLOCKED, "");
}
END_TEST

START_TEST(every_damage_of_a_byte_is_survived)
{
    MAKE({"x.cu", "some text of a kernel"}, {"y/z.cu", "another text of a kernel"});
    size_t bytes;
    char *data = file_read(zip.text, 1 << 20, &bytes);
    for (size_t at = 0; at < bytes; at++) {
        data[at] ^= (char)0xFF;
        ck_assert(file_write(zip.text, data, bytes));
        enum handed_in_state state = unpack_with(&archive_limits, false);
        ck_assert_msg(state != HANDED_IN_LEFT_OUT && (state == HANDED_IN || *problem), "%zu", at);
        data[at] ^= (char)0xFF;
    }
    free(data);
}
END_TEST

static char *much(size_t bytes)
{
    char *text = malloc(bytes);
    ck_assert_ptr_nonnull(text);
    return memset(text, 'x', bytes);
}

START_TEST(a_source_that_is_too_large_is_told_and_not_unpacked)
{
    char *text = much(256 * 1024 + 1);
    MAKE({"x.cu", text, 256 * 1024 + 1}, {"y.cu", text, 256 * 1024});
    free(text);
    ck_assert_int_eq(unpack_with(&archive_limits, false), HANDED_IN);
    ck_assert_ptr_nonnull(strstr(told, "x.cu B is too large"));
    ck_assert_ptr_nonnull(strstr(told, "y.cu H xxx"));
    ck_assert_int_eq(unpacked_files(), 1);
}
END_TEST

START_TEST(an_entry_that_is_longer_than_it_says_is_not_believed)
{
    char *text = much(256 * 1024 + 1);
    MAKE({"x.cu", text, 256 * 1024 + 1});
    free(text);
    zip_patch(zip.text, "\1\0\4\0", "\1\0\0\0", 4); /* its size becomes 1 byte */
    ck_assert_int_eq(unpack_with(&archive_limits, false), HANDED_IN);
    ck_assert_ptr_nonnull(strstr(told, "x.cu B "));
    ck_assert_int_eq(unpacked_files(), 0);
}
END_TEST

START_TEST(a_bomb_is_left_when_it_grows_too_much)
{
    enum { FILES = 40, BYTES = 256 * 1024 };
    struct zip_entry entries[FILES + 1] = {0};
    static char names[FILES][8];
    char *text = much(BYTES);
    for (int i = 0; i < FILES; i++) {
        sprintf(names[i], "%d.cu", i);
        entries[i] = (struct zip_entry){names[i], text, BYTES};
    }
    zip_of(zip.text, entries);
    free(text);
    ck_assert_int_eq(unpack_with(&archive_limits, false), HANDED_IN_BAD);
    says("becomes more than 100 times as large");
    ck_assert_int_lt(unpacked_files(), FILES);
}
END_TEST

START_TEST(bytes_and_files_are_limited)
{
    static const struct archive_limits FEW = {2, 1 << 20, 100}, LITTLE = {10, 5, 100};
    MAKE({"x.cu", "XXXX"}, {"y.cu", "YYYY"}, {"z.cu", "ZZZZ"});
    ck_assert_int_eq(unpack_with(&FEW, false), HANDED_IN_BAD);
    says("has more than 2 files in it");
    ck_assert_int_eq(unpacked_files(), 0);
    ck_assert_int_eq(unpack_with(&LITTLE, false), HANDED_IN_BAD);
    says("so it was not unpacked to its end");
    ck_assert_str_eq(told, "x.cu H XXXX;");
    ck_assert_int_eq(unpacked_files(), 1);
}
END_TEST

START_TEST(a_zip_file_in_a_nested_one_is_told_and_not_unpacked)
{
    MAKE({"in.zip", "Z"}, {"x.cu", "X"});
    ck_assert_int_eq(unpack_with(&archive_limits_nested, true), HANDED_IN);
    ck_assert_str_eq(told, "in.zip B is a zip file in a zip file in a zip fil;x.cu H X;");
}
END_TEST

START_TEST(unpacked_files_have_the_times_of_their_entries)
{
    struct stat status;
    MAKE({"x.cu", "X", 0, 0, 1700000000});
    ck_assert_int_eq(unpack_with(&archive_limits, false), HANDED_IN);
    ck_assert_int_eq(stat(path_of("%s/%u.cu", into.text, next - 1).text, &status), 0);
    ck_assert_int_eq(status.st_mtim.tv_sec, 1700000000);
}
END_TEST

START_TEST(a_full_disk_blocks_with_a_sentence_and_leaves_no_half_file)
{
    struct rlimit limit, little;
    MAKE({"x.cu", "more than four bytes"}, {"y.cu", "Y"});
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    little = limit;
    little.rlim_cur = 4;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
    enum handed_in_state state = unpack_with(&archive_limits, false);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(state, HANDED_IN_BLOCKED);
    says("cannot be unpacked (File too large): make room on the disk");
    ck_assert_str_eq(told, "");
    ck_assert_int_eq(unpacked_files(), 0);
}
END_TEST

START_TEST(a_folder_that_is_not_there_blocks)
{
    MAKE({"x.cu", "X"});
    into = path_of("%s/nowhere", folder);
    tells(HANDED_IN_BLOCKED, "");
    says("cannot be unpacked (No such file or directory)");
}
END_TEST

TESTS_WITH(start, clean_up, "archive", sources_are_unpacked_under_numbers_and_others_are_named,
           no_path_leads_out_of_the_zip_file, links_and_devices_are_not_made,
           entries_of_one_name_or_of_names_that_differ_in_case_stay_apart,
           encrypted_entries_are_told, a_damaged_entry_is_told_and_others_are_unpacked,
           what_is_no_whole_zip_file_is_told,
           a_zip_file_that_is_not_there_or_may_not_be_read_blocks,
           every_damage_of_a_byte_is_survived, a_source_that_is_too_large_is_told_and_not_unpacked,
           an_entry_that_is_longer_than_it_says_is_not_believed,
           a_bomb_is_left_when_it_grows_too_much, bytes_and_files_are_limited,
           a_zip_file_in_a_nested_one_is_told_and_not_unpacked,
           unpacked_files_have_the_times_of_their_entries,
           a_full_disk_blocks_with_a_sentence_and_leaves_no_half_file,
           a_folder_that_is_not_there_blocks)

#else

START_TEST(without_libzip_the_sentence_says_what_to_install)
{
    ck_assert(file_write(zip.text, "PK", 2));
    ck_assert_int_eq(unpack_with(&archive_limits, false), HANDED_IN_BLOCKED);
    ck_assert_ptr_nonnull(strstr(problem, "install libzip-dev"));
    ck_assert_str_eq(told, "");
}
END_TEST

TESTS_WITH(start, clean_up, "archive", without_libzip_the_sentence_says_what_to_install)

#endif
