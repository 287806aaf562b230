/* texture_limits.c - how large textures and surfaces may be: the same numbers as properties and as
 * attributes of the device. They are those of compute capability 8.0 and 9.0 (CUDA C++ Programming
 * Guide, table Technical Specifications per Compute Capability). */
#include "client.h"

#define FIELD(name) offsetof(struct cudaDeviceProp, name)
#define NOWHERE 0 /* the device's name is there */

static const struct {
    size_t field;
    enum cudaDeviceAttr attribute;
    int value;
} LIMITS[] = {
    {FIELD(maxTexture1D), cudaDevAttrMaxTexture1DWidth, 131072},
    {FIELD(maxTexture1DMipmap), cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {NOWHERE, cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
    {FIELD(maxTexture2D[0]), cudaDevAttrMaxTexture2DWidth, 131072},
    {FIELD(maxTexture2D[1]), cudaDevAttrMaxTexture2DHeight, 65536},
    {FIELD(maxTexture2DMipmap[0]), cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {FIELD(maxTexture2DMipmap[1]), cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {FIELD(maxTexture2DLinear[0]), cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {FIELD(maxTexture2DLinear[1]), cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {FIELD(maxTexture2DLinear[2]), cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {FIELD(maxTexture2DGather[0]), cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {FIELD(maxTexture2DGather[1]), cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {FIELD(maxTexture3D[0]), cudaDevAttrMaxTexture3DWidth, 16384},
    {FIELD(maxTexture3D[1]), cudaDevAttrMaxTexture3DHeight, 16384},
    {FIELD(maxTexture3D[2]), cudaDevAttrMaxTexture3DDepth, 16384},
    {FIELD(maxTexture3DAlt[0]), cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {FIELD(maxTexture3DAlt[1]), cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {FIELD(maxTexture3DAlt[2]), cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {FIELD(maxTextureCubemap), cudaDevAttrMaxTextureCubemapWidth, 32768},
    {FIELD(maxTexture1DLayered[0]), cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {FIELD(maxTexture1DLayered[1]), cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {FIELD(maxTexture2DLayered[0]), cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {FIELD(maxTexture2DLayered[1]), cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {FIELD(maxTexture2DLayered[2]), cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {FIELD(maxTextureCubemapLayered[0]), cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {FIELD(maxTextureCubemapLayered[1]), cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {FIELD(maxSurface1D), cudaDevAttrMaxSurface1DWidth, 32768},
    {FIELD(maxSurface2D[0]), cudaDevAttrMaxSurface2DWidth, 131072},
    {FIELD(maxSurface2D[1]), cudaDevAttrMaxSurface2DHeight, 65536},
    {FIELD(maxSurface3D[0]), cudaDevAttrMaxSurface3DWidth, 16384},
    {FIELD(maxSurface3D[1]), cudaDevAttrMaxSurface3DHeight, 16384},
    {FIELD(maxSurface3D[2]), cudaDevAttrMaxSurface3DDepth, 16384},
    {FIELD(maxSurface1DLayered[0]), cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {FIELD(maxSurface1DLayered[1]), cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {FIELD(maxSurface2DLayered[0]), cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {FIELD(maxSurface2DLayered[1]), cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {FIELD(maxSurface2DLayered[2]), cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {FIELD(maxSurfaceCubemap), cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {FIELD(maxSurfaceCubemapLayered[0]), cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {FIELD(maxSurfaceCubemapLayered[1]), cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
};

void texture_limits_fill(struct cudaDeviceProp *properties)
{
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++)
        if (LIMITS[i].field != NOWHERE)
            *(int *)((char *)properties + LIMITS[i].field) = LIMITS[i].value;
}

int texture_limit(enum cudaDeviceAttr attribute)
{
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++)
        if (LIMITS[i].attribute == attribute)
            return LIMITS[i].value;
    return 0;
}
