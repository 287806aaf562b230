// textures.cu - texture objects over arrays and plain memory: what a fetch returns for every kind
// of texel, coordinate, address mode and filter.
#include "program.h"

#include <cmath>
#include <cstring>
#include <cuda_fp16.h>
#include <vector>

template <class T>
static cudaArray_t array_of(const T *from, int width, int height, int depth, unsigned flags = 0)
{
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    CHECK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(width, height, depth), flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)from, width * sizeof(T), width, height ? height : 1);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height ? height : 1, depth ? depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

struct Reading {
    cudaTextureAddressMode mode = cudaAddressModeClamp;
    cudaTextureFilterMode filter = cudaFilterModePoint;
    bool normalised = false;
    cudaTextureReadMode read = cudaReadModeElementType;
    float border = 0;
};

static cudaTextureDesc desc_of(const Reading &reading)
{
    cudaTextureDesc desc = {};
    for (int i = 0; i < 3; i++)
        desc.addressMode[i] = reading.mode;
    for (int i = 0; i < 4; i++)
        desc.borderColor[i] = reading.border;
    desc.filterMode = reading.filter;
    desc.readMode = reading.read;
    desc.normalizedCoords = reading.normalised;
    return desc;
}

static cudaTextureObject_t texture_of(cudaArray_t array, const Reading &reading)
{
    cudaTextureObject_t texture;
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = desc_of(reading);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    return texture;
}

enum { MOST = 512 };
static float *results; // managed

static void wait(void)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

// --- One dimension: the rules of coordinates -------------------------------------------------

__global__ void fetch_1d(cudaTextureObject_t texture, float first, float step, int count, float *to)
{
    int i = threadIdx.x;
    if (i < count)
        to[i] = tex1D<float>(texture, first + i * step);
}

static int modulo(int a, int b)
{
    return (a % b + b) % b;
}

// The texel at index i as the mode sees it.
static float texel(const float *texels, int size, int i, const Reading &reading)
{
    bool repeats = reading.normalised;
    if (i >= 0 && i < size)
        return texels[i];
    if (reading.mode == cudaAddressModeBorder)
        return reading.border;
    if (reading.mode == cudaAddressModeWrap && repeats)
        return texels[modulo(i, size)];
    if (reading.mode == cudaAddressModeMirror && repeats) {
        int at = modulo(i, 2 * size);
        return texels[at < size ? at : 2 * size - 1 - at];
    }
    return texels[i < 0 ? 0 : size - 1];
}

// What the Programming Guide says of the coordinate x, in texels, which is a multiple of a 256th.
// Where the texture has a border around it, a fetch in one dimension is one in two at y = 0, on an
// H200: half of it is border, and the second texel's share of 256 is rounded up when it is halved.
static float expected(const float *texels, int size, double x, const Reading &reading)
{
    if (reading.filter == cudaFilterModePoint)
        return texel(texels, size, (int)floor(x), reading);
    double base = floor(x - 0.5), weight = x - 0.5 - base;
    if (reading.mode == cudaAddressModeBorder) {
        double second = ceil(128 * weight) / 256;
        return (float)(0.5 * reading.border +
                       (0.5 - second) * texel(texels, size, (int)base, reading) +
                       second * texel(texels, size, (int)base + 1, reading));
    }
    return (float)((1 - weight) * texel(texels, size, (int)base, reading) +
                   weight * texel(texels, size, (int)base + 1, reading));
}

// Coordinates are 256ths of a texel, so that weights of 8 bits are exact.
static void rules_of_coordinates(void)
{
    enum { SIZE = 8 };
    const float texels[SIZE] = {3, -7, 20, 40, -80, 160, 31, 5};
    cudaArray_t array = array_of(texels, SIZE, 0, 0);
    const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                            cudaAddressModeMirror, cudaAddressModeBorder};
    for (int number = 0; number < 16; number++) {
        Reading reading;
        reading.mode = modes[number & 3];
        reading.filter = number & 4 ? cudaFilterModeLinear : cudaFilterModePoint;
        reading.normalised = number & 8;
        reading.border = 1000;
        cudaTextureObject_t texture = texture_of(array, reading);
        const double step = 11 / 256.0 * 2, first = -20 + 1 / 256.0;
        double scale = reading.normalised ? 1.0 / SIZE : 1;
        fetch_1d<<<1, MOST>>>(texture, (float)(first * scale), (float)(step * scale), MOST,
                              results);
        wait();
        for (int i = 0; i < MOST; i++) {
            float wanted = expected(texels, SIZE, first + i * step, reading);
            if (fabsf(results[i] - wanted) > 1e-3f) {
                printf("mode %d filter %d normalised %d at %g: %g, expected %g\n", reading.mode,
                       reading.filter, reading.normalised, first + i * step, results[i], wanted);
                exit(1);
            }
        }
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeArray(array));
}

// Between 256ths a weight is off by at most one of them.
static void weights_have_8_bits(void)
{
    const float texels[2] = {0, 1};
    cudaArray_t array = array_of(texels, 2, 0, 0);
    Reading reading;
    reading.filter = cudaFilterModeLinear;
    cudaTextureObject_t texture = texture_of(array, reading);
    fetch_1d<<<1, MOST>>>(texture, 0.5f, 1.0f / 4096 * 8 + 1.0f / 65536, MOST, results);
    wait();
    bool differs = false;
    for (int i = 0; i < MOST; i++) {
        double weight = i * (1.0 / 4096 * 8 + 1.0 / 65536);
        weight = weight > 1 ? 1 : weight;
        EXPECT(results[i] * 256 == floorf(results[i] * 256));
        EXPECT(fabs(results[i] - weight) <= 1.0 / 256);
        differs |= fabs(results[i] - weight) > 1.0 / 2048;
    }
    EXPECT(differs);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
}

// --- Two and three dimensions, layers, cubes -------------------------------------------------

__global__ void fetch_2d(cudaTextureObject_t texture, float *to)
{
    float x = threadIdx.x * 0.25f - 1, y = threadIdx.y * 0.5f - 1;
    to[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float>(texture, x, y);
}

static float bilinear(const float *texels, int width, int height, float x, float y)
{
    int i = (int)floorf(x - 0.5f), j = (int)floorf(y - 0.5f);
    float a = x - 0.5f - i, b = y - 0.5f - j, sum = 0;
    for (int corner = 0; corner < 4; corner++) {
        int column = i + (corner & 1), row = j + (corner >> 1);
        column = column < 0 ? 0 : column < width ? column : width - 1;
        row = row < 0 ? 0 : row < height ? row : height - 1;
        sum += (corner & 1 ? a : 1 - a) * (corner & 2 ? b : 1 - b) * texels[row * width + column];
    }
    return sum;
}

static void check_bilinear(cudaTextureObject_t texture, const float *texels, int width, int height)
{
    dim3 block(32, 16);
    fetch_2d<<<1, block>>>(texture, results);
    wait();
    for (int i = 0; i < 512; i++) {
        float wanted = bilinear(texels, width, height, i % 32 * 0.25f - 1, i / 32 * 0.5f - 1);
        EXPECT(fabsf(results[i] - wanted) < 1e-3f);
    }
    CHECK(cudaDestroyTextureObject(texture));
}

static void two_dimensions(void)
{
    enum { WIDTH = 5, HEIGHT = 6 };
    float texels[WIDTH * HEIGHT], *d_texels;
    size_t pitch;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        texels[i] = (float)(i * i % 37 - 11);
    Reading reading;
    reading.filter = cudaFilterModeLinear;
    cudaArray_t array = array_of(texels, WIDTH, HEIGHT, 0);
    check_bilinear(texture_of(array, reading), texels, WIDTH, HEIGHT);
    CHECK(cudaFreeArray(array));

    cudaResourceDesc resource = {};
    cudaTextureDesc desc = desc_of(reading);
    cudaTextureObject_t texture;
    CHECK(cudaMallocPitch(&d_texels, &pitch, WIDTH * sizeof(float), HEIGHT));
    CHECK(cudaMemcpy2D(d_texels, pitch, texels, WIDTH * sizeof(float), WIDTH * sizeof(float),
                       HEIGHT, cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_texels;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = WIDTH;
    resource.res.pitch2D.height = HEIGHT;
    resource.res.pitch2D.pitchInBytes = pitch;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    check_bilinear(texture, texels, WIDTH, HEIGHT);
    CHECK(cudaFree(d_texels));
}

__global__ void fetch_3d(cudaTextureObject_t texture, float *to)
{
    float x = threadIdx.x + 1, y = threadIdx.y + 0.5f, z = threadIdx.z + 0.75f;
    to[(threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x] = tex3D<float>(texture, x, y, z);
}

// A function that is linear along each axis is what filtering returns, but at the edges.
static void three_dimensions(void)
{
    float texels[6][5][7];
    for (int z = 0; z < 6; z++)
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 7; x++)
                texels[z][y][x] = (float)(x + 10 * y + 100 * z);
    cudaArray_t array = array_of(&texels[0][0][0], 7, 5, 6);
    Reading reading;
    reading.filter = cudaFilterModeLinear;
    cudaTextureObject_t texture = texture_of(array, reading);
    fetch_3d<<<1, dim3(4, 4, 4)>>>(texture, results);
    wait();
    for (int i = 0; i < 64; i++)
        EXPECT(fabsf(results[i] - (i % 4 + 0.5f + i / 4 % 4 * 10 + (i / 16 + 0.25f) * 100)) <
               1e-3f);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
}

__global__ void fetch_layers(cudaTextureObject_t one, cudaTextureObject_t two, float *to)
{
    int i = threadIdx.x; // of 32: layer i / 8, texel i % 8
    to[i] = tex1DLayered<float>(one, i % 8 + 0.5f, i / 8);
    to[32 + i] = tex2DLayered<float>(two, i % 4 + 0.5f, i / 4 % 2 + 0.5f, i / 8);
    to[64 + i] = tex1DLayered<float>(one, 0.5f, i - 8); // past the last one it is the last
}

static void layers(void)
{
    float texels[32];
    for (int i = 0; i < 32; i++)
        texels[i] = (float)i;
    cudaArray_t one = array_of(texels, 8, 0, 4, cudaArrayLayered);
    cudaArray_t two = array_of(texels, 4, 2, 4, cudaArrayLayered);
    cudaTextureObject_t textures[2] = {texture_of(one, Reading()), texture_of(two, Reading())};
    fetch_layers<<<1, 32>>>(textures[0], textures[1], results);
    wait();
    for (int i = 0; i < 32; i++) {
        int layer = i - 8 < 0 || i - 8 > 3 ? 3 : i - 8; // a layer is unsigned
        EXPECT(results[i] == i && results[32 + i] == i && results[64 + i] == 8 * layer);
    }
    for (int i = 0; i < 2; i++)
        CHECK(cudaDestroyTextureObject(textures[i]));
    CHECK(cudaFreeArray(one));
    CHECK(cudaFreeArray(two));
}

__global__ void fetch_cube(cudaTextureObject_t cube, cudaTextureObject_t cubes, float *to)
{
    // The middle of texel (s, t) of a face of 4 x 4, as the direction that points there.
    int face = threadIdx.x / 16, s = threadIdx.x % 4, t = threadIdx.x / 4 % 4;
    float u = (s + 0.5f) / 2 - 1, v = (t + 0.5f) / 2 - 1;
    const float x[6] = {1, -1, u, u, u, -u}, y[6] = {-v, -v, 1, -1, -v, -v};
    const float z[6] = {-u, u, v, -v, 1, -1};
    to[threadIdx.x] = texCubemap<float>(cube, x[face], y[face], z[face]);
    to[96 + threadIdx.x] = texCubemapLayered<float>(cubes, x[face], y[face], z[face], 1);
}

static void cubes(void)
{
    float texels[12 * 16];
    for (int i = 0; i < 12 * 16; i++)
        texels[i] = (float)i;
    Reading reading;
    reading.normalised = true;
    cudaArray_t one = array_of(texels, 4, 4, 6, cudaArrayCubemap);
    cudaArray_t two = array_of(texels, 4, 4, 12, cudaArrayCubemap | cudaArrayLayered);
    cudaTextureObject_t cube = texture_of(one, reading), layered = texture_of(two, reading);
    fetch_cube<<<1, 96>>>(cube, layered, results);
    wait();
    for (int i = 0; i < 96; i++)
        EXPECT(results[i] == i && results[96 + i] == 96 + i);
    CHECK(cudaDestroyTextureObject(cube));
    CHECK(cudaDestroyTextureObject(layered));
    CHECK(cudaFreeArray(one));
    CHECK(cudaFreeArray(two));
}

__global__ void gather(cudaTextureObject_t texture, float4 *to)
{
    to[0] = tex2Dgather<float4>(texture, 1, 1, 0);
    to[1] = tex2Dgather<float4>(texture, 1, 1, 1);
}

static void gathers(void)
{
    float2 texels[4];
    for (int i = 0; i < 4; i++)
        texels[i] = make_float2((float)i, 10.0f + i);
    cudaArray_t array = array_of(texels, 2, 2, 0, cudaArrayTextureGather);
    cudaTextureObject_t texture = texture_of(array, Reading());
    float4 *to = (float4 *)results;
    gather<<<1, 1>>>(texture, to);
    wait();
    EXPECT(to[0].x == 2 && to[0].y == 3 && to[0].z == 1 && to[0].w == 0);
    EXPECT(to[1].x == 12 && to[1].y == 13 && to[1].z == 11 && to[1].w == 10);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
}

// --- Kinds of texels -------------------------------------------------------------------------

template <class T, class Result>
__global__ void fetch_all(cudaTextureObject_t texture, Result *to)
{
    to[threadIdx.x] = tex1D<T>(texture, threadIdx.x + 0.5f);
}

template <class T>
static void elements_come_back(void)
{
    T texels[16], back[16], *d_back;
    unsigned char *bytes = (unsigned char *)texels;
    for (size_t i = 0; i < sizeof texels; i++)
        bytes[i] = (unsigned char)(i * 73 + 5);
    cudaArray_t array = array_of(texels, 16, 0, 0);
    cudaTextureObject_t texture = texture_of(array, Reading());
    CHECK(cudaMalloc(&d_back, sizeof back));
    fetch_all<T, T><<<1, 16>>>(texture, d_back);
    wait();
    CHECK(cudaMemcpy(back, d_back, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(back, texels, sizeof back) == 0);
    CHECK(cudaFree(d_back));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
}

// least, largest: of the integers of type T; they are read as -1 (or 0) and 1.
template <class T>
static void integers_as_floats(int least, int largest)
{
    const T texels[4] = {(T)least, (T)(least + 1), (T)largest, 1};
    cudaArray_t array = array_of(texels, 4, 0, 0);
    Reading reading;
    reading.read = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = texture_of(array, reading);
    fetch_all<float, float><<<1, 4>>>(texture, results);
    wait();
    EXPECT(results[0] == (least < 0 ? -1 : 0));
    EXPECT(fabsf(results[1] - (least < 0 ? -1 : 1.0f / (float)largest)) < 1e-6f);
    EXPECT(results[2] == 1 && fabsf(results[3] - 1.0f / (float)largest) < 1e-6f);
    CHECK(cudaDestroyTextureObject(texture));
    reading.filter = cudaFilterModeLinear;
    texture = texture_of(array, reading);
    fetch_1d<<<1, 1>>>(texture, 2.5f + 0.25f, 0, 1, results);
    wait();
    EXPECT(fabsf(results[0] - 0.75f) < 1.0f / (float)largest + 1e-6f);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
}

static void halves(void)
{
    __half texels[4] = {__float2half(1.5f), __float2half(-0.25f), __float2half(1000), 0};
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDescHalf();
    CHECK(cudaMallocArray(&array, &desc, 4));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1,
                              cudaMemcpyHostToDevice));
    cudaTextureObject_t texture = texture_of(array, Reading());
    fetch_all<float, float><<<1, 4>>>(texture, results);
    wait();
    EXPECT(results[0] == 1.5f && results[1] == -0.25f && results[2] == 1000 && results[3] == 0);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
}

// --- Plain memory ----------------------------------------------------------------------------

__global__ void fetch_by_index(cudaTextureObject_t texture, int first, float *to)
{
    to[threadIdx.x] = tex1Dfetch<float>(texture, first + (int)threadIdx.x);
}

static void plain_memory(void)
{
    float texels[100], *d_texels;
    for (int i = 0; i < 100; i++)
        texels[i] = (float)(i + 1);
    CHECK(cudaMalloc(&d_texels, sizeof texels));
    CHECK(cudaMemcpy(d_texels, texels, sizeof texels, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {}, said;
    cudaTextureDesc desc = {}, read;
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_texels;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = sizeof texels;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    fetch_by_index<<<1, 128>>>(texture, -10, results);
    wait();
    for (int i = 0; i < 128; i++)
        EXPECT(results[i] == (i < 10 || i >= 110 ? 0 : i - 9)); // outside: 0
    CHECK(cudaGetTextureObjectResourceDesc(&said, texture));
    CHECK(cudaGetTextureObjectTextureDesc(&read, texture));
    EXPECT(said.resType == cudaResourceTypeLinear && said.res.linear.devPtr == d_texels);
    EXPECT(read.filterMode == cudaFilterModePoint);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(d_texels));
}

// --- Arrays ----------------------------------------------------------------------------------

static void copies_of_arrays(void)
{
    enum { WIDTH = 12, HEIGHT = 9 };
    int from[HEIGHT][WIDTH], back[HEIGHT][WIDTH] = {};
    cudaArray_t one, two;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>(), said;
    cudaExtent extent;
    unsigned flags;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        from[i / WIDTH][i % WIDTH] = i;
    CHECK(cudaMallocArray(&one, &desc, WIDTH, HEIGHT));
    CHECK(cudaMallocArray(&two, &desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    CHECK(cudaArrayGetInfo(&said, &extent, &flags, two));
    EXPECT(said.x == 32 && said.y == 0 && said.f == cudaChannelFormatKindSigned);
    EXPECT(extent.width == WIDTH && extent.height == HEIGHT && extent.depth == 0);
    EXPECT(flags == cudaArraySurfaceLoadStore);
    CHECK(cudaMemcpy2DToArray(one, 0, 0, from, sizeof *from, sizeof *from, HEIGHT,
                              cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DArrayToArray(two, 0, 0, one, 0, 0, sizeof *from, HEIGHT,
                                   cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy2DFromArray(&back[2][3], sizeof *back, two, 3 * sizeof(int), 2,
                                4 * sizeof(int), 5, cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            EXPECT(back[y][x] == (x >= 3 && x < 7 && y >= 2 && y < 7 ? from[y][x] : 0));
    cudaMemcpy3DParms copy = {};
    copy.srcArray = two;
    copy.srcPos = make_cudaPos(1, 2, 0);
    copy.dstPtr = make_cudaPitchedPtr(back, sizeof *back, WIDTH, HEIGHT);
    copy.extent = make_cudaExtent(3, 2, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&copy, 0));
    CHECK(cudaStreamSynchronize(0));
    EXPECT(back[0][0] == from[2][1] && back[1][2] == from[3][3]);
    FAILS(cudaMemcpy2DToArray(one, 0, 0, from, sizeof *from, sizeof *from + 4, HEIGHT,
                              cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    FAILS(cudaMemcpy2DToArray(one, 0, 1, from, sizeof *from, sizeof *from, HEIGHT,
                              cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK(cudaFreeArray(one));
    CHECK(cudaFreeArray(two));
    CHECK(cudaFreeArray(NULL));
}

// A copy to an array, captured, happens when the graph runs.
static void graphs_copy_arrays(void)
{
    float *h_texels, *h_back;
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaMallocArray(&array, &desc, 8, 4));
    CHECK(cudaMallocHost(&h_texels, 32 * sizeof(float)));
    CHECK(cudaMallocHost(&h_back, 32 * sizeof(float)));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, h_texels, 32, 32, 4, cudaMemcpyHostToDevice,
                                   stream));
    CHECK(cudaMemcpy2DFromArrayAsync(h_back, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost,
                                     stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 32; i++)
        h_texels[i] = (float)i;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(h_back[31] == 31 && h_back[9] == 9);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFreeHost(h_texels));
    CHECK(cudaFreeHost(h_back));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeArray(array));
}

// --- What cannot be --------------------------------------------------------------------------

static void mistakes(void)
{
    cudaArray_t array;
    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    cudaResourceDesc resource = {};
    cudaTextureObject_t texture;
    Reading linear;
    linear.filter = cudaFilterModeLinear;
    cudaTextureDesc desc = desc_of(linear);
    FAILS(cudaMalloc3DArray(&array, &ints, make_cudaExtent(4, 5, 6), cudaArrayCubemap),
          cudaErrorInvalidValue);
    CHECK(cudaMallocArray(&array, &ints, 8));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &desc, NULL) != cudaSuccess);
    cudaGetLastError();
    FAILS(cudaCreateTextureObject(&texture, &resource, NULL, NULL),
          cudaErrorInvalidResourceHandle);
    CHECK(cudaFreeArray(array));
}

int main()
{
    CHECK(cudaMallocManaged(&results, MOST * sizeof *results));
    rules_of_coordinates();
    weights_have_8_bits();
    two_dimensions();
    three_dimensions();
    layers();
    cubes();
    gathers();
    elements_come_back<float>();
    elements_come_back<float2>();
    elements_come_back<float4>();
    elements_come_back<int>();
    elements_come_back<uint4>();
    elements_come_back<short>();
    elements_come_back<ushort2>();
    elements_come_back<char4>();
    elements_come_back<unsigned char>();
    elements_come_back<uchar4>();
    integers_as_floats<unsigned char>(0, 255);
    integers_as_floats<signed char>(-128, 127);
    integers_as_floats<unsigned short>(0, 65535);
    integers_as_floats<short>(-32768, 32767);
    halves();
    plain_memory();
    copies_of_arrays();
    graphs_copy_arrays();
    mistakes();
    CHECK(cudaFree(results));
    return 0;
}
