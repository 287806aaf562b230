// driver.cu - the driver API: modules, functions, memory, streams and events, beside the runtime.
#include "program.h"

#include <cstring>
#include <cuda.h>

#define DRIVER(call)                                                                             \
    do {                                                                                         \
        CUresult result_ = (call);                                                               \
        if (result_ != CUDA_SUCCESS) {                                                           \
            const char *name_ = "?";                                                             \
            cuGetErrorName(result_, &name_);                                                     \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_);                         \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

// to[i] = from[i] * factor + offset of the module, for i < count
static const char PTX[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .global .align 4 .s32 offset = 5;\n"
    ".visible .entry scale(.param .u64 to, .param .u64 from, .param .s32 factor, .param .u32 count)"
    "{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<12>;\n.reg .b64 %d<8>;\n"
    "ld.param.u64 %d1, [to];\nld.param.u64 %d2, [from];\n"
    "ld.param.s32 %r1, [factor];\nld.param.u32 %r2, [count];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r6, %r3, %r4, %r5;\nsetp.ge.u32 %p1, %r6, %r2;\n@%p1 bra END;\n"
    "mul.wide.u32 %d3, %r6, 4;\nadd.u64 %d4, %d2, %d3;\nadd.u64 %d5, %d1, %d3;\n"
    "ld.global.s32 %r7, [%d4];\nld.global.s32 %r8, [offset];\n"
    "mad.lo.s32 %r9, %r7, %r1, %r8;\nst.global.s32 [%d5], %r9;\nEND: ret;\n}\n";

enum { COUNT = 1000 };

static void devices(CUdevice *device)
{
    int count, major, minor;
    char name[100];
    size_t bytes;
    DRIVER(cuInit(0));
    DRIVER(cuDeviceGetCount(&count));
    EXPECT(count >= 1);
    DRIVER(cuDeviceGet(device, 0));
    DRIVER(cuDeviceGetName(name, sizeof name, *device));
    EXPECT(strstr(name, "NVIDIA"));
    DRIVER(cuDeviceTotalMem(&bytes, *device));
    EXPECT(bytes > 1u << 30);
    DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, *device));
    DRIVER(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, *device));
    EXPECT(major >= 8 && minor >= 0);
    EXPECT(cuDeviceGet(device, 99) == CUDA_ERROR_INVALID_DEVICE);
    DRIVER(cuDeviceGet(device, 0));
}

static void run(CUfunction scale, CUdeviceptr to, CUdeviceptr from, CUstream stream, bool buffer)
{
    int factor = 3;
    unsigned count = COUNT;
    struct {
        CUdeviceptr to, from;
        int factor;
        unsigned count;
    } all = {to, from, factor, count};
    size_t bytes = sizeof all;
    void *parameters[] = {&to, &from, &factor, &count};
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    DRIVER(cuLaunchKernel(scale, (COUNT + 127) / 128, 1, 1, 128, 1, 1, 0, stream,
                          buffer ? NULL : parameters, buffer ? extra : NULL));
#if CUDART_VERSION >= 11080
    CUlaunchAttribute priority = {};
    CUlaunchConfig config = {(COUNT + 127) / 128, 1, 1, 128, 1, 1, 0, stream, &priority, 1};
    priority.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    DRIVER(cuMemsetD8Async(to, 0, COUNT * sizeof(int), stream));
    DRIVER(cuLaunchKernelEx(&config, scale, buffer ? NULL : parameters, buffer ? extra : NULL));
#endif
}

static void module(void)
{
    CUmodule module;
    CUfunction scale, none;
    CUdeviceptr from, to, offset;
    CUstream stream;
    CUevent start, end;
    size_t bytes;
    float milliseconds;
    int numbers[COUNT], results[COUNT], seven = 7;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    DRIVER(cuModuleLoadData(&module, PTX));
    DRIVER(cuModuleGetFunction(&scale, module, "scale"));
    EXPECT(cuModuleGetFunction(&none, module, "none") == CUDA_ERROR_NOT_FOUND);
    DRIVER(cuModuleGetGlobal(&offset, &bytes, module, "offset"));
    EXPECT(bytes == 4);
    DRIVER(cuMemAlloc(&from, sizeof numbers));
    DRIVER(cuMemAlloc(&to, sizeof numbers));
    DRIVER(cuMemcpyHtoD(from, numbers, sizeof numbers));
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRIVER(cuEventCreate(&start, CU_EVENT_DEFAULT));
    DRIVER(cuEventCreate(&end, CU_EVENT_DEFAULT));
    for (int buffer = 0; buffer < 2; buffer++) {
        DRIVER(cuMemsetD8(to, 0, sizeof numbers));
        DRIVER(cuCtxSynchronize());
        DRIVER(cuEventRecord(start, stream));
        run(scale, to, from, stream, buffer);
        DRIVER(cuEventRecord(end, stream));
        DRIVER(cuStreamSynchronize(stream));
        DRIVER(cuEventElapsedTime(&milliseconds, start, end));
        EXPECT(milliseconds > 0);
        DRIVER(cuMemcpyDtoH(results, to, sizeof results));
        for (int i = 0; i < COUNT; i++)
            EXPECT(results[i] == i * 3 + (buffer ? 7 : 5));
        DRIVER(cuMemcpyHtoD(offset, &seven, sizeof seven));
    }
    // the runtime knows what the driver allocated
    CHECK(cudaMemcpy(results, (void *)from, sizeof results, cudaMemcpyDeviceToHost));
    EXPECT(results[17] == 17);
    EXPECT(cuMemAlloc(&to, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cudaGetLastError()); // and does not remember the driver's errors
    DRIVER(cuMemFree(from));
    DRIVER(cuEventDestroy(start));
    DRIVER(cuEventDestroy(end));
    DRIVER(cuStreamDestroy(stream));
    DRIVER(cuModuleUnload(module));
}

// The driver's functions by name, as programs ask for them that do not link with it.
static void by_name(void)
{
    void *function = NULL;
    cudaDriverEntryPointQueryResult result;
    int count = 0;
#if CUDART_VERSION >= 12050
    CHECK(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &function, 12000, cudaEnableDefault,
                                           &result));
#else
    CHECK(cudaGetDriverEntryPoint("cuDeviceGetCount", &function, cudaEnableDefault, &result));
#endif
    EXPECT(result == cudaDriverEntryPointSuccess && function);
    DRIVER(((CUresult (*)(int *))function)(&count));
    EXPECT(count >= 1);
}

#if CUDART_VERSION >= 13000
// A name stands for another function in each version; one may be too new for the version.
static void by_version(void)
{
    void *old = NULL, *newer = NULL, *none = &old;
    CUdriverProcAddressQueryResult result;
    float milliseconds;
    DRIVER(cuGetProcAddress("cuMemAlloc", &newer, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    EXPECT(result == CU_GET_PROC_ADDRESS_SUCCESS);
    CUdeviceptr memory;
    DRIVER(((decltype(&cuMemAlloc))newer)(&memory, 64));
    DRIVER(cuMemFree(memory));
    DRIVER(cuGetProcAddress("cuMemAlloc", &old, 2000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    EXPECT(result == CU_GET_PROC_ADDRESS_SUCCESS && old != newer);
    DRIVER(cuGetProcAddress("cuEventElapsedTime", &old, 12000, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    DRIVER(cuGetProcAddress("cuEventElapsedTime", &newer, 13000, CU_GET_PROC_ADDRESS_DEFAULT,
                            NULL));
    EXPECT(old && newer && old != newer);
    EXPECT(((decltype(&cuEventElapsedTime))newer)(&milliseconds, NULL, NULL) != CUDA_SUCCESS);
    DRIVER(cuGetProcAddress("cuLibraryLoadData", &none, 11000, CU_GET_PROC_ADDRESS_DEFAULT,
                            &result));
    EXPECT(!none && result == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    DRIVER(cuGetProcAddress("cuNoSuchThing", &none, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    EXPECT(!none && result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT(cuGetProcAddress("cuInit", &none, 99000, CU_GET_PROC_ADDRESS_DEFAULT, &result) ==
           CUDA_ERROR_INVALID_VALUE);
}
#endif

static void pools(CUdevice device)
{
    CUmemPoolProps properties = {};
    CUmemoryPool pool, standard;
    CUstream stream;
    CUdeviceptr memory;
    cuuint64_t keep = 1 << 20, kept = 0, used = 0;
    unsigned flags, back;
    int active = 0;
    DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
    EXPECT(active);
    DRIVER(cuDeviceGetDefaultMemPool(&standard, device));
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    DRIVER(cuMemPoolCreate(&pool, &properties));
    EXPECT(pool != standard);
    DRIVER(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
    DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept));
    EXPECT(kept == keep);
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRIVER(cuMemAllocFromPoolAsync(&memory, 4 * COUNT, pool, stream));
    DRIVER(cuMemsetD32Async(memory, 11, COUNT, stream));
    DRIVER(cuStreamSynchronize(stream));
    DRIVER(cuMemcpyDtoH(&back, memory + 4 * (COUNT - 1), sizeof back));
    EXPECT(back == 11);
    DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    EXPECT(used >= 4 * COUNT);
    DRIVER(cuMemFreeAsync(memory, stream));
    DRIVER(cuStreamSynchronize(stream));
    DRIVER(cuMemPoolTrimTo(pool, 0));
    DRIVER(cuMemPoolDestroy(pool));
    DRIVER(cuStreamDestroy(stream));
}

// Text that is linked before it is loaded.
static void linked(void)
{
    CUlinkState state;
    CUmodule module;
    CUfunction scale;
    void *code;
    size_t bytes;
    DRIVER(cuLinkCreate(0, NULL, NULL, &state));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)PTX, sizeof PTX, "text", 0, NULL, NULL));
    DRIVER(cuLinkComplete(state, &code, &bytes));
    DRIVER(cuModuleLoadData(&module, code));
    DRIVER(cuModuleGetFunction(&scale, module, "scale"));
    DRIVER(cuLinkDestroy(state));
    DRIVER(cuModuleUnload(module));
}

// A rectangle of an image goes to an array and back; what a texture of it gives is textures.cu.
static void arrays(void)
{
    CUarray array;
    CUtexObject texture;
    CUDA_ARRAY_DESCRIPTOR wanted = {};
    CUDA_MEMCPY2D there = {}, back = {};
    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC reading = {};
    unsigned char image[8][16], other[8][16] = {};
    for (int i = 0; i < 128; i++)
        image[i / 16][i % 16] = (unsigned char)i;
    wanted.Width = 16;
    wanted.Height = 8;
    wanted.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    wanted.NumChannels = 1;
    DRIVER(cuArrayCreate(&array, &wanted));
    there.srcMemoryType = CU_MEMORYTYPE_HOST;
    there.srcHost = image;
    there.srcPitch = there.WidthInBytes = 16;
    there.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    there.dstArray = array;
    there.Height = 8;
    DRIVER(cuMemcpy2D(&there));
    back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    back.srcArray = array;
    back.srcXInBytes = 3;
    back.srcY = 2;
    back.dstMemoryType = CU_MEMORYTYPE_HOST;
    back.dstHost = other;
    back.dstPitch = 16;
    back.WidthInBytes = 5;
    back.Height = 4;
    DRIVER(cuMemcpy2D(&back));
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 16; x++)
            EXPECT(other[y][x] == (x < 5 && y < 4 ? image[y + 2][x + 3] : 0));
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    reading.filterMode = CU_TR_FILTER_MODE_LINEAR; // of fractions, which is what is read
    DRIVER(cuTexObjectCreate(&texture, &resource, &reading, NULL));
    DRIVER(cuTexObjectDestroy(texture));
    DRIVER(cuArrayDestroy(array));
}

// Two allocations at neighbouring addresses are one piece of memory.
static void mapped(CUdevice device)
{
    CUmemAllocationProp properties = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr address;
    size_t bytes;
    int supported;
    DRIVER(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                                device));
    EXPECT(supported);
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    DRIVER(cuMemGetAllocationGranularity(&bytes, &properties,
                                         CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    DRIVER(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
    for (int half = 0; half < 2; half++) {
        DRIVER(cuMemCreate(&handle, bytes, &properties, 0));
        DRIVER(cuMemMap(address + half * bytes, bytes, 0, handle, 0));
        DRIVER(cuMemRelease(handle));
    }
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    DRIVER(cuMemSetAccess(address, 2 * bytes, &access, 1));
    int in[2] = {17, 4}, out[2];
    DRIVER(cuMemcpyHtoD(address + bytes - 4, in, 8));
    DRIVER(cuMemcpyDtoH(out, address + bytes - 4, 8));
    EXPECT(out[0] == 17 && out[1] == 4);
    DRIVER(cuMemUnmap(address, 2 * bytes));
    DRIVER(cuMemAddressFree(address, 2 * bytes));
}

// What a stream is asked, and host functions in it.
static void CUDA_CB count_up(void *count)
{
    ++*(int *)count;
}

static void CUDA_CB called_back(CUstream, CUresult result, void *count)
{
    *(int *)count += result == CUDA_SUCCESS ? 10 : 100;
}

static void streams(CUdevice device)
{
    CUstream stream, other;
    CUevent event;
    CUstreamCaptureStatus capture;
    CUcontext context, current;
    int least, greatest, priority, calls = 0;
    unsigned flags;
    unsigned long long id, other_id;
    size_t stack;
    char place[20] = "";
    DRIVER(cuCtxGetStreamPriorityRange(&least, &greatest));
    DRIVER(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, greatest));
    DRIVER(cuStreamCreate(&other, CU_STREAM_DEFAULT));
    DRIVER(cuStreamGetPriority(stream, &priority));
    EXPECT(least >= greatest && priority == greatest);
    DRIVER(cuStreamGetFlags(stream, &flags));
    EXPECT(flags == CU_STREAM_NON_BLOCKING);
    DRIVER(cuStreamGetId(stream, &id));
    DRIVER(cuStreamGetId(other, &other_id));
    EXPECT(id != other_id);
    DRIVER(cuStreamGetCtx(stream, &context));
    DRIVER(cuCtxGetCurrent(&current));
    EXPECT(context == current);
    DRIVER(cuStreamIsCapturing(stream, &capture));
    EXPECT(capture == CU_STREAM_CAPTURE_STATUS_NONE);
    DRIVER(cuLaunchHostFunc(stream, count_up, &calls));
    DRIVER(cuStreamAddCallback(stream, called_back, &calls, 0));
    DRIVER(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    DRIVER(cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT));
    DRIVER(cuEventSynchronize(event));
    EXPECT(calls == 11);
    DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    DRIVER(cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
    EXPECT(stack == 4096);
    DRIVER(cuDeviceGetPCIBusId(place, sizeof place, device));
    EXPECT(strchr(place, ':') && strchr(place, '.'));
    DRIVER(cuEventDestroy(event));
    DRIVER(cuStreamDestroy(other));
    DRIVER(cuStreamDestroy(stream));
}

// Memory in order with a stream, registered memory, and fills with wider values than a byte.
static void ordered_memory()
{
    static unsigned host[COUNT], back[COUNT];
    CUstream stream;
    CUdeviceptr device, registered;
    void *pinned;
    unsigned flags;
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRIVER(cuMemAllocAsync(&device, sizeof host, stream));
    DRIVER(cuMemsetD32Async(device, 0x12345678u, COUNT, stream));
    DRIVER(cuMemsetD16Async(device + 4, 0xabcdu, 3, stream));
    DRIVER(cuMemHostRegister(host, sizeof host, CU_MEMHOSTREGISTER_DEVICEMAP));
    DRIVER(cuMemHostAlloc(&pinned, 64, CU_MEMHOSTALLOC_PORTABLE));
    DRIVER(cuMemHostGetFlags(&flags, pinned));
    EXPECT(flags & CU_MEMHOSTALLOC_PORTABLE);
    DRIVER(cuMemFreeHost(pinned));
    DRIVER(cuMemHostGetDevicePointer(&registered, host, 0));
    DRIVER(cuMemcpyAsync(registered, device, sizeof host, stream));
    DRIVER(cuStreamSynchronize(stream));
    for (int i = 0; i < COUNT; i++)
        EXPECT(host[i] == (i == 1 ? 0xabcdabcdu : i == 2 ? 0x1234abcdu : 0x12345678u));
    DRIVER(cuMemsetD32(device, 0xfedc0102u, COUNT - 1));
    DRIVER(cuMemsetD16(device + 2, 0x55aau, 1));
    DRIVER(cuMemsetD32(device, 7, 0));
    DRIVER(cuMemcpyDtoH(back, device, sizeof back));
    EXPECT(back[0] == 0x55aa0102u && back[1] == 0xfedc0102u && back[COUNT - 1] == host[COUNT - 1]);
#if CUDART_VERSION >= 13000
    CUdeviceptr to[] = {device, device + 64}, from[] = {device + 128, device + 256};
    size_t sizes[] = {8, 16}, index = 0;
    CUmemcpyAttributes attributes = {};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    DRIVER(cuMemsetD32(device + 128, 5, 2));
    DRIVER(cuMemsetD32(device + 256, 6, 4));
    DRIVER(cuCtxSynchronize()); // a stream that does not block does not wait for the default one
    DRIVER(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &index, 1, stream));
    DRIVER(cuStreamSynchronize(stream));
    DRIVER(cuMemcpyDtoH(back, device, sizeof back));
    EXPECT(back[0] == 5 && back[1] == 5 && back[16] == 6 && back[19] == 6 && back[20] != 6);
#endif
    DRIVER(cuMemHostUnregister(host));
    DRIVER(cuMemFreeAsync(device, stream));
    DRIVER(cuStreamDestroy(stream));
}

// Libraries, whose kernels are functions, too; what is known of pointers.
static void libraries(CUdevice device)
{
#if CUDART_VERSION >= 12080
    CUlibrary library;
    CUmodule module;
    CUkernel kernel;
    CUfunction function, same;
    CUfunctionLoadingState state;
    const char *name;
    int threads = 0;
    DRIVER(cuLibraryLoadData(&library, PTX, NULL, NULL, 0, NULL, NULL, 0));
    DRIVER(cuLibraryGetKernel(&kernel, library, "scale"));
    DRIVER(cuLibraryGetModule(&module, library));
    DRIVER(cuModuleGetFunction(&same, module, "scale"));
    DRIVER(cuKernelGetFunction(&function, kernel));
    DRIVER(cuFuncLoad(function));
    DRIVER(cuFuncIsLoaded(&state, function));
    EXPECT(state == CU_FUNCTION_LOADING_STATE_LOADED);
    DRIVER(cuKernelGetName(&name, kernel));
    EXPECT(strcmp(name, "scale") == 0);
    DRIVER(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device));
    EXPECT(threads >= 32);
    DRIVER(cuLibraryUnload(library));
#endif
}

static void pointers()
{
    static int ordinary;
    CUdeviceptr device, managed;
    CUcontext context, current;
    CUmemorytype type;
    unsigned is_managed = 1, both[2] = {9, 9};
    void *pinned, *values[] = {&both[0], &both[1]}, *host;
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    CU_POINTER_ATTRIBUTE_IS_MANAGED};
    DRIVER(cuMemAlloc(&device, 64));
    DRIVER(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    DRIVER(cuMemHostAlloc(&pinned, 64, 0));
    DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
    EXPECT(type == CU_MEMORYTYPE_DEVICE);
    DRIVER(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, device));
    EXPECT(!is_managed);
    DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)pinned));
    EXPECT(type == CU_MEMORYTYPE_HOST);
    DRIVER(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, (CUdeviceptr)pinned));
    EXPECT(host == pinned);
    DRIVER(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, device));
    DRIVER(cuCtxGetCurrent(&current));
    EXPECT(context == current);
    DRIVER(cuPointerGetAttributes(2, wanted, values, managed));
    EXPECT(both[0] == CU_MEMORYTYPE_DEVICE && both[1] == 1);
    DRIVER(cuPointerGetAttributes(2, wanted, values, (CUdeviceptr)&ordinary));
    EXPECT(both[0] == 0 && both[1] == 0);
    EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 (CUdeviceptr)&ordinary) == CUDA_ERROR_INVALID_VALUE);
    DRIVER(cuMemFreeHost(pinned));
    DRIVER(cuMemFree(managed));
    DRIVER(cuMemFree(device));
}

int main()
{
    CUdevice device;
    CUcontext context, current;
    devices(&device);
    DRIVER(cuDevicePrimaryCtxRetain(&context, device));
    DRIVER(cuCtxSetCurrent(context));
    DRIVER(cuCtxGetCurrent(&current));
    EXPECT(current == context);
    module();
    libraries(device);
    pointers();
    linked();
    arrays();
    mapped(device);
    streams(device);
    ordered_memory();
    pools(device);
    by_name();
#if CUDART_VERSION >= 13000
    by_version();
#endif
    DRIVER(cuDevicePrimaryCtxRelease(device));
    return 0;
}
