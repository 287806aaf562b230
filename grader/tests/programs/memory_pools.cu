// memory_pools.cu - memory made and freed in stream order, and the pools it comes from.
#include "program.h"

#include <cstdint>

enum { N = 1 << 18 };
static const size_t BYTES = N * sizeof(int);

__global__ void fill(int *to, int value)
{
    to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static uint64_t bytes_of(cudaMemPool_t pool, cudaMemPoolAttr attribute)
{
    uint64_t bytes;
    CHECK(cudaMemPoolGetAttribute(pool, attribute, &bytes));
    return bytes;
}

static uint64_t used_bytes(cudaMemPool_t pool)
{
    return bytes_of(pool, cudaMemPoolAttrUsedMemCurrent);
}

static uint64_t reserved_bytes(cudaMemPool_t pool)
{
    return bytes_of(pool, cudaMemPoolAttrReservedMemCurrent);
}

static void in_stream_order(cudaStream_t stream)
{
    static int h_values[N];
    int *d_values[8];
    for (int i = 0; i < 8; i++) {
        CHECK(cudaMallocAsync(&d_values[i], BYTES, stream));
        fill<<<N / 256, 256, 0, stream>>>(d_values[i], i);
    }
    for (int i = 0; i < 8; i++) {
        CHECK(cudaMemcpyAsync(h_values, d_values[i], BYTES, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        EXPECT(h_values[0] == i && h_values[N - 1] == i);
        CHECK(cudaFreeAsync(d_values[i], stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMallocAsync(&d_values[0], BYTES, stream));
    CHECK(cudaFree(d_values[0])); // the plain function frees it, too
}

static void the_default_pool(cudaStream_t stream)
{
    cudaMemPool_t pool, current;
    int *d_values;
    uint64_t threshold = 1 << 20, read = 0;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaDeviceGetMemPool(&current, 0));
    EXPECT(pool == current);
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read));
    EXPECT(read == threshold);
    uint64_t before = used_bytes(pool);
    CHECK(cudaMallocAsync(&d_values, BYTES, stream));
    EXPECT(used_bytes(pool) >= before + BYTES);
    CHECK(cudaFreeAsync(d_values, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(used_bytes(pool) == before);
    CHECK(cudaMemPoolTrimTo(pool, 0));
}

static void pools_by_location(void)
{
#if CUDART_VERSION >= 13000
    cudaMemPool_t pool, named;
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemGetDefaultMemPool(&named, &device, cudaMemAllocationTypePinned));
    EXPECT(named == pool);
    CHECK(cudaMemGetMemPool(&named, &device, cudaMemAllocationTypePinned));
    EXPECT(named == pool);
    CHECK(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, pool));
#endif
}

static void a_pool_of_ones_own(cudaStream_t stream)
{
    cudaMemPool_t pool, current;
    cudaMemPoolProps properties = {};
    int *d_values, *d_more;
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;
    CHECK(cudaMemPoolCreate(&pool, &properties));
    CHECK(cudaMallocFromPoolAsync(&d_values, BYTES, pool, stream));
    EXPECT(used_bytes(pool) >= BYTES);
    CHECK(cudaDeviceSetMemPool(0, pool));
    CHECK(cudaDeviceGetMemPool(&current, 0));
    EXPECT(current == pool);
    CHECK(cudaMallocAsync(&d_more, BYTES, stream));
    EXPECT(used_bytes(pool) >= 2 * BYTES);
    CHECK(cudaFreeAsync(d_more, stream));
    CHECK(cudaFreeAsync(d_values, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaDeviceGetDefaultMemPool(&current, 0));
    CHECK(cudaDeviceSetMemPool(0, current));
    CHECK(cudaMemPoolDestroy(pool));
}

static void allocate_and_free(cudaMemPool_t pool, cudaStream_t stream)
{
    int *d_values;
    CHECK(cudaMallocFromPoolAsync(&d_values, BYTES, pool, stream));
    EXPECT(reserved_bytes(pool) >= BYTES);
    CHECK(cudaFreeAsync(d_values, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(used_bytes(pool) == 0);
}

// What is free stays reserved up to the threshold, until it is trimmed.
static void what_a_pool_keeps(cudaStream_t stream)
{
    cudaMemPool_t pool;
    cudaMemPoolProps properties = {};
    uint64_t all = UINT64_MAX, nothing = 0;
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemPoolCreate(&pool, &properties));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    allocate_and_free(pool, stream);
    EXPECT(reserved_bytes(pool) >= BYTES);
    CHECK(cudaMemPoolTrimTo(pool, BYTES));
    EXPECT(reserved_bytes(pool) >= BYTES);
    CHECK(cudaMemPoolTrimTo(pool, 0));
    EXPECT(reserved_bytes(pool) == 0);
    EXPECT(bytes_of(pool, cudaMemPoolAttrReservedMemHigh) >= BYTES);
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &nothing));
    EXPECT(bytes_of(pool, cudaMemPoolAttrReservedMemHigh) == 0);
    FAILS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &nothing),
          cudaErrorInvalidValue);
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &nothing));
    allocate_and_free(pool, stream);
    CHECK(cudaDeviceSynchronize());
    EXPECT(reserved_bytes(pool) == 0);
    CHECK(cudaMemPoolDestroy(pool));
}

#if CUDART_VERSION >= 13000
static void note_first(void *values)
{
    ((volatile int *)values)[1] = ((volatile int *)values)[0] + 1;
}

// A pool of the host's memory is closed to kernels at first.
static void open_to_the_device(cudaMemPool_t pool)
{
    cudaMemAccessDesc open = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    cudaMemAccessFlags may;
    CHECK(cudaMemPoolGetAccess(&may, pool, &host));
    EXPECT(may == cudaMemAccessFlagsProtReadWrite);
    CHECK(cudaMemPoolGetAccess(&may, pool, &open.location));
    EXPECT(may == cudaMemAccessFlagsProtNone);
    CHECK(cudaMemPoolSetAccess(pool, &open, 1));
    CHECK(cudaMemPoolGetAccess(&may, pool, &open.location));
    EXPECT(may == cudaMemAccessFlagsProtReadWrite);
}

// Memory of the host, and managed memory, in stream order: kernels and the host use one pointer,
// and it is there until the stream has come to its end.
static void a_pool_that_the_host_sees(cudaStream_t stream, cudaMemAllocationType type,
                                      cudaMemLocationType place)
{
    cudaMemPool_t pool;
    cudaMemPoolProps properties = {};
    cudaPointerAttributes attributes;
    int *values, *again, *d_copy;
    properties.allocType = type;
    properties.location.type = place;
    CHECK(cudaMalloc(&d_copy, 2 * sizeof *d_copy));
    CHECK(cudaMemPoolCreate(&pool, &properties));
    if (place == cudaMemLocationTypeHost)
        open_to_the_device(pool);
    for (int turn = 0; turn < 3; turn++) {
        int got[2] = {};
        CHECK(cudaMallocFromPoolAsync(&values, BYTES, pool, stream));
        EXPECT(used_bytes(pool) >= BYTES);
        CHECK(cudaPointerGetAttributes(&attributes, values));
        EXPECT(attributes.type == (type == cudaMemAllocationTypeManaged ? cudaMemoryTypeManaged
                                                                        : cudaMemoryTypeHost));
        fill<<<N / 256, 256, 0, stream>>>(values, 7 + turn);
        CHECK(cudaLaunchHostFunc(stream, note_first, values));
        CHECK(cudaMemcpyAsync(d_copy, values, 2 * sizeof *values, cudaMemcpyDefault, stream));
        CHECK(cudaFreeAsync(values, stream));
        CHECK(cudaMallocFromPoolAsync(&again, BYTES, pool, stream));
        CHECK(cudaMemcpyAsync(got, d_copy, sizeof got, cudaMemcpyDefault, stream));
        CHECK(cudaStreamSynchronize(stream));
        // Not claimed of managed pools: on an H200 with driver 580 the copy has what was there in
        // the first turn.
        EXPECT(type == cudaMemAllocationTypeManaged ||
               (got[0] == 7 + turn && got[1] == 8 + turn));
        again[N - 1] = 5;
        fill<<<N / 256, 256, 0, stream>>>(again, 6);
        CHECK(cudaStreamSynchronize(stream));
        EXPECT(again[N - 1] == 6);
        CHECK(cudaFree(again)); // the plain function frees it, too
    }
    CHECK(cudaMemPoolDestroy(pool));
    CHECK(cudaFree(d_copy));
}

static void pools_that_the_host_sees(cudaStream_t stream)
{
    cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    cudaMemPool_t pool, named;
    int supported = 0, *values;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrHostMemoryPoolsSupported, 0));
    if (!supported)
        return;
    a_pool_that_the_host_sees(stream, cudaMemAllocationTypePinned, cudaMemLocationTypeHost);
    a_pool_that_the_host_sees(stream, cudaMemAllocationTypeManaged, cudaMemLocationTypeNone);
    CHECK(cudaMemGetDefaultMemPool(&pool, &host, cudaMemAllocationTypePinned));
    CHECK(cudaMemGetMemPool(&named, &host, cudaMemAllocationTypePinned));
    EXPECT(pool == named);
    CHECK(cudaMallocFromPoolAsync(&values, BYTES, pool, stream));
    CHECK(cudaStreamSynchronize(stream));
    values[0] = 1;
    CHECK(cudaFreeAsync(values, stream));
    CHECK(cudaStreamSynchronize(stream));
}
#endif

int main()
{
    cudaStream_t stream;
    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    EXPECT(supported);
    CHECK(cudaStreamCreate(&stream));
    in_stream_order(stream);
    the_default_pool(stream);
    pools_by_location();
    a_pool_of_ones_own(stream);
    what_a_pool_keeps(stream);
#if CUDART_VERSION >= 13000
    pools_that_the_host_sees(stream);
#endif
    printf("all is as it should be\n");
    return 0;
}
