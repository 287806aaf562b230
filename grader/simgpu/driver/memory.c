/* memory.c - allocations, copies and fills. */
#include "serve.h"

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    SERVE(cuMemGetInfo);
    return serve_result(RUNTIME(cudaMemGetInfo)(available, total));
}

/* No bytes are an error here; to the runtime they are none. */
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    SERVE(cuMemAlloc);
    return bytes ? serve_result(RUNTIME(cudaMalloc)((void **)address, bytes))
                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                            unsigned element_bytes)
{
    (void)element_bytes;
    SERVE(cuMemAllocPitch);
    return serve_result(RUNTIME(cudaMallocPitch)((void **)address, pitch, width, height));
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    SERVE(cuMemAllocManaged);
    return serve_result(RUNTIME(cudaMallocManaged)((void **)address, bytes, flags));
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    SERVE(cuMemFree);
    return serve_result(RUNTIME(cudaFree)(pointer_of(address)));
}

CUresult cuMemAllocHost_v2(void **pointer, size_t bytes)
{
    SERVE(cuMemAllocHost);
    return serve_result(RUNTIME(cudaMallocHost)(pointer, bytes));
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    SERVE(cuMemHostAlloc);
    return serve_result(RUNTIME(cudaHostAlloc)(pointer, bytes, flags));
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *pointer, unsigned flags)
{
    SERVE(cuMemHostGetDevicePointer);
    return serve_result(RUNTIME(cudaHostGetDevicePointer)((void **)address, pointer, flags));
}

CUresult cuMemFreeHost(void *pointer)
{
    SERVE(cuMemFreeHost);
    return serve_result(RUNTIME(cudaFreeHost)(pointer));
}

/* --- Copies ----------------------------------------------------------------------------------- */

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    SERVE(cuMemcpyHtoD);
    return serve_result(RUNTIME(cudaMemcpy)(pointer_of(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    SERVE(cuMemcpyDtoH);
    return serve_result(RUNTIME(cudaMemcpy)(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    SERVE(cuMemcpyDtoD);
    return serve_result(
        RUNTIME(cudaMemcpy)(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    SERVE(cuMemcpy);
    return serve_result(
        RUNTIME(cudaMemcpy)(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    SERVE(cuMemcpyHtoDAsync);
    return serve_result(
        RUNTIME(cudaMemcpyAsync)(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    SERVE(cuMemcpyDtoHAsync);
    return serve_result(
        RUNTIME(cudaMemcpyAsync)(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    SERVE(cuMemcpyDtoDAsync);
    return serve_result(RUNTIME(cudaMemcpyAsync)(pointer_of(to), pointer_of(from), bytes,
                                                 cudaMemcpyDeviceToDevice, stream));
}

/* --- Fills ------------------------------------------------------------------------------------ */

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count)
{
    SERVE(cuMemsetD8);
    return serve_result(RUNTIME(cudaMemset)(pointer_of(to), value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    SERVE(cuMemsetD8Async);
    return serve_result(RUNTIME(cudaMemsetAsync)(pointer_of(to), value, count, stream));
}

/* The runtime fills with bytes: a word of four that are alike. */
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count)
{
    SERVE(cuMemsetD32);
    if (value != (value & 255) * 0x01010101u)
        return (CUresult)driver_refuse("cuMemsetD32 with unequal bytes");
    return serve_result(RUNTIME(cudaMemset)(pointer_of(to), (int)(value & 255), 4 * count));
}
