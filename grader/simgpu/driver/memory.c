/* memory.c - allocations, copies and fills. */
#include "serve.h"

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    SERVE(cuMemGetInfo);
    return serve_result(RUNTIME(cudaMemGetInfo)(available, total));
}

/* A size of 0 is an error here, but not to the runtime. */
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

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    SERVE(cuMemAllocAsync);
    return serve_result(RUNTIME(cudaMallocAsync)((void **)address, bytes, stream));
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    SERVE(cuMemFreeAsync);
    return serve_result(RUNTIME(cudaFreeAsync)(pointer_of(address), stream));
}

CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags)
{
    SERVE(cuMemHostRegister);
    return serve_result(RUNTIME(cudaHostRegister)(pointer, bytes, flags));
}

CUresult cuMemHostUnregister(void *pointer)
{
    SERVE(cuMemHostUnregister);
    return serve_result(RUNTIME(cudaHostUnregister)(pointer));
}

CUresult cuMemHostGetFlags(unsigned *flags, void *pointer)
{
    SERVE(cuMemHostGetFlags);
    return serve_result(RUNTIME(cudaHostGetFlags)(flags, pointer));
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

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    SERVE(cuMemcpyAsync);
    return serve_result(RUNTIME(cudaMemcpyAsync)(pointer_of(to), pointer_of(from), bytes,
                                                 cudaMemcpyDefault, stream));
}

#if CUDA_VERSION >= 13000
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
                               CUmemcpyAttributes *attributes, size_t *indices,
                               size_t attribute_count, CUstream stream)
{
    SERVE(cuMemcpyBatchAsync);
    return serve_result(RUNTIME(cudaMemcpyBatchAsync)(
        (void *const *)to, (const void *const *)from, sizes, count,
        (struct cudaMemcpyAttributes *)attributes, indices, attribute_count, stream));
}
#endif

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

/* The runtime fills with single bytes: so each byte of the value is filled in by itself, as a
 * column of a matrix. */
static CUresult fill(CUdeviceptr to, unsigned value, size_t width, size_t count, bool waits,
                     CUstream stream)
{
    cudaError_t error = cudaSuccess;
    if (count == 0)
        return CUDA_SUCCESS;
    for (size_t i = 0; error == cudaSuccess && i < width; i++, value >>= 8) {
        int byte = (int)(value & 255);
        error = waits
                    ? RUNTIME(cudaMemset2D)(pointer_of(to + i), width, byte, 1, count)
                    : RUNTIME(cudaMemset2DAsync)(pointer_of(to + i), width, byte, 1, count, stream);
    }
    return serve_result(error);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count)
{
    SERVE(cuMemsetD16);
    return fill(to, value, 2, count, true, NULL);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream)
{
    SERVE(cuMemsetD16Async);
    return fill(to, value, 2, count, false, stream);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count)
{
    SERVE(cuMemsetD32);
    return fill(to, value, 4, count, true, NULL);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream)
{
    SERVE(cuMemsetD32Async);
    return fill(to, value, 4, count, false, stream);
}
