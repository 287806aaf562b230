/* texts.c - what becomes of a word of source text. */
#include "mutants/mutations.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 60 };

static bool is_floating(const char *number)
{
    bool hexadecimal = number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
    return strpbrk(number, hexadecimal ? ".pP" : ".eE") != NULL;
}

bool moved_number(const char *number, size_t length, int by, char *text, size_t text_bytes)
{
    char copy[MOST_DIGITS + 1], *suffix;
    if (length == 0 || length > MOST_DIGITS || !isdigit((unsigned char)*number))
        return false;
    memcpy(copy, number, length);
    copy[length] = '\0';
    if (is_floating(copy)) {
        snprintf(text, text_bytes, "(%s %c %d)", copy, by < 0 ? '-' : '+', abs(by));
        return true;
    }
    errno = 0;
    unsigned long long value = strtoull(copy, &suffix, 0);
    bool below = by < 0 && value < (unsigned long long)-by;
    if (errno || suffix[strspn(suffix, "uUlL")] || (below && strpbrk(suffix, "uU")))
        return false;
    bool hexadecimal = copy[0] == '0' && tolower(copy[1]) == 'x';
    if (below) /* in brackets, since a minus may stand before it */
        snprintf(text, text_bytes, "(%lld%s)", (long long)value + by, suffix);
    else
        snprintf(text, text_bytes, hexadecimal ? "0x%llx%s" : "%llu%s",
                 value + (unsigned long long)(long long)by, suffix);
    return true;
}

static bool has(const char *name, const char *part)
{
    return strstr(name, part) != NULL;
}

enum mutation_kind kind_of_call(const char *name)
{
    if (has(name, "fence"))
        return MUTATION_fence;
    if (strncmp(name, "__sync", 6) == 0 || strcmp(name, "sync") == 0 || has(name, "wait") ||
        has(name, "arrive") || has(name, "barrier") || has(name, "_acquire") ||
        has(name, "_commit") || has(name, "_release") || has(name, "_lock") ||
        strcmp(name, "lock") == 0)
        return MUTATION_barrier;
    return MUTATION_statement;
}

enum mutation_kind kind_of_asm(const char *text, size_t length)
{
    if (memmem(text, length, "fence", 5) || memmem(text, length, "membar", 6))
        return MUTATION_fence;
    if (memmem(text, length, "bar.", 4) || memmem(text, length, "barrier", 7) ||
        memmem(text, length, "wait", 4))
        return MUTATION_barrier;
    return MUTATION_KINDS;
}

const char *other_direction(const char *name)
{
    static const char *const PAIRS[][2] = {
        {"rows", "cols"}, {"row", "col"},        {"rows", "columns"}, {"row", "column"},
        {"m", "n"},       {"width", "height"},   {"x", "y"},          {"y", "x"},
        {"z", "w"},       {"out_row", "out_col"}};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++)
        for (int side = 0; side < 2; side++)
            if (strcmp(name, PAIRS[i][side]) == 0)
                return PAIRS[i][1 - side];
    return NULL;
}
