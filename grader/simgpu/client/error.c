/* error.c - the last error of each thread, and the names of errors. */
#include "client.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    cudaError_t error;
    const char *name, *text;
} ERRORS[] = {
#define CUDA_ERROR(name, text) {name, #name, text},
#include "errors.def"
#undef CUDA_ERROR
};

static _Thread_local cudaError_t last_error = cudaSuccess;

/* Not ready is an answer, not an error: it is not remembered. */
cudaError_t api(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last_error = error;
    return error;
}

/* A sticky error (a faulted kernel) comes back with the next call by itself. */
cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
        if (ERRORS[i].error == error)
            return ERRORS[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
        if (ERRORS[i].error == error)
            return ERRORS[i].text;
    return "unrecognized error code";
}

/* Is it new? The last few sentences are kept, so that each is said once. */
static bool is_first(const char *sentence)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char said[8][600];
    static unsigned count;
    bool known = false;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < count && i < 8; i++)
        known |= strncmp(said[i], sentence, sizeof said[i] - 1) == 0;
    if (!known)
        snprintf(said[count++ % 8], sizeof said[0], "%s", sentence);
    pthread_mutex_unlock(&lock);
    return !known;
}

void explain(const char *format, ...)
{
    char sentence[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (is_first(sentence))
        fprintf(stderr, "simgpu: %s\n", sentence);
}

/* Why whole families of functions are missing, recognised by a part of their names. */
static const struct {
    const char *part, *reason;
} FAMILIES[] = {
    {"Graphics", "there is no screen to draw on"},
    {"GL", "there is no screen to draw on"},
    {"VDPAU", "there is no screen to draw on"},
    {"Mipmap", "textures have no mipmaps here: make an array of one size with cudaMallocArray"},
    {"Sparse", "arrays always have all their memory"},
    {"ResourceView", "a texture is read as its array was made"},
    {"DriverEntryPoint", "this runtime has no driver API beneath it: call the runtime's own "
                         "function, cudaMalloc in place of cuMemAlloc"},
    {"External", "there are no other graphics interfaces to share memory with"},
    {"SciSync", "there is no such hardware"},
};

cudaError_t missing(const char *name)
{
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
        if (strstr(name, FAMILIES[i].part)) {
            explain("%s is not supported by the simulated device: %s", name, FAMILIES[i].reason);
            return api(cudaErrorNotSupported);
        }
    explain("%s is not supported by the simulated device", name);
    return api(cudaErrorNotSupported);
}
