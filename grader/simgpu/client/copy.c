/* copy.c - copies and memsets of every direction and shape.
 *
 * Each is a box of rows (box.c). The host can access ordinary, pinned and managed memory; the
 * device can access pinned and managed memory as well, and then it copies by itself, in stream
 * order. Ordinary memory goes through the connection.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

/* --- Boxes ------------------------------------------------------------------------------------ */

static bool is_packed(const struct box *box, uint64_t pitch, uint64_t slice)
{
    return (box->height == 1 || pitch == box->width) &&
           (box->depth == 1 || slice == pitch * box->height);
}

/* Memory for the rows of a box, one after another. */
static void *rows_of(const struct box *box)
{
    return malloc(box->width * box->height * box->depth);
}

static cudaError_t copy_from_host(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_COPY);
    void *rows = NULL;
    call.request.copy = box_request(box, stream->number, COPY_FROM_HOST);
    call.payload = (const void *)box->from;
    call.payload_bytes = box->width * box->height * box->depth;
    if (!is_packed(box, box->from_pitch, box->from_slice)) {
        rows = rows_of(box);
        if (!rows)
            return cudaErrorMemoryAllocation;
        struct box gather = box_packed_to(box, (uint64_t)rows);
        box_move(&gather);
        call.payload = rows;
    }
    cudaError_t error = perform(&call);
    free(rows);
    return error;
}

static cudaError_t copy_to_host(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_COPY);
    bool direct = is_packed(box, box->to_pitch, box->to_slice);
    call.request.copy = box_request(box, stream->number, COPY_TO_HOST);
    call.answer = direct ? (void *)box->to : rows_of(box);
    call.answer_room = box->width * box->height * box->depth;
    if (!call.answer)
        return cudaErrorMemoryAllocation;
    cudaError_t error = perform(&call);
    if (direct)
        return error;
    struct box scatter = box_packed_from(box, (uint64_t)call.answer);
    if (error == cudaSuccess)
        box_move(&scatter);
    free(call.answer);
    return error;
}

/* The host waits only if one side is its own. */
static cudaError_t copy_on_device(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_COPY);
    call.request.copy = box_request(box, stream->number, COPY_ON_DEVICE);
    if (!memory_is_shared(box->to) && !memory_is_shared(box->from))
        call.request.copy.asynchronous = 1;
    return perform(&call);
}

static cudaError_t copy_on_host(struct CUstream_st *stream, const struct box *box)
{
    struct call call = new_call(REQUEST_STREAM_SYNCHRONISE);
    call.request.stream.stream = stream->number;
    cudaError_t error = perform(&call);
    if (error == cudaSuccess)
        box_move(box);
    return error;
}

/* The node represents the copy by parameters whose corners are its addresses. */
static cudaError_t capture_copy(struct CUstream_st *stream, const struct box *box)
{
    struct content content;
    uint64_t from_rows = box->from_pitch ? box->from_slice / box->from_pitch : 0;
    uint64_t to_rows = box->to_pitch ? box->to_slice / box->to_pitch : 0;
    const struct cudaMemcpy3DParms parameters = {
        .srcPtr = {(void *)box->from, box->from_pitch, box->width, from_rows},
        .dstPtr = {(void *)box->to, box->to_pitch, box->width, to_rows},
        .extent = {box->width, box->height, box->depth},
        .kind = box->kind};
    if (!box->asynchronous)
        return capture_check_wait(stream);
    cudaError_t error = content_copy(&content, &parameters);
    return error == cudaSuccess ? capture_content(stream, &content, NULL) : error;
}

cudaError_t copy_box(struct CUstream_st *stream, const struct box *box)
{
    bool to_device = is_device_range(box->to), from_device = is_device_range(box->from);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess || box->width == 0 || box->height == 0 || box->depth == 0)
        return error;
    error = box_check(box);
    if (error != cudaSuccess)
        return error;
    if (stream->capture)
        return capture_copy(stream, box);
    if (to_device && from_device)
        return copy_on_device(stream, box);
    if (to_device)
        return copy_from_host(stream, box);
    return from_device ? copy_to_host(stream, box) : copy_on_host(stream, box);
}

static cudaError_t set_box(struct CUstream_st *stream, const struct cudaMemsetParams *set)
{
    struct call call = new_call(REQUEST_SET);
    struct content content;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess || set->width == 0 || set->height == 0)
        return error;
    if (!stream->capture) {
        error = set_request_of(set, &call.request.set);
        call.request.set.stream = stream->number;
        return error == cudaSuccess ? perform(&call) : error;
    }
    error = content_set(&content, set);
    return error == cudaSuccess ? capture_content(stream, &content, NULL) : error;
}

/* --- Flat copies ------------------------------------------------------------------------------ */

static cudaError_t copy_flat(const void *to, const void *from, size_t count,
                             enum cudaMemcpyKind kind, struct CUstream_st *stream,
                             bool asynchronous)
{
    struct box box = {.to = (uint64_t)to,
                      .from = (uint64_t)from,
                      .to_pitch = count,
                      .to_slice = count,
                      .from_pitch = count,
                      .from_slice = count,
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
                               bool to_symbol, enum cudaMemcpyKind kind, struct CUstream_st *stream,
                               bool asynchronous)
{
    void *place;
    cudaError_t error = program_symbol_part(symbol, offset, count, &place);
    if (error != cudaSuccess)
        return error;
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

/* --- Two and three dimensions ----------------------------------------------------------------- */

static cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, enum cudaMemcpyKind kind,
                           struct CUstream_st *stream, bool asynchronous)
{
    struct box box = {.to = (uint64_t)to,
                      .from = (uint64_t)from,
                      .to_pitch = to_pitch,
                      .to_slice = to_pitch * height,
                      .from_pitch = from_pitch,
                      .from_slice = from_pitch * height,
                      .width = width,
                      .height = height,
                      .depth = 1,
                      .kind = kind,
                      .asynchronous = asynchronous};
    if (width > to_pitch || width > from_pitch)
        return SINCE_13(cudaErrorInvalidPitchValue);
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
     copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream_of(stream, default_stream),
             true))

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *parameters, struct CUstream_st *stream,
                           bool asynchronous)
{
    struct box box;
    cudaError_t error = parameters ? box_of(parameters, &box) : cudaErrorInvalidValue;
    box.asynchronous = asynchronous;
    return error == cudaSuccess ? copy_box(stream, &box) : error;
}

BOTH(_ptds, cudaMemcpy3D, (const struct cudaMemcpy3DParms *parameters),
     copy_3d(parameters, stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *parameters, cudaStream_t stream),
     copy_3d(parameters, stream_of(stream, default_stream), true))

/* Between two devices, of which there is only one. */
static cudaError_t copy_peer_3d(const struct cudaMemcpy3DPeerParms *peer,
                                struct CUstream_st *stream, bool asynchronous)
{
    if (!peer)
        return cudaErrorInvalidValue;
    if (peer->srcDevice || peer->dstDevice)
        return cudaErrorInvalidDevice;
    const struct cudaMemcpy3DParms parameters = {.srcArray = peer->srcArray,
                                                 .srcPos = peer->srcPos,
                                                 .srcPtr = peer->srcPtr,
                                                 .dstArray = peer->dstArray,
                                                 .dstPos = peer->dstPos,
                                                 .dstPtr = peer->dstPtr,
                                                 .extent = peer->extent,
                                                 .kind = cudaMemcpyDefault};
    return copy_3d(&parameters, stream, asynchronous);
}

BOTH(_ptds, cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *parameters),
     copy_peer_3d(parameters, stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpy3DPeerAsync,
     (const struct cudaMemcpy3DPeerParms *parameters, cudaStream_t stream),
     copy_peer_3d(parameters, stream_of(stream, default_stream), true))

/* --- Many copies in one call ------------------------------------------------------------------ */

#if CUDART_VERSION >= 13000
static cudaError_t copy_batch(void *const *to, const void *const *from, const size_t *sizes,
                              size_t count, const struct cudaMemcpyAttributes *attributes,
                              const size_t *attribute_indices, size_t attribute_count,
                              struct CUstream_st *stream)
{
    if (!to || !from || !sizes || !count || !attributes || !attribute_indices || !attribute_count ||
        attribute_count > count || attribute_indices[0] != 0)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        cudaError_t error = copy_flat(to[i], from[i], sizes[i], cudaMemcpyDefault, stream, true);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

BOTH(_ptsz, cudaMemcpyBatchAsync,
     (void *const *to, const void *const *from, const size_t *sizes, size_t count,
      struct cudaMemcpyAttributes *attributes, size_t *indices, size_t attribute_count,
      cudaStream_t stream),
     copy_batch(to, from, sizes, count, attributes, indices, attribute_count,
                stream_of(stream, default_stream)))
#endif

/* --- Memset ----------------------------------------------------------------------------------- */

static cudaError_t set_2d(struct CUstream_st *stream, const void *to, size_t pitch, int value,
                          size_t width, size_t height)
{
    const struct cudaMemsetParams set = {.dst = (void *)to,
                                         .pitch = pitch,
                                         .value = (unsigned)value & 0xFF,
                                         .elementSize = 1,
                                         .width = width,
                                         .height = height};
    return set_box(stream, &set);
}

static cudaError_t set_3d(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                          struct CUstream_st *stream)
{
    for (size_t z = 0; z < extent.depth; z++) {
        cudaError_t error = set_2d(stream, (char *)pointer.ptr + z * pointer.pitch * pointer.ysize,
                                   pointer.pitch, value, extent.width, extent.height);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

BOTH(_ptds, cudaMemset, (void *to, int value, size_t count),
     set_2d(stream_of(0, default_stream), to, count, value, count, 1))
BOTH(_ptsz, cudaMemsetAsync, (void *to, int value, size_t count, cudaStream_t stream),
     set_2d(stream_of(stream, default_stream), to, count, value, count, 1))
BOTH(_ptds, cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height),
     set_2d(stream_of(0, default_stream), to, pitch, value, width, height))
BOTH(_ptsz, cudaMemset2DAsync,
     (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
     set_2d(stream_of(stream, default_stream), to, pitch, value, width, height))
BOTH(_ptds, cudaMemset3D, (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent),
     set_3d(pointer, value, extent, stream_of(0, default_stream)))
BOTH(_ptsz, cudaMemset3DAsync,
     (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream),
     set_3d(pointer, value, extent, stream_of(stream, default_stream)))
