/* mangled.c - the plain name in a mangled one: "bounds::store" of _ZN6bounds5storeEPf (Itanium C++
 * ABI, 5.1.2: a source name is its length and the name). Parameters and template arguments are left
 * out; a form that is not known stays as it is. */
#include "machine.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A source name at *at, appended to text behind a "::" where one is due. */
static bool take_name(const char **at, char *text, size_t size)
{
    size_t length = 0, used = strlen(text);
    *at += **at == 'L'; /* internal linkage */
    for (; isdigit((unsigned char)**at) && length < size; (*at)++)
        length = 10 * length + (size_t)(**at - '0');
    if (length == 0 || length > strlen(*at))
        return false;
    snprintf(text + used, size - used, "%s%.*s", used ? "::" : "", (int)length, *at);
    *at += length;
    return true;
}

void sim_plain_name(const char *name, char *text, size_t size)
{
    const char *at = name + 2;
    text[0] = 0;
    if (strncmp(name, "_ZN", 3) == 0) {
        at++;
        while (*at && *at != 'E' && *at != 'I' && take_name(&at, text, size))
            ;
    } else if (strncmp(name, "_Z", 2) == 0) {
        take_name(&at, text, size);
    }
    if (!*text)
        snprintf(text, size, "%s", name);
}
