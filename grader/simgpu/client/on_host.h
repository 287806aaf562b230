/* on_host.h - for the drop-in libraries that compute on the host: a program's bytes, brought there
 * and back in the order of a stream. */
#ifndef SIMGPU_ON_HOST_H
#define SIMGPU_ON_HOST_H

#include "extension.h"

#include <stdlib.h>

static inline bool on_host_refuses_capture(cudaStream_t stream, const char *library)
{
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &capture);
    if (capture == cudaStreamCaptureStatusNone)
        return false;
    simgpu_extension()->explain("%s computes on the host here, so a graph cannot compute it again: "
                                "call it before the capture begins",
                                library);
    return true;
}

/* The bytes at `from`, once the stream is done, for the caller to free; NULL after a failure. */
static inline void *on_host_fetch(cudaStream_t stream, const void *from, size_t bytes,
                                  const char *library)
{
    if (on_host_refuses_capture(stream, library))
        return NULL;
    void *copy = calloc(1, bytes + 1);
    if (!copy || !bytes)
        return copy;
    if (cudaMemcpyAsync(copy, from, bytes, cudaMemcpyDefault, stream) == cudaSuccess &&
        cudaStreamSynchronize(stream) == cudaSuccess)
        return copy;
    free(copy);
    return NULL;
}

/* The bytes may be freed at once. */
static inline bool on_host_store(cudaStream_t stream, void *to, const void *from, size_t bytes,
                                 const char *library)
{
    if (on_host_refuses_capture(stream, library))
        return false;
    return !bytes || cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream) == cudaSuccess;
}

#endif
