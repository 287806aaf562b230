/* memory.c - making and freeing memory.
 *
 * Device memory is only a number here. Pinned and managed memory is a file the device shares with
 * the program, mapped at the address it has on the device, so one pointer serves both.
 */
#include "client.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY_DEVICE, MEMORY_HOST, MEMORY_MANAGED }; /* as enum sim_allocation_kind */

struct mapping {
    struct mapping *next;
    uint64_t address, size_bytes;
    bool managed;
    unsigned flags;
    void *registered;            /* cudaHostRegister: where the program's own memory was */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;

static uint64_t page_end(uint64_t size_bytes)
{
    return (size_bytes + 4095) & ~UINT64_C(4095);
}

/* The mapping around address; the lock is held. */
static struct mapping *find(uint64_t address)
{
    struct mapping *mapping = mappings;
    while (mapping && address - mapping->address >= mapping->size_bytes)
        mapping = mapping->next;
    return mapping;
}

bool memory_is_shared(uint64_t address)
{
    pthread_mutex_lock(&lock);
    bool shared = find(address) != NULL;
    pthread_mutex_unlock(&lock);
    return shared;
}

static struct mapping *map(uint64_t address, uint64_t size_bytes, int fd)
{
    struct mapping *mapping = calloc(1, sizeof *mapping);
    void *at = MAP_FAILED;
    if (mapping)
        at = mmap((void *)address, page_end(size_bytes), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (at != (void *)address) {
        free(mapping);
        return NULL;
    }
    *mapping = (struct mapping){.address = address, .size_bytes = size_bytes};
    pthread_mutex_lock(&lock);
    mapping->next = mappings;
    mappings = mapping;
    pthread_mutex_unlock(&lock);
    return mapping;
}

static cudaError_t allocate(void **pointer, size_t size_bytes, uint32_t kind, unsigned flags)
{
    struct call call = new_call(REQUEST_ALLOCATE);
    call.request.allocate.size_bytes = size_bytes;
    call.request.allocate.kind = kind;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return error;
    if (kind != MEMORY_DEVICE) {
        struct mapping *mapping = map(call.reply.value[0], size_bytes, call.fd);
        close(call.fd);
        if (!mapping)
            return cudaErrorMemoryAllocation;
        mapping->managed = kind == MEMORY_MANAGED;
        mapping->flags = flags;
    }
    *pointer = (void *)call.reply.value[0];
    return cudaSuccess;
}

/* What a program asks for: not while it captures, and not nothing. */
static cudaError_t allocate_for(void **pointer, size_t size_bytes, uint32_t kind, unsigned flags)
{
    cudaError_t error = capture_check_unsafe();
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (error != cudaSuccess)
        return error;
    if (size_bytes == 0)
        return kind == MEMORY_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    return allocate(pointer, size_bytes, kind, flags);
}

static cudaError_t give_back(uint64_t address)
{
    struct call call = new_call(REQUEST_FREE);
    call.request.address.address = address;
    return perform(&call);
}

static cudaError_t unmap_and_free(uint64_t address)
{
    pthread_mutex_lock(&lock);
    struct mapping **link = &mappings;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct mapping *mapping = *link;
    if (mapping)
        *link = mapping->next;
    pthread_mutex_unlock(&lock);
    if (!mapping)
        return cudaErrorInvalidValue;
    cudaError_t error = give_back(address); /* waits until nothing uses it */
    munmap((void *)address, page_end(mapping->size_bytes));
    free(mapping);
    return error;
}

cudaError_t memory_share(uint64_t address)
{
    struct call call = new_call(REQUEST_SHARE);
    call.request.address.address = address;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return error;
    struct mapping *mapping = map(address, call.reply.value[0], call.fd);
    close(call.fd);
    if (mapping)
        mapping->managed = true;
    return mapping ? cudaSuccess : cudaErrorMemoryAllocation;
}

void *memory_pinned(size_t size_bytes)
{
    void *pinned;
    return allocate(&pinned, size_bytes, MEMORY_HOST, 0) == cudaSuccess ? pinned : NULL;
}

void memory_pinned_free(void *pinned)
{
    if (pinned)
        unmap_and_free((uint64_t)pinned);
}

/* --- The API ---------------------------------------------------------------------------------- */

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    return api(allocate_for(pointer, size, MEMORY_DEVICE, 0));
}

cudaError_t cudaFree(void *pointer)
{
    cudaError_t error = capture_check_unsafe();
    if (!pointer || error != cudaSuccess)
        return api(error);
    uint64_t address = (uint64_t)pointer;
    return api(memory_is_shared(address) ? unmap_and_free(address) : give_back(address));
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    return api(allocate_for(pointer, size, MEMORY_HOST, 0));
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
    return api(allocate_for(pointer, size, MEMORY_HOST, flags));
}

cudaError_t cudaFreeHost(void *pointer)
{
    return api(pointer ? unmap_and_free((uint64_t)pointer) : cudaSuccess);
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags)
{
    return api(allocate_for(pointer, size, MEMORY_MANAGED, flags));
}

enum { PITCH = 512 };

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return api(allocate_for(pointer, *pitch * height, MEMORY_DEVICE, 0));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    pointer->pitch = (extent.width + PITCH - 1) / PITCH * PITCH;
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return api(allocate_for(&pointer->ptr, pointer->pitch * extent.height * extent.depth,
                        MEMORY_DEVICE, 0));
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    struct call call = new_call(REQUEST_MEMORY_INFO);
    cudaError_t error = perform(&call);
    *free_bytes = call.reply.value[0];
    *total = call.reply.value[1];
    return api(error);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    (void)flags;
    uint64_t address = (uint64_t)host;
    pthread_mutex_lock(&lock);
    struct mapping *mapping = find(address);
    for (struct mapping *at = mappings; at && !mapping; at = at->next)
        if (at->registered && address - (uint64_t)at->registered < at->size_bytes) {
            address = address - (uint64_t)at->registered + at->address;
            mapping = at;
        }
    pthread_mutex_unlock(&lock);
    *device = mapping ? (void *)address : NULL;
    return api(mapping ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    pthread_mutex_lock(&lock);
    const struct mapping *mapping = find((uint64_t)host);
    *flags = mapping ? mapping->flags | cudaHostAllocMapped : 0;
    pthread_mutex_unlock(&lock);
    return api(mapping ? cudaSuccess : cudaErrorInvalidValue);
}

/* The program's own pages become shared ones with the same contents; whole pages, as on a device.
 * The device sees them at an address of its own. */
cudaError_t cudaHostRegister(void *host, size_t size, unsigned flags)
{
    uint64_t first = (uint64_t)host & ~UINT64_C(4095);
    uint64_t bytes = page_end((uint64_t)host + size) - first;
    struct call call = new_call(REQUEST_ALLOCATE);
    if (!host || size == 0)
        return api(cudaErrorInvalidValue);
    call.request.allocate.size_bytes = bytes;
    call.request.allocate.kind = MEMORY_HOST;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return api(error);
    struct mapping *mapping = map(call.reply.value[0], bytes, call.fd);
    if (mapping) {
        memcpy((void *)mapping->address, (void *)first, bytes);
        mapping->flags = flags;
        mapping->registered = (void *)first;
        if (mmap((void *)first, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, call.fd,
                 0) == MAP_FAILED)
            mapping = NULL;
    }
    close(call.fd);
    return api(mapping ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *host)
{
    uint64_t first = (uint64_t)host & ~UINT64_C(4095);
    pthread_mutex_lock(&lock);
    struct mapping *mapping = mappings;
    while (mapping && mapping->registered != (void *)first)
        mapping = mapping->next;
    pthread_mutex_unlock(&lock);
    if (!mapping)
        return api(cudaErrorHostMemoryNotRegistered);
    uint64_t bytes = page_end(mapping->size_bytes);
    void *copy = malloc(bytes);
    if (!copy)
        return api(cudaErrorMemoryAllocation);
    memcpy(copy, (void *)first, bytes);
    mmap((void *)first, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
         0);
    memcpy((void *)first, copy, bytes);
    free(copy);
    return api(unmap_and_free(mapping->address));
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    struct call call = new_call(REQUEST_RANGE);
    memset(attributes, 0, sizeof *attributes);
    attributes->type = cudaMemoryTypeUnregistered;
    if (!is_device_range((uint64_t)pointer))
        return cudaSuccess;
    call.request.address.address = (uint64_t)pointer;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return api(error);
    static const enum cudaMemoryType TYPES[] = {cudaMemoryTypeDevice, cudaMemoryTypeHost,
                                                cudaMemoryTypeManaged, cudaMemoryTypeDevice};
    attributes->type = TYPES[call.reply.range.kind & 3];
    attributes->devicePointer = (void *)pointer;
    if (attributes->type != cudaMemoryTypeDevice)
        attributes->hostPointer = (void *)pointer;
    return cudaSuccess;
}

/* --- CUDA IPC --------------------------------------------------------------------------------- */

_Static_assert(sizeof(cudaIpcMemHandle_t) == IPC_HANDLE_BYTES, "handles have one size");

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    struct call call = new_call(REQUEST_IPC_GET);
    call.request.address.address = (uint64_t)pointer;
    cudaError_t error = perform(&call);
    memcpy(handle, call.reply.ipc.handle, sizeof *handle);
    return api(error);
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    struct call call = new_call(REQUEST_IPC_OPEN);
    (void)flags;
    memcpy(call.request.ipc.handle, &handle, sizeof handle);
    cudaError_t error = perform(&call);
    *pointer = error == cudaSuccess ? (void *)call.reply.value[0] : NULL;
    return api(error);
}

cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
    return api(give_back((uint64_t)pointer));
}

/* --- Stream-ordered allocation -------------------------------------------------------------------
 * Memory comes at once, and goes when all that is queued is done: stricter than asked. */

static cudaError_t allocate_async(void **pointer, size_t size, cudaStream_t stream,
                                  uint64_t default_stream)
{
    if (!stream_of(stream, default_stream))
        return cudaErrorInvalidResourceHandle;
    return allocate_for(pointer, size, MEMORY_DEVICE, 0);
}

static cudaError_t free_async(void *pointer, cudaStream_t stream, uint64_t default_stream)
{
    cudaError_t error = capture_check_unsafe();
    if (!stream_of(stream, default_stream))
        return cudaErrorInvalidResourceHandle;
    return error != cudaSuccess || !pointer ? error : give_back((uint64_t)pointer);
}

BOTH(_ptsz, cudaMallocAsync, (void **pointer, size_t size, cudaStream_t stream),
     allocate_async(pointer, size, stream, default_stream))
BOTH(_ptsz, cudaMallocFromPoolAsync,
     (void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream),
     ((void)pool, allocate_async(pointer, size, stream, default_stream)))
BOTH(_ptsz, cudaFreeAsync, (void *pointer, cudaStream_t stream),
     free_async(pointer, stream, default_stream))

/* There is one pool, which keeps nothing. */
static int the_pool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    *pool = (cudaMemPool_t)&the_pool;
    return api(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    (void)pool;
    return api(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    (void)properties;
    *pool = (cudaMemPool_t)&the_pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    (void)pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    (void)pool, (void)keep;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    (void)pool, (void)attribute, (void)value;
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    (void)pool;
    if (attribute <= cudaMemPoolReuseAllowInternalDependencies)
        *(int *)value = 1;
    else
        *(uint64_t *)value = 0;
    return cudaSuccess;
}

/* --- Advice, which a device with one memory does not need ----------------------------------------- */

#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)pointer, (void)count, (void)advice, (void)location;
    return cudaSuccess;
}

BOTH(_ptsz, cudaMemPrefetchAsync,
     (const void *pointer, size_t count, struct cudaMemLocation location, unsigned flags,
      cudaStream_t stream),
     ((void)pointer, (void)count, (void)location, (void)flags,
      stream_of(stream, default_stream) ? cudaSuccess : cudaErrorInvalidResourceHandle))
#else
cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    (void)pointer, (void)count, (void)advice, (void)device;
    return cudaSuccess;
}

BOTH(_ptsz, cudaMemPrefetchAsync,
     (const void *pointer, size_t count, int device, cudaStream_t stream),
     ((void)pointer, (void)count, (void)device,
      stream_of(stream, default_stream) ? cudaSuccess : cudaErrorInvalidResourceHandle))
#endif
