/* toolkit.c - the toolkit's own libcurand, of which only what runs on the host is called. */
#include "generator.h"

#include <dlfcn.h>
#include <pthread.h>

static void *library;

/* Loaded by its path, since under `simgpu run` its name is that of our library; and it must call
 * its own functions. */
static void load(void)
{
    library = dlopen(TOOLKIT_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library)
        simgpu_extension()->explain("cuRAND's numbers are drawn by the toolkit's own library, on "
                                    "the host, and that cannot be loaded: %s",
                                    dlerror());
}

void *rand_toolkit(const char *function)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library ? dlsym(library, function) : NULL;
}

int rand_missing(const char *function);

int rand_missing(const char *function)
{
    simgpu_extension()->explain("%s is not supported by the simulated device", function);
    return CURAND_STATUS_INTERNAL_ERROR;
}
