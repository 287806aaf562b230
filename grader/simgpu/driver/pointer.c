/* pointer.c - what is known of an address. */
#include "serve.h"

#include <string.h>

static bool is_known(const struct cudaPointerAttributes *all)
{
    return all->type != cudaMemoryTypeUnregistered;
}

/* Managed memory counts as the device's, as the driver has it. */
static CUmemorytype type_of(const struct cudaPointerAttributes *all)
{
    return all->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

/* value gets what attribute has; the documentation names the types. */
static CUresult get(void *value, CUpointer_attribute attribute,
                    const struct cudaPointerAttributes *all)
{
    bool on_host = all->type == cudaMemoryTypeHost || all->type == cudaMemoryTypeManaged;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return serve_current((CUcontext *)value);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(CUmemorytype *)value = type_of(all); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = (CUdeviceptr)all->devicePointer;
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!on_host)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)value = all->hostPointer;
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value = all->type == cudaMemoryTypeManaged;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = all->device; break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)value = 1; break;
    default: return (CUresult)driver_refuse("cuPointerGetAttribute with such an attribute");
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    SERVE(cuPointerGetAttribute);
    struct cudaPointerAttributes all;
    CUresult result = serve_result(RUNTIME(cudaPointerGetAttributes)(&all, pointer_of(address)));
    if (result != CUDA_SUCCESS)
        return result;
    return value && is_known(&all) ? get(value, attribute, &all) : CUDA_ERROR_INVALID_VALUE;
}

static size_t bytes_of(CUpointer_attribute attribute)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: return sizeof(void *);
    default: return sizeof(unsigned);
    }
}

/* What an address does not have is 0 here, and no error. */
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values,
                                CUdeviceptr address)
{
    SERVE(cuPointerGetAttributes);
    struct cudaPointerAttributes all;
    if (!attributes || !values)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = serve_result(RUNTIME(cudaPointerGetAttributes)(&all, pointer_of(address)));
    for (unsigned i = 0; result == CUDA_SUCCESS && i < count; i++) {
        memset(values[i], 0, bytes_of(attributes[i]));
        CUresult one = is_known(&all) ? get(values[i], attributes[i], &all) : CUDA_SUCCESS;
        result = one == CUDA_ERROR_INVALID_VALUE ? CUDA_SUCCESS : one;
    }
    return result;
}
