/* profile_name.c - kernels' names as they are written in the source.
 *
 * The compiler's own library demangles names. It exists wherever nvcc does; it is loaded only when
 * a profile is written, and without it names stay mangled.
 */
#include "profile.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Itanium C++ ABI, chapter 3.4: the result is malloc's. */
typedef char *demangler(const char *mangled, char *buffer, size_t *length, int *status);

static char *demangle(const char *mangled)
{
    static demangler *take_apart;
    static bool looked;
    int status = 0;
    if (!looked) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY);
        looked = true;
        if (library)
            *(void **)&take_apart = dlsym(library, "__cxa_demangle");
    }
    return take_apart && strncmp(mangled, "_Z", 2) == 0 ? take_apart(mangled, NULL, NULL, &status)
                                                        : NULL;
}

/* Cut off "(float*, int)", then "void " in front: blanks in <> and () belong to the name. */
static char *bare(char *text)
{
    int depth = 0;
    char *end = strrchr(text, ')'), *start = text;
    for (char *at = end; at && at >= text; at--) {
        depth += (*at == ')') - (*at == '(');
        if (depth == 0) {
            *at = 0;
            break;
        }
    }
    depth = 0;
    for (char *at = text; *at; at++) {
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
        if (*at == ' ' && depth == 0)
            start = at + 1;
    }
    return start;
}

const char *profile_name(struct history *history, const char *mangled)
{
    char *whole = demangle(mangled);
    const char *name = history_text(history, whole ? bare(whole) : mangled);
    free(whole);
    return name;
}
