/* check_product.c - a compiled file is used again only as it was kept. */
#include "check/product.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1000 };

static char folder[] = "/tmp/check_product-XXXXXX";
static struct path library, secret;

static void open_folder(void)
{
    strcpy(strrchr(folder, '-'), "-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    library = path_of("%s/submission.so", folder);
    secret = path_of("%s/secret", folder);
    ck_assert(file_write(library.text, "code", 4));
}

static void close_folder(void)
{
    ck_assert(folder_remove(folder));
}

START_TEST(what_was_kept_is_whole)
{
    ck_assert(!product_is_whole(folder));
    ck_assert(product_keep(folder, MOST_BYTES));
    ck_assert(product_is_whole(folder));
}
END_TEST

START_TEST(what_changed_since_is_not)
{
    ck_assert(product_keep(folder, MOST_BYTES));
    ck_assert(file_write(library.text, "Code", 4));
    ck_assert(!product_is_whole(folder));
    ck_assert(file_write(library.text, "cod", 3));
    ck_assert(!product_is_whole(folder));
    ck_assert_int_eq(truncate(library.text, 0), 0);
    ck_assert(!product_is_whole(folder));
    ck_assert_int_eq(unlink(library.text), 0);
    ck_assert(!product_is_whole(folder));
}
END_TEST

START_TEST(it_is_written_anew)
{
    struct stat before, after;
    ck_assert_int_eq(stat(library.text, &before), 0);
    ck_assert(product_keep(folder, MOST_BYTES));
    ck_assert_int_eq(stat(library.text, &after), 0);
    ck_assert(after.st_uid == geteuid());
    ck_assert_int_eq(after.st_mode & 0777, 0644);
}
END_TEST

START_TEST(a_link_is_not_followed)
{
    ck_assert(file_write(secret.text, "key", 3));
    ck_assert_int_eq(unlink(library.text), 0);
    ck_assert_int_eq(symlink(secret.text, library.text), 0);
    ck_assert(!product_keep(folder, MOST_BYTES));
    ck_assert(!product_is_whole(folder));
}
END_TEST

START_TEST(nothing_larger_is_kept)
{
    ck_assert(!product_keep(folder, 3));
}
END_TEST

TESTS_WITH(open_folder, close_folder, "product", what_was_kept_is_whole, what_changed_since_is_not,
           it_is_written_anew, a_link_is_not_followed, nothing_larger_is_kept)
