/* entry_point.c - functions of the driver API, by name: those of the drop-in libcuda. One that it
 * lacks says so when it is called. */
#include "client.h"

#include <dlfcn.h>
#include <stdio.h>

enum { NEWEST_VERSION = 9, NAME_BYTES = 200 };

/* The toolkit's header turns each name into that of its newest version. */
static void *find(const char *name)
{
    char versioned[NAME_BYTES];
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *found = NULL;
    for (int version = NEWEST_VERSION; driver && version > 1 && !found; version--) {
        snprintf(versioned, sizeof versioned, "%.150s_v%d", name, version);
        found = dlsym(driver, versioned);
    }
    return driver && !found ? dlsym(driver, name) : found;
}

static cudaError_t get(const char *name, void **function,
                       enum cudaDriverEntryPointQueryResult *result)
{
    if (!name || !function)
        return cudaErrorInvalidValue;
    *function = find(name);
    if (result)
        *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *function || result ? cudaSuccess : cudaErrorSymbolNotFound;
}

BOTH(_ptsz, cudaGetDriverEntryPoint,
     (const char *name, void **function, unsigned long long flags,
      enum cudaDriverEntryPointQueryResult *result),
     ((void)flags, get(name, function, result)))

#if CUDART_VERSION >= 12050
BOTH(_ptsz, cudaGetDriverEntryPointByVersion,
     (const char *name, void **function, unsigned version, unsigned long long flags,
      enum cudaDriverEntryPointQueryResult *result),
     ((void)version, (void)flags, get(name, function, result)))
#endif
