/* set_aside.c - the written rule, with the hash of Fowler, Noll and Vo (FNV-1a, 32 bits). */
#include "set_aside.h"

#include <stdint.h>
#include <string.h>

static bool ends_in(const char *name, size_t length, const char *ending)
{
    size_t bytes = strlen(ending);
    return length > bytes && memcmp(name + length - bytes, ending, bytes) == 0;
}

size_t set_aside_stem(const char *name, size_t length)
{
    static const char *const ENDINGS[] = {"_before", "_after"};
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++)
        if (ends_in(name, length, ENDINGS[i]))
            return length - strlen(ENDINGS[i]);
    return length;
}

bool set_aside(const char *name, size_t length)
{
    uint32_t hash = UINT32_C(0x811C9DC5);
    for (size_t i = 0, stem = set_aside_stem(name, length); i < stem; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT32_C(0x01000193);
    return hash & 1;
}
