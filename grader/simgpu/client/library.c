/* library.c - code that a program loads at any time, by name instead of by host stub. An image of a
 * library stays when it is unloaded, since its kernels may still run. */
#include "client.h"

#if CUDART_VERSION >= 12080

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct image *image_of(cudaLibrary_t library)
{
    return handle_is(library, HANDLE_LIBRARY) ? (struct image *)library : NULL;
}

/* Takes ownership of bytes. */
static cudaError_t load(cudaLibrary_t *library, void *bytes, size_t size_bytes)
{
    cudaError_t error = cudaErrorMemoryAllocation;
    struct image *image = bytes ? program_add_library(bytes, size_bytes, &error) : NULL;
    if (!image) {
        free(bytes);
        return error;
    }
    if (error == cudaSuccess && !handle_add(image, HANDLE_LIBRARY))
        error = cudaErrorMemoryAllocation;
    *library = error == cudaSuccess ? (cudaLibrary_t)image : NULL;
    return error;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *jit_options, void **jit_values,
                                unsigned jit_count, enum cudaLibraryOption *options, void **values,
                                unsigned count)
{
    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    if (!code || !library)
        return api(cudaErrorInvalidValue);
    size_t size_bytes = program_image_bytes(code);
    void *copy = malloc(size_bytes);
    if (copy)
        memcpy(copy, code, size_bytes);
    return api(load(library, copy, size_bytes));
}

static void *read_file(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) {
        *size_bytes = (size_t)ftell(file);
        rewind(file);
        bytes = calloc(1, *size_bytes + 1); /* PTX text gets its end */
        if (bytes && fread(bytes, 1, *size_bytes, file) != *size_bytes) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file)
        fclose(file);
    return bytes;
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    enum cudaJitOption *jit_options, void **jit_values,
                                    unsigned jit_count, enum cudaLibraryOption *options,
                                    void **values, unsigned count)
{
    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    size_t size_bytes = 0;
    if (!path || !library)
        return api(cudaErrorInvalidValue);
    void *bytes = read_file(path, &size_bytes);
    return api(bytes ? load(library, bytes, size_bytes + 1) : cudaErrorFileNotFound);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    if (!image_of(library))
        return api(cudaErrorInvalidResourceHandle);
    handle_remove(library);
    return cudaSuccess;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    struct image *image = image_of(library);
    struct kernel *found = NULL;
    if (!kernel || !name)
        return api(cudaErrorInvalidValue);
    cudaError_t error =
        image ? program_kernel_named(image, name, &found) : cudaErrorInvalidResourceHandle;
    *kernel = error == cudaSuccess ? (cudaKernel_t)found : NULL;
    return api(error);
}

static cudaError_t get_variable(void **address, size_t *bytes, cudaLibrary_t library,
                                const char *name)
{
    struct image *image = image_of(library);
    uint64_t found = 0, size_bytes = 0;
    if (!name || (!address && !bytes))
        return cudaErrorInvalidValue;
    cudaError_t error = image ? program_variable_named(image, name, &found, &size_bytes)
                              : cudaErrorInvalidResourceHandle;
    if (address)
        *address = (void *)found;
    if (bytes)
        *bytes = size_bytes;
    return error;
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library,
                                 const char *name)
{
    return api(get_variable(address, bytes, library, name));
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes, cudaLibrary_t library,
                                  const char *name)
{
    return api(get_variable(address, bytes, library, name));
}

#endif
