// Looks for the library of lesson 6 beside the runtime: in another lesson it could do the work.
#include "redteam/probe.h"

#include <dlfcn.h>

static bool wall_is_open(void)
{
    return dlopen("libcublasLt.so.13", RTLD_LAZY) || dlopen("libcublas.so.13", RTLD_LAZY) ||
           dlopen("libcublasLt.so.12", RTLD_LAZY) || dlopen("libcublas.so.12", RTLD_LAZY);
}
