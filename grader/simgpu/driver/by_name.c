/* by_name.c - the driver's functions by name and version, as programs ask for them that do not link
 * with the driver: libcu++'s runtime API is one. A function that is not served says so when it is
 * called. */
#include "by_name.h"
#include "serve.h"

#include <dlfcn.h>
#include <string.h>

/* The newest symbol that the name stood for in that version; NULL when there was none. */
static const char *symbol_of(const char *name, int version, bool *known)
{
    const struct driver_version *found = NULL;
    for (const struct driver_version *entry = DRIVER_VERSIONS; entry->name; entry++) {
        if (strcmp(entry->name, name) != 0)
            continue;
        *known = true;
        if (entry->since <= version && (!found || entry->since > found->since))
            found = entry;
    }
    return found ? found->symbol : NULL;
}

/* In this library, wherever it was loaded from. */
static void *address_of(const char *symbol)
{
    Dl_info info;
    void *library = dladdr((const void *)&DRIVER_VERSIONS, &info)
                        ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                        : NULL;
    void *found = library ? dlsym(library, symbol) : NULL;
    if (library)
        dlclose(library);
    return found;
}

static CUresult find(const char *name, void **function, int version,
                     CUdriverProcAddressQueryResult *result)
{
    int newest;
    bool known = false;
    CUresult error = serve_result(RUNTIME(cudaDriverGetVersion)(&newest));
    if (error != CUDA_SUCCESS)
        return error;
    if (!name || !function || version > newest)
        return CUDA_ERROR_INVALID_VALUE;
    const char *symbol = symbol_of(name, version, &known);
    *function = symbol ? address_of(symbol) : NULL;
    if (result)
        *result = *function          ? CU_GET_PROC_ADDRESS_SUCCESS
                  : known && !symbol ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                     : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS;
}

/* The flags choose between two default streams, which are one for the functions that are served. */
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *result)
{
    (void)flags;
    SERVE(cuGetProcAddress);
    return find(name, function, version, result);
}

/* Before CUDA 12: one that is not found is an error. */
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)
{
    (void)flags;
    SERVE(cuGetProcAddress);
    CUresult error = find(name, function, version, NULL);
    return error == CUDA_SUCCESS && !*function ? CUDA_ERROR_NOT_FOUND : error;
}
