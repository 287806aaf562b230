/* check_seal.c - seals against another implementation of HMAC, and the file of the key. */
#include "class/seal.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check_seal-XXXXXX";
static char place[sizeof folder + 8], reason[400];

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(place, sizeof place, "%s/key", folder);
}

static void remove_folder(void)
{
    folder_remove(folder);
}

/* By Python's hmac, with a key of 20 bytes 0x0b and each text with its zero. */
START_TEST(a_seal_is_an_hmac)
{
    struct seal_key key = {{0}};
    char seal[HASH_TEXT];
    memset(key.bytes, 0x0b, 20);
    seal_make(&key, (const char *const[]){"Hi There"}, 1, seal);
    ck_assert_str_eq(seal, "f67dd14688b85b4183637af0166514ef2350e0053a10255bd67ca6ad88bf9aec");
    seal_make(&key, (const char *const[]){"Hi", "There"}, 2, seal);
    ck_assert_str_eq(seal, "4bba24fed8ca80471d46faf19523346e4a209cea09dc030807983acd308c64dd");
}
END_TEST

START_TEST(a_changed_text_breaks_it)
{
    struct seal_key key = {{1, 2, 3}};
    char seal[HASH_TEXT];
    const char *const texts[] = {"ann", "points 40"}, *const other[] = {"ann", "points 90"};
    const char *const shifted[] = {"annp", "oints 40"};
    seal_make(&key, texts, 2, seal);
    ck_assert(seal_holds(&key, texts, 2, seal));
    ck_assert(!seal_holds(&key, other, 2, seal));
    ck_assert(!seal_holds(&key, shifted, 2, seal));
    ck_assert(!seal_holds(&key, texts, 1, seal));
    key.bytes[31] ^= 1;
    ck_assert(!seal_holds(&key, texts, 2, seal));
}
END_TEST

START_TEST(a_key_is_drawn_once_and_private)
{
    struct seal_key first, second;
    struct stat status;
    ck_assert_msg(seal_key_open(place, &first, reason, sizeof reason), "%s", reason);
    ck_assert(seal_key_open(place, &second, reason, sizeof reason));
    ck_assert_mem_eq(&first, &second, sizeof first);
    ck_assert_int_eq(stat(place, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
}
END_TEST

START_TEST(a_key_that_others_read_is_refused)
{
    struct seal_key key;
    ck_assert(seal_key_open(place, &key, reason, sizeof reason));
    ck_assert_int_eq(chmod(place, 0644), 0);
    ck_assert(!seal_key_open(place, &key, reason, sizeof reason));
    ck_assert_ptr_nonnull(strstr(reason, "others may read"));
}
END_TEST

START_TEST(a_damaged_key_is_not_replaced)
{
    struct seal_key key;
    ck_assert(file_write(place, "short", 5));
    ck_assert_int_eq(chmod(place, 0600), 0);
    ck_assert(!seal_key_open(place, &key, reason, sizeof reason));
    ck_assert_ptr_nonnull(strstr(reason, "damaged"));
    ck_assert_int_eq(unlink(place), 0);
    ck_assert_int_eq(mkdir(place, 0700), 0);
    ck_assert(!seal_key_open(place, &key, reason, sizeof reason));
}
END_TEST

TESTS_WITH(make_folder, remove_folder, "seal", a_seal_is_an_hmac, a_changed_text_breaks_it,
           a_key_is_drawn_once_and_private, a_key_that_others_read_is_refused,
           a_damaged_key_is_not_replaced)
