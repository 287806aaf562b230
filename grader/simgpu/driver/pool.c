/* pool.c - memory pools are the runtime's. Attributes, properties and accesses have one layout and
 * one numbering in both APIs. */
#include "serve.h"

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    SERVE(cuDeviceGetDefaultMemPool);
    return serve_result(RUNTIME(cudaDeviceGetDefaultMemPool)(pool, device));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    SERVE(cuDeviceGetMemPool);
    return serve_result(RUNTIME(cudaDeviceGetMemPool)(pool, device));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    SERVE(cuDeviceSetMemPool);
    return serve_result(RUNTIME(cudaDeviceSetMemPool)(device, pool));
}

#if CUDA_VERSION >= 13000
CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location,
                                CUmemAllocationType type)
{
    SERVE(cuMemGetDefaultMemPool);
    return serve_result(RUNTIME(cudaMemGetDefaultMemPool)(pool, (struct cudaMemLocation *)location,
                                                          (enum cudaMemAllocationType)type));
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
    SERVE(cuMemGetMemPool);
    return serve_result(RUNTIME(cudaMemGetMemPool)(pool, (struct cudaMemLocation *)location,
                                                   (enum cudaMemAllocationType)type));
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
    SERVE(cuMemSetMemPool);
    return serve_result(RUNTIME(cudaMemSetMemPool)((struct cudaMemLocation *)location,
                                                   (enum cudaMemAllocationType)type, pool));
}
#endif

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    SERVE(cuMemPoolCreate);
    return serve_result(
        RUNTIME(cudaMemPoolCreate)(pool, (const struct cudaMemPoolProps *)properties));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    SERVE(cuMemPoolDestroy);
    return serve_result(RUNTIME(cudaMemPoolDestroy)(pool));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
    SERVE(cuMemPoolTrimTo);
    return serve_result(RUNTIME(cudaMemPoolTrimTo)(pool, keep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    SERVE(cuMemPoolSetAttribute);
    return serve_result(
        RUNTIME(cudaMemPoolSetAttribute)(pool, (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    SERVE(cuMemPoolGetAttribute);
    return serve_result(
        RUNTIME(cudaMemPoolGetAttribute)(pool, (enum cudaMemPoolAttr)attribute, value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t count)
{
    SERVE(cuMemPoolSetAccess);
    return serve_result(
        RUNTIME(cudaMemPoolSetAccess)(pool, (const struct cudaMemAccessDesc *)list, count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)
{
    SERVE(cuMemPoolGetAccess);
    return serve_result(RUNTIME(cudaMemPoolGetAccess)((enum cudaMemAccessFlags *)flags, pool,
                                                      (struct cudaMemLocation *)location));
}

/* A size of 0 is an error here, but not to the runtime. */
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                 CUstream stream)
{
    SERVE(cuMemAllocFromPoolAsync);
    return bytes ? serve_result(
                       RUNTIME(cudaMallocFromPoolAsync)((void **)address, bytes, pool, stream))
                 : CUDA_ERROR_INVALID_VALUE;
}
