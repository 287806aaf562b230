#include "syntax.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
    char class;
} TYPES[PTX_TYPES] = {
    [PTX_NO_TYPE] = {"", 0, '-'},
#define PTX_TYPE(name, bits, class) [PTX_##name] = {#name, bits, #class[0]},
#include "types.def"
#undef PTX_TYPE
};

unsigned ptx_type_bits(enum ptx_type type)
{
    return TYPES[type].bits;
}

char ptx_type_class(enum ptx_type type)
{
    return TYPES[type].class;
}

const char *ptx_type_name(enum ptx_type type)
{
    return TYPES[type].name;
}

enum ptx_type ptx_type_named(const char *text, size_t length)
{
    for (int type = PTX_NO_TYPE + 1; type < PTX_TYPES; type++)
        if (strlen(TYPES[type].name) == length && memcmp(TYPES[type].name, text, length) == 0)
            return (enum ptx_type)type;
    return PTX_NO_TYPE;
}
