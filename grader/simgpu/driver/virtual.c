/* virtual.c - virtual memory management, as far as memory is mapped once: the addresses that are
 * reserved have their memory from the start, and mapping gives it to the program. Two mappings of
 * one allocation would have to be one memory, so the second is refused. */
#include "serve.h"

#include <stdlib.h>

enum { GRANULARITY = 2 << 20 };

struct allocation {
    size_t bytes;
    bool is_mapped;
};

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option)
{
    (void)properties, (void)option;
    SERVE(cuMemGetAllocationGranularity);
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags)
{
    (void)alignment, (void)wanted; /* the second is a hint */
    SERVE(cuMemAddressReserve);
    if (!bytes || bytes % GRANULARITY || flags)
        return CUDA_ERROR_INVALID_VALUE;
    return serve_result(RUNTIME(cudaMalloc)((void **)address, bytes));
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    (void)bytes;
    SERVE(cuMemAddressFree);
    return serve_result(RUNTIME(cudaFree)(pointer_of(address)));
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *properties, unsigned long long flags)
{
    (void)properties;
    SERVE(cuMemCreate);
    if (!bytes || bytes % GRANULARITY || flags)
        return CUDA_ERROR_INVALID_VALUE;
    struct allocation *made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->bytes = bytes;
    *handle = (CUmemGenericAllocationHandle)made;
    return CUDA_SUCCESS;
}

/* It stays as long as it is mapped: the mapping needs no handle. */
CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    SERVE(cuMemRelease);
    free((struct allocation *)handle);
    return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    SERVE(cuMemMap);
    struct allocation *allocation = (struct allocation *)handle;
    if (!address || !allocation || bytes != allocation->bytes || offset || flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (allocation->is_mapped)
        return (CUresult)driver_refuse("cuMemMap of memory that is already mapped");
    allocation->is_mapped = true;
    return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    SERVE(cuMemUnmap);
    return address && bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *accesses,
                        size_t count)
{
    SERVE(cuMemSetAccess);
    return address && bytes && accesses && count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
