/* array.c - arrays of two dimensions, copies of rectangles, and textures. */
#include "serve.h"

#include <string.h>

/* --- Arrays ----------------------------------------------------------------------------------- */

static struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned channels)
{
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } FORMATS[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
        {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
    };
    struct cudaChannelFormatDesc made = {0};
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (FORMATS[i].format == format) {
            int bits = FORMATS[i].bits;
            made.x = bits;
            made.y = channels > 1 ? bits : 0;
            made.z = made.w = channels > 2 ? bits : 0; /* there are 1, 2 or 4 */
            made.f = FORMATS[i].kind;
        }
    return made;
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted)
{
    SERVE(cuArrayCreate);
    struct cudaChannelFormatDesc channels = channels_of(wanted->Format, wanted->NumChannels);
    return serve_result(RUNTIME(cudaMallocArray)((cudaArray_t *)array, &channels, wanted->Width,
                                                 wanted->Height, 0));
}

CUresult cuArrayDestroy(CUarray array)
{
    SERVE(cuArrayDestroy);
    return serve_result(RUNTIME(cudaFreeArray)((cudaArray_t)array));
}

/* --- Copies ----------------------------------------------------------------------------------- */

/* A rectangle's first byte; NULL when it lies in an array. */
static char *start_of(CUmemorytype type, const void *host, CUdeviceptr device, size_t x, size_t y,
                      size_t pitch)
{
    char *base = type == CU_MEMORYTYPE_HOST ? (char *)host : pointer_of(device);
    return type == CU_MEMORYTYPE_ARRAY ? NULL : base + y * pitch + x;
}

static cudaError_t copy(const CUDA_MEMCPY2D *box)
{
    size_t width = box->WidthInBytes, height = box->Height;
    cudaArray_t to_array = (cudaArray_t)box->dstArray, from_array = (cudaArray_t)box->srcArray;
    char *to = start_of(box->dstMemoryType, box->dstHost, box->dstDevice, box->dstXInBytes,
                        box->dstY, box->dstPitch);
    char *from = start_of(box->srcMemoryType, box->srcHost, box->srcDevice, box->srcXInBytes,
                          box->srcY, box->srcPitch);
    size_t to_pitch = box->dstPitch ? box->dstPitch : width;
    size_t from_pitch = box->srcPitch ? box->srcPitch : width;
    if (to && from)
        return RUNTIME(cudaMemcpy2D)(to, to_pitch, from, from_pitch, width, height,
                                     cudaMemcpyDefault);
    if (from)
        return RUNTIME(cudaMemcpy2DToArray)(to_array, box->dstXInBytes, box->dstY, from, from_pitch,
                                            width, height, cudaMemcpyDefault);
    if (to)
        return RUNTIME(cudaMemcpy2DFromArray)(to, to_pitch, from_array, box->srcXInBytes, box->srcY,
                                              width, height, cudaMemcpyDefault);
    return RUNTIME(cudaMemcpy2DArrayToArray)(to_array, box->dstXInBytes, box->dstY, from_array,
                                             box->srcXInBytes, box->srcY, width, height,
                                             cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *box)
{
    SERVE(cuMemcpy2D);
    return serve_result(copy(box));
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *box)
{
    SERVE(cuMemcpy2DUnaligned);
    return serve_result(copy(box));
}

/* --- Textures --------------------------------------------------------------------------------- */

/* The enumerations of filters, address modes and kinds of resource number alike in both. */
static struct cudaTextureDesc reading_of(const CUDA_TEXTURE_DESC *from)
{
    struct cudaTextureDesc to = {0};
    for (int axis = 0; axis < 3; axis++)
        to.addressMode[axis] = (enum cudaTextureAddressMode)from->addressMode[axis];
    memcpy(to.borderColor, from->borderColor, sizeof to.borderColor);
    to.filterMode = (enum cudaTextureFilterMode)from->filterMode;
    to.normalizedCoords = (from->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    to.sRGB = (from->flags & CU_TRSF_SRGB) != 0;
    return to;
}

static struct cudaResourceDesc resource_of(const CUDA_RESOURCE_DESC *from)
{
    struct cudaResourceDesc to = {.resType = (enum cudaResourceType)from->resType};
    if (from->resType == CU_RESOURCE_TYPE_ARRAY)
        to.res.array.array = (cudaArray_t)from->res.array.hArray;
    if (from->resType == CU_RESOURCE_TYPE_LINEAR) {
        to.res.linear.devPtr = pointer_of(from->res.linear.devPtr);
        to.res.linear.desc = channels_of(from->res.linear.format, from->res.linear.numChannels);
        to.res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    }
    if (from->resType == CU_RESOURCE_TYPE_PITCH2D) {
        to.res.pitch2D.devPtr = pointer_of(from->res.pitch2D.devPtr);
        to.res.pitch2D.desc = channels_of(from->res.pitch2D.format, from->res.pitch2D.numChannels);
        to.res.pitch2D.width = from->res.pitch2D.width;
        to.res.pitch2D.height = from->res.pitch2D.height;
        to.res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    }
    return to;
}

/* Without CU_TRSF_READ_AS_INTEGER integers of up to 16 bits are read as fractions. */
static bool reads_fractions(const struct cudaResourceDesc *resource, unsigned flags)
{
    struct cudaChannelFormatDesc channels = {0};
    if (resource->resType == cudaResourceTypeArray)
        RUNTIME(cudaGetChannelDesc)(&channels, resource->res.array.array);
    else if (resource->resType == cudaResourceTypeLinear)
        channels = resource->res.linear.desc;
    else
        channels = resource->res.pitch2D.desc;
    return !(flags & CU_TRSF_READ_AS_INTEGER) && channels.f != cudaChannelFormatKindFloat &&
           channels.x < 32;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *reading, const CUDA_RESOURCE_VIEW_DESC *view)
{
    SERVE(cuTexObjectCreate);
    if (view)
        return (CUresult)driver_refuse("cuTexObjectCreate with a view");
    struct cudaResourceDesc of = resource_of(resource);
    struct cudaTextureDesc as = reading_of(reading);
    if (reads_fractions(&of, reading->flags))
        as.readMode = cudaReadModeNormalizedFloat;
    return serve_result(
        RUNTIME(cudaCreateTextureObject)((cudaTextureObject_t *)texture, &of, &as, NULL));
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
    SERVE(cuTexObjectDestroy);
    return serve_result(RUNTIME(cudaDestroyTextureObject)(texture));
}
