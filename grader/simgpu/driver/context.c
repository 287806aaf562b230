/* context.c - the device, and contexts: there is one, which a program may create, push and destroy
 * as often as it likes. */
#include "serve.h"

#include <stdint.h>
#include <stdio.h>

static const int THE_CONTEXT;

static CUcontext the_context(void)
{
    return (CUcontext)(uintptr_t)&THE_CONTEXT;
}

CUresult cuInit(unsigned flags)
{
    int count;
    SERVE(cuInit);
    return flags ? CUDA_ERROR_INVALID_VALUE : serve_result(RUNTIME(cudaGetDeviceCount)(&count));
}

CUresult cuDriverGetVersion(int *version)
{
    SERVE(cuDriverGetVersion);
    return serve_result(RUNTIME(cudaDriverGetVersion)(version));
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    SERVE(cuGetErrorName);
    *name = RUNTIME(cudaGetErrorName)((cudaError_t)error);
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    SERVE(cuGetErrorString);
    *text = RUNTIME(cudaGetErrorString)((cudaError_t)error);
    return CUDA_SUCCESS;
}

/* --- The device ------------------------------------------------------------------------------- */

CUresult cuDeviceGetCount(int *count)
{
    SERVE(cuDeviceGetCount);
    return serve_result(RUNTIME(cudaGetDeviceCount)(count));
}

static CUresult check_device(int device)
{
    int count = 0;
    CUresult result = serve_result(RUNTIME(cudaGetDeviceCount)(&count));
    return result || (device >= 0 && device < count) ? result : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    SERVE(cuDeviceGet);
    *device = ordinal;
    return check_device(ordinal);
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    SERVE(cuDeviceGetName);
    struct cudaDeviceProp properties;
    CUresult result = serve_result(RUNTIME(cudaGetDeviceProperties)(&properties, device));
    if (result == CUDA_SUCCESS)
        snprintf(name, length > 0 ? (size_t)length : 0, "%s", properties.name);
    return result;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    SERVE(cuDeviceTotalMem);
    struct cudaDeviceProp properties;
    CUresult result = serve_result(RUNTIME(cudaGetDeviceProperties)(&properties, device));
    if (result == CUDA_SUCCESS)
        *bytes = properties.totalGlobalMem;
    return result;
}

/* The two enumerations number the attributes alike; the runtime lacks some of the driver's. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    SERVE(cuDeviceGetAttribute);
    CUresult result = check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) { /* virtual.c */
        *value = 1;
        return CUDA_SUCCESS;
    }
    return serve_result(
        RUNTIME(cudaDeviceGetAttribute)(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    SERVE(cuDeviceComputeCapability);
    CUresult result = serve_result(
        RUNTIME(cudaDeviceGetAttribute)(major, cudaDevAttrComputeCapabilityMajor, device));
    return result ? result
                  : serve_result(RUNTIME(cudaDeviceGetAttribute)(
                        minor, cudaDevAttrComputeCapabilityMinor, device));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    SERVE(cuDeviceCanAccessPeer);
    return serve_result(RUNTIME(cudaDeviceCanAccessPeer)(can, device, peer));
}

/* --- Contexts --------------------------------------------------------------------------------- */

static CUresult create(CUcontext *context, CUdevice device)
{
    CUresult result = check_device(device);
    if (result == CUDA_SUCCESS)
        result = serve_result(RUNTIME(cudaFree)(NULL));
    if (result == CUDA_SUCCESS)
        *context = the_context();
    return result;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    (void)flags;
    SERVE(cuCtxCreate);
    return create(context, device);
}

#if CUDA_VERSION >= 12050
CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                        CUdevice device)
{
    (void)parameters, (void)flags;
    SERVE(cuCtxCreate);
    return create(context, device);
}
#endif

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    SERVE(cuDevicePrimaryCtxRetain);
    return create(context, device);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    SERVE(cuDevicePrimaryCtxRelease);
    return check_device(device);
}

/* It is active from the start here. */
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    SERVE(cuDevicePrimaryCtxGetState);
    if (flags)
        *flags = 0;
    *active = 1;
    return check_device(device);
}

static CUresult check_context(CUcontext context)
{
    return context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
    SERVE(cuCtxDestroy);
    return check_context(context);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    SERVE(cuCtxSetCurrent);
    return context ? check_context(context) : CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    SERVE(cuCtxPushCurrent);
    return check_context(context);
}

CUresult serve_current(CUcontext *context)
{
    if (context)
        *context = the_context();
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    SERVE(cuCtxPopCurrent);
    return serve_current(context);
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    SERVE(cuCtxGetCurrent);
    return serve_current(context);
}

/* The same for any stream. */
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    unsigned flags;
    SERVE(cuStreamGetCtx);
    CUresult result = serve_result(RUNTIME(cudaStreamGetFlags)(stream, &flags));
    return result == CUDA_SUCCESS ? serve_current(context) : result;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    SERVE(cuCtxGetDevice);
    return serve_result(RUNTIME(cudaGetDevice)(device));
}

CUresult cuCtxSynchronize(void)
{
    SERVE(cuCtxSynchronize);
    return serve_result(RUNTIME(cudaDeviceSynchronize)());
}

/* --- Limits ----------------------------------------------------------------------------------- */

/* A limit has one number in both APIs. */
CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    SERVE(cuCtxSetLimit);
    return serve_result(RUNTIME(cudaDeviceSetLimit)((enum cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    SERVE(cuCtxGetLimit);
    return serve_result(RUNTIME(cudaDeviceGetLimit)(value, (enum cudaLimit)limit));
}

CUresult cuDeviceGetPCIBusId(char *id, int bytes, CUdevice device)
{
    SERVE(cuDeviceGetPCIBusId);
    return serve_result(RUNTIME(cudaDeviceGetPCIBusId)(id, bytes, device));
}
