// surfaces.cu - surface objects: kernels that read and write arrays, by byte, in one to three
// dimensions and in layers, and what the boundary modes make of what lies outside.
#include "program.h"

static cudaArray_t array_of(cudaChannelFormatDesc desc, int width, int height, int depth,
                            unsigned flags = 0)
{
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(width, height, depth),
                            flags | cudaArraySurfaceLoadStore));
    return array;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
    cudaSurfaceObject_t surface;
    cudaResourceDesc resource = {}, said;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaGetSurfaceObjectResourceDesc(&said, surface));
    EXPECT(said.resType == cudaResourceTypeArray && said.res.array.array == array);
    return surface;
}

static void drop(cudaSurfaceObject_t surface, cudaArray_t array)
{
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
}

static int *results; // managed

static void wait(void)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

// --- Shapes ----------------------------------------------------------------------------------

__global__ void fill(cudaSurfaceObject_t one, cudaSurfaceObject_t two, cudaSurfaceObject_t three,
                     cudaSurfaceObject_t layers, cudaSurfaceObject_t planes)
{
    int i = threadIdx.x, x = i % 4, y = i / 4 % 4, z = i / 16;
    surf1Dwrite(i, one, i * 4);
    surf2Dwrite(100 + i, two, i % 8 * 4, i / 8);
    surf3Dwrite(200 + i, three, x * 4, y, z);
    surf1DLayeredwrite(300 + i, layers, i % 16 * 4, z);
    surf2DLayeredwrite(400 + i, planes, x * 4, y, z);
}

__global__ void read_back(cudaSurfaceObject_t one, cudaSurfaceObject_t two,
                          cudaSurfaceObject_t three, cudaSurfaceObject_t layers,
                          cudaSurfaceObject_t planes, int *to)
{
    int i = threadIdx.x, x = i % 4, y = i / 4 % 4, z = i / 16;
    to[i] = surf1Dread<int>(one, i * 4);
    to[64 + i] = surf2Dread<int>(two, i % 8 * 4, i / 8);
    to[128 + i] = surf3Dread<int>(three, x * 4, y, z);
    to[192 + i] = surf1DLayeredread<int>(layers, i % 16 * 4, z);
    to[256 + i] = surf2DLayeredread<int>(planes, x * 4, y, z);
}

static void shapes(void)
{
    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    cudaArray_t arrays[] = {array_of(ints, 64, 0, 0), array_of(ints, 8, 8, 0),
                            array_of(ints, 4, 4, 4), array_of(ints, 16, 0, 4, cudaArrayLayered),
                            array_of(ints, 4, 4, 4, cudaArrayLayered)};
    cudaSurfaceObject_t s[5];
    int h_three[64];
    for (int i = 0; i < 5; i++)
        s[i] = surface_of(arrays[i]);
    fill<<<1, 64>>>(s[0], s[1], s[2], s[3], s[4]);
    read_back<<<1, 64>>>(s[0], s[1], s[2], s[3], s[4], results);
    wait();
    for (int i = 0; i < 5 * 64; i++)
        EXPECT(results[i] == i / 64 * 100 + i % 64);
    // The host sees the same elements.
    cudaMemcpy3DParms copy = {};
    copy.srcArray = arrays[2];
    copy.dstPtr = make_cudaPitchedPtr(h_three, 16, 4, 4);
    copy.extent = make_cudaExtent(4, 4, 4);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (int i = 0; i < 64; i++)
        EXPECT(h_three[i] == 200 + i);
    for (int i = 0; i < 5; i++)
        drop(s[i], arrays[i]);
}

// --- Elements of every size ------------------------------------------------------------------

template <class T>
__global__ void copy_elements(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x * (int)sizeof(T), y = threadIdx.y;
    surf2Dwrite(surf2Dread<T>(from, x, y), to, x, y);
}

// Bytes go from one surface to another as they are, in pieces of T.
template <class T>
static void elements(cudaChannelFormatDesc desc, int width)
{
    enum { ROW_BYTES = 64, ROWS = 4 };
    unsigned char there[ROWS][ROW_BYTES], back[ROWS][ROW_BYTES];
    cudaArray_t from = array_of(desc, width, ROWS, 0), to = array_of(desc, width, ROWS, 0);
    cudaSurfaceObject_t source = surface_of(from), target = surface_of(to);
    for (int i = 0; i < ROWS * ROW_BYTES; i++)
        there[i / ROW_BYTES][i % ROW_BYTES] = (unsigned char)(i * 37 + 11);
    CHECK(cudaMemcpy2DToArray(from, 0, 0, there, ROW_BYTES, ROW_BYTES, ROWS,
                              cudaMemcpyHostToDevice));
    copy_elements<T><<<1, dim3(ROW_BYTES / sizeof(T), ROWS)>>>(source, target);
    wait();
    CHECK(cudaMemcpy2DFromArray(back, ROW_BYTES, to, 0, 0, ROW_BYTES, ROWS,
                                cudaMemcpyDeviceToHost));
    for (int i = 0; i < ROWS * ROW_BYTES; i++)
        EXPECT(back[i / ROW_BYTES][i % ROW_BYTES] == there[i / ROW_BYTES][i % ROW_BYTES]);
    drop(source, from);
    drop(target, to);
}

// --- Outside ---------------------------------------------------------------------------------

__global__ void outside(cudaSurfaceObject_t surface, int *to)
{
    int i = (int)threadIdx.x - 4; // of 8 elements in 2 rows
    to[threadIdx.x] = surf2Dread<int>(surface, i * 4, 0, cudaBoundaryModeZero);
    to[16 + threadIdx.x] = surf2Dread<int>(surface, i * 4, 1, cudaBoundaryModeClamp);
    to[32 + threadIdx.x] = surf2Dread<int>(surface, 0, i, cudaBoundaryModeZero);
    to[48 + threadIdx.x] = surf2Dread<int>(surface, 0, i, cudaBoundaryModeClamp);
}

__global__ void write_outside(cudaSurfaceObject_t surface)
{
    int i = (int)threadIdx.x - 4;
    if (i < 0 || i > 7)
        surf2Dwrite(1000, surface, i * 4, 0, cudaBoundaryModeZero);
    if (i > 7)
        surf2Dwrite(77, surface, i * 4, 0, cudaBoundaryModeClamp);
}

static void boundaries(void)
{
    const int there[16] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18};
    int back[16];
    cudaArray_t array = array_of(cudaCreateChannelDesc<int>(), 8, 2, 0);
    cudaSurfaceObject_t surface = surface_of(array);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, there, 32, 32, 2, cudaMemcpyHostToDevice));
    outside<<<1, 16>>>(surface, results);
    wait();
    for (int thread = 0; thread < 16; thread++) {
        int i = thread - 4, near = i < 0 ? 0 : i < 7 ? i : 7, row = i < 1 ? 0 : 1;
        EXPECT(results[thread] == (i == near ? there[i] : 0));
        EXPECT(results[16 + thread] == there[8 + near]);
        EXPECT(results[32 + thread] == (i == row ? there[8 * i] : 0));
        EXPECT(results[48 + thread] == there[8 * row]);
    }
    write_outside<<<1, 16>>>(surface);
    wait();
    CHECK(cudaMemcpy2DFromArray(back, 32, array, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++)
        EXPECT(back[i] == (i == 7 ? 77 : there[i]));
    drop(surface, array);
}

// --- A surface that is written, then a texture that is read ----------------------------------

__global__ void paint(cudaSurfaceObject_t surface)
{
    surf2Dwrite((float)(threadIdx.x + 10 * threadIdx.y), surface, threadIdx.x * 4, threadIdx.y);
}

__global__ void look(cudaTextureObject_t texture, int *to)
{
    to[threadIdx.y * 8 + threadIdx.x] =
        (int)(4 * tex2D<float>(texture, threadIdx.x + 0.75f, threadIdx.y + 0.5f));
}

static void surface_and_texture(void)
{
    cudaArray_t array = array_of(cudaCreateChannelDesc<float>(), 8, 8, 0);
    cudaSurfaceObject_t surface = surface_of(array);
    cudaTextureObject_t texture;
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = cudaFilterModeLinear;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    paint<<<1, dim3(8, 8)>>>(surface);
    look<<<1, dim3(7, 8)>>>(texture, results);
    wait();
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 7; x++)
            EXPECT(results[y * 8 + x] == 4 * (x + 10 * y) + 1);
    CHECK(cudaDestroyTextureObject(texture));
    drop(surface, array);
}

// What a surface object can be made of: any array, flagged for it or not, and nothing else.
static void resources(void)
{
    cudaArray_t array;
    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    cudaSurfaceObject_t surface;
    cudaResourceDesc resource = {};
    CHECK(cudaMallocArray(&array, &ints, 8));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = results;
    resource.res.linear.desc = ints;
    resource.res.linear.sizeInBytes = 256;
    FAILS(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = NULL;
    FAILS(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidResourceHandle);
}

int main()
{
    CHECK(cudaMallocManaged(&results, 5 * 64 * sizeof *results));
    shapes();
    elements<unsigned char>(cudaCreateChannelDesc<unsigned char>(), 64);
    elements<uchar2>(cudaCreateChannelDesc<uchar2>(), 32);
    elements<uchar4>(cudaCreateChannelDesc<uchar4>(), 16);
    elements<unsigned short>(cudaCreateChannelDesc<unsigned short>(), 32);
    elements<short4>(cudaCreateChannelDesc<short4>(), 8);
    elements<float>(cudaCreateChannelDesc<float>(), 16);
    elements<float2>(cudaCreateChannelDesc<float2>(), 8);
    elements<float4>(cudaCreateChannelDesc<float4>(), 4);
    elements<long long>(cudaCreateChannelDesc<int2>(), 8);
    elements<int>(cudaCreateChannelDesc<uchar4>(), 16);
    boundaries();
    surface_and_texture();
    resources();
    CHECK(cudaFree(results));
    return 0;
}
