/* device.c - queries about the device, and settings of it. There is one device, number 0. */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cudaError_t ask(struct device_reply *device)
{
    struct call call = new_call(REQUEST_DEVICE);
    cudaError_t error = perform(&call);
    *device = call.reply.device;
    return error;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    struct device_reply device;
    cudaError_t error = ask(&device);
    *count = error == cudaSuccess;
    return api(error);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    struct device_reply reply;
    return api(device == 0 ? ask(&reply) : cudaErrorInvalidDevice);
}

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned more)
{
    (void)flags, (void)more;
    return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    return api(count > 0 && devices[0] != 0 ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties)
{
    (void)properties;
    *device = 0;
    return cudaSuccess;
}

static unsigned device_flags;

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    device_flags = flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    *flags = device_flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* As if the program had just begun: memory, streams, events, graphs and any fault are gone. The
 * library's own records are dropped in an order in which none uses another that is gone. */
cudaError_t cudaDeviceReset(void)
{
    struct call call = new_call(REQUEST_RESET);
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return api(error);
    memory_forget_all();
    pool_forget_all();
    ipc_forget_all();
    texture_forget_all();
    array_forget_all();
    stream_forget_all();
    graph_forget_all();
    graph_memory_forget_all();
    event_forget_all();
    program_forget();
    return cudaSuccess;
}

/* Where the device would be: the first place after the root, as in most machines with one GPU. */
enum { PCI_DOMAIN = 0, PCI_BUS = 1, PCI_DEVICE = 0 };

/* A policy for a window changes no result, so any window may have one, up to the length of an
 * H200's. */
enum { POLICY_WINDOW_BYTES = 128 << 20 };

/* --- Properties ------------------------------------------------------------------------------- */

static void fill_limits(struct cudaDeviceProp *to, const struct device_reply *from)
{
    to->totalGlobalMem = from->memory_bytes;
    to->sharedMemPerBlock = 48 * 1024;
    to->sharedMemPerBlockOptin = from->shared_bytes_block;
    to->sharedMemPerMultiprocessor = from->shared_bytes;
    to->reservedSharedMemPerBlock = from->shared_bytes_reserved;
    to->regsPerBlock = (int)from->registers;
    to->regsPerMultiprocessor = (int)from->registers;
    to->warpSize = 32;
    to->memPitch = INT32_MAX;
    to->maxThreadsPerBlock = 1024;
    to->maxThreadsDim[0] = to->maxThreadsDim[1] = MOST_BLOCK_XY;
    to->maxThreadsDim[2] = MOST_BLOCK_Z;
    to->maxGridSize[0] = MOST_GRID_X;
    to->maxGridSize[1] = to->maxGridSize[2] = MOST_GRID_YZ;
    to->maxThreadsPerMultiProcessor = (int)from->warps * 32;
    to->maxBlocksPerMultiProcessor = (int)from->blocks;
    to->totalConstMem = 65536;
    to->textureAlignment = 512;
    to->texturePitchAlignment = 32;
    to->surfaceAlignment = 512;
    texture_limits_fill(to);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    struct device_reply reply;
    cudaError_t error = device == 0 ? ask(&reply) : cudaErrorInvalidDevice;
    if (error != cudaSuccess)
        return api(error);
    memset(properties, 0, sizeof *properties);
    strncpy(properties->name, reply.name, sizeof properties->name - 1);
    memcpy(&properties->uuid, reply.uuid, sizeof properties->uuid);
    fill_limits(properties, &reply);
    properties->major = reply.compute_major;
    properties->minor = reply.compute_minor;
    properties->multiProcessorCount = reply.multiprocessors;
    properties->l2CacheSize = (int)reply.l2_bytes;
    properties->persistingL2CacheMaxSize = (int)(reply.l2_bytes / 8 * 5);
    properties->memoryBusWidth = reply.bus_bits;
#if CUDART_VERSION < 13000
    properties->clockRate = reply.clock_khz;
    properties->memoryClockRate = reply.memory_clock_khz;
    properties->deviceOverlap = 1;
#endif
    properties->asyncEngineCount = 3;
    properties->unifiedAddressing = properties->canMapHostMemory = 1;
    properties->concurrentKernels = properties->managedMemory = 1;
    properties->concurrentManagedAccess = 1;
    properties->ECCEnabled = 1;
    properties->accessPolicyMaxWindowSize = POLICY_WINDOW_BYTES;
    properties->unifiedFunctionPointers = 1;
    properties->cooperativeLaunch = properties->streamPrioritiesSupported = 1;
    properties->clusterLaunch = reply.compute_major >= 9;
    properties->globalL1CacheSupported = properties->localL1CacheSupported = 1;
    properties->memoryPoolsSupported = properties->hostRegisterSupported = 1;
    properties->computePreemptionSupported = 1;
    properties->ipcEventSupported = 1;
    properties->pciDomainID = PCI_DOMAIN;
    properties->pciBusID = PCI_BUS;
    properties->pciDeviceID = PCI_DEVICE;
    return cudaSuccess;
}

struct attribute {
    enum cudaDeviceAttr attribute;
    int value;
};

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct device_reply d;
    cudaError_t error = device != 0                                    ? cudaErrorInvalidDevice
                        : attribute < 1 || attribute >= cudaDevAttrMax ? cudaErrorInvalidValue
                                                                       : ask(&d);
    if (error != cudaSuccess)
        return api(error);
    const struct attribute attributes[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxBlockDimX, MOST_BLOCK_XY},
        {cudaDevAttrMaxBlockDimY, MOST_BLOCK_XY},
        {cudaDevAttrMaxBlockDimZ, MOST_BLOCK_Z},
        {cudaDevAttrMaxGridDimX, MOST_GRID_X},
        {cudaDevAttrMaxGridDimY, MOST_GRID_YZ},
        {cudaDevAttrMaxGridDimZ, MOST_GRID_YZ},
        {cudaDevAttrMaxSharedMemoryPerBlock, 48 * 1024},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)d.shared_bytes_block},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)d.shared_bytes},
        {cudaDevAttrReservedSharedMemoryPerBlock, (int)d.shared_bytes_reserved},
        {cudaDevAttrTotalConstantMemory, 65536},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMaxPitch, INT32_MAX},
        {cudaDevAttrMaxRegistersPerBlock, (int)d.registers},
        {cudaDevAttrMaxRegistersPerMultiprocessor, (int)d.registers},
        {cudaDevAttrClockRate, d.clock_khz},
        {cudaDevAttrMemoryClockRate, d.memory_clock_khz},
        {cudaDevAttrGlobalMemoryBusWidth, d.bus_bits},
        {cudaDevAttrMultiProcessorCount, d.multiprocessors},
        {cudaDevAttrL2CacheSize, (int)d.l2_bytes},
        {cudaDevAttrMaxThreadsPerMultiProcessor, (int)d.warps * 32},
        {cudaDevAttrMaxBlocksPerMultiprocessor, (int)d.blocks},
        {cudaDevAttrComputeCapabilityMajor, d.compute_major},
        {cudaDevAttrComputeCapabilityMinor, d.compute_minor},
        {cudaDevAttrTextureAlignment, 512},
        {cudaDevAttrTexturePitchAlignment, 32},
        {cudaDevAttrSurfaceAlignment, 512},
        {cudaDevAttrAsyncEngineCount, 3},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrStreamPrioritiesSupported, 1},
        {cudaDevAttrGlobalL1CacheSupported, 1},
        {cudaDevAttrLocalL1CacheSupported, 1},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrClusterLaunch, d.compute_major >= 9},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrEccEnabled, 1},
        {cudaDevAttrMaxAccessPolicyWindowSize, POLICY_WINDOW_BYTES},
        {cudaDevAttrHostRegisterSupported, 1},
        {cudaDevAttrMemoryPoolsSupported, 1},
#if CUDART_VERSION >= 13000
        {cudaDevAttrHostNumaMemoryPoolsSupported, 1},
        {cudaDevAttrHostMemoryPoolsSupported, 1},
#endif
        {cudaDevAttrIpcEventSupport, 1},
        {cudaDevAttrComputePreemptionSupported, 1},
        {cudaDevAttrPciDomainId, PCI_DOMAIN},
        {cudaDevAttrPciBusId, PCI_BUS},
        {cudaDevAttrPciDeviceId, PCI_DEVICE},
        {cudaDevAttrMaxPersistingL2CacheSize, (int)(d.l2_bytes / 8 * 5)},
    };
    *value = texture_limit(attribute); /* this device has nothing else */
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].attribute == attribute)
            *value = attributes[i].value;
    return cudaSuccess;
}

/* --- Limits ----------------------------------------------------------------------------------- */

static bool limit_of(enum cudaLimit which, uint32_t *limit)
{
    switch (which) {
    case cudaLimitStackSize: *limit = LIMIT_STACK; return true;
    case cudaLimitPrintfFifoSize: *limit = LIMIT_PRINTF; return true;
    case cudaLimitMallocHeapSize: *limit = LIMIT_HEAP; return true;
    default: return false;
    }
}

/* Among limits that are not modelled, those that are only advice are accepted without effect. */
static cudaError_t limit_as_advice(enum cudaLimit which)
{
    bool is_advice = which == cudaLimitPersistingL2CacheSize ||
                     which == cudaLimitMaxL2FetchGranularity ||
                     which == cudaLimitDevRuntimePendingLaunchCount;
    return is_advice ? cudaSuccess : cudaErrorUnsupportedLimit;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit which, size_t value)
{
    struct call call = new_call(REQUEST_LIMIT);
    if (!limit_of(which, &call.request.limit.limit))
        return api(limit_as_advice(which));
    call.request.limit.set = 1;
    call.request.limit.value = value;
    return api(perform(&call));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which)
{
    struct call call = new_call(REQUEST_LIMIT);
    *value = 0;
    if (!limit_of(which, &call.request.limit.limit))
        return api(limit_as_advice(which));
    cudaError_t error = perform(&call);
    *value = call.reply.value[0];
    return api(error);
}

/* --- Advice and peers ------------------------------------------------------------------------- */

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}

/* Shared memory's banks have been of four bytes since compute capability 5.0. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    if (!config)
        return api(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

/* There is one device, and no device is its own peer. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    return api(flags       ? cudaErrorInvalidValue
               : peer == 0 ? cudaErrorPeerAccessUnsupported
                           : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return api(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer)
{
    (void)value, (void)attribute, (void)device, (void)peer;
    return api(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    *can = 0;
    return api(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    char text[16];
    int needed = snprintf(text, sizeof text, "%04X:%02X:%02X.0", PCI_DOMAIN, PCI_BUS, PCI_DEVICE);
    if (device != 0)
        return api(cudaErrorInvalidDevice);
    if (!id || length <= needed)
        return api(cudaErrorInvalidValue);
    memcpy(id, text, (size_t)needed + 1);
    return cudaSuccess;
}

/* domain:bus:device.function, without the function, or without the domain; in hexadecimal. */
static bool names_device(const char *id)
{
    unsigned domain = PCI_DOMAIN, bus, number, function = 0;
    char rest;
    int found = sscanf(id, "%x:%x:%x.%x%c", &domain, &bus, &number, &function, &rest);
    if (found < 3) {
        domain = PCI_DOMAIN;
        found = sscanf(id, "%x:%x.%x%c", &bus, &number, &function, &rest) + 1;
    }
    return (found == 3 || found == 4) && domain == PCI_DOMAIN && bus == PCI_BUS &&
           number == PCI_DEVICE && function == 0;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    if (!device || !id)
        return api(cudaErrorInvalidValue);
    if (!names_device(id))
        return api(cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}
