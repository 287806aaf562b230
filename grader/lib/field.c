/* field.c - text of others, made harmless for each kind of file. */
#include "lib/field.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* --- Characters ------------------------------------------------------------------------------- */

struct characters {
    const char *at;
    uint32_t before; /* 0 at the start */
    bool space;      /* comes next: it breaks a command */
};

/* The next one of UTF-8; where the bytes are none, the replacement character for one byte. */
static uint32_t decode(const char **at)
{
    const unsigned char *byte = (const unsigned char *)*at;
    unsigned more = *byte < 0x80 ? 0 : *byte < 0xE0 ? 1 : *byte < 0xF0 ? 2 : 3;
    static const unsigned char MASK[] = {0x7F, 0x1F, 0x0F, 0x07};
    static const uint32_t LEAST[] = {0, 0x80, 0x800, 0x10000};
    uint32_t character = *byte & MASK[more];
    ++*at;
    if (*byte >= 0xF8 || (*byte >= 0x80 && *byte < 0xC0))
        return REPLACEMENT;
    for (unsigned i = 1; i <= more; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return REPLACEMENT;
        character = character << 6 | (byte[i] & 0x3F);
    }
    if (character < LEAST[more] || character > 0x10FFFF)
        return REPLACEMENT;
    *at += more;
    return character;
}

static bool is_within(uint32_t character, uint32_t first, uint32_t last)
{
    return character >= first && character <= last;
}

/* What is shown in place of a character that could end a line, drive a terminal, reorder the text
 * around it, or that XML has no place for (XML 1.0, section 2.2). */
static uint32_t harmless(uint32_t character)
{
    if (is_within(character, '\t', '\r') || is_within(character, 0x2028, 0x2029))
        return ' ';
    bool bad = character < ' ' || is_within(character, 0x7F, 0x9F) ||
               is_within(character, 0x202A, 0x202E) || is_within(character, 0x2066, 0x2069) ||
               is_within(character, 0xD800, 0xDFFF) || is_within(character, 0xFDD0, 0xFDEF) ||
               character == 0xFEFF || (character & 0xFFFE) == 0xFFFE;
    return bad ? REPLACEMENT : character;
}

/* Then "::" is C++: std::min, vector<int>::size. */
static bool is_word(uint32_t character)
{
    return character >= 0x80 || isalnum((int)character) ||
           (character && strchr("_>)", (int)character));
}

/* 0 at the end. */
static uint32_t next(struct characters *from)
{
    if (from->space || !*from->at) {
        uint32_t character = from->space ? ' ' : 0;
        from->space = false;
        return from->before = character;
    }
    uint32_t character = harmless(decode(&from->at));
    from->space = (character == ':' && *from->at == ':' && !is_word(from->before)) ||
                  (character == '#' && strncmp(from->at, "#[", 2) == 0);
    return from->before = character;
}

static void put(FILE *out, uint32_t character)
{
    if (character < 0x80) {
        putc((int)character, out);
        return;
    }
    unsigned more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const uint32_t FIRST[] = {0, 0xC0, 0xE0, 0xF0};
    putc((int)(FIRST[more] | character >> 6 * more), out);
    while (more--)
        putc((int)(0x80 | (character >> 6 * more & 0x3F)), out);
}

/* --- Kinds of files --------------------------------------------------------------------------- */

void field_line(FILE *out, const char *text)
{
    struct characters from = {.at = text};
    for (uint32_t character; (character = next(&from));)
        put(out, character);
}

/* Spreadsheets skip spaces before the sign, and some take its full-width form as well. */
static bool begins_formula(struct characters from)
{
    uint32_t character;
    do
        character = next(&from);
    while (character == ' ' || character == 0xA0 || character == 0x3000);
    return (character && character < 0x80 && strchr("=+-@", (int)character)) ||
           character == 0xFF1D || character == 0xFF0B || character == 0xFF0D || character == 0xFF20;
}

/* Where lists are separated by semicolons, a spreadsheet splits at those, quoted or not. */
void field_csv(FILE *out, const char *text)
{
    struct characters from = {.at = text};
    bool formula = begins_formula(from);
    bool quoted = formula || strpbrk(text, ",;\"'\t\r\n") || *text == ' ';
    if (quoted)
        putc('"', out);
    if (formula)
        putc('\'', out);
    for (uint32_t character; (character = next(&from));) {
        if (character == '"')
            putc('"', out);
        put(out, character);
        if (character == ';' && begins_formula(from))
            putc('\'', out);
    }
    if (quoted)
        putc('"', out);
}

void field_xml(FILE *out, const char *text)
{
    struct characters from = {.at = text};
    for (uint32_t character; (character = next(&from));)
        switch (character) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: put(out, character);
        }
}

void field_tap(FILE *out, const char *text)
{
    struct characters from = {.at = text};
    for (uint32_t character; (character = next(&from));) {
        if (character == '#' || character == '\\')
            putc('\\', out);
        put(out, character);
    }
}

void field_yaml(FILE *out, const char *text)
{
    struct characters from = {.at = text};
    putc('"', out);
    for (uint32_t character; (character = next(&from));) {
        if (character == '"' || character == '\\')
            putc('\\', out);
        put(out, character);
    }
    putc('"', out);
}

void field_uri(FILE *out, const char *text)
{
    if (!*text || strcmp(text, ".") == 0 || strcmp(text, "..") == 0)
        putc('_', out);
    for (; *text; text++)
        if (isascii(*text) && (isalnum(*text) || strchr("-._~", *text)))
            putc(*text, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*text);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

long long field_hundredths(double number)
{
    return isfinite(number) && fabs(number) < 1e12 ? llround(number * 100) : 0;
}

/* printf would write the comma of some locales. */
void field_number(FILE *out, double number)
{
    long long all = field_hundredths(number), part = llabs(all % 100);
    fprintf(out, "%s%lld", all < 0 ? "-" : "", llabs(all / 100));
    if (part)
        fprintf(out, part % 10 ? ".%02lld" : ".%lld", part % 10 ? part : part / 10);
}
