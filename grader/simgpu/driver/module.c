/* module.c - modules are the runtime's libraries, functions its kernels. */
#include "serve.h"

#if CUDART_VERSION >= 12080

static CUresult load(CUmodule *module, const void *image)
{
    return serve_result(
        RUNTIME(cudaLibraryLoadData)((cudaLibrary_t *)module, image, NULL, NULL, 0, NULL, NULL, 0));
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    SERVE(cuModuleLoadData);
    return load(module, image);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values)
{
    (void)count, (void)options, (void)values;
    SERVE(cuModuleLoadDataEx);
    return load(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    SERVE(cuModuleLoadFatBinary);
    return load(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    SERVE(cuModuleLoad);
    return serve_result(RUNTIME(cudaLibraryLoadFromFile)((cudaLibrary_t *)module, path, NULL, NULL,
                                                         0, NULL, NULL, 0));
}

CUresult cuModuleUnload(CUmodule module)
{
    SERVE(cuModuleUnload);
    return serve_result(RUNTIME(cudaLibraryUnload)((cudaLibrary_t)module));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    SERVE(cuModuleGetFunction);
    return serve_result(
        RUNTIME(cudaLibraryGetKernel)((cudaKernel_t *)function, (cudaLibrary_t)module, name));
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name)
{
    SERVE(cuModuleGetGlobal);
    return serve_result(
        RUNTIME(cudaLibraryGetGlobal)((void **)address, bytes, (cudaLibrary_t)module, name));
}

#endif

/* --- Functions -------------------------------------------------------------------------------- */

CUresult serve_attribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    struct cudaFuncAttributes all;
    CUresult result = serve_result(RUNTIME(cudaFuncGetAttributes)(&all, function));
    if (result != CUDA_SUCCESS)
        return result;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = all.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)all.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)all.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)all.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = all.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = all.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = all.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = all.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = all.preferredShmemCarveout;
        break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    SERVE(cuFuncGetAttribute);
    return serve_attribute(value, attribute, function);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    SERVE(cuFuncSetAttribute);
    return serve_result(
        RUNTIME(cudaFuncSetAttribute)(function, (enum cudaFuncAttribute)attribute, value));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    SERVE(cuFuncSetCacheConfig);
    return serve_result(RUNTIME(cudaFuncSetCacheConfig)(function, (enum cudaFuncCache)config));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t shared_bytes)
{
    SERVE(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    return serve_result(RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(
        blocks, function, threads, shared_bytes));
}

/* The largest block, in whole warps, of those that keep most threads of a multiprocessor busy. */
CUresult cuOccupancyMaxPotentialBlockSize(int *blocks, int *threads, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared_bytes,
                                          int limit)
{
    SERVE(cuOccupancyMaxPotentialBlockSize);
    int most = 0, multiprocessors = 0;
    struct cudaFuncAttributes all;
    CUresult result = serve_result(RUNTIME(cudaFuncGetAttributes)(&all, function));
    if (result == CUDA_SUCCESS)
        result = serve_result(
            RUNTIME(cudaDeviceGetAttribute)(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    int largest = limit > 0 && limit < all.maxThreadsPerBlock ? limit : all.maxThreadsPerBlock;
    for (int size = largest / 32 * 32; size > 0 && result == CUDA_SUCCESS; size -= 32) {
        int fit = 0;
        result = serve_result(RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(
            &fit, function, size, shared_of ? shared_of(size) : shared_bytes));
        if (fit * size > most) {
            most = fit * size;
            *threads = size;
            *blocks = fit * multiprocessors;
        }
    }
    return result;
}

/* --- Launches --------------------------------------------------------------------------------- */

enum { MOST_PARAMETERS = 1024 };

/* Where each parameter lies, when they come as one buffer. */
static CUresult find_parameters(CUfunction function, void **extra, void **parameters)
{
    char *buffer = NULL;
    size_t bytes = 0, offset, size;
    for (int i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2)
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[i + 1];
        else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(size_t *)extra[i + 1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < MOST_PARAMETERS; i++) {
        if (RUNTIME(cudaFuncGetParamInfo)(function, i, &offset, &size) != cudaSuccess) {
            RUNTIME(cudaGetLastError)();
            break;
        }
        if (!buffer || offset + size > bytes)
            return CUDA_ERROR_INVALID_VALUE;
        parameters[i] = buffer + offset;
    }
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **parameters, void **extra)
{
    SERVE(cuLaunchKernel);
    void *found[MOST_PARAMETERS];
    if (!parameters && extra) {
        CUresult result = find_parameters(function, extra, found);
        if (result != CUDA_SUCCESS)
            return result;
        parameters = found;
    }
    return serve_result(RUNTIME(cudaLaunchKernel)(function, (dim3){grid_x, grid_y, grid_z},
                                                  (dim3){block_x, block_y, block_z}, parameters,
                                                  shared_bytes, stream));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void **parameters)
{
    SERVE(cuLaunchCooperativeKernel);
    return serve_result(RUNTIME(cudaLaunchCooperativeKernel)(
        function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, parameters,
        shared_bytes, stream));
}

#if CUDA_VERSION >= 11080
/* A launch's attributes have one layout and one numbering in both APIs. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                          void **extra)
{
    SERVE(cuLaunchKernelEx);
    void *found[MOST_PARAMETERS];
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    if (!parameters && extra) {
        CUresult result = find_parameters(function, extra, found);
        if (result != CUDA_SUCCESS)
            return result;
        parameters = found;
    }
    const cudaLaunchConfig_t same = {
        .gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .dynamicSmemBytes = config->sharedMemBytes,
        .stream = config->hStream,
        .attrs = (cudaLaunchAttribute *)config->attrs,
        .numAttrs = config->numAttrs};
    return serve_result(RUNTIME(cudaLaunchKernelExC)(&same, function, parameters));
}
#endif
