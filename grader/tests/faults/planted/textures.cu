// textures.cu - surfaces that are written outside, and texture objects that are not there.
#include "planted.h"

namespace textures {

enum { WIDTH = 40, HEIGHT = 8 };

static cudaResourceDesc array_resource()
{
    cudaResourceDesc resource = {};
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    resource.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(&resource.res.array.array, &floats, WIDTH, HEIGHT,
                          cudaArraySurfaceLoadStore));
    return resource;
}

static cudaSurfaceObject_t surface()
{
    cudaSurfaceObject_t made;
    cudaResourceDesc resource = array_resource();
    CHECK(cudaCreateSurfaceObject(&made, &resource));
    return made;
}

static cudaTextureObject_t texture()
{
    cudaTextureObject_t made;
    cudaResourceDesc resource = array_resource();
    cudaTextureDesc desc = {};
    CHECK(cudaCreateTextureObject(&made, &resource, &desc, NULL));
    return made;
}

// fault surface_without_guard: bad surface coordinate
//     surf2Dwrite((float)x, to, x * 4, y);
//     ^
// by thread (8,0,0) of block (1,0,0)
// says writes 4 bytes at byte x = 160 of row y = 0
// says the surface has rows of 160 bytes, 8 rows
// sanitizer none
__global__ void surface_without_guard(cudaSurfaceObject_t to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)x, to, x * 4, y);
}

PLANTED(surface_without_guard)
{
    surface_without_guard<<<2, dim3(32, HEIGHT)>>>(surface());
}

// fault surface_by_element: bad surface coordinate
//     surf2Dwrite(1.0f, to, threadIdx.x, threadIdx.y);
//     ^
// by thread (1,0,0) of block (0,0,0)
// says which is not a multiple of 4
// says x counts bytes
// sanitizer none
__global__ void surface_by_element(cudaSurfaceObject_t to)
{
    surf2Dwrite(1.0f, to, threadIdx.x, threadIdx.y);
}

PLANTED(surface_by_element)
{
    surface_by_element<<<1, dim3(32, HEIGHT)>>>(surface());
}

// fault texture_destroyed_before: no such texture or surface
//     out[threadIdx.x] = tex2D<float>(from, threadIdx.x, 0);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which was destroyed
// sanitizer none
__global__ void texture_destroyed_before(cudaTextureObject_t from, float *out)
{
    out[threadIdx.x] = tex2D<float>(from, threadIdx.x, 0);
}

PLANTED(texture_destroyed_before)
{
    cudaTextureObject_t from = texture();
    float *d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    CHECK(cudaDestroyTextureObject(from));
    texture_destroyed_before<<<1, 32>>>(from, d_out);
}

// fault surface_as_texture: no such texture or surface
//     out[threadIdx.x] = tex2D<float>(from, threadIdx.x, 0);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says but it is a surface object
// sanitizer none
__global__ void surface_as_texture(cudaTextureObject_t from, float *out)
{
    out[threadIdx.x] = tex2D<float>(from, threadIdx.x, 0);
}

PLANTED(surface_as_texture)
{
    float *d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    surface_as_texture<<<1, 32>>>(surface(), d_out);
}

// fault texels_never_written: uninitialised read
//     out[threadIdx.x] = tex2D<float>(from, threadIdx.x, 3);
//     ^
// by thread (0,0,0) of block (0,0,0)
// sanitizer none
__global__ void texels_never_written(cudaTextureObject_t from, float *out)
{
    out[threadIdx.x] = tex2D<float>(from, threadIdx.x, 3);
}

PLANTED(texels_never_written)
{
    float *d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    texels_never_written<<<1, 32>>>(texture(), d_out);
}

// fault memory_of_texture_freed: use after free
//     out[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which was freed
// sanitizer none
__global__ void memory_of_texture_freed(cudaTextureObject_t from, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x);
}

PLANTED(memory_of_texture_freed)
{
    cudaTextureObject_t from;
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 32 * sizeof(float)));
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    CHECK(cudaCreateTextureObject(&from, &resource, &desc, NULL));
    CHECK(cudaFree(d_in));
    memory_of_texture_freed<<<1, 32>>>(from, d_out);
}

} // namespace textures
