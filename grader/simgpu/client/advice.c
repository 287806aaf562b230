/* advice.c - what a program may say about its memory, and ask again: a device with one memory does
 * not need it, so it is checked, kept where it can be asked for, and otherwise believed. */
#include "client.h"

#include <string.h>

static cudaError_t check_range(const void *pointer, size_t count)
{
    struct call call = new_call(REQUEST_RANGE);
    call.request.address.address = (uint64_t)pointer;
    cudaError_t error = count && is_device_range((uint64_t)pointer) ? perform(&call)
                                                                     : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    uint64_t offset = (uint64_t)pointer - call.reply.range.address;
    bool inside = count <= call.reply.range.size_bytes - offset;
    return inside && call.reply.range.kind != MEMORY_HOST ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t prefetch(const void *pointer, size_t count, struct CUstream_st *stream)
{
    return stream ? check_range(pointer, count) : cudaErrorInvalidResourceHandle;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)advice, (void)location;
    return api(check_range(pointer, count));
}

BOTH(_ptsz, cudaMemPrefetchAsync,
     (const void *pointer, size_t count, struct cudaMemLocation location, unsigned flags,
      cudaStream_t stream),
     ((void)location, flags ? cudaErrorInvalidValue
                            : prefetch(pointer, count, stream_of(stream, default_stream))))
#else
cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    (void)advice, (void)device;
    return api(check_range(pointer, count));
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    (void)advice, (void)location;
    return api(check_range(pointer, count));
}

BOTH(_ptsz, cudaMemPrefetchAsync,
     (const void *pointer, size_t count, int device, cudaStream_t stream),
     ((void)device, prefetch(pointer, count, stream_of(stream, default_stream))))
BOTH(_ptsz, cudaMemPrefetchAsync_v2,
     (const void *pointer, size_t count, struct cudaMemLocation location, unsigned flags,
      cudaStream_t stream),
     ((void)location, flags ? cudaErrorInvalidValue
                            : prefetch(pointer, count, stream_of(stream, default_stream))))
#endif
