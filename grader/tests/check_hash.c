/* check_hash.c - SHA-256 against the examples of FIPS 180-4. */
#include "lib/hash.h"

#include "tests/check_main.h"

#include <string.h>

static const char *hash_of(const void *data, size_t bytes)
{
    static char text[HASH_TEXT];
    struct hash hash;
    hash_init(&hash);
    hash_add(&hash, data, bytes);
    hash_text(&hash, text);
    return text;
}

START_TEST(the_standards_examples_hold)
{
    ck_assert_str_eq(hash_of("", 0),
                     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    ck_assert_str_eq(hash_of("abc", 3),
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    ck_assert_str_eq(hash_of(two_blocks, strlen(two_blocks)),
                     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
END_TEST

START_TEST(pieces_of_any_size_give_the_same_hash)
{
    static char million[1000000];
    memset(million, 'a', sizeof million);
    const char *expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    ck_assert_str_eq(hash_of(million, sizeof million), expected);
    for (size_t piece = 1; piece < 200; piece += 63) {
        char text[HASH_TEXT];
        struct hash hash;
        hash_init(&hash);
        for (size_t at = 0; at < sizeof million; at += piece)
            hash_add(&hash, million + at,
                     sizeof million - at < piece ? sizeof million - at : piece);
        hash_text(&hash, text);
        ck_assert_str_eq(text, expected);
    }
}
END_TEST

START_TEST(texts_do_not_run_into_each_other)
{
    char one[HASH_TEXT], other[HASH_TEXT];
    struct hash hash;
    hash_init(&hash);
    hash_add_text(&hash, "ab");
    hash_add_text(&hash, "c");
    hash_text(&hash, one);
    hash_init(&hash);
    hash_add_text(&hash, "a");
    hash_add_text(&hash, "bc");
    hash_text(&hash, other);
    ck_assert_str_ne(one, other);
}
END_TEST

TESTS("hash", the_standards_examples_hold, pieces_of_any_size_give_the_same_hash,
      texts_do_not_run_into_each_other)
