/* letters.c - the table of operand letters, by letter. */
#include "letters.h"

#include <ctype.h>
#include <stddef.h>

enum { OUT = true, IN = false };
enum { FIRST = OPERAND_FIRST, LAST = OPERAND_LAST, TWICE = OPERAND_TWICE };

static const struct operand_letter LETTERS[] = {
#define OPERAND(letter, role, width, direction, meaning) \
    [letter] = {letter, direction, ROLE_##role, width},
#include "operands.def"
#undef OPERAND
};

const struct operand_letter *operand_letter(char letter)
{
    size_t at = (unsigned char)letter;
    return at < sizeof LETTERS / sizeof *LETTERS && LETTERS[at].letter ? &LETTERS[at] : NULL;
}

const char *operand_next(const char *text)
{
    while (*text && *text != '*' && !isalpha((unsigned char)*text))
        text++;
    return isalpha((unsigned char)*text) ? text : NULL;
}
