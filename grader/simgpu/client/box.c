/* box.c - boxes of rows: the one shape of all copies and memsets. */
#include "client.h"

#include <string.h>

static bool has_plan(uint64_t height, uint64_t depth, uint64_t width, uint64_t pitch,
                     uint64_t slice)
{
    return (height <= 1 || pitch >= width) && (depth <= 1 || slice >= pitch * (height - 1) + width);
}

/* Does the direction that the caller states agree with the addresses? */
static bool direction_fits(const struct box *box)
{
    bool to_device = is_device_range(box->to), from_device = is_device_range(box->from);
    switch (box->kind) {
    case cudaMemcpyHostToDevice: return to_device;
    case cudaMemcpyDeviceToHost: return from_device;
    case cudaMemcpyDeviceToDevice: return to_device && from_device;
    default: return true;
    }
}

cudaError_t box_check(const struct box *box)
{
    if ((unsigned)box->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!box->to || !box->from || !direction_fits(box))
        return cudaErrorInvalidValue;
    if ((box->height > 1 || box->depth > 1) &&
        (box->to_pitch < box->width || box->from_pitch < box->width))
        return SINCE_13(cudaErrorInvalidPitchValue);
    return has_plan(box->height, box->depth, box->width, box->to_pitch, box->to_slice) &&
                   has_plan(box->height, box->depth, box->width, box->from_pitch, box->from_slice)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

/* The corner of a pitched region that a copy starts at. */
static uint64_t corner(const struct cudaPitchedPtr *pointer, const struct cudaPos *position)
{
    return (uint64_t)pointer->ptr + position->z * pointer->pitch * pointer->ysize +
           position->y * pointer->pitch + position->x;
}

/* One side of a copy: a pitched region of memory, or an array as one. Positions in arrays count
 * elements, those in memory bytes. False when the box leaves the array, or there are both. */
static bool side_of(cudaArray_const_t handle, struct cudaPitchedPtr *pointer, struct cudaPos *at,
                    const struct cudaExtent *extent)
{
    const struct cudaArray *array = array_of(handle);
    if (!handle)
        return true;
    if (!array || pointer->ptr)
        return false;
    const struct cudaExtent *has = &array->extent;
    size_t height = has->height ? has->height : 1, depth = has->depth ? has->depth : 1;
    if (at->x > has->width || extent->width > has->width - at->x || at->y > height ||
        extent->height > height - at->y || at->z > depth || extent->depth > depth - at->z)
        return false;
    *pointer = (struct cudaPitchedPtr){(void *)array->address, array->pitch, has->width, height};
    at->x *= array->element_bytes;
    return true;
}

/* Bytes of an element that the extent counts, which are the arrays' if there are any. 0 if these
 * differ. */
static uint64_t element_bytes(const struct cudaMemcpy3DParms *parameters)
{
    const struct cudaArray *from = array_of(parameters->srcArray);
    const struct cudaArray *to = array_of(parameters->dstArray);
    if (from && to && from->element_bytes != to->element_bytes)
        return 0;
    return from ? from->element_bytes : to ? to->element_bytes : 1;
}

cudaError_t box_of(const struct cudaMemcpy3DParms *given, struct box *box)
{
    struct cudaMemcpy3DParms copy = *given, *parameters = &copy;
    uint64_t bytes = element_bytes(given);
    if (!bytes || !side_of(given->srcArray, &copy.srcPtr, &copy.srcPos, &given->extent) ||
        !side_of(given->dstArray, &copy.dstPtr, &copy.dstPos, &given->extent) ||
        __builtin_mul_overflow(given->extent.width, bytes, &copy.extent.width))
        return cudaErrorInvalidValue;
    *box = (struct box){.to = corner(&parameters->dstPtr, &parameters->dstPos),
                        .from = corner(&parameters->srcPtr, &parameters->srcPos),
                        .to_pitch = parameters->dstPtr.pitch,
                        .to_slice = parameters->dstPtr.pitch * parameters->dstPtr.ysize,
                        .from_pitch = parameters->srcPtr.pitch,
                        .from_slice = parameters->srcPtr.pitch * parameters->srcPtr.ysize,
                        .width = parameters->extent.width,
                        .height = parameters->extent.height,
                        .depth = parameters->extent.depth,
                        .kind = parameters->kind};
    return cudaSuccess;
}

struct copy_request box_request(const struct box *box, uint64_t stream, enum copy_kind kind)
{
    return (struct copy_request){
        .to = box->to,
        .from = box->from,
        .stream = stream,
        .width = box->width,
        .height = box->height,
        .depth = box->depth,
        .to_pitch = box->to_pitch,
        .to_slice = box->to_slice,
        .from_pitch = box->from_pitch,
        .from_slice = box->from_slice,
        .kind = kind,
        .asynchronous = box->asynchronous,
        .over_bus = memory_is_shared(box->to) != memory_is_shared(box->from),
        .from_pinned = memory_is_shared(box->from) && !memory_is_shared(box->to)};
}

void box_move(const struct box *box)
{
    for (uint64_t z = 0; z < box->depth; z++)
        for (uint64_t y = 0; y < box->height; y++)
            memmove((void *)(box->to + z * box->to_slice + y * box->to_pitch),
                    (const void *)(box->from + z * box->from_slice + y * box->from_pitch),
                    box->width);
}

struct box box_packed_to(const struct box *box, uint64_t address)
{
    struct box packed = *box;
    packed.to = address;
    packed.to_pitch = box->width;
    packed.to_slice = box->width * box->height;
    return packed;
}

struct box box_packed_from(const struct box *box, uint64_t address)
{
    struct box packed = *box;
    packed.from = address;
    packed.from_pitch = box->width;
    packed.from_slice = box->width * box->height;
    return packed;
}

cudaError_t set_request_of(const struct cudaMemsetParams *set, struct set_request *request)
{
    bool sized = set->elementSize == 1 || set->elementSize == 2 || set->elementSize == 4;
    if (!sized || !is_device_range((uint64_t)set->dst) ||
        (set->height > 1 && set->pitch < set->width * set->elementSize))
        return cudaErrorInvalidValue;
    *request = (struct set_request){.to = (uint64_t)set->dst,
                                    .width = set->width,
                                    .height = set->height,
                                    .pitch = set->pitch,
                                    .value = set->value,
                                    .element_bytes = set->elementSize};
    return cudaSuccess;
}
