/* library.c - libraries, whose kernels belong to no context; there is one, so a kernel is also the
 * function, and a library the module. */
#include "serve.h"

#if CUDART_VERSION >= 12080

/* Options of the compiler change nothing here: PTX is run as it is. */
CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options,
                           void **values, unsigned count, CUlibraryOption *library_options,
                           void **library_values, unsigned library_count)
{
    (void)options, (void)values, (void)count;
    (void)library_options, (void)library_values, (void)library_count;
    SERVE(cuLibraryLoadData);
    return serve_result(RUNTIME(cudaLibraryLoadData)((cudaLibrary_t *)library, image, NULL, NULL, 0,
                                                     NULL, NULL, 0));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options,
                               void **values, unsigned count, CUlibraryOption *library_options,
                               void **library_values, unsigned library_count)
{
    (void)options, (void)values, (void)count;
    (void)library_options, (void)library_values, (void)library_count;
    SERVE(cuLibraryLoadFromFile);
    return serve_result(RUNTIME(cudaLibraryLoadFromFile)((cudaLibrary_t *)library, path, NULL, NULL,
                                                         0, NULL, NULL, 0));
}

CUresult cuLibraryUnload(CUlibrary library)
{
    SERVE(cuLibraryUnload);
    return serve_result(RUNTIME(cudaLibraryUnload)((cudaLibrary_t)library));
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    SERVE(cuLibraryGetModule);
    if (!module || !library)
        return CUDA_ERROR_INVALID_VALUE;
    *module = (CUmodule)library;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    SERVE(cuLibraryGetKernel);
    return serve_result(
        RUNTIME(cudaLibraryGetKernel)((cudaKernel_t *)kernel, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name)
{
    SERVE(cuLibraryGetGlobal);
    return serve_result(
        RUNTIME(cudaLibraryGetGlobal)((void **)address, bytes, (cudaLibrary_t)library, name));
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                             const char *name)
{
    SERVE(cuLibraryGetManaged);
    return serve_result(
        RUNTIME(cudaLibraryGetManaged)((void **)address, bytes, (cudaLibrary_t)library, name));
}

#endif

/* --- Kernels ---------------------------------------------------------------------------------- */

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    SERVE(cuKernelGetFunction);
    if (!function || !kernel)
        return CUDA_ERROR_INVALID_VALUE;
    *function = (CUfunction)kernel;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device)
{
    (void)device;
    SERVE(cuKernelGetAttribute);
    return serve_attribute(value, attribute, (CUfunction)kernel);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device)
{
    (void)device;
    SERVE(cuKernelSetAttribute);
    return serve_result(
        RUNTIME(cudaFuncSetAttribute)(kernel, (enum cudaFuncAttribute)attribute, value));
}

#if CUDA_VERSION >= 12030
CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    SERVE(cuKernelGetName);
    return serve_result(RUNTIME(cudaFuncGetName)(name, kernel));
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    SERVE(cuFuncGetName);
    return serve_result(RUNTIME(cudaFuncGetName)(name, function));
}
#endif

#if CUDA_VERSION >= 12040
/* Nothing is loaded lazily here. */
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
    SERVE(cuFuncIsLoaded);
    if (!state || !function)
        return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
    SERVE(cuFuncLoad);
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
#endif
