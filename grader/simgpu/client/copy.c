/* copy.c - copies and memsets of every direction and shape.
 *
 * All of them come down to a box of rows. A side the host can touch (ordinary memory, pinned,
 * managed) may also be one the device can touch (pinned, managed): then the device copies by
 * itself, in stream order. Ordinary memory goes through the connection.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

/* --- Boxes ------------------------------------------------------------------------------------ */

static const unsigned char *host_row(const struct box *box, uint64_t z, uint64_t y)
{
    return (const unsigned char *)(box->from + z * box->from_slice + y * box->from_pitch);
}

static bool is_packed(const struct box *box, uint64_t pitch, uint64_t slice)
{
    return (box->height == 1 || pitch == box->width) &&
           (box->depth == 1 || slice == pitch * box->height);
}

static struct copy_request request_of(const struct CUstream_st *stream, const struct box *box,
                                      enum copy_kind kind)
{
    return (struct copy_request){.to = box->to,
                                 .from = box->from,
                                 .stream = stream->number,
                                 .width = box->width,
                                 .height = box->height,
                                 .depth = box->depth,
                                 .to_pitch = box->to_pitch,
                                 .to_slice = box->to_slice,
                                 .from_pitch = box->from_pitch,
                                 .from_slice = box->from_slice,
                                 .kind = kind,
                                 .asynchronous = box->asynchronous};
}

static cudaError_t copy_from_host(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_COPY);
    uint64_t bytes = box->width * box->height * box->depth;
    unsigned char *rows = NULL;
    call.request.copy = request_of(stream, box, COPY_FROM_HOST);
    call.payload = (const void *)box->from;
    call.payload_bytes = bytes;
    if (!is_packed(box, box->from_pitch, box->from_slice)) {
        rows = malloc(bytes + 1);
        if (!rows)
            return cudaErrorMemoryAllocation;
        unsigned char *to = rows;
        for (uint64_t z = 0; z < box->depth; z++)
            for (uint64_t y = 0; y < box->height; y++, to += box->width)
                memcpy(to, host_row(box, z, y), box->width);
        call.payload = rows;
    }
    cudaError_t error = submit(stream, &call);
    free(rows);
    return error;
}

static cudaError_t copy_to_host(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_COPY);
    uint64_t bytes = box->width * box->height * box->depth;
    bool direct = is_packed(box, box->to_pitch, box->to_slice);
    call.request.copy = request_of(stream, box, COPY_TO_HOST);
    call.answer = direct ? (void *)box->to : malloc(bytes + 1);
    call.answer_room = bytes;
    if (!call.answer)
        return cudaErrorMemoryAllocation;
    cudaError_t error = submit(stream, &call);
    const unsigned char *from = call.answer;
    if (!direct && error == cudaSuccess)
        for (uint64_t z = 0; z < box->depth; z++)
            for (uint64_t y = 0; y < box->height; y++, from += box->width)
                memcpy((unsigned char *)box->to + z * box->to_slice + y * box->to_pitch, from,
                       box->width);
    if (!direct)
        free(call.answer);
    return error;
}

static cudaError_t copy_on_device(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_COPY);
    call.request.copy = request_of(stream, box, COPY_ON_DEVICE);
    call.request.copy.over_bus = memory_is_shared(box->to) != memory_is_shared(box->from);
    return submit(stream, &call);
}

static cudaError_t copy_on_host(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_STREAM_SYNCHRONISE);
    call.request.stream.stream = stream->number;
    cudaError_t error = stream->capture ? cudaErrorStreamCaptureUnsupported : perform(&call);
    if (error != cudaSuccess)
        return error;
    for (uint64_t z = 0; z < box->depth; z++)
        for (uint64_t y = 0; y < box->height; y++)
            memmove((unsigned char *)box->to + z * box->to_slice + y * box->to_pitch,
                    host_row(box, z, y), box->width);
    return cudaSuccess;
}

/* Does the direction the caller states agree with where the addresses lie? */
static bool direction_fits(const struct box *box, bool to_device, bool from_device)
{
    switch (box->kind) {
    case cudaMemcpyHostToHost: return true;
    case cudaMemcpyHostToDevice: return to_device;
    case cudaMemcpyDeviceToHost: return from_device;
    case cudaMemcpyDeviceToDevice: return to_device && from_device;
    default: return box->kind == cudaMemcpyDefault;
    }
}

cudaError_t copy_box(struct CUstream_st *stream, const struct box *box)
{
    bool to_device = is_device_range(box->to), from_device = is_device_range(box->from);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (box->width == 0 || box->height == 0 || box->depth == 0)
        return cudaSuccess;
    if ((unsigned)box->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!box->to || !box->from || !direction_fits(box, to_device, from_device))
        return cudaErrorInvalidValue;
    if ((box->height > 1 || box->depth > 1) &&
        (box->to_pitch < box->width || box->from_pitch < box->width))
        return cudaErrorInvalidPitchValue;
    if (to_device && from_device)
        return copy_on_device(stream, box);
    if (to_device)
        return copy_from_host(stream, box);
    return from_device ? copy_to_host(stream, box) : copy_on_host(stream, box);
}

cudaError_t set_box(struct CUstream_st *stream, uint64_t to, uint32_t value,
                    uint32_t element_bytes, size_t width, size_t height, size_t pitch,
                    bool asynchronous)
{
    struct call call = new_call(REQUEST_SET);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (!is_device_range(to))
        return cudaErrorInvalidValue;
    call.request.set = (struct set_request){.to = to,
                                            .stream = stream->number,
                                            .width = width,
                                            .height = height,
                                            .pitch = pitch,
                                            .value = value,
                                            .element_bytes = element_bytes};
    (void)asynchronous; /* a memset of device memory never waits */
    return submit(stream, &call);
}

/* --- Flat copies ------------------------------------------------------------------------------ */

static cudaError_t copy_flat(const void *to, const void *from, size_t count,
                             enum cudaMemcpyKind kind, struct CUstream_st *stream,
                             bool asynchronous)
{
    struct box box = {.to = (uint64_t)to,
                      .from = (uint64_t)from,
                      .to_pitch = count,
                      .from_pitch = count,
                      .width = count,
                      .height = 1,
                      .depth = 1,
                      .kind = kind,
                      .asynchronous = asynchronous};
    return copy_box(stream, &box);
}

BOTH(_ptds, cudaMemcpy, (void *to, const void *from, size_t count, enum cudaMemcpyKind kind),
     copy_flat(to, from, count, kind, stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpyAsync,
     (void *to, const void *from, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream),
     copy_flat(to, from, count, kind, stream_of(stream, default_stream), true))

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t count)
{
    if (to_device || from_device)
        return api(cudaErrorInvalidDevice);
    return api(copy_flat(to, from, count, cudaMemcpyDefault, stream_of(0, STREAM_LEGACY), false));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t count, cudaStream_t stream)
{
    if (to_device || from_device)
        return api(cudaErrorInvalidDevice);
    return api(
        copy_flat(to, from, count, cudaMemcpyDefault, stream_of(stream, STREAM_LEGACY), true));
}

/* --- Symbols ---------------------------------------------------------------------------------- */

static cudaError_t copy_symbol(const void *symbol, size_t offset, size_t count, void *other,
                               bool to_symbol, enum cudaMemcpyKind kind,
                               struct CUstream_st *stream, bool asynchronous)
{
    uint64_t address, size_bytes;
    cudaError_t error = program_symbol(symbol, &address, &size_bytes);
    if (error != cudaSuccess)
        return error;
    if (offset > size_bytes || count > size_bytes - offset)
        return cudaErrorInvalidValue;
    void *place = (void *)(address + offset);
    return to_symbol ? copy_flat(place, other, count, kind, stream, asynchronous)
                     : copy_flat(other, place, count, kind, stream, asynchronous);
}

BOTH(_ptds, cudaMemcpyToSymbol,
     (const void *symbol, const void *from, size_t count, size_t offset, enum cudaMemcpyKind kind),
     copy_symbol(symbol, offset, count, (void *)from, true, kind, stream_of(0, default_stream),
                 false))
BOTH(_ptds, cudaMemcpyFromSymbol,
     (void *to, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind),
     copy_symbol(symbol, offset, count, to, false, kind, stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpyToSymbolAsync,
     (const void *symbol, const void *from, size_t count, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     copy_symbol(symbol, offset, count, (void *)from, true, kind, stream_of(stream, default_stream),
                 true))
BOTH(_ptsz, cudaMemcpyFromSymbolAsync,
     (void *to, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     copy_symbol(symbol, offset, count, to, false, kind, stream_of(stream, default_stream), true))

/* --- Two and three dimensions ------------------------------------------------------------------ */

static cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, enum cudaMemcpyKind kind,
                           struct CUstream_st *stream, bool asynchronous)
{
    struct box box = {.to = (uint64_t)to,
                      .from = (uint64_t)from,
                      .to_pitch = to_pitch,
                      .from_pitch = from_pitch,
                      .width = width,
                      .height = height,
                      .depth = 1,
                      .kind = kind,
                      .asynchronous = asynchronous};
    if (width > to_pitch || width > from_pitch)
        return cudaErrorInvalidPitchValue;
    return copy_box(stream, &box);
}

BOTH(_ptds, cudaMemcpy2D,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind),
     copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream_of(0, default_stream),
             false))
BOTH(_ptsz, cudaMemcpy2DAsync,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     copy_2d(to, to_pitch, from, from_pitch, width, height, kind,
             stream_of(stream, default_stream), true))

/* The corner of a pitched region that a copy starts at. */
static uint64_t corner(const struct cudaPitchedPtr *pointer, const struct cudaPos *position)
{
    return (uint64_t)pointer->ptr + position->z * pointer->pitch * pointer->ysize +
           position->y * pointer->pitch + position->x;
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *parameters, struct CUstream_st *stream,
                           bool asynchronous)
{
    if (parameters->srcArray || parameters->dstArray)
        return missing("copying CUDA arrays");
    struct box box = {.to = corner(&parameters->dstPtr, &parameters->dstPos),
                      .from = corner(&parameters->srcPtr, &parameters->srcPos),
                      .to_pitch = parameters->dstPtr.pitch,
                      .to_slice = parameters->dstPtr.pitch * parameters->dstPtr.ysize,
                      .from_pitch = parameters->srcPtr.pitch,
                      .from_slice = parameters->srcPtr.pitch * parameters->srcPtr.ysize,
                      .width = parameters->extent.width,
                      .height = parameters->extent.height,
                      .depth = parameters->extent.depth,
                      .kind = parameters->kind,
                      .asynchronous = asynchronous};
    return copy_box(stream, &box);
}

BOTH(_ptds, cudaMemcpy3D, (const struct cudaMemcpy3DParms *parameters),
     copy_3d(parameters, stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *parameters, cudaStream_t stream),
     copy_3d(parameters, stream_of(stream, default_stream), true))

/* --- Memset ----------------------------------------------------------------------------------- */

static cudaError_t set_3d(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                          struct CUstream_st *stream)
{
    for (size_t z = 0; z < extent.depth; z++) {
        uint64_t plane = (uint64_t)pointer.ptr + z * pointer.pitch * pointer.ysize;
        cudaError_t error = set_box(stream, plane, (uint32_t)value & 0xFF, 1, extent.width,
                                    extent.height, pointer.pitch, true);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

#define BYTE ((uint32_t)value & 0xFF)
BOTH(_ptds, cudaMemset, (void *to, int value, size_t count),
     set_box(stream_of(0, default_stream), (uint64_t)to, BYTE, 1, count, 1, count, false))
BOTH(_ptsz, cudaMemsetAsync, (void *to, int value, size_t count, cudaStream_t stream),
     set_box(stream_of(stream, default_stream), (uint64_t)to, BYTE, 1, count, 1, count, true))
BOTH(_ptds, cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height),
     set_box(stream_of(0, default_stream), (uint64_t)to, BYTE, 1, width, height, pitch, false))
BOTH(_ptsz, cudaMemset2DAsync,
     (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
     set_box(stream_of(stream, default_stream), (uint64_t)to, BYTE, 1, width, height, pitch, true))
BOTH(_ptds, cudaMemset3D, (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent),
     set_3d(pointer, value, extent, stream_of(0, default_stream)))
BOTH(_ptsz, cudaMemset3DAsync,
     (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream),
     set_3d(pointer, value, extent, stream_of(stream, default_stream)))
