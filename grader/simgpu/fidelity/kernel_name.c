/* kernel_name.c - finds the identifier by the few forms that occur, not by demangling. */
#include "kernel_name.h"

#include <ctype.h>
#include <string.h>

static size_t identifier_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* "_Z5scalePKfPfi" (Itanium C++ ABI, 5.1.2: a source name is its length and the name). */
static const char *mangled(const char *name, size_t *length)
{
    size_t digits = 0, stated = 0;
    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    name += 2 + (name[2] == 'L'); /* L: internal linkage */
    for (; digits < 4 && isdigit((unsigned char)name[digits]); digits++)
        stated = 10 * stated + (size_t)(name[digits] - '0');
    if (digits == 0 || identifier_length(name + digits) < stated)
        return NULL;
    *length = stated;
    return name + digits;
}

const char *kernel_name(const char *name, size_t *length)
{
    const char *found = mangled(name, length);
    if (found)
        return found;
    name += strspn(name, "( ");
    if (strncmp(name, "void ", 5) == 0)
        name += 5;
    *length = identifier_length(name);
    return name;
}

bool kernel_name_same(const char *a, const char *b)
{
    size_t a_length, b_length;
    a = kernel_name(a, &a_length);
    b = kernel_name(b, &b_length);
    return a_length > 0 && a_length == b_length && memcmp(a, b, a_length) == 0;
}
