/* check_clean.c - bytes of any kind become text that stays in its line and shows what it says. */
#include "class/clean.h"

#include "tests/check_main.h"

#include <string.h>

static void cleans(const char *bytes, size_t length, const char *expected)
{
    char *text = clean_text(bytes, length);
    ck_assert_str_eq(text, expected);
    free(text);
}

#define CLEANS(bytes, expected) cleans(bytes, sizeof(bytes) - 1, expected)
#define FFFD "\xEF\xBF\xBD"

static void cell(const char *bytes, const char *expected)
{
    char *text = clean_cell(bytes, strlen(bytes));
    ck_assert_str_eq(text, expected);
    free(text);
}

static void key(const char *name, const char *expected)
{
    char *text = clean_name_key(name);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(text_that_is_clean_stays_as_it_is)
{
    CLEANS("", "");
    CLEANS("ann lee.cu", "ann lee.cu");
    CLEANS("Zoë 李 \xF0\x9F\x98\x80 =1+1", "Zoë 李 \xF0\x9F\x98\x80 =1+1");
}
END_TEST

START_TEST(bytes_that_are_not_utf8_become_replacement_characters)
{
    CLEANS("a\xff"
           "b",
           "a" FFFD "b");
    CLEANS("\xC3", FFFD);                            /* cut */
    CLEANS("\xC0\xAF", FFFD FFFD);                   /* "/" in two bytes */
    CLEANS("\xED\xA0\x80", FFFD FFFD FFFD);          /* a surrogate */
    CLEANS("\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD); /* above U+10FFFF */
}
END_TEST

START_TEST(control_characters_become_their_pictures)
{
    CLEANS("a\nb\r\x1b[2J\x7f\t", "a␊b␍␛[2J␡␉");
    cleans("a\0b", 3, "a␀b");
    CLEANS("\xC2\x9B", FFFD); /* the same as ESC [ to a terminal */
    CLEANS("\xE2\x80\xA8\xE2\x80\xA9", FFFD FFFD);
}
END_TEST

START_TEST(direction_of_writing_cannot_be_changed)
{
    static const unsigned MARKS[] = {0x200E, 0x200F, 0x202A, 0x202E, 0x2066, 0x2069};
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        char mark[] = {(char)0xE2, (char)(0x80 | (MARKS[i] >> 6 & 0x3F)),
                       (char)(0x80 | (MARKS[i] & 0x3F)), '\0'};
        cleans(mark, 3, FFFD);
    }
    CLEANS("\xD8\x9C", FFFD);
    CLEANS("\xE2\x80\x94\xE2\x80\xB0", "—‰"); /* neighbours of the marks */
}
END_TEST

START_TEST(white_space_of_a_cell_becomes_single_spaces)
{
    cell("  Ann \n\t Lee\xC2\xA0 ", "Ann Lee");
    cell(" \r\n ", "");
    cell("Ann\x1b", "Ann␛");
}
END_TEST

START_TEST(spellings_of_a_name_have_one_key)
{
    key("Lee, Zoë-Ann", "leezoeann");
    key("lee zoe\xCC\x88 ann", "leezoeann"); /* an accent of its own, as macOS writes */
    key("O’Neill ŁUKASZ", "oneilllukasz");
    key("ИВАНОВ Юрий", "иванов"
                       "юрии");
    key("李 小龍", "李小龍");
    key("-._'", "");
}
END_TEST

START_TEST(the_first_invalid_byte_is_found)
{
    size_t at;
    ck_assert(clean_is_utf8("aë", 3, &at));
    ck_assert(!clean_is_utf8("aë\xffz", 5, &at));
    ck_assert_uint_eq(at, 3);
}
END_TEST

TESTS("clean", text_that_is_clean_stays_as_it_is,
      bytes_that_are_not_utf8_become_replacement_characters,
      control_characters_become_their_pictures, direction_of_writing_cannot_be_changed,
      white_space_of_a_cell_becomes_single_spaces, spellings_of_a_name_have_one_key,
      the_first_invalid_byte_is_found)
