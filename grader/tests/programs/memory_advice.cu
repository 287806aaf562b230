// memory_advice.cu - what was said about managed memory can be asked again, page by page.
#include "program.h"

enum { PAGE = 2 << 20, BYTES = 4 * PAGE };

static const cudaMemLocation DEVICE = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation HOST = {cudaMemLocationTypeHost, 0};

static int ask(cudaMemRangeAttribute attribute, const char *from, size_t count)
{
    int value = -77;
    CHECK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, from, count));
    return value;
}

static void advise(char *from, size_t count, cudaMemoryAdvise advice, cudaMemLocation where)
{
#if CUDART_VERSION >= 13000
    CHECK(cudaMemAdvise(from, count, advice, where));
#else
    CHECK(cudaMemAdvise_v2(from, count, advice, where));
#endif
}

static void prefetch(char *from, size_t count, cudaMemLocation where)
{
#if CUDART_VERSION >= 13000
    CHECK(cudaMemPrefetchAsync(from, count, where, 0, 0));
#else
    CHECK(cudaMemPrefetchAsync_v2(from, count, where, 0, 0));
#endif
    CHECK(cudaDeviceSynchronize());
}

int main()
{
    char *values, *d_values;
    int accessing[2], read_mostly = 0, preferred = 0;
    CHECK(cudaMallocManaged(&values, BYTES));
    EXPECT(ask(cudaMemRangeAttributeReadMostly, values, BYTES) == 0);
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, values, BYTES) == cudaInvalidDeviceId);
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, values, BYTES) == cudaInvalidDeviceId);

    advise(values, BYTES, cudaMemAdviseSetReadMostly, DEVICE);
    EXPECT(ask(cudaMemRangeAttributeReadMostly, values, BYTES) == 1);
    advise(values + PAGE, PAGE, cudaMemAdviseUnsetReadMostly, DEVICE);
    EXPECT(ask(cudaMemRangeAttributeReadMostly, values, BYTES) == 0);
    EXPECT(ask(cudaMemRangeAttributeReadMostly, values + 2 * PAGE, PAGE) == 1);
    EXPECT(ask(cudaMemRangeAttributeReadMostly, values, PAGE) == 1);

    advise(values, BYTES, cudaMemAdviseSetPreferredLocation, DEVICE);
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, values, BYTES) == 0);
    EXPECT(ask(cudaMemRangeAttributePreferredLocationType, values, BYTES) ==
           cudaMemLocationTypeDevice);
    advise(values, PAGE, cudaMemAdviseSetPreferredLocation, HOST);
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, values, BYTES) == cudaInvalidDeviceId);
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, values, PAGE) == cudaCpuDeviceId);
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, values + PAGE, 3 * PAGE) == 0);

    advise(values, BYTES, cudaMemAdviseSetAccessedBy, DEVICE);
    CHECK(cudaMemRangeGetAttribute(accessing, sizeof accessing, cudaMemRangeAttributeAccessedBy,
                                   values, BYTES));
    EXPECT(accessing[0] == 0 && accessing[1] == cudaInvalidDeviceId);

    prefetch(values, BYTES, DEVICE);
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, values, BYTES) == 0);
    prefetch(values, BYTES, HOST);
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, values, BYTES) == cudaCpuDeviceId);

    void *data[2] = {&read_mostly, &preferred};
    size_t sizes[2] = {sizeof read_mostly, sizeof preferred};
    cudaMemRangeAttribute both[2] = {cudaMemRangeAttributeReadMostly,
                                     cudaMemRangeAttributePreferredLocation};
    CHECK(cudaMemRangeGetAttributes(data, sizes, both, 2, values, PAGE));
    EXPECT(read_mostly == 1 && preferred == cudaCpuDeviceId);
    FAILS(cudaMemRangeGetAttribute(&preferred, 3, both[1], values, BYTES), cudaErrorInvalidValue);
    CHECK(cudaMalloc(&d_values, BYTES));
    FAILS(cudaMemRangeGetAttribute(&preferred, 4, both[1], d_values, BYTES),
          cudaErrorInvalidValue);
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(values));
    printf("all is as it should be\n");
    return 0;
}
