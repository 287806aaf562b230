/* texture.c - texture and surface objects. The device has them; this file keeps what the program
 * said when it made each, for queries. */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* As the properties of the device say. */
enum { ALIGN_BYTES = 512, PITCH_ALIGN_BYTES = 32 };

struct object {
    struct object *next;
    uint64_t handle;
    bool is_surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *objects;

/* The place of the object in the list, or its end; the lock is held. */
static struct object **find(uint64_t handle, bool is_surface)
{
    struct object **link = &objects;
    while (*link && ((*link)->handle != handle || (*link)->is_surface != is_surface))
        link = &(*link)->next;
    return link;
}

void texture_forget_all(void)
{
    pthread_mutex_lock(&lock);
    while (objects) {
        struct object *gone = objects;
        objects = gone->next;
        free(gone);
    }
    pthread_mutex_unlock(&lock);
}

/* --- What it is of ---------------------------------------------------------------------------- */

static uint32_t size_of(size_t size)
{
    return size == 0 ? 1 : size > UINT32_MAX ? 0 : (uint32_t)size;
}

static cudaError_t set_channels(struct texture_request *to,
                                const struct cudaChannelFormatDesc *desc)
{
    to->channels = channel_count(desc);
    to->channel_bits = (uint32_t)desc->x;
    to->texel_kind = (uint32_t)desc->f;
    return to->channels ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

static cudaError_t of_array(struct texture_request *to, cudaArray_t handle)
{
    const struct cudaArray *array = array_of(handle);
    if (!array)
        return cudaErrorInvalidResourceHandle;
    to->address = array->address;
    to->pitch = array->pitch;
    to->slice = array->slice;
    to->width = size_of(array->extent.width);
    to->height = size_of(array->extent.height);
    to->depth = size_of(array->extent.depth);
    return set_channels(to, &array->desc);
}

static cudaError_t of_memory(struct texture_request *to, const void *pointer, size_t width,
                             size_t height, size_t pitch, const struct cudaChannelFormatDesc *desc)
{
    cudaError_t error = set_channels(to, desc);
    if (error != cudaSuccess)
        return error;
    to->address = (uint64_t)pointer;
    to->pitch = pitch;
    to->width = size_of(width);
    to->height = size_of(height);
    to->depth = 1;
    return width && to->address % ALIGN_BYTES == 0 && is_device_range(to->address)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

static cudaError_t of_resource(struct texture_request *to, const struct cudaResourceDesc *resource)
{
    unsigned bits = (unsigned)resource->res.linear.desc.x;
    switch (resource->resType) {
    case cudaResourceTypeArray: return of_array(to, resource->res.array.array);
    case cudaResourceTypeMipmappedArray: return missing("a texture of a MipmappedArray");
    case cudaResourceTypeLinear:
        to->is_linear = 1;
        bits *= channel_count(&resource->res.linear.desc);
        return of_memory(to, resource->res.linear.devPtr,
                         bits ? resource->res.linear.sizeInBytes / (bits / 8) : 0, 1, 0,
                         &resource->res.linear.desc);
    case cudaResourceTypePitch2D:
        if (resource->res.pitch2D.pitchInBytes % PITCH_ALIGN_BYTES || !resource->res.pitch2D.height)
            return cudaErrorInvalidValue;
        return of_memory(to, resource->res.pitch2D.devPtr, resource->res.pitch2D.width,
                         resource->res.pitch2D.height, resource->res.pitch2D.pitchInBytes,
                         &resource->res.pitch2D.desc);
    default: return cudaErrorInvalidValue;
    }
}

/* --- How it is read --------------------------------------------------------------------------- */

static cudaError_t set_reading(struct texture_request *to, const struct cudaTextureDesc *from)
{
    bool is_float = to->texel_kind == cudaChannelFormatKindFloat;
    if ((unsigned)from->filterMode > cudaFilterModeLinear ||
        (unsigned)from->readMode > cudaReadModeNormalizedFloat)
        return cudaErrorInvalidValue;
    to->filters = from->filterMode == cudaFilterModeLinear;
    to->normalised_values = from->readMode == cudaReadModeNormalizedFloat && !is_float;
    to->normalised_coordinates = from->normalizedCoords != 0;
    to->srgb = from->sRGB != 0;
    for (int axis = 0; axis < 3; axis++)
        to->mode[axis] = (uint32_t)from->addressMode[axis];
    memcpy(to->border, from->borderColor, sizeof to->border);
    if (to->normalised_values && to->channel_bits == 32)
        return cudaErrorInvalidNormSetting;
    return to->filters && !is_float && !to->normalised_values ? cudaErrorInvalidFilterSetting
                                                              : cudaSuccess;
}

static cudaError_t keep(uint64_t handle, bool is_surface, const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *texture)
{
    struct object *object = calloc(1, sizeof *object);
    if (!object)
        return cudaErrorMemoryAllocation;
    object->handle = handle;
    object->is_surface = is_surface;
    object->resource = *resource;
    if (texture)
        object->texture = *texture;
    pthread_mutex_lock(&lock);
    object->next = objects;
    objects = object;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

static cudaError_t destroy(uint64_t handle, bool is_surface)
{
    struct call call = new_call(REQUEST_TEXTURE_DESTROY);
    call.request.texture_handle.handle = handle;
    call.request.texture_handle.is_surface = is_surface;
    pthread_mutex_lock(&lock);
    struct object **place = find(handle, is_surface), *gone = *place;
    if (gone)
        *place = gone->next;
    pthread_mutex_unlock(&lock);
    free(gone);
    return gone ? perform(&call) : cudaErrorInvalidValue;
}

static cudaError_t create(unsigned long long *handle, const struct cudaResourceDesc *resource,
                          const struct cudaTextureDesc *texture)
{
    struct call call = new_call(REQUEST_TEXTURE_CREATE);
    struct texture_request *request = &call.request.texture;
    if (!handle || !resource)
        return cudaErrorInvalidValue;
    request->is_surface = !texture;
    cudaError_t error = of_resource(request, resource);
    if (error == cudaSuccess && texture)
        error = set_reading(request, texture);
    if (error == cudaSuccess)
        error = perform(&call);
    if (error != cudaSuccess)
        return error;
    error = keep(call.reply.value[0], !texture, resource, texture);
    if (error == cudaSuccess)
        *handle = call.reply.value[0];
    return error;
}

/* --- The API ---------------------------------------------------------------------------------- */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view)
{
    if (!texture) /* to the runtime on an H200 this is an invalid handle */
        return api(handle && resource ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    if (view && view->format != cudaResViewFormatNone)
        return missing("cudaResourceViewDesc");
    return api(create(handle, resource, texture));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle,
                                    const struct cudaResourceDesc *resource)
{
    bool is_array = resource && resource->resType == cudaResourceTypeArray;
    return api(is_array ? create(handle, resource, NULL) : cudaErrorInvalidValue);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    return api(destroy(handle, false));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    return api(destroy(handle, true));
}

/* What the program said about an object; either may be NULL. */
static cudaError_t tell(uint64_t handle, bool is_surface, struct cudaResourceDesc *resource,
                        struct cudaTextureDesc *texture)
{
    pthread_mutex_lock(&lock);
    const struct object *object = *find(handle, is_surface);
    if (object && resource)
        *resource = object->resource;
    if (object && texture)
        *texture = object->texture;
    pthread_mutex_unlock(&lock);
    return object && (resource || texture) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t handle)
{
    return api(tell(handle, false, resource, NULL));
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                            cudaTextureObject_t handle)
{
    return api(tell(handle, false, NULL, texture));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t handle)
{
    return api(tell(handle, true, resource, NULL));
}
