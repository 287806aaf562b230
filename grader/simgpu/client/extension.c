/* extension.c - see extension.h. */
#include "extension.h"

static cudaError_t submit_on(cudaStream_t handle, struct call *call, uint64_t *number)
{
    struct CUstream_st *stream = stream_of(handle, STREAM_LEGACY);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    *number = stream->number;
    return submit(stream, call);
}

const struct simgpu_extension *simgpu_extension(void)
{
    static const struct simgpu_extension EXTENSION = {perform, submit_on, capture_spoil_all,
                                                      explain};
    return &EXTENSION;
}
