/* array.c - CUDA arrays: the memory of textures and surfaces, which kernels reach only through
 * those.
 *
 * An array is device memory in rows (hardware swizzles it, in a way that no program can see), and
 * is described here. The device learns of it by a texture (texture.c) or a copy (box.c).
 */
#include "client.h"

#include <stdlib.h>

/* Rows begin with a sector of their own. */
enum { ROW_ALIGN_BYTES = 32 };

struct cudaArray *array_of(cudaArray_const_t handle)
{
    return handle_is(handle, HANDLE_ARRAY) ? (struct cudaArray *)handle : NULL;
}

unsigned channel_count(const struct cudaChannelFormatDesc *desc)
{
    const int bits[] = {desc->x, desc->y, desc->z, desc->w};
    unsigned count = 0;
    while (count < 4 && bits[count])
        count++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < count ? desc->x : 0))
            return 0;
    bool is_float = desc->f == cudaChannelFormatKindFloat;
    bool is_known = is_float || desc->f == cudaChannelFormatKindSigned ||
                    desc->f == cudaChannelFormatKindUnsigned;
    bool is_sized = (desc->x == 8 && !is_float) || desc->x == 16 || desc->x == 32;
    return is_known && is_sized && count != 3 ? count : 0;
}

static size_t at_least_one(size_t size)
{
    return size ? size : 1;
}

static bool has_size(const struct cudaExtent *extent, unsigned flags)
{
    bool is_layered = flags & cudaArrayLayered, is_cube = flags & cudaArrayCubemap;
    if (extent->width == 0)
        return false;
    if (is_cube)
        return extent->width == extent->height && extent->depth && extent->depth % 6 == 0 &&
               (is_layered || extent->depth == 6);
    return is_layered ? extent->depth != 0 : !extent->depth || extent->height;
}

/* Memory for its rows. */
static cudaError_t fill(struct cudaArray *array)
{
    const struct cudaExtent *extent = &array->extent;
    uint64_t bytes, row;
    void *memory;
    if (__builtin_mul_overflow(extent->width, array->element_bytes, &row) || row > INT64_MAX)
        return cudaErrorInvalidValue;
    array->pitch = (row + ROW_ALIGN_BYTES - 1) / ROW_ALIGN_BYTES * ROW_ALIGN_BYTES;
    if (__builtin_mul_overflow(array->pitch, at_least_one(extent->height), &array->slice) ||
        __builtin_mul_overflow(array->slice, at_least_one(extent->depth), &bytes))
        return cudaErrorMemoryAllocation;
    cudaError_t error = memory_new(&memory, bytes);
    array->address = error == cudaSuccess ? (uint64_t)memory : 0;
    return error;
}

static cudaError_t make(cudaArray_t *handle, const struct cudaChannelFormatDesc *desc,
                        struct cudaExtent extent, unsigned flags, unsigned known)
{
    cudaError_t error = capture_check_unsafe();
    if (!handle || !desc || error != cudaSuccess)
        return error != cudaSuccess ? error : cudaErrorInvalidValue;
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
        return missing("cudaArraySparse");
    if (flags & ~known || !has_size(&extent, flags))
        return cudaErrorInvalidValue;
    if (!channel_count(desc))
        return cudaErrorInvalidChannelDescriptor;
    struct cudaArray *array = calloc(1, sizeof *array);
    if (!array)
        return cudaErrorMemoryAllocation;
    *array = (struct cudaArray){.desc = *desc, .extent = extent, .flags = flags};
    array->element_bytes = channel_count(desc) * (unsigned)desc->x / 8;
    error = fill(array);
    if (error == cudaSuccess && !handle_add(array, HANDLE_ARRAY)) {
        memory_give_back(array->address);
        error = cudaErrorMemoryAllocation;
    }
    if (error == cudaSuccess)
        *handle = array;
    else
        free(array);
    return error;
}

cudaError_t cudaMallocArray(cudaArray_t *handle, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned flags)
{
    return api(make(handle, desc, (struct cudaExtent){width, height, 0}, flags,
                    cudaArraySurfaceLoadStore | cudaArrayTextureGather));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *handle, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    return api(make(handle, desc, extent, flags,
                    cudaArraySurfaceLoadStore | cudaArrayTextureGather | cudaArrayLayered |
                        cudaArrayCubemap));
}

cudaError_t cudaFreeArray(cudaArray_t handle)
{
    struct cudaArray *array = array_of(handle);
    cudaError_t error = capture_check_unsafe();
    if (!handle || error != cudaSuccess)
        return api(error);
    if (!array)
        return api(cudaErrorInvalidResourceHandle);
    handle_remove(array);
    error = memory_give_back(array->address);
    free(array);
    return api(error);
}

void array_forget_all(void)
{
    for (struct cudaArray *array; (array = handle_any(HANDLE_ARRAY)) != NULL;) {
        handle_remove(array);
        free(array);
    }
}

/* --- Asking ----------------------------------------------------------------------------------- */

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t handle)
{
    const struct cudaArray *array = array_of(handle);
    if (!array)
        return api(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t handle)
{
    const struct cudaArray *array = array_of(handle);
    if (!array || !desc)
        return api(array ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *desc = array->desc;
    return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
