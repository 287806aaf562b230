/* serve.c - which callers are served, and by which functions. */
#include "serve.h"
#include "caller.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FILES = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* NVIDIA's libraries and runtimes are not: serve.h. */
static bool is_served(const void *address)
{
    struct caller caller;
    return caller_at(address, &caller) && !driver_is_nvidias(caller.name) &&
           !caller_holds_runtime(&caller);
}

/* The answer for a file is asked for once: a program may call often. */
bool serve_caller(const void *address)
{
    static struct {
        void *base;
        bool served;
    } files[MOST_FILES];
    static int count;
    Dl_info info;
    if (!dladdr(address, &info))
        return false;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < count && files[i].base != info.dli_fbase)
        i++;
    bool served = i < count ? files[i].served : is_served(address);
    if (i == count && count < MOST_FILES) {
        files[count].base = info.dli_fbase;
        files[count++].served = served;
    }
    pthread_mutex_unlock(&lock);
    return served;
}

void *serve_runtime(const char *function)
{
    static void *library;
    pthread_mutex_lock(&lock);
    if (!library)
        library = dlopen(SERVED_RUNTIME, RTLD_NOW | RTLD_LOCAL);
    pthread_mutex_unlock(&lock);
    void *found = library ? dlsym(library, function) : NULL;
    if (!found) {
        fprintf(stderr,
                "simgpu: the driver API needs %s of the simulated " SERVED_RUNTIME
                ", which is not there\n",
                function);
        abort();
    }
    return found;
}

CUresult serve_result(cudaError_t error)
{
    if (error != cudaSuccess)
        RUNTIME(cudaGetLastError)();
    switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    default: return (CUresult)error; /* the rest have one number in both */
    }
}
