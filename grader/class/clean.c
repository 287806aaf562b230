/* clean.c - decodes UTF-8 strictly, and replaces what could leave its line or mislead a reader. */
#include "class/clean.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLACEMENT = 0xFFFD, PICTURES = 0x2400, PICTURE_OF_DELETE = 0x2421 };

size_t clean_decode(const char *bytes, size_t length, uint32_t *code)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800,
                                     0x10000}; /* a shorter form is the right one */
    if (length == 0)
        return 0;
    unsigned char first = (unsigned char)bytes[0];
    size_t size = first < 0x80             ? 1
                  : (first & 0xE0) == 0xC0 ? 2
                  : (first & 0xF0) == 0xE0 ? 3
                  : (first & 0xF8) == 0xF0 ? 4
                                           : 0;
    if (size == 0 || size > length)
        return 0;
    *code = size == 1 ? first : first & (0x7FU >> size);
    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)bytes[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (next & 0x3F);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < LEAST[size] || *code > 0x10FFFF || surrogate ? 0 : size;
}

bool clean_is_utf8(const char *bytes, size_t length, size_t *at)
{
    uint32_t code;
    size_t step;
    for (*at = 0; *at < length; *at += step)
        if ((step = clean_decode(bytes + *at, length - *at, &code)) == 0)
            return false;
    return true;
}

static void put_code(FILE *out, uint32_t code)
{
    if (code < 0x80) {
        putc((int)code, out);
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int LEADS[] = {0, 0xC0, 0xE0, 0xF0};
    putc(LEADS[more] | (int)(code >> (6 * more)), out);
    while (more--)
        putc(0x80 | (int)(code >> (6 * more) & 0x3F), out);
}

/* Changes the direction of writing (Unicode's Bidi_Control), ends a line, or is a byte order mark,
 * which is not seen at all. */
static bool misleads(uint32_t code)
{
    return (code >= 0x80 && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

char *clean_text(const char *bytes, size_t length)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t step = clean_decode(bytes + at, length - at, &code);
        if (step == 0 || misleads(code))
            code = REPLACEMENT;
        else if (code < ' ')
            code += PICTURES;
        else if (code == 0x7F)
            code = PICTURE_OF_DELETE;
        put_code(out, code);
        at += step ? step : 1;
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* White space that a spreadsheet leaves in a cell; a no-break space is C2 A0. */
static size_t space_at(const char *bytes, size_t length)
{
    if (length >= 2 && memcmp(bytes, "\xC2\xA0", 2) == 0)
        return 2;
    return length && strchr(" \t\r\n\v\f", *bytes) && *bytes ? 1 : 0;
}

char *clean_cell(const char *bytes, size_t length)
{
    char *spaced = malloc(length + 1), *clean;
    size_t put = 0;
    bool space = false;
    if (!spaced)
        return NULL;
    for (size_t at = 0; at < length;) {
        size_t step = space_at(bytes + at, length - at);
        if (step == 0) {
            if (space && put)
                spaced[put++] = ' '; /* in place of at least one byte, so there is room */
            spaced[put++] = bytes[at];
        }
        space = step > 0;
        at += step ? step : 1;
    }
    clean = clean_text(spaced, put);
    free(spaced);
    return clean;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* Letters without their accents: U+00C0 to U+017F, in order. */
static const char LATIN[] =
    "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkk"
    "llllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
_Static_assert(sizeof LATIN == 0x180 - 0xC0 + 1, "a letter for each");

/* 0: it is left out. */
static uint32_t key_of(uint32_t code)
{
    if (code < 0x80)
        return isalnum((int)code) ? (uint32_t)tolower((int)code) : 0;
    if (code >= 0xC0 && code < 0x180)
        return LATIN[code - 0xC0] == ' ' ? 0 : (uint32_t)LATIN[code - 0xC0];
    if (code < 0xC0 || (code >= 0x300 && code < 0x370) || (code >= 0x2000 && code < 0x2070))
        return 0; /* Latin-1's signs, combining accents, spaces and dashes of all widths */
    if ((code >= 0x391 && code <= 0x3A9) || (code >= 0x410 && code <= 0x42F))
        code += 0x20; /* Greek and Cyrillic capitals */
    else if (code >= 0x400 && code <= 0x40F)
        code += 0x50;
    /* Two Cyrillic letters that some systems write as a letter and an accent. */
    return code == 0x439 ? 0x438 : code == 0x451 ? 0x435 : code;
}

char *clean_name_key(const char *text)
{
    char *key = NULL;
    size_t size = 0, length = strlen(text);
    FILE *out = open_memstream(&key, &size);
    if (!out)
        return NULL;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t step = clean_decode(text + at, length - at, &code);
        uint32_t letter = step ? key_of(code) : REPLACEMENT;
        if (letter)
            put_code(out, letter);
        at += step ? step : 1;
    }
    if (fclose(out) == 0)
        return key;
    free(key);
    return NULL;
}
